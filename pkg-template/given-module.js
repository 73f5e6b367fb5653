// The module that a caller supplies from a place of his own.
import { compiledFrom } from "./response.js";
import { invalidOption } from "./options.js";

const isResponse = (value) => typeof value?.arrayBuffer === "function";
const isPromise = (value) => typeof value?.then === "function";
/** Recognises a module from another realm, too, which `instanceof` misses. */
const isModule = (value) => Object.prototype.toString.call(value) === "[object WebAssembly.Module]";

/** Throws if the option `module` is of no type that it may have. */
export function throwUnlessModule(given) {
  if (given !== undefined && ![isPromise, isModule, isResponse].some((is) => is(given))) throw invalid();
  // If the module is loaded already, nobody waits for this one.
  if (isPromise(given)) given.then(undefined, () => {});
}

/** Compiles what the option `module` gives. */
export async function compiledOf(given) {
  const module = await given;
  if (isModule(module)) return module;
  if (!isResponse(module)) throw invalid();
  return compiledFrom(module, module.url || "the response", `Give the response for the package's wasm/order_cost_bg.wasm`);
}

const invalid = () => invalidOption("module", "expected a WebAssembly.Module, a Response, or a promise of one of them");
