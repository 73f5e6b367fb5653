// The demo shop's seed, for orders of any size.
import { readFileSync } from "node:fs";
import { makeVersion, publish } from "../../tests/worker/catalogue.js";
import { bundle, startWorkerd } from "../../tests/worker/workerd.js";
import { voucherKey } from "../../worker/src/look-ups/index.js";
import { interleave, load } from "./load.js";

const readSeed = (file) => readFileSync(new URL(`../../worker/seed/${file}`, import.meta.url), "utf8");
const parseSeed = (file) => JSON.parse(readSeed(file));

const template = () => parseSeed("orders/coupons-and-vouchers.json");

/** The seeded prices of the branch of the order, by key. */
const pricesOfBranch = ({ branchId }) => Object.entries(parseSeed("prices.json")).filter(([key]) => key.endsWith(`/${branchId}`));

/** The seeded order with coupons and vouchers, and this many lines. */
export function seededOrder(lines) {
  const order = template();
  const codes = pricesOfBranch(order)
    .slice(0, lines)
    .map(([key]) => Number(key.split("/")[0]));
  const productList = codes.map((cprcode) => ({ ...order.productList[0], cprcode, quantity: 1 + (cprcode % 5) }));
  return { ...order, productList };
}

/** Orders of these sizes, and the data to seed for them. */
function seededShop(sizes) {
  const ofBranch = pricesOfBranch(template());
  return {
    name: "order-cost",
    configs: ["wrangler.dev.jsonc", "services/nationwide/wrangler.jsonc", "services/coupons/wrangler.jsonc"].map(
      (config) => `worker/${config}`,
    ),
    orders: sizes.map((lines) => [lines, seededOrder(lines)]),
    async seed(store) {
      const prices = Object.fromEntries(ofBranch.map(([key, record]) => [key, JSON.stringify(record)]));
      const [catalogue, vouchers] = await Promise.all(["CATALOGUE", "VOUCHERS"].map(store));
      const voucherRecords = Object.entries(parseSeed("vouchers.json"));
      await Promise.all([
        publish(catalogue, await makeVersion(prices, readSeed("zones.json"))),
        ...voucherRecords.map(([id, record]) => vouchers.put(voucherKey(id), JSON.stringify(record))),
      ]);
    },
  };
}

/** Local KV uses files and answers few requests a second. */
const LEAST_SECONDS = 1;

/**
 * Responses per second of the deployed Worker, with a seeded local KV and its two services, by lines of the order.
 * @param {number[]} sizes
 * @param {number} seconds of each load
 * @param {number} rounds
 */
export async function loadShop(sizes, seconds, rounds) {
  const { configs, name, seed, orders } = seededShop(sizes);
  const workerd = await startWorkerd(await Promise.all(configs.map(bundle)));
  const results = {};
  try {
    await seed((binding) => workerd.kv(name, binding));
    const url = `${await workerd.url(name)}/calculatecost4`;
    for (const [lines, order] of orders) {
      console.log(`${lines} lines: loading KV and services`);
      const requests = [{ body: Buffer.from(JSON.stringify(order)) }];
      results[lines] = (await interleave({ shop: () => load(url, requests, Math.max(LEAST_SECONDS, seconds)) }, rounds)).shop;
    }
  } finally {
    await workerd.stop();
  }
  return results;
}
