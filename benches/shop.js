// The demo shop's seed, for orders of any size.
import { readFileSync } from "node:fs";
import { ZONES_KEY, priceKey, voucherKey } from "../worker/src/keys.js";

const readSeed = (file) => readFileSync(new URL(`../worker/seed/${file}`, import.meta.url), "utf8");
const parseSeed = (file) => JSON.parse(readSeed(file));

/** The seeded order with coupons and vouchers and this many lines, and the data to seed for it. */
export function seededShop(sizes) {
  const template = parseSeed("orders/coupons-and-vouchers.json");
  const ofBranch = Object.entries(parseSeed("prices.json")).filter(([key]) => key.endsWith(`/${template.branchId}`));
  const records = ofBranch.slice(0, Math.max(...sizes)).map(([key, record]) => [Number(key.split("/")[0]), record]);
  const products = records.map(([cprcode]) => ({ ...template.productList[0], cprcode, quantity: 1 + (cprcode % 5) }));
  return {
    name: "order-cost",
    configs: ["wrangler.dev.jsonc", "services/nationwide/wrangler.jsonc", "services/coupons/wrangler.jsonc"].map((config) => `worker/${config}`),
    orders: sizes.map((lines) => [lines, { ...template, productList: products.slice(0, lines) }]),
    async seed(store) {
      const [prices, vouchers, zones] = await Promise.all(["PRICES", "VOUCHERS", "ZONES"].map(store));
      const voucherRecords = Object.entries(parseSeed("vouchers.json"));
      await Promise.all([
        ...records.map(([cprcode, record]) => prices.put(priceKey(cprcode, template.branchId), JSON.stringify(record))),
        ...voucherRecords.map(([id, record]) => vouchers.put(voucherKey(id), JSON.stringify(record))),
        zones.put(ZONES_KEY, readSeed("zones.json")),
      ]);
    },
  };
}
