// The entry with the module in a separate file, which is smaller and compiles while it downloads.
import { entry } from "./pricer.js";

export { PricingError } from "./error.js";

const ADVICE =
  `Serve the package's wasm/order_cost_bg.wasm beside the script, or import "order-cost", which contains the module`;

export const { createPricer, preload } = entry(
  () => compileAt(new URL("./wasm/order_cost_bg.wasm", import.meta.url)),
  { advice: ADVICE },
);

async function compileAt(url) {
  const response = await fetch(url).catch((cause) => fail(`${url} could not be fetched (${cause?.message})`, cause));
  if (!response.ok) fail(`${url} answered ${response.status}`);
  const type = response.headers.get("content-type");
  if (type === "application/wasm") return WebAssembly.compileStreaming(response);
  const bytes = await response.arrayBuffer();
  if (!isModule(bytes)) fail(`${url} is not WebAssembly: its content type is ${type ?? "missing"}`);
  return WebAssembly.compile(bytes);
}

function fail(message, cause) {
  throw new Error(message, { cause });
}

/** Whether the bytes are WebAssembly: if the file is missing, development servers answer with a page. */
function isModule(bytes) {
  return bytes.byteLength > 4 && new DataView(bytes).getUint32(0) === 0x0061736d; // "\0asm"
}
