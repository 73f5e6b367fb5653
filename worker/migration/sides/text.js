// The text of a body.
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/** What a fetch decodes by itself (gzip, br), and what else HTTP knows. */
const DECODERS = new Map([
  ["br", brotliDecompressSync],
  ["deflate", inflateSync],
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
]);

/** @param {Uint8Array} bytes */
export const textOf = (bytes) => new TextDecoder().decode(bytes);

/**
 * The text of an answer as it came.
 * @param {Uint8Array} bytes
 * @param {string | null} encoding `content-encoding`
 * @param {import("./body.js").Room} room for the decoded bytes
 * @param {number} most how many of them are read
 * @returns {import("./body.js").Copy}
 */
export function decoded(bytes, encoding, room, most) {
  const name = (encoding ?? "identity").trim().toLowerCase();
  if (name === "identity") return { text: textOf(bytes) };
  const decode = DECODERS.get(name);
  if (!decode) return { reason: "encoding" };
  try {
    const plain = decode(bytes, { maxOutputLength: most });
    const reason = room(plain.byteLength);
    return reason ? { reason } : { text: textOf(plain) };
  } catch (error) {
    const isTooLong = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return { reason: isTooLong ? "tooLong" : "encoding" };
  }
}
