import { ZONES_KEY } from "./keys.js";
import { logError } from "./log.js";

const NO_ZONES = '{"type":"FeatureCollection","features":[]}';
const WAIT_UNTIL_MS = 30_000; // Cloudflare ends what a request left running so long after its answer

/**
 * The delivery zones in KV: loaded once an isolate, then anew behind the orders, none of which waits for that.
 * No binding or no key is a shop without zones: its orders read `Branch <brcode> is not available` (D34).
 *
 * @param {KVNamespace | undefined} store
 * @param {{ refreshMs: number, deadlineMs: number }} options
 */
export function createZones(store, { refreshMs, deadlineMs }) {
  let dueAt;
  let busyUntil = 0; // no longer: a refresh that died with its request must not be the last one

  /** Gives a pricer the zones as they are now. A failure is worded for clients; its cause is for the log. */
  async function load(pricer) {
    dueAt = Date.now() + refreshMs; // at the start: a load that fails, or dies with its request, is tried again
    const zones = await read();
    try {
      pricer.setDeliveryZones(zones);
    } catch (cause) {
      throw new ZonesError("The delivery zones could not be read", { cause });
    }
  }

  async function read() {
    try {
      return (await within(deadlineMs, store?.get(ZONES_KEY, "text"))) ?? NO_ZONES;
    } catch (cause) {
      throw new ZonesError("The zone store did not answer", { cause });
    }
  }

  return {
    load,

    /** One refresh at a time, so that no older answer overwrites a newer one. */
    isDue: () => Date.now() >= Math.max(dueAt, busyUntil),

    /** Loads them anew. Never fails: the pricer keeps the last good set. */
    async refresh(pricer) {
      busyUntil = Date.now() + (deadlineMs || WAIT_UNTIL_MS);
      try {
        await load(pricer);
      } catch (error) {
        logError("The delivery zones could not be refreshed, the last good ones stay", error);
      }
      busyUntil = 0;
    },
  };
}

/** Why no order can be priced, in words for its client. */
class ZonesError extends Error {
  toJSON() {
    return { error: this.message };
  }
}

/** Without this, a store that never answers would keep all orders waiting for the pricer, not only the first. */
async function within(deadlineMs, reading) {
  if (!deadlineMs) return reading;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${deadlineMs} ms`)), deadlineMs);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
