// Under load while the catalogue is switched back and forth: each answer is that of one version, whole, and names it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { CURRENT_KEY } from "../../pkg/catalogue/keys.js";
import { allAtNight } from "../effort.js";
import { PATIENCE_MS } from "../until.js";
import { squareZones } from "../zones.js";
import { currentText, makeVersion } from "./catalogue.js";
import { workerd } from "./on-workerd.js";
import { onEachPlatform, PLATFORMS } from "./platforms.js";
import { makeOrder } from "./switch-orders.js";

const CONNECTIONS = 24;
const ORDERS = allAtNight(200, 1_000);
const PRODUCTS = allAtNight(500, 2_000);
const BRANCHES = ["1000", "1001"];
const SHOP = { products: PRODUCTS, branches: BRANCHES };

/** In satang: every price, and the fee, differs from version to version. */
const priceOf = (version, cprcode, branchId) => cprcode * 7 + 1 + version * 1_000_003 + (branchId === "1001" ? 500 : 0);
const feeOf = (version) => 4_000 + 1_500 * version;
const inBaht = (satang) => `${Math.floor(satang / 100)}.${`${satang % 100}`.padStart(2, "0")}`;

const zonesOf = (version) => JSON.stringify(squareZones(feeOf(version) / 100));

const made = (version, layout) => {
  const codes = Array.from({ length: PRODUCTS }, (_, cprcode) => cprcode);
  const prices = BRANCHES.flatMap((branchId) =>
    codes.map((cprcode) => [`${cprcode}/${branchId}`, `{"price":${inBaht(priceOf(version, cprcode, branchId))}}`]),
  );
  return makeVersion(Object.fromEntries(prices), zonesOf(version), layout);
};

const VERSIONS = await Promise.all([made(0, { shardCount: 8 }), made(1, { shardCount: 16, isListed: true }), made(2, { shardCount: 4 })]);
const NUMBERS = new Map(VERSIONS.map(({ id }, number) => [id, number]));
/** A third of what the versions are, so that shards come and go. */
const CACHE_BYTES = Math.floor(Object.values(Object.assign({}, ...VERSIONS.map(({ texts }) => texts))).join("").length / 3);

onEachPlatform(
  (platform) => {
    let service;

    before(async () => {
      const copy = (vars) => ({ catalogue: "catalogue/Store", vars: { CACHE_BYTES: String(CACHE_BYTES), ...vars } });
      const copies = { waiting: copy({ DATA_MAX_AGE_SECONDS: "0" }), behind: copy({ DATA_REFRESH_SECONDS: "0" }) };
      service = await platform.start({ copies, fakes: ["catalogue"] });
      await control({ texts: textsWith(VERSIONS[0]), delayMs: 2 });
    });

    after(() => service?.stop());

    const allTexts = Object.assign({}, ...VERSIONS.map(({ texts }) => texts));
    const textsWith = (version) => ({ ...allTexts, [CURRENT_KEY]: currentText(version) });
    const control = (change) => service.control("catalogue", change);

    /** The naive sum. */
    function totalsOf({ branchId, productList, shipping }, version) {
      const rows = productList.map(({ cprcode, quantity }) => quantity * priceOf(version, cprcode, branchId));
      const subTotal = rows.reduce((sum, row) => sum + row, 0);
      const deliveryFee = shipping ? feeOf(version) : 0;
      return [subTotal, deliveryFee, subTotal + deliveryFee];
    }

    for (const name of ["waiting", "behind"]) {
      test(`${ORDERS} orders on ${CONNECTIONS} connections, whose service looks ${name === "behind" ? "behind them" : "before each"}`, async (context) => {
        const url = `${await service.url(name)}/calculatecost4`;
        const seen = VERSIONS.map(() => 0);
        let taken = 0;
        let isOver = false;

        async function connection() {
          while (taken < ORDERS || seen.some((count) => count <= ORDERS / 20)) {
            const order = makeOrder(taken++, SHOP);
            const response = await fetch(url, { method: "POST", body: JSON.stringify(order), signal: AbortSignal.timeout(PATIENCE_MS) });
            const body = await response.json();
            assert.equal(response.status, 200, JSON.stringify(body));
            const version = NUMBERS.get(response.headers.get("x-order-cost-data"));
            const totals = [body.subTotal, body.deliveryFee, body.grandTotal].map((baht) => Math.round(baht * 100));
            assert.deepEqual(totals, totalsOf(order, version), `version ${version}`);
            seen[version] += 1;
          }
        }

        async function switching() {
          for (let count = 1; !isOver; count += 1) {
            await control({ texts: textsWith(VERSIONS[count % VERSIONS.length]) });
            await wait(10);
          }
        }

        const switched = switching();
        try {
          await Promise.all(Array.from({ length: CONNECTIONS }, connection));
        } finally {
          isOver = true;
          await switched;
        }
        context.diagnostic(`orders by version: ${seen.join(", ")}`);
      });
    }
  },
  { isBusy: true, platforms: allAtNight([workerd], PLATFORMS) },
);
