// The entry for Node, and as CommonJS for whatever requires it. It contains the module, because a server's bundle has no
// .wasm file beside it; as base64, which Node decodes in next to no time.
import { bytesOf } from "./base64-bytes.js";
import { base64 } from "./wasm/base64.js";
import { wholeEntry } from "./whole.js";

export { PricingError } from "./error.js";

const bytes = () => bytesOf(base64);

export const { createPricer, preload } = wholeEntry(() => WebAssembly.compile(bytes()), bytes);
