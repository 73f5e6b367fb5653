// The entry for Node, and as CommonJS for whatever requires it. It contains the module, because a server's bundle has no
// .wasm file beside it; as base64, which Node decodes in next to no time.
import { base64 } from "../wasm/base64.js";
import { bytesOfBase64, wholeEntry } from "./loading/index.js";

export { PricingError } from "../core/index.js";

const bytes = () => bytesOfBase64(base64);

export const { createPricer, preload } = wholeEntry(() => WebAssembly.compile(bytes()), bytes);
