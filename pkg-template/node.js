// The entry for Node. It contains the module, because a server's bundle has no .wasm file beside it. Buffer decodes the
// module in next to no time.
import { Buffer } from "node:buffer";
import { entry } from "./pricer.js";
import hex from "./wasm/hex.js";

export { PricingError } from "./error.js";

const bytes = () => Buffer.from(hex, "hex");

export const { createPricer, preload } = entry(() => WebAssembly.compile(bytes()), { source: bytes });
