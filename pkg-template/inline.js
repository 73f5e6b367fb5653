// The entry for pages and for all runtimes without an entry of their own. It contains the module, so that no bundler has to
// handle a .wasm file.
import { text } from "./wasm/text.js";
import { bytesOf } from "./text-bytes.js";
import { wholeEntry } from "./whole.js";

export { PricingError } from "./error.js";

const bytes = () => bytesOf(text);

export const { createPricer, preload } = wholeEntry(() => WebAssembly.compile(bytes()), bytes);
