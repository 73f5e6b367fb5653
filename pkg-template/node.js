// Node: the module is inside, because a server's bundle has no .wasm beside it. Buffer decodes it in no time.
import { Buffer } from "node:buffer";
import { entry } from "./pricer.js";
import hex from "./wasm/hex.js";

export { PricingError } from "./error.js";

export const { createPricer, preload } = entry(() => WebAssembly.compile(Buffer.from(hex, "hex")));
