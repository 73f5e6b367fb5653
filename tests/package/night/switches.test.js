// 350,000 orders while the catalogue switches its version: each has the prices of one, which was in use.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createPricer } from "order-cost";
import { createCatalogue } from "order-cost/catalogue";
import { currentText, makeVersion } from "../../worker/catalogue.js";

const ORDERS = 350_000;
const AT_ONCE = 50;
const PRODUCTS = 400;
const LINES = 8;
const VERSIONS = 4;
/** A version's prices are a step higher than those of the one before; a product alone differs by less. */
const STEP = 1_000_000;

const CODES = Array.from({ length: PRODUCTS }, (_, code) => code);
const pricesOf = (version, codes) => Object.fromEntries(codes.map((code) => [`${code}/1000`, `{"price":${version * STEP + code}}`]));

/** The last one changes all products by a layer in front of the one before it. */
async function makeVersions() {
  const whole = Array.from({ length: VERSIONS - 1 }, (_, version) => makeVersion(pricesOf(version, CODES), null, { shardCount: 16 }));
  const layered = makeVersion(pricesOf(VERSIONS - 2, CODES), null, { shardCount: 16, above: [pricesOf(VERSIONS - 1, CODES)] });
  return Promise.all([...whole, layered]);
}

for (const cacheBytes of [33_554_432, 12_000]) {
  test(`${ORDERS} orders with ${cacheBytes} bytes: none has two versions`, async () => {
    const versions = await makeVersions();
    const texts = Object.assign({}, ...versions.map((version) => version.texts));
    let current = 0;
    const read = async (names) =>
      new Map(names.map((name) => [name, name === "current" ? currentText(versions[current]) : (texts[name] ?? null)]));
    const catalogue = createCatalogue({ read, cacheBytes, refreshMs: 0 });
    const pricers = new Map();
    const pricerOf = (version) => {
      if (!pricers.has(version)) pricers.set(version, createPricer({ lookupPrices: version.lookupPrices }));
      return pricers.get(version);
    };
    const counts = Array(VERSIONS).fill(0);

    async function price(seed) {
      const version = await catalogue.version();
      const pricer = await pricerOf(version);
      const codes = Array.from({ length: LINES }, (_, line) => (seed * 7 + line * 53) % PRODUCTS);
      const productList = codes.map((cprcode) => ({ cprcode, productName: "x", quantity: 1 }));
      const { subTotal } = await pricer.calculate({ branchId: "1000", productList });
      const found = (subTotal - codes.reduce((sum, code) => sum + code, 0)) / (LINES * STEP);
      assert.equal(versions[found]?.id, version.id, `${found}`);
      counts[found] += 1;
    }

    for (let seed = 0; seed < ORDERS; seed += AT_ONCE) {
      if (seed % (4 * AT_ONCE) === 0) current = (seed / (4 * AT_ONCE)) % VERSIONS;
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => price(seed + index)));
      await turn(); // orders that find everything at hand leave the event loop none
    }
    assert.ok(
      counts.every((count) => count > ORDERS / (2 * VERSIONS)),
      `${counts}`,
    );
  });
}
