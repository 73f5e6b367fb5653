/**
 * Reads a body up to a limit.
 * @param {ReadableStream<Uint8Array> | null} stream
 * @param {number} most
 * @returns {Promise<{ bytes: Uint8Array<ArrayBuffer>, rest?: ReadableStreamDefaultReader<Uint8Array> }>} `rest` is there if
 *   there is more: `bytes` are the beginning
 */
export async function readUpTo(stream, most) {
  const reader = stream?.getReader();
  const chunks = [];
  let size = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
    if (size > most) return { bytes: joined(chunks, size), rest: reader };
  }
  return { bytes: joined(chunks, size) };
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

/** A copy of an answer is not read further. */
export const MOST_ANSWER_BYTES = 4_194_304;

/**
 * The text of an answer. Undefined if it is longer than 4 MiB. Throws if it breaks off.
 * @param {ReadableStream<Uint8Array> | null} stream
 */
export async function readText(stream) {
  const { bytes, rest } = await readUpTo(stream, MOST_ANSWER_BYTES);
  if (!rest) return textOf(bytes);
  rest.cancel().catch(() => {}); // the client reads on
  return undefined;
}

export const textOf = (bytes) => new TextDecoder().decode(bytes);

function joined(chunks, size) {
  if (chunks.length === 1) return chunks[0];
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
