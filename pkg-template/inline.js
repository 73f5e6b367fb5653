// Everywhere else: the module is inside, so that no bundler has to know of it.
import { facade } from "./facade.js";
import base64 from "./wasm/base64.js";

export { PricingError } from "./error.js";

export const { createPricer, preload } = facade(() => WebAssembly.compile(bytes()));

function bytes() {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
