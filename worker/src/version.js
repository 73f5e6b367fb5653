import { within } from "./deadline.js";
import { zonesKey } from "./keys.js";
import { noAnswer } from "./kv.js";
import { log } from "./log.js";
import { readRecords } from "./shards.js";

const NO_ZONES = '{"type":"FeatureCollection","features":[]}';

/**
 * What a published version tells the pricer: its prices and its delivery zones, and nothing of any other version.
 *
 * @param {import("./format.js").Manifest} manifest
 * @param {(keys: string[]) => Promise<Map<string, string | null>>} readTexts
 * @param {{ patienceMs: number, hold: (work: Promise<unknown>) => void, onIncomplete(): void }} options `onIncomplete` is
 *   called when a text of the version is not there
 */
export function createVersion({ id, branches, zones }, readTexts, { patienceMs, hold, onIncomplete }) {
  const readFrom = (name) => async (keys) => {
    const texts = await readTexts(keys).catch((cause) => {
      throw noAnswer(name, cause);
    });
    const lacking = keys.find((key) => texts.get(key) === null);
    if (lacking === undefined) return texts;
    log(`Version ${id} is incomplete: ${lacking} is missing or has another content`);
    onIncomplete();
    throw new Error(`The ${name} is incomplete: try again`);
  };
  const readPrices = readFrom("price store");
  const readZones = readFrom("zone store");

  return {
    id,
    zones,
    lookupPrices: (keys) => readRecords(branches, keys, readPrices),
    deliveryZones() {
      if (zones === null) return NO_ZONES;
      const key = zonesKey(zones);
      const read = async () => (await readZones([key])).get(key);
      // All orders of the pricer wait for this one call. So a read that hangs must not be its only one, and it must
      // outlive the order that began it, also while it waits for the read of another order. Timers may be early by a
      // fraction of a millisecond; the second read would then join the first.
      const text = within(patienceMs + 1, read(), read);
      hold(text.catch(() => {}));
      return text;
    },
  };
}
