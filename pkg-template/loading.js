// Makes the module ready when it is first needed. Nothing happens at import.
import { PricingError } from "./error.js";
import init from "./wasm/order_cost.js";

/** Gives what makes the module ready, once, however often it is called; after a failure the next call tries again. */
export function loading(compile, advice) {
  let ready;
  // Instantiated asynchronously, too: browsers may refuse anything else on a page's main thread.
  const load = async () => void (await init({ module_or_path: await compile() }));
  return () =>
    (ready ??= load().catch((cause) => {
      ready = undefined;
      throw loadError(cause, advice);
    }));
}

function loadError(cause, advice) {
  const reason = isForbidden(cause) ? FORBIDDEN : [cause?.message ?? cause, advice].filter(Boolean).join(". ");
  const message = `Could not load the WebAssembly module of order-cost: ${reason}`;
  return new PricingError({ code: "INTERNAL", message, retryable: true, cause }, uuid());
}

/** Without the module, which has its own. `randomUUID` is missing on plain http pages; a blob's URL ends with one. */
function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const url = URL.createObjectURL(new Blob());
  URL.revokeObjectURL(url);
  return url.slice(-36);
}

const FORBIDDEN =
  "its compilation is forbidden here. On a page, allow 'wasm-unsafe-eval' in the script-src of the" +
  ' Content-Security-Policy. In an edge runtime, resolve the package with the condition "workerd"';

/** Each engine has its own words for what a Content-Security-Policy or the runtime's owner forbids. */
function isForbidden(cause) {
  return /unsafe-eval|Content Security Policy|\bCSP\b|disallowed by embedder/i.test(cause?.message);
}
