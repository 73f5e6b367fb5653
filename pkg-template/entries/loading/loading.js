// Loads the module on first use. Importing the package loads nothing.
import { isLoaded, PricingError, pricingError, Refusal, useInstance } from "../../core/index.js";
import init, { initSync } from "../../wasm/order_cost.js";
import { compiledOf } from "./given-module.js";
import { LoadFailure } from "./load-failure.js";

/**
 * Returns a function that loads the module only once: the one that its caller gives, or that of `compile`. After a failure
 * the next call of the function tries again. `own` says which module belongs to the entry.
 */
export function loading(compile, own) {
  let ready;
  const load = async (given) => {
    const module = await (given === undefined ? compile() : compiledOf(given, own.file));
    throwUnless(own, module);
    useInstance(await instantiated(module));
  };
  return (given) =>
    (ready ??= load(given).catch((cause) => {
      ready = undefined;
      throw loadError(cause);
    }));
}

/**
 * On a page's main thread, browsers may refuse to instantiate synchronously. Elsewhere nothing waits: `init` looks at
 * `Response`, and at the first look Node loads its whole `fetch`, which takes 20 ms. `initSync` takes no module of another
 * realm, as the edge runtime of Next.js gives it.
 */
function instantiated(module) {
  const isAtOnce = globalThis.document === undefined && module instanceof WebAssembly.Module;
  return isAtOnce ? initSync({ module }) : init({ module_or_path: module });
}

/** Returns a function that loads the module, if nothing has yet, before it returns. `source`: its bytes, or compiled. */
export function loadingNow(source, own) {
  return () => {
    if (isLoaded()) return;
    try {
      const given = source();
      const module = given instanceof WebAssembly.Module ? given : new WebAssembly.Module(given);
      throwUnless(own, module);
      // biome-ignore lint/correctness/useHookAtTopLevel: no hook of React
      useInstance(initSync({ module }));
    } catch (cause) {
      throw loadError(cause);
    }
  };
}

/** A module names its version in a section of its own: a file of another deployment must not price orders. */
function throwUnless({ version, file }, module) {
  const [section] = WebAssembly.Module.customSections(module, "order-cost");
  const found = section && new TextDecoder().decode(new Uint8Array(section));
  if (found === version) return;
  const message = found
    ? `The module is of order-cost ${found}, this package is ${version}`
    : `The module is none of order-cost: expected the package's ${file}`;
  throw new Refusal({ code: "INTERNAL", message, retryable: false });
}

function loadError(error) {
  if (error instanceof Refusal) return pricingError(error, uuid());
  const { message: reason, retryable, cause } = failureOf(error);
  const message = `Could not load the WebAssembly module of order-cost: ${reason}`;
  return new PricingError({ code: "INTERNAL", message, retryable, cause }, uuid());
}

function failureOf(error) {
  if (isForbidden(error)) return { message: FORBIDDEN, retryable: false, cause: error };
  if (error instanceof LoadFailure) return error;
  return { message: error?.message ?? error, retryable: true, cause: error };
}

/**
 * A UUID made without the module, which makes all others. Pages on plain http have no `randomUUID`; there, the URL of a
 * blob ends with a UUID.
 */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const url = URL.createObjectURL(new Blob());
  URL.revokeObjectURL(url);
  return url.slice(-36);
}

const FORBIDDEN =
  "its compilation is forbidden here. On a page, allow 'wasm-unsafe-eval' in the script-src of the" +
  ` Content-Security-Policy. In an edge runtime, resolve the package with the condition "workerd" or "edge-light"; in` +
  " Nuxt, set nitro: { experimental: { wasm: true } }";

/** Whether a Content-Security-Policy or the runtime's owner forbids compilation. The message differs by engine. */
function isForbidden(cause) {
  return /unsafe-eval|Content Security Policy|\bCSP\b|disallowed by embedder/i.test(cause?.message);
}
