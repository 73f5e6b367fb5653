// Serves a fetch-style handler with Node's `http`. The library @hono/node-server does the same and more, but this
// package has no dependencies.
import { setMaxListeners } from "node:events";
import { pipeline } from "node:stream/promises";
import { IncomingBody, streamOf } from "./incoming.js";
import { logError } from "./log.js";

/** How long the rest of a body is read after its answer. A connection that closed at once could lose the answer. */
const DRAIN_MS = 5_000;

/**
 * Makes a listener for `http.createServer` from a fetch-style handler. See http.d.ts.
 * @param {(request: Request, env: unknown, ctx: object) => Promise<Response>} handle
 * @param {{ env?: unknown }} [options]
 */
export function createNodeListener(handle, { env } = {}) {
  return (incoming, outgoing) => {
    const body = new IncomingBody(incoming);
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
  const body = method === "GET" || method === "HEAD" ? null : streamOf(incoming, outgoing, parts);
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

/**
 * Node has already joined what may be repeated, and taken the first of what may not.
 * @returns {[string, string][]}
 */
function headersOf(incoming) {
  return Object.entries(incoming.headers).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
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
