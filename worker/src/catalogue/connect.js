import { createCatalogue } from "./catalogue.js";
import { Failure } from "../failure.js";
import { patienceOf } from "./shared-reads.js";
import { createTextReader } from "./texts.js";
import { createVersion } from "./version.js";

/**
 * The catalogue of a namespace: its versions and the texts that they name.
 *
 * @param {KVNamespace} [store]
 * @param {{ refreshMs: number, maxAgeMs: number, cacheBytes: number, deadlineMs: number, hold: (work: Promise<unknown>) => void }} options
 */
export function connectCatalogue(store, options) {
  if (!store) return NO_CATALOGUE;
  const readTexts = createTextReader(store, options);
  const { deadlineMs, hold } = options;
  const lookAgain = () => catalogue.lookAgain();
  const versions = {
    of: (manifest) => createVersion(manifest, readTexts, { patienceMs: patienceOf(deadlineMs), hold, onIncomplete: lookAgain }),
    none: (reason, detail) => ({
      async lookupPrices() {
        throw new Failure(reason, { detail: detail() });
      },
    }),
  };
  const catalogue = createCatalogue(store, options, versions);
  return catalogue;
}

/** Without the binding the host lacks the look-up (D41). */
const NO_CATALOGUE = {
  current: async () => ({}),
  state: () => ({ fault: "The Worker has no binding CATALOGUE" }),
};
