// The entry with the module in a separate file, which is smaller and compiles while it downloads.
import { adviceAt, compiledFrom, installed, LoadFailure, missing, shown, wholeEntry } from "./loading/index.js";

export { PricingError } from "../core/index.js";

export const { createPricer, preload } = wholeEntry(
  () => compileAt(fileUrl()),
  () => {
    throw new Error("preload() comes first");
  },
);

/**
 * The file's address, or nothing in a script that has none itself. Bundlers look for these very words and copy the file. The
 * address is that of the package's root, for which this file is built.
 */
function fileUrl() {
  try {
    return new URL("./wasm/order_cost_bg.wasm", import.meta.url);
  } catch {
    return undefined;
  }
}

async function compileAt(bundledUrl) {
  const advice = adviceAt(bundledUrl);
  if (!bundledUrl) throw missing("the script has no address (import.meta.url), because it is not bundled as a module", advice);
  const url = installed(bundledUrl);
  const at = shown(url);
  const response = await fetch(url).catch((cause) => {
    const what = `${at} could not be fetched (${cause?.message})`;
    if (url.protocol === "file:") throw missing(what, advice);
    const reason = "the network is down, or CORS or the page's connect-src forbids it";
    throw new LoadFailure(`${what}: ${reason}`, { retryable: true, cause });
  });
  return compiledFrom(response, at, advice);
}
