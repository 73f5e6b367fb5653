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

const FORBIDDEN =
  "it may not be compiled here. Allow 'wasm-unsafe-eval' in the script-src of the Content-Security-Policy; in an edge" +
  ' runtime, resolve the package under the condition "workerd"';

/** Each engine has its own words for what a Content-Security-Policy or the runtime's owner forbids. */
function isForbidden(cause) {
  return /unsafe-eval|Content Security Policy|\bCSP\b|disallowed by embedder/i.test(cause?.message);
}

/** A version 4 UUID while there is no module to make one; `crypto.randomUUID` is missing on plain http pages. */
function uuid() {
  const random = crypto.getRandomValues(new Uint8Array(16));
  random[6] = (random[6] & 0x0f) | 0x40;
  random[8] = (random[8] & 0x3f) | 0x80;
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
