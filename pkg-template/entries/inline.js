// The entry for pages and for all runtimes without an entry of their own. It contains the module, so that no bundler has to
// handle a .wasm file.
import { text } from "../wasm/text.js";
import { bytesOfText, wholeEntry } from "./loading/index.js";

export { PricingError } from "../core/index.js";

const bytes = () => bytesOfText(text);

export const { createPricer, preload } = wholeEntry(() => WebAssembly.compile(bytes()), bytes);
