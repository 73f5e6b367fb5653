// 350,000 orders of the service while the catalogue switches its version, each on both of Node's ways: what they answer, log and
// count is the same, and of one version.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { isPromise, LOOK_UPS, reading } from "order-cost/internal";
import { responseOf } from "../../../worker/src/answers/index.js";
import { takeLines } from "../../../worker/src/log/log.js";
import { onNode } from "../../../worker/src/node/platform/platform.js";
import { createService } from "../../../worker/src/service/service.js";
import { UNHURRIED } from "../../until.js";
import { currentText, makeVersion } from "../../worker/catalogue.js";

const ORDERS = 350_000;
const AT_ONCE = 50;
const PRODUCTS = 400;
const LINES = 8;
const VERSIONS = 4;
/** A version's prices are a step higher than those of the one before; a product alone differs by less. */
const STEP = 1_000_000;
const URL = "http://shop.example/calculatecost4";

const CODES = Array.from({ length: PRODUCTS }, (_, code) => code);
const pricesOf = (version) => Object.fromEntries(CODES.map((code) => [`${code}/1000`, `{"price":${version * STEP + code}}`]));
const masked = (headers) => ({ ...headers, "x-request-id": "", "server-timing": headers["server-timing"]?.replaceAll(/dur=[\d.]+/g, "") });

/** What was logged of an order, and what was counted, by its id. */
function noting() {
  const noted = new Map();
  const of = (id) => noted.get(id) ?? noted.set(id, { lines: [], ended: [] }).get(id);
  const takeLine = (text) => {
    const { requestId, ms, time, ...line } = JSON.parse(text);
    if (requestId) of(requestId).lines.push({ ...line, ms: Object.keys(ms ?? {}) });
  };
  const orderEnded = (order) => {
    const { status, lines, route, requestId } = order.outcome;
    const counts = Object.values(LOOK_UPS).map(({ part }) => order.countsOf(part));
    of(requestId).ended.push({ status, lines, route, counts, version: order.version.id });
  };
  const take = (id) => {
    const found = of(id);
    noted.delete(id);
    return found;
  };
  return { takeLine, observer: { orderBegan() {}, orderEnded, refused() {} }, take };
}

test(`${ORDERS} orders: both ways say the same, and none has two versions`, async (context) => {
  const versions = await Promise.all(
    Array.from({ length: VERSIONS }, (_, version) => makeVersion(pricesOf(version), null, { shardCount: 16 })),
  );
  const texts = Object.assign({}, ...versions.map((version) => version.texts));
  let current = 0;
  const textOf = (name) => (name === "current" ? currentText(versions[current]) : (texts[name] ?? null));
  const readCatalogue = async (names) => new Map(names.map((name) => [name, textOf(name)]));
  const { takeLine, observer, take } = noting();
  context.after(takeLines(takeLine));
  const env = { ...UNHURRIED, LOG_SAMPLE: "1", DATA_REFRESH_SECONDS: "0" };
  const { answer, catalogue } = createService({ ...onNode(env, { observer }), readCatalogue }, env);
  await catalogue.current();
  const ctx = { waitUntil() {} };

  const plain = (id, body) =>
    answer({ method: "POST", url: URL, headers: new Headers({ "x-request-id": id }), [reading]: () => body }, ctx);
  const asRequest = (id, body) => answer(new Request(URL, { method: "POST", headers: { "x-request-id": id }, body }), ctx);
  const counts = Array(VERSIONS).fill(0);
  let together = 0;

  async function price(seed) {
    const codes = Array.from({ length: LINES }, (_, line) => (seed * 7 + line * 53) % PRODUCTS);
    const productList = codes.map((cprcode) => ({ cprcode, productName: "x", quantity: 1 }));
    const body = new TextEncoder().encode(JSON.stringify({ branchId: "1000", productList }));
    // Both begin in the same turn, and so with the same version.
    const answered = [plain(`plain-${seed}`, body), asRequest(`request-${seed}`, body)];
    const [short, long] = await Promise.all(answered);
    const [shortText, longText] = await Promise.all([short, long].map((one) => responseOf(one).text()));
    assert.equal(shortText, longText);
    const found = (JSON.parse(shortText).subTotal - codes.reduce((sum, code) => sum + code, 0)) / (LINES * STEP);
    assert.equal(versions[found]?.id, short.headers["x-order-cost-data"]);
    counts[found] += 1;
    const [shortNoted, longNoted] = [take(`plain-${seed}`), take(`request-${seed}`)];
    assert.equal(shortNoted.lines.length + shortNoted.ended.length, 2);
    if (isPromise(answered[0])) return; // one of the two has read what the other found
    together += 1;
    assert.deepEqual([short.status, masked(short.headers)], [long.status, masked(long.headers)]);
    assert.deepEqual(shortNoted, longNoted);
  }

  for (let seed = 0; seed < ORDERS; seed += AT_ONCE) {
    if (seed % (4 * AT_ONCE) === 0) current = (seed / (4 * AT_ONCE)) % VERSIONS;
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => price(seed + index)));
    await turn();
  }
  assert.ok(together > ORDERS / 2, `${together} were answered at once`);
  assert.ok(
    counts.every((count) => count > ORDERS / (2 * VERSIONS)),
    `${counts}`,
  );
});
