// The Workers of a migration in one workerd: the shadow Worker in front of the legacy double and of the pricing Worker.
import { readFile } from "node:fs/promises";
import { BUCKET, copyCaptures, READER } from "../../worker/migration/local-captures.js";
import { voucherKey } from "../../worker/src/look-ups/voucher-keys.js";
import { makeVersion, publish } from "../worker/catalogue.js";
import { bundle, startWorkerd } from "../worker/workerd.js";

const CONFIGS = [
  "worker/wrangler.dev.jsonc",
  "worker/services/nationwide/wrangler.jsonc",
  "worker/services/coupons/wrangler.jsonc",
  "tests/migration/double/wrangler.jsonc",
];
const HOST = "127.0.0.1";

/** What the shadow Worker fetches goes to the double, without a connection that workerd may close while it is busy. */
const LEGACY_URL = "http://legacy.example";

/**
 * @param {object} options
 * @param {Record<string, Record<string, string>>} options.shadows the shadow Workers by name, each with its variables: a
 *   version of the Worker before and after a switch, for example. Without `LEGACY_URL` the old service is the double
 * @param {Record<string, string>} [options.pricing] variables of the pricing Worker
 * @param {string} [options.differences] which ones the double makes
 * @param {Record<string, number>} [options.ports] by Worker: `new`, `legacy`, or the name of a shadow Worker; without one any
 *   port
 * @param {import("miniflare").SharedOptions} [options.shared] of all Workers: where their stores are, for example
 */
export async function startMigration({ shadows, pricing, differences = "", ports = {}, shared }) {
  const [fresh, nationwide, coupons, legacy] = await Promise.all(CONFIGS.map(bundle));
  const shadow = await bundle("worker/migration/wrangler.jsonc");
  const at = (port = 0) => ({ unsafeDirectSockets: [{ host: HOST, port }] });
  const shadowWorkers = Object.entries(shadows).map(([name, variables]) => ({
    ...shadow,
    ...at(ports[name]),
    name,
    serviceBindings: { NEW: { name: fresh.name, entrypoint: "Capture" } },
    r2Buckets: { CAPTURE: BUCKET },
    ...(!variables.LEGACY_URL && { outboundService: { name: legacy.name } }),
    bindings: { LEGACY_URL, REDACT_KEY: "a key of this machine: no secret, but long enough", ...variables },
  }));
  const workerd = await startWorkerd(
    [
      ...shadowWorkers,
      { ...fresh, ...at(ports.new), bindings: { ...fresh.bindings, ...pricing } },
      { ...legacy, ...at(ports.legacy), bindings: { DIFFERENCES: differences } },
      nationwide,
      coupons,
      { ...READER, name: "captures" },
    ],
    shared,
  );
  const names = { new: fresh.name, legacy: legacy.name };
  return {
    ...workerd,
    /** The address of a shadow Worker by its name, of the pricing Worker (`new`) or of the double (`legacy`). */
    url: (name) => workerd.url(names[name] ?? name),
    seed: () => seed(workerd, fresh.name),
    /** Copies what the shadow Workers have captured to a folder. */
    async copyCaptures(folder) {
      const url = await workerd.url("captures");
      return copyCaptures((query) => fetch(`${url}/${query}`), folder);
    },
  };
}

/** Fills the stores with the demo shop. */
async function seed(workerd, worker) {
  const read = async (name) => JSON.parse(await readFile(new URL(`../../worker/seed/${name}`, import.meta.url), "utf8"));
  const prices = Object.entries(await read("prices.json")).map(([key, record]) => [key, JSON.stringify(record)]);
  const version = await makeVersion(Object.fromEntries(prices), JSON.stringify(await read("zones.json")));
  await publish(await workerd.kv(worker, "CATALOGUE"), version);
  const vouchers = await workerd.kv(worker, "VOUCHERS");
  const records = Object.entries(await read("vouchers.json"));
  await Promise.all(records.map(([id, record]) => vouchers.put(voucherKey(id), JSON.stringify(record))));
}
