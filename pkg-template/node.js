// The entry for Node. It contains the module, because a server's bundle has no .wasm file beside it. Buffer decodes the
// module in next to no time; a test runner that bundles for a page may have left it out.
import { entry } from "./entry.js";
import { bytesOf } from "./hex-bytes.js";
import hex from "./wasm/hex.js";

export { PricingError } from "./error.js";

const bytes = () => globalThis.Buffer?.from(hex, "hex") ?? bytesOf(hex);

export const { createPricer, preload } = entry(() => WebAssembly.compile(bytes()), { source: bytes });
