import { createPricer } from "order-cost";
import { createCatalogue, fromUrl } from "order-cost/catalogue";
import { Catalogue } from "./catalogue.js";
import { openFacts } from "./kept-facts.js";
import { turn } from "../page/turn.js";
import { createSeedHost } from "../seed/facts.js";
import { withTrouble } from "./trouble.js";

/**
 * The shop in the browser: a version of its prices and zones, the seed files, and the package that prices with them.
 * @typedef {object} Shop
 * @property {Catalogue} catalogue
 * @property {{branchId: string, brcode: number, en: string, th: string, lat: number, lon: number}[]} branches
 * @property {import("order-cost/catalogue").CatalogueVersion} version what the prices and zones are from
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
  const [version, products, branches, coupons, vouchers, rates, examples] = await Promise.all([
    openVersion(),
    readSeed("products.json"),
    readSeed("branches.json"),
    readSeed("coupons.json"),
    readSeed("vouchers.json"),
    readSeed("rates.json"),
    readExamples(),
  ]);
  await turn();
  const catalogue = new Catalogue(products, branches, version);
  const [deliveryZones] = await Promise.all([version.deliveryZones(), catalogue.load()]);
  await turn();
  const host = { ...createSeedHost({ vouchers, rates, coupons }), lookupPrices: version.lookupPrices };
  const pricer = await createPricer(withTrouble(host), { deliveryZones });
  await turn();
  const zones = JSON.parse(deliveryZones);
  return { catalogue, branches, version, zones, coupons, vouchers, rates, examples, pricer, facts: openFacts(pricer) };
}

/** The version in use. What is read of it stays for visits without a network. */
async function openVersion() {
  // There is no store on plain http, and some private windows forbid it.
  const cache = await globalThis.caches?.open("order-cost.catalogue").catch(() => undefined);
  return createCatalogue({ read: fromUrl("catalogue", { cache }) }).version();
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
