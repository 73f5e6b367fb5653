import { createServer } from "node:http";
import net from "node:net";
import { getRequestListener } from "@hono/node-server";
import { hangingUp, MOST_TIMER_MS, readIncoming, reading } from "order-cost/internal";

/** Longer than the proxies in front keep a connection: one that this side ends first costs them an order. */
const KEEP_ALIVE_MS = 75_000;

/** A client that neither sends nor reads any more keeps no connection for longer, unless an order may wait for as long. */
const SILENT_MS = 120_000;

/** Node itself would read so many and drop the rest: an address of a proxy, a key. */
const MOST_HEADERS = 2_000;

/** How long a client that sends no more waits for its answer. It may also have gone: its side of TCP says the same. */
const HALF_OPEN_MS = 5_000;

/** At the end, how long a connection that nobody uses stays open: its client may just be sending an order. */
const LINGER_MS = 5_000;
const POLL_MS = 20;

/**
 * An HTTP server for the service.
 * @param {import("../service/service.js").Handle} answer never rejects
 * @param {number} deadlineMs of an order; 0: none
 * @param {(work: Promise<unknown>) => void} hold of the platform
 */
export function createListener(answer, deadlineMs, hold) {
  let isEnding = false;
  const inSequence = createSequences();

  async function respond(request, { incoming, outgoing }) {
    const hangUp = new AbortController();
    outgoing.once("close", () => outgoing.writableFinished || hangUp.abort(new DOMException("The client has gone", "AbortError")));
    Object.defineProperty(request, "signal", { value: hangUp.signal }); // Hono's own would be a second one
    request[hangingUp] = hangUp;
    request[reading] = (mostBytes, signal) => readIncoming(incoming, outgoing, mostBytes, signal);
    await inSequence(incoming.socket, outgoing);
    if (incoming.socket.destroyed) return new Response(); // nobody reads it
    const isTooMuch = incoming.rawHeaders.length > 2 * MOST_HEADERS; // names and values
    const response = isTooMuch ? refuse(431, TOO_MANY_HEADERS) : await answer(request, { incoming, waitUntil: hold });
    if (isEnding) outgoing.setHeader("connection", "close");
    return response;
  }

  const server = createServer(getRequestListener(respond, { errorHandler: () => refuse(400, NO_REQUEST), hostname: "localhost" }));
  server.maxHeadersCount = 0; // all
  // @ts-expect-error its types lack it
  server.httpAllowHalfOpen = true;
  server.on("connection", (socket) => socket.once("end", () => setTimeout(() => socket.destroy(), HALF_OPEN_MS).unref()));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.timeout = deadlineMs === 0 ? 0 : Math.min(Math.max(SILENT_MS, 2 * deadlineMs), MOST_TIMER_MS);

  return {
    server,

    /**
     * Ends the server so that no order is lost: it takes no new connection, answers what comes on those that are open, and
     * closes each after its answer. What still runs after `patienceMs` is given up.
     * @param {number} patienceMs
     * @param {() => Promise<void>} closed resolves once no connection can be on its way here
     */
    async end(patienceMs, closed) {
      const until = performance.now() + Math.max(patienceMs, LINGER_MS);
      isEnding = true;
      // `server.close()` of HTTP would end idle connections at once, on which an order may be on its way.
      net.Server.prototype.close.call(server);
      const lingering = setTimeout(() => server.closeIdleConnections(), LINGER_MS);
      await closed();
      while ((await connections(server)) > 0 && performance.now() < until) await pause(POLL_MS);
      clearTimeout(lingering);
      server.closeAllConnections();
    },
  };
}

/**
 * Makes the function that waits until the requests before one on its connection are answered. A client may send hundreds without
 * waiting for answers: each order would have connections of its own to services. Its socket is not read meanwhile.
 */
function createSequences() {
  /** The answer to the last request of each socket. */
  const last = new WeakMap();
  return async (socket, outgoing) => {
    const before = last.get(socket);
    last.set(socket, outgoing);
    if (!before || before.closed) return;
    socket.pause();
    await new Promise((resolve) => before.once("close", resolve));
    if (last.get(socket) === outgoing) socket.resume();
  };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Of what no Request can be made. */
const NO_REQUEST = "Invalid request: expected a URL and a method that fetch accepts";
const TOO_MANY_HEADERS = `Too many headers: expected at most ${MOST_HEADERS}`;

const refuse = (status, error) => Response.json({ error }, { status });

const connections = (server) => new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
