// Reads a stream of bytes into one buffer, whatever its chunks are.
import { whenAborted } from "./abort.js";
import { Pace } from "./pace.js";

/** Whether this is workerd, the runtime of Cloudflare Workers. */
export const IS_WORKERD = globalThis.navigator?.userAgent === "Cloudflare-Workers";

/** Several times what it takes to read a small chunk. An empty one counts, too; a large one is worth it. */
const costMs = (bytes) => 0.05 / (1 + bytes / 1_024);

/**
 * Reads a stream. It keeps at most twice what has arrived, and leaves timers and other orders their turns. See worker.d.ts.
 * @type {typeof import("order-cost/worker").readStream}
 */
export async function readStream(stream, { room, pass, signal }) {
  signal?.throwIfAborted();
  const kept = new GrowingBuffer();
  if (!stream) return { bytes: kept.bytes };
  const reader = readerOf(stream);
  const pace = new Pace();
  let reason;
  const abort = (cause) => {
    if (!pass) return cancel(reader, cause);
    reason ??= cause;
    kept.clear();
  };
  const endListening = signal && whenAborted(signal, () => abort(signal.reason));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (!pass) signal?.throwIfAborted();
      if (done) return { bytes: kept.bytes, reason };
      kept.append(value);
      reason ??= room(value.byteLength, kept.size);
      if (reason !== undefined && !pass) {
        reader.releaseLock();
        return { bytes: kept.bytes, reason, rest: stream };
      }
      if (reason !== undefined) kept.clear();
      if (pass) await passOn(pass, value, reader);
      pace.owe(costMs(value.byteLength));
      if (pace.isDue) await pace.turn();
    }
  } finally {
    endListening?.();
  }
}

/**
 * Reads a stream, but no further than the chunk that goes over the limit. Undefined: it has more bytes.
 * @param {ReadableStream<Uint8Array> | null | undefined} stream
 * @param {number} mostBytes
 * @param {AbortSignal} [signal]
 */
export async function readUpTo(stream, mostBytes, signal) {
  const { bytes, rest } = await readStream(stream, { room: (_, size) => (size > mostBytes ? "none" : undefined), signal });
  rest?.cancel().catch(() => {}); // a failed cancel does not change the answer
  return rest ? undefined : bytes;
}

async function passOn(pass, chunk, reader) {
  try {
    await pass(chunk);
  } catch (error) {
    cancel(reader, error);
    throw error;
  }
}

const READ_BYTES = 16_384;

/**
 * A reader of a stream. In workerd, which makes 4 KiB for a chunk of a byte, it fills one buffer again and again, if the
 * stream can do so. To ask elsewhere would cost a twentieth of an order: a stream answers by throwing.
 */
function readerOf(stream) {
  if (!IS_WORKERD) return stream.getReader();
  try {
    return filling(stream.getReader({ mode: "byob" }));
  } catch {
    return stream.getReader();
  }
}

/** What it reads is valid until the next read. */
function filling(reader) {
  let buffer = new ArrayBuffer(READ_BYTES);
  return {
    async read() {
      const read = await reader.read(new Uint8Array(buffer));
      if (!read.done) buffer = read.value.buffer;
      return read;
    },
    cancel: (reason) => reader.cancel(reason),
    releaseLock: () => reader.releaseLock(),
  };
}

/** A failed cancel changes nothing. */
const cancel = (reader, reason) => void reader.cancel(reason).catch(() => {});

/** One buffer, which doubles when it is full. */
export class GrowingBuffer {
  #room = new Uint8Array();
  size = 0;

  get bytes() {
    return this.#room.subarray(0, this.size);
  }

  append(chunk) {
    const size = this.size + chunk.byteLength;
    if (size > this.#room.byteLength) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#room.byteLength));
      larger.set(this.bytes);
      this.#room = larger;
    }
    this.#room.set(chunk, this.size);
    this.size = size;
  }

  clear() {
    this.#room = new Uint8Array();
    this.size = 0;
  }
}
