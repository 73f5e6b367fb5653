// What an entry of the package exports.
import { keepRequestsApart, refusing } from "../../core/index.js";
import { handedOut } from "../../shared/index.js";
import { takeModule } from "./given-module.js";
import { loading, uuid } from "./loading.js";

/**
 * Makes an entry whose pricers are of a class. `compile` returns the compiled module; `own` says which one belongs to the
 * entry, see wasm/version.js.
 */
export function entry(Pricer, compile, own) {
  const load = loading(compile, own);

  async function createPricer(host, options) {
    const { module, ...rest } = options ?? {};
    refusing(() => takeModule(module, rest), uuid);
    await load(module);
    return handedOut(new Pricer(host, options ?? {}));
  }

  return { createPricer, preload: () => load() };
}

/** The source of the module in edge runtimes, which import it in compiled form and forbid the compilation of bytes. */
export function compiledAlready(module) {
  return () => {
    keepRequestsApart();
    return module;
  };
}
