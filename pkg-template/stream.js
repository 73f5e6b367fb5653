// Reads a stream of bytes into one buffer, whatever its chunks are.
import { whenAborted } from "./abort.js";
import { Pace } from "./pace.js";
import { IS_WORKERD } from "./runtime.js";

/** Several times what it takes to read a small chunk. An empty one counts, too; a large one is worth it. */
const costMs = (bytes) => 0.05 / (1 + bytes / 1_024);

/** Reads a stream. It keeps at most twice what has arrived, and leaves timers and other orders their turns. See worker.d.ts. */
export async function readStream(stream, { room, pass, signal }) {
  signal?.throwIfAborted();
  const kept = new Buffer();
  if (!stream) return { bytes: kept.bytes };
  const source = new Source(stream);
  const pace = new Pace();
  let reason;
  const abort = () => {
    if (!pass) return source.cancel(signal.reason);
    reason ??= signal.reason;
    kept.clear();
  };
  const endListening = signal && whenAborted(signal, abort);
  try {
    for (;;) {
      const { done, value } = await source.read();
      if (!pass) signal?.throwIfAborted();
      if (done) return { bytes: kept.bytes, reason };
      kept.append(value);
      reason ??= room(value.byteLength, kept.size);
      if (reason !== undefined && !pass) return { bytes: kept.bytes, reason, rest: source.release() };
      if (reason !== undefined) kept.clear();
      if (pass) await passOn(pass, value, source);
      pace.owe(costMs(value.byteLength));
      if (pace.isDue) await pace.turn();
    }
  } finally {
    endListening?.();
  }
}

async function passOn(pass, chunk, source) {
  try {
    await pass(chunk);
  } catch (error) {
    source.cancel(error);
    throw error;
  }
}

const READ_BYTES = 16_384;

/**
 * The reader of a stream. In workerd, which makes 4 KiB for a chunk of a byte, it fills one buffer again and again, if the
 * stream can do so. To ask elsewhere would cost a twentieth of an order: a stream answers by throwing.
 */
class Source {
  #stream;
  #reader;
  #buffer;

  constructor(stream) {
    this.#stream = stream;
    this.#reader = IS_WORKERD ? this.#fillingReader() : stream.getReader();
  }

  #fillingReader() {
    try {
      const reader = this.#stream.getReader({ mode: "byob" });
      this.#buffer = new ArrayBuffer(READ_BYTES);
      return reader;
    } catch {
      return this.#stream.getReader();
    }
  }

  /** What it reads is valid until the next read. */
  async read() {
    if (!this.#buffer) return this.#reader.read();
    const read = await this.#reader.read(new Uint8Array(this.#buffer));
    if (!read.done) this.#buffer = read.value.buffer;
    return read;
  }

  /** A failed cancel changes nothing. */
  cancel(reason) {
    this.#reader.cancel(reason).catch(() => {});
  }

  release() {
    this.#reader.releaseLock();
    return this.#stream;
  }
}

/** One buffer, which doubles when it is full. */
class Buffer {
  #room = new Uint8Array();
  size = 0;

  get bytes() {
    return this.#room.subarray(0, this.size);
  }

  append(chunk) {
    const size = this.size + chunk.byteLength;
    if (size > this.#room.byteLength) this.#grow(size);
    this.#room.set(chunk, this.size);
    this.size = size;
  }

  #grow(size) {
    const larger = new Uint8Array(Math.max(size, 2 * this.#room.byteLength));
    larger.set(this.bytes);
    this.#room = larger;
  }

  clear() {
    this.#room = new Uint8Array();
    this.size = 0;
  }
}
