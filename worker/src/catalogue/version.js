import { within } from "../deadline.js";
import { Failure } from "../failure.js";
import { zonesKey } from "../keys.js";
import { noAnswer } from "../kv.js";
import { readRecords } from "./shards.js";
import { isWhole } from "./texts.js";

const NO_ZONES = '{"type":"FeatureCollection","features":[]}';

/**
 * What a published version tells the pricer: its prices and its delivery zones, and nothing of any other version.
 *
 * @param {import("./format.js").Manifest} manifest
 * @param {(keys: string[], onRead?: (count: number) => void) => Promise<Map<string, string | import("./texts.js").Damaged>>} readTexts
 * @param {{ patienceMs: number, hold: (work: Promise<unknown>) => void, onIncomplete(): void }} options `onIncomplete` is
 *   called when a text of the version is damaged
 */
export function createVersion({ id, branches, zones, activatedAt }, readTexts, { patienceMs, hold, onIncomplete }) {
  const readFrom = (name) => async (keys, onRead) => {
    const texts = await readTexts(keys, onRead).catch((cause) => {
      throw noAnswer(name, cause);
    });
    const damaged = keys.find((key) => !isWhole(texts.get(key)));
    if (damaged === undefined) return texts;
    onIncomplete();
    const detail = `${damaged} of version ${id} is ${texts.get(damaged).damage}`;
    throw new Failure(`The ${name} is incomplete: try again`, { detail });
  };
  const readPrices = readFrom("price store");
  const readZones = readFrom("zone store");

  return {
    id,
    zones,
    activatedAt,

    lookupPrices(keys, order) {
      order.countKeys("prices", keys.length);
      const read = (names) => readPrices(names, (count) => order.countReads("prices", count));
      return order.waitFor("lookupPrices", readRecords(branches, keys, read));
    },

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
