// Loads the module on first use. Importing the package loads nothing.
import { PricingError } from "./error.js";
import { useInstance } from "./instance.js";
import init, { initSync } from "./wasm/order_cost.js";

/** Why an entry got no module, in words for its user. */
export class LoadFailure extends Error {
  /** @param {{ retryable: boolean, cause?: unknown }} options `retryable`: it may load the next time */
  constructor(message, { retryable, cause }) {
    super(message, { cause });
    this.retryable = retryable;
  }
}

/** Returns a function that loads the module only once. After a failure the next call of the function tries again. */
export function loading(compile) {
  let ready;
  // Instantiates asynchronously, too: on a page's main thread, browsers may refuse to do it synchronously.
  const load = async () => useInstance(await init({ module_or_path: await compile() }));
  return () =>
    (ready ??= load().catch((cause) => {
      ready = undefined;
      throw loadError(cause);
    }));
}

/** Returns a function that loads the module, if nothing has yet, before it returns. `source`: its bytes, or compiled. */
export function loadingNow(source) {
  let isReady = false;
  return () => {
    if (isReady) return;
    try {
      useInstance(initSync({ module: source() }));
    } catch (cause) {
      throw loadError(cause);
    }
    isReady = true;
  };
}

function loadError(error) {
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
function uuid() {
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
