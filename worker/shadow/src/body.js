// Bodies of which a copy is kept, as far as there is room.

/**
 * Room for the copy of one body: asked before each part of it is kept.
 * @typedef {(bytes: number) => string | undefined} Room the reason why there is none
 */

/**
 * Reads a body into memory.
 * @param {ReadableStream<Uint8Array> | null} stream
 * @param {Room} room
 * @returns {Promise<{ bytes: Uint8Array<ArrayBuffer>, rest?: ReadableStreamDefaultReader<Uint8Array>, reason?: string }>} where
 *   there was no room, `rest` is there, and `bytes` are the beginning
 */
export async function readUpTo(stream, room) {
  const reader = stream?.getReader();
  const chunks = [];
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    const reason = room(value.byteLength);
    if (reason) return { bytes: joined(chunks), rest: reader, reason };
  }
  return { bytes: joined(chunks) };
}

/** A stream of what was read, and of the rest. */
export function together(bytes, rest) {
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

/** @typedef {{ text: string } | { reason: string }} Copy the text of an answer, or why there is none */

/**
 * Reads an answer.
 * @param {ReadableStream<Uint8Array> | null} stream
 * @param {Room} room
 * @returns {Promise<Copy>}
 */
export async function readCopy(stream, room) {
  try {
    const { bytes, rest, reason } = await readUpTo(stream, room);
    rest?.cancel().catch(() => {});
    return rest ? { reason } : { text: textOf(bytes) };
  } catch {
    return { reason: "brokenOff" };
  }
}

/**
 * An answer for its reader, and a copy of what he has read. `tee` would read on for the copy, and keep all of it for a slow
 * reader.
 * @param {Response} response with a body
 * @param {Room} room
 * @returns {{ response: Response, copy: Promise<Copy> }}
 */
export function copied(response, room) {
  const { readable, writable } = passage(response.headers);
  const copy = copyTo(writable.getWriter(), response.body.getReader(), room);
  return { response: new Response(readable, response), copy };
}

/** With its length, an answer that breaks off breaks off for its reader, too. One that is compressed gets another length. */
function passage(headers) {
  const length = headers.get("content-length");
  return length === null || headers.has("content-encoding") ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
}

/** A write lasts until the reader has read it. */
async function copyTo(writer, reader, room) {
  const chunks = [];
  let lacking;
  for (;;) {
    const { done, value, error } = await reader.read().catch((error) => ({ error }));
    if (error) {
      writer.abort(error).catch(() => {});
      return { reason: "brokenOff" };
    }
    if (done) break;
    lacking ??= room(value.byteLength);
    if (lacking) chunks.length = 0;
    else chunks.push(value.slice());
    try {
      await writer.write(value);
    } catch (why) {
      reader.cancel(why).catch(() => {});
      return { reason: "hungUp" };
    }
  }
  await writer.close().catch(() => {});
  return lacking ? { reason: lacking } : { text: textOf(joined(chunks)) };
}

export const textOf = (bytes) => new TextDecoder().decode(bytes);

function joined(chunks) {
  if (chunks.length === 1) return chunks[0];
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
