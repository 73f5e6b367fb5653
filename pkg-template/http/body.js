// Reads the body of a request, but no further than a limit.
import { PricingError, reading } from "../core/index.js";
import { IS_WORKERD, readUpTo } from "../shared/index.js";

/** The bytes of a request's body. Throws a PricingError if it is too large or breaks off. `signal` ends the reading. */
export async function readBody(request, maxBytes, requestId, signal) {
  let bytes;
  try {
    bytes = await (request[reading] ? request[reading](maxBytes, signal) : readRequest(request, maxBytes, signal));
  } catch (cause) {
    // A body that breaks off is not JSON.
    throw new PricingError({ code: "INVALID_JSON", message: "Failed to parse request body", retryable: false, cause }, requestId);
  }
  if (bytes) return bytes;
  const message = `Request body is larger than ${maxBytes} bytes`;
  throw new PricingError({ code: "LIMIT_EXCEEDED", message, retryable: false }, requestId);
}

/** Undefined for a body that is too large. */
async function readRequest(request, maxBytes, signal) {
  const declared = Number(request.headers.get("content-length"));
  if (declared > maxBytes) return undefined;
  // workerd enforces the declared length and reads into one buffer, in half the time of reading chunks. Other runtimes
  // keep every chunk. A transfer encoding overrides the declared length (RFC 9112), which nothing enforces then.
  const isHeld = IS_WORKERD && declared > 0 && !request.headers.has("transfer-encoding");
  return isHeld ? new Uint8Array(await request.arrayBuffer()) : readUpTo(request.body, maxBytes, signal);
}
