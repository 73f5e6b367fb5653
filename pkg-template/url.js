// The entry with the module in a separate file, which is smaller and compiles while it downloads.
import { entry } from "./entry.js";
import { LoadFailure } from "./loading.js";
import { adviceAt, installed, shown } from "./module-file.js";

export { PricingError } from "./error.js";

export const { createPricer, preload } = entry(() => compileAt(fileUrl()));

/** The file's address, or nothing in a script that has none itself. Bundlers look for these very words and copy the file. */
function fileUrl() {
  try {
    return new URL("./wasm/order_cost_bg.wasm", import.meta.url);
  } catch {
    return undefined;
  }
}

async function compileAt(bundledUrl) {
  const missing = (what) => new LoadFailure(`${what}. ${adviceAt(bundledUrl)}`, { retryable: false });
  if (!bundledUrl) throw missing("the script has no address (import.meta.url), because it is not bundled as a module");
  const url = installed(bundledUrl);
  const at = shown(url);
  const response = await fetch(url).catch((cause) => {
    const what = `${at} could not be fetched (${cause?.message})`;
    if (url.protocol === "file:") throw missing(what);
    const reason = "the network is down, or CORS or the page's connect-src forbids it";
    throw new LoadFailure(`${what}: ${reason}`, { retryable: true, cause });
  });
  if (response.status >= 500) throw new LoadFailure(`${at} answered ${response.status}`, { retryable: true });
  if (!response.ok) throw missing(`${at} answered ${response.status}`);
  const type = response.headers.get("content-type");
  try {
    if (type === "application/wasm") return await WebAssembly.compileStreaming(response);
    const bytes = await response.arrayBuffer();
    if (isModule(bytes)) return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new LoadFailure(`${at}: ${cause?.message}`, { retryable: true, cause });
  }
  throw missing(`${at} is not WebAssembly: its content type is ${type ?? "missing"}`);
}

/** Whether the bytes are WebAssembly: if the file is missing, development servers answer with a page. */
function isModule(bytes) {
  return bytes.byteLength > 4 && new DataView(bytes).getUint32(0) === 0x0061736d; // "\0asm"
}
