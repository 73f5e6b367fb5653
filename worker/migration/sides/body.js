// Bodies of which a copy is kept, as far as there is room.
import { readStream } from "order-cost/worker";
import { Patience } from "./patience.js";
import { decoded, textOf } from "./text.js";

/** A copy of an answer is not read further. */
export const MOST_ANSWER_BYTES = 4_194_304;

/**
 * Room for the copy of one body: asked before each part of it is kept.
 * @typedef {(bytes: number) => string | undefined} Room the reason why there is none
 */

/**
 * A stream of what was read, and of the rest.
 * @param {Uint8Array} bytes
 * @param {ReadableStream<Uint8Array>} stream
 */
export function together(bytes, stream) {
  const rest = stream.getReader();
  let isFirst = true;
  return new ReadableStream({
    async pull(controller) {
      if (isFirst) {
        isFirst = false;
        return controller.enqueue(bytes);
      }
      const { done, value } = await rest.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => rest.cancel(reason),
  });
}

/**
 * The text of an answer, or why there is none.
 * @typedef {{ text: string, reason?: undefined } | { text?: undefined, reason: string }} Copy
 */

/**
 * Reads an answer.
 * @param {ReadableStream<Uint8Array> | null} stream
 * @param {Room} room
 * @param {AbortSignal} signal ends the reading
 * @returns {Promise<Copy>}
 */
export async function readCopy(stream, room, signal) {
  try {
    const { bytes, rest, reason } = await readStream(stream, { room, signal });
    rest?.cancel().catch(() => {});
    return reason === undefined ? { text: textOf(bytes) } : { reason };
  } catch {
    return { reason: "brokenOff" };
  }
}

/**
 * The body of an answer for its reader, and a copy of what he has read. `tee` would read on for the copy, and keep all of it for a slow
 * reader.
 * @param {Response} response with a body as it came, still encoded
 * @param {Room} room
 * @param {number} ms how long the answer may take. The copy then ends, and the answer goes on
 * @returns {{ readable: ReadableStream<Uint8Array<ArrayBuffer>>, copy: Promise<Copy> }}
 */
export function copied(response, room, ms) {
  const length = response.headers.get("content-length");
  // With its length, an answer that breaks off breaks off for its reader, too.
  const { readable, writable } = length === null ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
  const patience = new Patience(ms);
  const copy = copyTo(writable.getWriter(), response, room, patience);
  return { readable, copy: Promise.race([copy, patience.isOver.then(() => ({ reason: "timeout" }))]) };
}

/**
 * A write lasts until the reader has read it.
 * @param {WritableStreamDefaultWriter<Uint8Array>} writer
 * @param {Response} response
 * @param {Room} room
 * @param {Patience} patience
 * @returns {Promise<Copy>}
 */
async function copyTo(writer, { body, headers }, room, patience) {
  let isGone = false;
  /** @param {Uint8Array} chunk */
  const pass = async (chunk) => {
    patience.stop();
    await writer.write(chunk.slice()).catch((why) => {
      isGone = true;
      throw why;
    });
    patience.start();
  };
  try {
    const { bytes, reason } = await readStream(body, { room, pass, signal: patience.signal });
    await writer.close().catch(() => {});
    return reason ? { reason } : decoded(bytes, headers.get("content-encoding"), room, MOST_ANSWER_BYTES);
  } catch (error) {
    if (!isGone) writer.abort(error).catch(() => {});
    return { reason: isGone ? "hungUp" : "brokenOff" };
  } finally {
    patience.stop();
  }
}
