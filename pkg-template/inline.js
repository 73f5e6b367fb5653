// The entry for all other runtimes. It contains the module, so that no bundler has to handle a .wasm file.
import { entry } from "./entry.js";
import { bytesOf } from "./hex-bytes.js";
import hex from "./wasm/hex.js";

export { PricingError } from "./error.js";

const bytes = () => bytesOf(hex);

export const { createPricer, preload } = entry(() => WebAssembly.compile(bytes()), { source: bytes });
