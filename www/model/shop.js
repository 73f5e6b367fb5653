import { createPricer } from "order-cost";
import { Catalogue } from "./catalogue.js";
import { openFacts } from "./kept-facts.js";
import { turn } from "../page/turn.js";
import { createSeedHost } from "../seed/facts.js";
import { withTrouble } from "./trouble.js";

/**
 * The shop in the browser: the seed files, and the package that prices with them.
 * @typedef {object} Shop
 * @property {Catalogue} catalogue
 * @property {{branchId: string, brcode: number, en: string, th: string, lat: number, lon: number}[]} branches
 * @property {object} zones GeoJSON
 * @property {object[]} coupons
 * @property {Record<string, object>} vouchers by id
 * @property {{provinces: object[], zones: object}} rates
 * @property {{title: {en: string, th: string}, order: object}[]} examples
 * @property {import("order-cost").Pricer} pricer its look-ups can be slow or fail
 * @property {import("order-cost").FactStore} facts what it has answered, also to earlier visits
 */

/** @returns {Promise<Shop>} */
export async function openShop() {
  const [products, prices, branches, zones, coupons, vouchers, rates, examples] = await Promise.all([
    readSeed("products.json"),
    readSeed("prices.json"),
    readSeed("branches.json"),
    readSeed("zones.json"),
    readSeed("coupons.json"),
    readSeed("vouchers.json"),
    readSeed("rates.json"),
    readExamples(),
  ]);
  await turn();
  const host = createSeedHost({ prices, vouchers, rates, coupons });
  const pricer = await createPricer(withTrouble(host), { deliveryZones: zones });
  await turn();
  const catalogue = new Catalogue(products, prices);
  return { catalogue, branches, zones, coupons, vouchers, rates, examples, pricer, facts: openFacts(pricer) };
}

async function readExamples() {
  const listed = await readSeed("orders.json");
  return Promise.all(listed.map(async ({ title, file }) => ({ title, order: await readSeed(file) })));
}

async function readSeed(file) {
  const response = await fetch(`seed/${file}`);
  if (!response.ok) throw new Error(`seed/${file} answered ${response.status}`);
  return response.json();
}
