// The entry with the module in a separate file, which is smaller and compiles while it downloads.
import { LoadFailure } from "./load-failure.js";
import { adviceAt, installed, shown } from "./module-file.js";
import { compiledFrom, missing } from "./response.js";
import { wholeEntry } from "./whole.js";

export { PricingError } from "./error.js";

export const { createPricer, preload } = wholeEntry(() => compileAt(fileUrl()));

/** The file's address, or nothing in a script that has none itself. Bundlers look for these very words and copy the file. */
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
