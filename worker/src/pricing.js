import { createPricer } from "order-cost";
import { createCatalogue } from "./catalogue.js";
import { createHost } from "./host.js";
import { createRates } from "./rates.js";
import { patienceOf } from "./shared-reads.js";
import { createTextReader } from "./texts.js";
import { createVersion } from "./version.js";

/** The zones in use, and those that the orders under way may still need. */
const MOST_PRICERS = 2;

/**
 * Prices each order with the version of the catalogue that is in use when it begins. Versions with the same zones share
 * a pricer, because to index zones takes as long as hundreds of orders; it asks each order's own version for prices. So
 * no order mixes two.
 *
 * @param {Record<string, unknown>} env
 * @param {ReturnType<typeof import("./options.js").readOptions>} options
 * @param {(work: Promise<unknown>) => void} hold
 */
export function createPricing(env, options, hold) {
  const services = createHost(env, options.services);
  const rates = createRates(services.nationwideRate, options.rates.keepMs);
  const host = { ...services, nationwideRate: rates.nationwideRate };
  const catalogue = env.CATALOGUE ? connect(env.CATALOGUE, { ...options.data, hold }) : { current: async () => NO_STORE };
  /** By the hash of their zones; what stands in for a version has its own. The oldest first. */
  const pricers = new Map();
  /** The version of an order, by its context. */
  const versions = new WeakMap();

  /** Orders that begin together each make a pricer, because they must share no promise; the first is used. */
  async function pricerOf(version) {
    const name = version.zones === undefined ? version : version.zones;
    if (!pricers.has(name)) {
      const made = await makePricer(version);
      if (!pricers.has(name)) pricers.set(name, made);
      if (pricers.size > MOST_PRICERS) pricers.delete(pricers.keys().next().value);
    }
    return pricers.get(name);
  }

  function makePricer({ lookupPrices, deliveryZones }) {
    const ofOrder = lookupPrices && ((keys, { context }) => versions.get(context).lookupPrices(keys));
    return createPricer({ ...host, lookupPrices: ofOrder }, { ...options.pricer, deliveryZones });
  }

  return {
    async calculateJson(body, call) {
      const version = await catalogue.current();
      versions.set(call.context, version);
      const priced = await (await pricerOf(version)).calculateJson(body, call);
      rates.keep(call.context);
      return priced;
    },

    /** The id of the version that an order was priced with, by the order's context. Undefined: it had none. */
    versionIdOf: (context) => versions.get(context)?.id,
  };
}

/** Without the binding the host lacks the look-up (D41). */
const NO_STORE = {};

function connect(store, data) {
  const readTexts = createTextReader(store, data);
  const patienceMs = patienceOf(data.deadlineMs);
  const versions = {
    of: (manifest) => createVersion(manifest, readTexts, { patienceMs, hold: data.hold, onIncomplete: () => catalogue.lookAgain() }),
    none: (reason) => ({
      lookupPrices() {
        throw new Error(reason);
      },
    }),
  };
  const catalogue = createCatalogue(store, data, versions);
  return catalogue;
}
