// The site as it is deployed: the page and the Worker in workerd, the seed data in KV. One Chromium serves all tests.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createPricer } from "order-cost";
import { createSeedHost } from "../../worker/demo/seed-host.js";
import { voucherKey } from "../../worker/src/look-ups/voucher-keys.js";
import { openChromium } from "../chromium.js";
import { publish, seedVersion } from "../worker/catalogue.js";
import { assetsOf, bundle, startWorkerd } from "../worker/workerd.js";

export const SITE = fileURLToPath(new URL("../../target/site/", import.meta.url));

const WORKER = "order-cost";
const CONFIGS = ["wrangler.dev.jsonc", "services/nationwide/wrangler.jsonc", "services/coupons/wrangler.jsonc"].map(
  (config) => `worker/${config}`,
);

const readSeed = async (file) => readFile(new URL(`../../worker/seed/${file}`, import.meta.url), "utf8");
export const parseSeed = async (file) => JSON.parse(await readSeed(file));

const [prices, vouchers, rates, coupons, zones, listed] = await Promise.all(
  ["prices", "vouchers", "rates", "coupons", "zones", "orders"].map((name) => parseSeed(`${name}.json`)),
);
export const seed = { prices, vouchers, rates, coupons, zones };

/** The page's examples with their orders. */
export const examples = await Promise.all(listed.map(async (example) => ({ ...example, order: await parseSeed(example.file) })));

/** The reference for the page: the package in Node, with the same facts. */
export const truth = await createPricer(createSeedHost(seed), { deliveryZones: zones });

let workerd;
export let browser;
export let address;

export async function startSite() {
  await startServer();
  browser = await openChromium();
}

export async function stopSite() {
  await browser?.close();
  await stopServer();
}

/** The site without a browser. */
export async function startServer() {
  const [app, ...services] = await Promise.all(CONFIGS.map(bundle));
  workerd = await startWorkerd([{ ...app, assets: assetsOf(CONFIGS[0]) }, ...services]);
  await fillStores();
  address = await workerd.url(WORKER);
}

/** Also ends what a test has ended already. */
export async function stopServer() {
  await workerd?.stop();
  workerd = undefined;
}

async function fillStores() {
  const [catalogue, voucherStore] = await Promise.all(["CATALOGUE", "VOUCHERS"].map((binding) => workerd.kv(WORKER, binding)));
  await Promise.all([
    publish(catalogue, await seedVersion()),
    ...Object.entries(vouchers).map(([id, voucher]) => voucherStore.put(voucherKey(id), JSON.stringify(voucher))),
  ]);
}
