// Reads the body of a request, but no further than a limit.
import { PricingError, reading } from "../core/index.js";
import { caught, IS_WORKERD, readUpTo, soon } from "../shared/index.js";

/**
 * The bytes of a request's body, at once if its server has them. Fails with a PricingError if it is too large or breaks off.
 * @param {Request} request
 * @param {number} maxBytes
 * @param {{ requestId: string, signal?: AbortSignal }} call its signal ends the reading
 * @returns {Uint8Array | Promise<Uint8Array>}
 */
export function readBody(request, maxBytes, call) {
  const read = () => (request[reading] ? request[reading](maxBytes, call) : readRequest(request, maxBytes, call));
  // A body that breaks off is not JSON.
  const brokenOff = (cause) => {
    throw new PricingError({ code: "INVALID_JSON", message: "Failed to parse request body", retryable: false, cause }, call.requestId);
  };
  return soon(caught(read, brokenOff), (bytes) => {
    if (bytes) return bytes;
    const message = `Request body is larger than ${maxBytes} bytes`;
    throw new PricingError({ code: "LIMIT_EXCEEDED", message, retryable: false }, call.requestId);
  });
}

/** Undefined for a body that is too large. */
async function readRequest(request, maxBytes, call) {
  const declared = Number(request.headers.get("content-length"));
  if (declared > maxBytes) return undefined;
  // workerd enforces the declared length and reads into one buffer, in half the time of reading chunks. Other runtimes
  // keep every chunk. A transfer encoding overrides the declared length (RFC 9112), which nothing enforces then.
  const isHeld = IS_WORKERD && declared > 0 && !request.headers.has("transfer-encoding");
  return isHeld ? new Uint8Array(await request.arrayBuffer()) : readUpTo(request.body, maxBytes, call.signal);
}
