import { createPricer } from "order-cost";
import { createCatalogue, fromUrl } from "order-cost/catalogue";
import { createSeedHost } from "../demo/index.js";
import { turn } from "../dom/index.js";
import { Catalogue } from "./catalogue.js";
import { openFacts } from "./kept-facts.js";
import { withTrouble } from "./trouble.js";

/**
 * @typedef {{ en: string, th: string }} Named
 * @typedef {Named & { branchId: string, brcode: number, lat: number, lon: number }} Branch
 * @typedef {import("order-cost").DeliveryZone & { properties: { nameTh?: string } }} Zone
 * @typedef {{ type: "FeatureCollection", features: readonly Zone[] }} Zones GeoJSON
 * @typedef {import("../../worker/services/coupons/rules.js").Coupon & Named} Coupon
 * @typedef {import("order-cost").Voucher & { voucherId: string, title: string, titleTh: string }} Voucher
 * @typedef {import("../../worker/services/nationwide/rates.js").Table} Table
 * @typedef {Table & { zones: Record<string, Named> }} Rates
 *
 * The shop in the browser: a version of its prices and zones, the seed files, and the package that prices with them.
 * @typedef {object} Shop
 * @property {Catalogue} catalogue
 * @property {Branch[]} branches
 * @property {import("order-cost/catalogue").CatalogueVersion} version what the prices and zones are from
 * @property {Zones} zones
 * @property {Coupon[]} coupons
 * @property {Record<string, Voucher>} vouchers by id
 * @property {Rates} rates
 * @property {{ title: Named, order: import("./slots.js").PreparedOrder }[]} examples
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
