// The module that a caller supplies from a place of his own.
import { invalidOption, refuseNearly } from "../../core/index.js";
import { LoadFailure } from "./load-failure.js";
import { compiledFrom } from "./module-response.js";

const isResponse = (value) => typeof value?.arrayBuffer === "function";
const isPromise = (value) => typeof value?.then === "function";
/** Recognises a module from another realm, too, which `instanceof` misses. */
const isModule = (value) => Object.prototype.toString.call(value) === "[object WebAssembly.Module]";

/** Throws if the option `module` is of no type that it may have, or misspelt: without it the entry loads its own. */
export function takeModule(given, otherOptions) {
  refuseNearly(otherOptions, ["module"]);
  if (given !== undefined && ![isPromise, isModule, isResponse].some((is) => is(given))) throw invalid();
  // If the module is loaded already, nobody waits for this one.
  if (isPromise(given)) given.then(undefined, () => {});
}

/**
 * Compiles what the option `module` gives.
 * @param {unknown} given
 * @param {string} file the package's file that it has to be
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compiledOf(given, file) {
  const module = await settled(given);
  if (isModule(module)) return module;
  if (!isResponse(module)) throw invalid();
  if (module.bodyUsed) throw new LoadFailure("the response of the option module was read before", { retryable: false });
  return compiledFrom(module, module.url || "the response", `Give the response for the package's ${file}`);
}

async function settled(given) {
  try {
    return await given;
  } catch (cause) {
    throw new LoadFailure(`the option module failed: ${/** @type {Partial<Error> | undefined} */ (cause)?.message ?? cause}`, {
      retryable: true,
      cause,
    });
  }
}

const invalid = () => invalidOption("module", "expected a WebAssembly.Module, a Response, or a promise of one of them");
