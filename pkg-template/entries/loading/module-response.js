// Compiles the module from the answer of a server.
import { LoadFailure } from "./load-failure.js";

/**
 * @param {Response} response
 * @param {string} at names the address in messages
 * @param {string} advice what to do if the file is not there
 */
export async function compiledFrom(response, at, advice) {
  if (response.status >= 500) throw new LoadFailure(`${at} answered ${response.status}`, { retryable: true });
  if (response.type === "opaque") throw new LoadFailure(`${at} may not be read: request it with CORS`, { retryable: false });
  if (!response.ok) throw missing(`${at} answered ${response.status}`, advice);
  const type = response.headers.get("content-type");
  try {
    if (type === "application/wasm") return await WebAssembly.compileStreaming(response);
    const bytes = await response.arrayBuffer();
    if (isWasm(bytes)) return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new LoadFailure(`${at}: ${/** @type {Partial<Error> | undefined} */ (cause)?.message}`, { retryable: true, cause });
  }
  throw missing(`${at} is not WebAssembly: its content type is ${type ?? "missing"}`, advice);
}

export const missing = (what, advice) => new LoadFailure(`${what}. ${advice}`, { retryable: false });

/**
 * Whether the bytes are WebAssembly: if the file is missing, development servers answer with a page.
 * @param {ArrayBuffer} bytes
 */
function isWasm(bytes) {
  return bytes.byteLength > 4 && new DataView(bytes).getUint32(0) === 0x0061736d; // "\0asm"
}
