import { createPricer } from "order-cost";
import { createCatalogue } from "./catalogue.js";
import { createHost } from "./host.js";
import { createRates } from "./rates.js";
import { patienceOf } from "./shared-reads.js";
import { createTextReader } from "./texts.js";
import { createVersion } from "./version.js";

/**
 * Prices each order with the version of the catalogue that is in use when it begins. Each version has its own pricer, so
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
  /** The pricer of a version, and the version of an order. */
  const pricers = new WeakMap();
  const versionIds = new WeakMap();

  /** Orders that begin a version together each make a pricer, because they must share no promise; the first is used. */
  async function pricerOf(version) {
    if (!pricers.has(version)) {
      const made = await makePricer(version);
      if (!pricers.has(version)) pricers.set(version, made);
    }
    return pricers.get(version);
  }

  const makePricer = ({ lookupPrices, deliveryZones }) =>
    createPricer({ ...host, lookupPrices }, { ...options.pricer, deliveryZones });

  return {
    async calculateJson(body, call) {
      const version = await catalogue.current();
      versionIds.set(call.context, version.id);
      const priced = await (await pricerOf(version)).calculateJson(body, call);
      rates.keep(call.context);
      return priced;
    },

    /** The id of the version that an order was priced with, by the order's context. Undefined: it had none. */
    versionIdOf: (context) => versionIds.get(context),
  };
}

/** Without the binding the host lacks the look-up (D41). */
const NO_STORE = {};

function connect(store, data) {
  const readTexts = createTextReader(store, data);
  const patienceMs = patienceOf(data.deadlineMs);
  const versions = {
    of: (manifest) => createVersion(manifest, readTexts, { patienceMs, onIncomplete: () => catalogue.lookAgain() }),
    none: (reason) => ({
      lookupPrices() {
        throw new Error(reason);
      },
    }),
  };
  const catalogue = createCatalogue(store, data, versions);
  return catalogue;
}
