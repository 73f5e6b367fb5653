import { ZONES_KEY } from "./keys.js";
import { logError } from "./log.js";

const NO_ZONES = '{"type":"FeatureCollection","features":[]}';
const WAIT_UNTIL_MS = 30_000; // Cloudflare stops background work this long after the answer

/**
 * The delivery zones in KV. An isolate loads them once and then refreshes them in the background; no order waits for a
 * refresh. Without a binding or a key the shop has no zones: its orders fail with `Branch <brcode> is not available`
 * (D34).
 *
 * @param {KVNamespace | undefined} store
 * @param {{ refreshMs: number, deadlineMs: number }} options
 */
export function createZones(store, { refreshMs, deadlineMs }) {
  let dueAt;
  let busyUntil = 0; // a time, not a flag: a refresh that dies with its request must not block all later ones

  /** Gives a pricer the current zones. The error's message is for clients, its cause for the log. */
  async function load(pricer) {
    dueAt = Date.now() + refreshMs; // set first: a load that fails, or dies with its request, is tried again
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

    /** Allows one refresh at a time, so that an older answer cannot overwrite a newer one. */
    isDue: () => Date.now() >= Math.max(dueAt, busyUntil),

    /** Loads the zones again. Never rejects: after a failure the pricer keeps the last good zones. */
    async refresh(pricer) {
      busyUntil = Date.now() + (deadlineMs || WAIT_UNTIL_MS);
      try {
        await load(pricer);
      } catch (error) {
        logError("The delivery zones could not be refreshed; the last good ones stay in use", error);
      }
      busyUntil = 0;
    },
  };
}

/** Why no order can be priced. The message is for clients. */
class ZonesError extends Error {
  toJSON() {
    return { error: this.message };
  }
}

/** Limits the read: otherwise every order would wait for the pricer while the store does not answer. */
async function within(deadlineMs, reading) {
  if (!deadlineMs) return reading;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${deadlineMs} ms`)), deadlineMs);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
