import { createCatalogue } from "order-cost/catalogue";
import { atHand, atOnce, MOST_BULK_KEYS } from "order-cost/internal";
import { cut, Failure, log } from "../log/index.js";
import { createTurns } from "../look-ups/index.js";

/** An order of 5,000 lines holds a whole branch until it is priced: 10 MB, twice that on the heap. Several at once would end the isolate. */
const MOST_LARGE_LOOKUPS = 2;

/**
 * The catalogue as orders use it.
 *
 * @param {import("./service.js").Platform["readCatalogue"]} read
 * @param {{ refreshMs: number, maxAgeMs: number, cacheBytes: number, deadlineMs: number, hold: (work: Promise<unknown>) => void }} options
 * @returns {{ current(): Version | Promise<Version>, state: import("order-cost/catalogue").Catalogue["state"] }} `current` never fails:
 *   without a version, what it gives has a `reason`, and its look-ups fail for it
 *
 * @typedef {object} Version one of the catalogue, as orders use it
 * @property {string} [id]
 * @property {string | null} [zones] their hash
 * @property {string} [activatedAt]
 * @property {string} [reason] why there is no version
 * @property {object} [atHand] its shelf, see `atHand` of the package
 * @property {(keys: Keys, order: import("../orders/order.js").Order) => ReturnType<LookupPrices>} [lookupPrices]
 * @property {() => Promise<string>} [deliveryZones]
 *
 * @typedef {import("order-cost/catalogue").CatalogueVersion["lookupPrices"]} LookupPrices
 * @typedef {Parameters<LookupPrices>[0]} Keys
 */
export function connectCatalogue(read, { deadlineMs, hold, ...options }) {
  if (!read) return NO_CATALOGUE;
  const onEvent = ({ level, version, message, cause }) => log(level, "data", { dataVersion: version, message, cause: cause && cut(cause) });
  const catalogue = createCatalogue({ ...options, read, timeoutMs: deadlineMs, hold, onEvent });
  const inTurn = createTurns(MOST_LARGE_LOOKUPS);
  const known = new WeakMap();

  function ofOrders(version) {
    if (!known.has(version)) known.set(version, withCounts(version, inTurn));
    return known.get(version);
  }

  function current() {
    const version = catalogue[atOnce]();
    return version ? ofOrders(version) : catalogue.version().then(ofOrders, standIn);
  }

  return { current, state: catalogue.state };
}

/** The host lacks the look-up (D41). */
const NO_CATALOGUE = {
  current: () => ({}),
  state: () => ({ fault: "No catalogue is connected", cachedBytes: 0 }),
};

/** A version whose look-ups say to their order what they read. */
function withCounts({ id, zones, activatedAt, ...version }, inTurn) {
  return {
    id,
    zones,
    activatedAt,
    atHand: { ...version.lookupPrices[atHand].version(), took: (count, order) => order.countKeys("prices", count) },

    lookupPrices(keys, order, signal) {
      order.countKeys("prices", keys.length);
      const lookup = () => version.lookupPrices(keys, { context: order }).catch(fail);
      return order.waitFor("lookupPrices", keys.length > MOST_BULK_KEYS ? inTurn(lookup, signal) : lookup());
    },

    deliveryZones: () => version.deliveryZones().catch(fail),
  };
}

function standIn({ message, detail }) {
  return { reason: message, lookupPrices: async () => fail({ message, detail }) };
}

function fail({ message, detail }) {
  throw new Failure(message, { detail: detail && cut(detail) });
}
