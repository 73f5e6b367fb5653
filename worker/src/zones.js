import { ZONES_KEY } from "./keys.js";

const NO_ZONES = '{"type":"FeatureCollection","features":[]}';

/**
 * The delivery zones in KV: read once an isolate, then read anew behind the orders, none of which waits for that.
 * No binding or no key is a shop without zones: its orders read `Branch <brcode> is not available` (D34).
 *
 * @param {KVNamespace | undefined} store
 * @param {{ refreshMs: number, deadlineMs: number }} options
 */
export function createZones(store, { refreshMs, deadlineMs }) {
  let dueAt;

  async function read() {
    dueAt = Date.now() + refreshMs; // at the start: a refresh that fails, or dies with its request, is tried again
    return (await within(deadlineMs, store?.get(ZONES_KEY, "text"))) ?? NO_ZONES;
  }

  return {
    /** The zones' text, for a pricer that has none yet: a failure here is the pricer's, and the next order tries again. */
    read,

    isDue: () => Date.now() >= dueAt,

    /** Gives a pricer the zones as they are now. Never fails: the pricer keeps the last good set. */
    async refresh(pricer) {
      try {
        pricer.setDeliveryZones(await read());
      } catch (error) {
        console.error("The delivery zones could not be refreshed, the last good ones stay:", error);
      }
    },
  };
}

/** Without this, a store that never answers would keep all orders waiting for the pricer, not only the first. */
async function within(deadlineMs, reading) {
  if (!deadlineMs) return reading;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The zone store did not answer within ${deadlineMs} ms`)), deadlineMs);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
