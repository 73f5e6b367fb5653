// Reads the body of a request, but no further than a limit.
import { whenAborted } from "./abort.js";
import { PricingError } from "./error.js";

/**
 * The bytes of a request's body. Throws a PricingError if it is too large or breaks off.
 *
 * @param {Request} request
 * @param {number} maxBytes
 * @param {string} requestId
 * @param {AbortSignal} [signal] ends the reading
 */
export async function readBody(request, maxBytes, requestId, signal) {
  let bytes;
  try {
    bytes = await readUpTo(request, maxBytes, signal);
  } catch (cause) {
    // A body that breaks off is not JSON.
    throw new PricingError({ code: "INVALID_JSON", message: "Failed to parse request body", retryable: false, cause }, requestId);
  }
  if (bytes !== TOO_LARGE) return bytes;
  const message = `Request body is larger than ${maxBytes} bytes`;
  throw new PricingError({ code: "LIMIT_EXCEEDED", message, retryable: false }, requestId);
}

const TOO_LARGE = Symbol("too large");

async function readUpTo(request, maxBytes, signal) {
  const declared = Number(request.headers.get("content-length"));
  if (declared > maxBytes) return TOO_LARGE;
  // The runtime enforces the declared length, so the body is read as a whole: in half the time of reading its chunks. A
  // transfer encoding overrides the declared length (RFC 9112), which nothing enforces then.
  const isHeld = declared > 0 && !request.headers.has("transfer-encoding");
  const body = isHeld ? new Uint8Array(await request.arrayBuffer()) : await readStream(request.body, maxBytes, signal);
  return body.byteLength > maxBytes ? TOO_LARGE : body;
}

const CHUNKS_PER_TURN = 1_000;

/** Reads a body of unknown length, but no further than the limit. */
async function readStream(stream, maxBytes, signal) {
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  const giveUp = () => void reader.cancel().catch(() => {}); // a failed cancel does not change the answer
  const endListening = signal && whenAborted(signal, giveUp);
  const chunks = [];
  let size = 0;
  try {
    for (let count = 1; ; count += 1) {
      const { done, value } = await reader.read();
      if (done) return concatenate(chunks, size);
      // A stream that always has a chunk ready, even an empty one, would leave the deadline's timer no turn.
      if (count % CHUNKS_PER_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
      size += value.byteLength;
      if (size > maxBytes) {
        giveUp();
        return TOO_LARGE;
      }
      chunks.push(value);
    }
  } finally {
    endListening?.();
  }
}

function concatenate(chunks, size) {
  const bytes = new Uint8Array(size);
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.byteLength;
  }
  return bytes;
}
