// The body of a request that Node's `http` has received.
import { finished } from "node:stream";
import { GrowingBuffer, Pace, readUpTo, whenAborted } from "../shared/index.js";

/**
 * Reads a body into one buffer, several times as fast as through a stream of the web. Undefined: it has more than
 * `mostBytes`; the rest is then not read.
 *
 * @param {import("node:http").IncomingMessage} incoming
 * @param {import("node:http").ServerResponse} outgoing
 * @param {number} mostBytes
 * @param {AbortSignal} [signal] ends the reading
 * @returns {Promise<Uint8Array | undefined>}
 */
export async function readIncoming(incoming, outgoing, mostBytes, signal) {
  const declared = Number(incoming.headers["content-length"] ?? 0);
  if (declared > mostBytes) return undefined;
  if (incoming.headers["transfer-encoding"] === undefined)
    return declared === 0 ? new Uint8Array() : readDeclared(incoming, declared, signal);
  return readUpTo(streamOf(incoming, outgoing, new IncomingBody(incoming)), mostBytes, signal);
}

/**
 * Reads a body of a declared length. Node's parser ends it there.
 * @returns {Promise<Uint8Array>}
 */
function readDeclared(incoming, declared, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    if (incoming.destroyed) throw new Error("The body broke off");
    const kept = new GrowingBuffer();
    const take = (part) => {
      if (part.byteLength === declared) return end(resolve, part);
      kept.append(part);
      if (kept.size === declared) end(resolve, kept.bytes);
    };
    const breakOff = () => end(reject, new Error("The body broke off"));
    const abort = () => end(reject, signal?.reason);
    const endListening = signal && whenAborted(signal, abort);
    const end = (settle, value) => {
      incoming.off("data", take).off("close", breakOff).off("error", breakOff);
      endListening?.();
      settle(value);
    };
    incoming.on("data", take).on("close", breakOff).on("error", breakOff);
  });
}

/** The least bytes around those of a chunk: `1\r\n` and `\r\n`. */
const FRAME_BYTES = 5;

/** Several times what Node takes to parse a chunk. */
const CHUNK_MS = 0.005;

/**
 * A body, taken from its socket a read at a time. Such a read may hold 11,000 chunks, of which Node makes a buffer each.
 * They are joined at once, and the socket waits meanwhile.
 */
export class IncomingBody {
  #incoming;
  #socket;
  #bytesSeen;
  #pace = new Pace();
  /**
   * Gets what a read has brought, as one part.
   * @type {(part: Uint8Array) => void}
   */
  take = () => {};

  constructor(incoming) {
    this.#incoming = incoming;
    this.#socket = incoming.socket;
    this.#bytesSeen = this.#socket.bytesRead;
    // Node stops the socket at this many bytes. By default it would keep 30,000 buffers of a byte for each connection.
    incoming._readableState.highWaterMark = 1;
    // Once Node has parsed all that the read has brought.
    incoming.on("readable", () => setImmediate(() => this.#read()));
  }

  #read() {
    const part = this.#incoming.read();
    if (part === null) return;
    // `read` resumes the socket in a tick of its own.
    if (!this.#incoming.complete) process.nextTick(() => this.#socket.pause());
    this.take(part);
    const { bytesRead } = this.#socket;
    const frames = (bytesRead - this.#bytesSeen - part.length) / FRAME_BYTES;
    this.#bytesSeen = bytesRead;
    this.#pace.owe(Math.max(0, frames) * CHUNK_MS);
  }

  /** Lets the socket read on, at the earliest after the tick that pauses it. */
  async more() {
    await (this.#pace.isDue ? this.#pace.turn() : undefined);
    if (!this.#incoming.complete) this.#socket.resume();
  }
}

/**
 * The body as a stream, read as fast as the handler reads it. Unlike that of `Readable.toWeb`, its `cancel()` leaves the
 * connection open for the answer.
 */
export function streamOf(incoming, outgoing, body) {
  let stop;
  const start = (controller) => {
    const end = (error) => {
      stop();
      if (error) controller.error(error);
      else controller.close();
    };
    const endTooLate = () => end(new Error("The request has been answered"));
    const unlisten = finished(incoming, end);
    let isOver = false;
    body.take = (part) => isOver || controller.enqueue(part);
    outgoing.once("close", endTooLate);
    stop = () => {
      isOver = true;
      outgoing.off("close", endTooLate);
      unlisten();
    };
  };
  return new ReadableStream({ start, pull: () => body.more(), cancel: () => stop() }, { highWaterMark: 0 });
}
