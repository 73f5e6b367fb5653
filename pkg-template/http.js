// Serves a fetch-style handler with Node's `http`. The library @hono/node-server does the same and more, but this
// package has no dependencies.
import { setMaxListeners } from "node:events";
import { finished } from "node:stream";
import { pipeline } from "node:stream/promises";
import { logError } from "./log.js";
import { Pace } from "./pace.js";

/** How long the rest of a body is read after its answer. A connection that closed at once could lose the answer. */
const DRAIN_MS = 5_000;

/** Makes a listener for `http.createServer` from a fetch-style handler. See http.d.ts. */
export function createNodeListener(handle, { env } = {}) {
  return (incoming, outgoing) => {
    const body = new Body(incoming);
    outgoing.once("close", () => drain(incoming, body));
    serve(handle, env, incoming, outgoing, body).catch((error) => {
      logError("A request failed", error);
      fail(outgoing, 500, "Internal error");
    });
  };
}

/** The requests under way. If one were collected, its signal would no longer abort (undici). */
const underWay = new Set();

async function serve(handle, env, incoming, outgoing, body) {
  const hangUp = new AbortController();
  const request = requestOf(incoming, outgoing, body, hangUp.signal);
  if (!request) return fail(outgoing, 400, "Invalid request: expected a URL and a method that fetch accepts");

  // Only the socket's "close" always comes: pipelined answers have no socket until it is their turn.
  const { socket } = incoming;
  const abort = () => hangUp.abort(new DOMException("The client has gone", "AbortError"));
  setMaxListeners(0, socket);
  socket.once("close", abort);
  underWay.add(request);
  try {
    const response = await handle(request, env, { waitUntil });
    await send(response, incoming.method, outgoing, hangUp.signal);
  } catch (error) {
    if (!hangUp.signal.aborted) throw error; // else nobody waits for the answer
  } finally {
    socket.off("close", abort);
    underWay.delete(request);
  }
}

/** A server runs on: nothing must be kept alive for the promise. */
function waitUntil(promise) {
  Promise.resolve(promise).catch((error) => logError("A promise of waitUntil failed", error));
}

/** The request for the handler, or undefined if it has no URL or a method that fetch forbids, such as TRACE. */
function requestOf(incoming, outgoing, parts, signal) {
  const { method } = incoming;
  const body = method === "GET" || method === "HEAD" ? null : bodyOf(incoming, outgoing, parts);
  try {
    return new Request(urlOf(incoming), { method, headers: headersOf(incoming), body, duplex: "half", signal });
  } catch {
    return undefined;
  }
}

/** Characters that would end the host in a URL, or stand before it. */
const NO_HOST = /[/?#@\\\s]/;

/** The target may be a path, or a whole URL. It is appended as text: as a relative URL, `//a/b` would name a host. */
function urlOf({ url, headersDistinct, socket }) {
  const hosts = headersDistinct.host ?? []; // HTTP/1.0 knows no host
  if (hosts.length > 1 || NO_HOST.test(hosts[0])) throw new TypeError("Invalid host");
  return url.startsWith("/") ? `${socket.encrypted ? "https" : "http"}://${hosts[0] || "localhost"}${url}` : url;
}

/** Node has already joined what may be repeated, and taken the first of what may not. */
function headersOf(incoming) {
  return Object.entries(incoming.headers).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
}

/** The least bytes around those of a chunk: `1\r\n` and `\r\n`. */
const FRAME_BYTES = 5;

/** Several times what Node takes to parse a chunk. */
const CHUNK_MS = 0.005;

/**
 * A body, taken from its socket a read at a time. Such a read may hold 11,000 chunks, of which Node makes a buffer each.
 * They are joined at once, and the socket waits meanwhile.
 */
class Body {
  #incoming;
  #socket;
  #bytesSeen;
  #pace = new Pace();
  /** Gets what a read has brought, as one part. */
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
function bodyOf(incoming, outgoing, body) {
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

async function send(response, method, outgoing, signal) {
  outgoing.writeHead(response.status, response.statusText || undefined, [...response.headers].flat());
  if (response.body && method !== "HEAD") return pipeline(response.body, outgoing, { signal });
  outgoing.end();
  return response.body?.cancel();
}

function fail(outgoing, status, message) {
  if (outgoing.headersSent) return void outgoing.destroy();
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error: message }));
}

/** Lets the connection serve its next request. Ends it if the body of the last one goes on for too long. */
function drain(incoming, body) {
  if (incoming.complete || incoming.destroyed) return;
  body.take = () => void body.more();
  void body.more();
  const timer = setTimeout(() => incoming.destroy(), DRAIN_MS).unref(); // The connection keeps the process, if it is open.
  incoming.once("close", () => clearTimeout(timer));
}
