import { createServer } from "node:http";
import net from "node:net";
import { getRequestListener } from "@hono/node-server";
import { caught, MOST_TIMER_MS, readIncoming, reading, soon } from "order-cost/internal";
import { jsonAnswer, responseOf } from "../answers/index.js";
import { errorText, log } from "../log/index.js";
import { hangUpOf, PlainRequest } from "./plain-request.js";

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
 * An HTTP server for the service. A plain order takes a short way, without streams and what else of the web nobody reads; Hono's
 * server carries what is unusual about a request.
 * @param {import("../service/service.js").Handle} answer never fails
 * @param {number} deadlineMs of an order; 0: none
 * @param {(work: Promise<unknown>) => void} hold of the platform
 */
export function createListener(answer, deadlineMs, hold) {
  let isEnding = false;
  const sequences = createSequences();
  /** Of requests on the long way, the answer before on their connection. */
  const befores = new WeakMap();

  async function respond(request, { incoming, outgoing }) {
    Object.defineProperty(request, "signal", { value: hangUpOf(outgoing).signal }); // Hono's own would be a second one
    request[reading] = (mostBytes, { signal }) => readIncoming(incoming, outgoing, mostBytes, signal);
    await sequences.turn(befores.get(incoming), incoming.socket, outgoing);
    if (incoming.socket.destroyed) return new Response(); // nobody reads it
    if (!URL.canParse(request.url)) return noRequest(); // Hono takes any host of plain letters
    const isTooMuch = incoming.rawHeaders.length > 2 * MOST_HEADERS; // names and values
    const answered = isTooMuch ? jsonAnswer(431, { error: TOO_MANY_HEADERS }) : await answer(request, { incoming, waitUntil: hold });
    if (isEnding) outgoing.setHeader("connection", "close");
    return responseOf(answered);
  }

  const noRequest = () => responseOf(jsonAnswer(400, { error: NO_REQUEST }));
  const answerAll = getRequestListener(respond, { errorHandler: noRequest, hostname: "localhost" });

  function takeLongWay(incoming, outgoing, before) {
    befores.set(incoming, before);
    answerAll(incoming, outgoing);
  }

  function takeShortWay(incoming, outgoing, url, body) {
    const answered = () => answer(new PlainRequest(incoming, outgoing, url, body), { incoming, waitUntil: hold });
    void caught(
      () => soon(answered(), (one) => send(one, outgoing)),
      (error) => {
        log("error", "fault", { message: "An answer could not be sent", cause: errorText(error) });
        outgoing.destroy();
      },
    );
  }

  function send({ status, headers, body }, outgoing) {
    if (isEnding) outgoing.setHeader("connection", "close");
    headers["content-length"] = `${Buffer.byteLength(body)}`;
    outgoing.writeHead(status, headers).end(body);
  }

  const server = createServer((incoming, outgoing) => {
    const before = sequences.enter(incoming.socket, outgoing);
    const url = before ? undefined : plainUrl(incoming);
    if (url === undefined) return takeLongWay(incoming, outgoing, before);
    // Node has the part that came with the headers once this function has returned.
    process.nextTick(() => {
      const isWhole = incoming.readableLength === Number(incoming.headers["content-length"]);
      if (isWhole) takeShortWay(incoming, outgoing, url, incoming.read());
      else takeLongWay(incoming, outgoing);
    });
  });
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

/** As much as Node reads at once: a larger body does not come with its headers. */
const READ_BYTES = 65_536;

const PLAIN_HOST = /^[a-z0-9.-]+(?::\d+)?$/;

/**
 * Most requests have the host and the target of the one before.
 * @type {{ host?: string, target?: string, url?: string }}
 */
let last = {};

/** The URL of a host and a target, if both stand in it as they came: no whole URL as a target, no `\`, no `/../`. */
function urlOf(host = "", target) {
  if (host === last.host && target === last.target) return last.url;
  const url = `http://${host}${target}`;
  const isPlain = PLAIN_HOST.test(host) && target.startsWith("/") && URL.canParse(url) && new URL(url).href === url;
  last = { host, target, url: isPlain ? url : undefined };
  return last.url;
}

/**
 * The URL of a request; undefined if its target or its headers need the long way, or its body cannot have come with them.
 * @param {import("node:http").IncomingMessage} incoming
 */
function plainUrl({ method, url, headers, rawHeaders }) {
  const { host, "content-length": length, "transfer-encoding": coding, expect } = headers;
  if (method !== "POST" || coding !== undefined || expect !== undefined) return undefined;
  const isAlone = rawHeaders.length <= 2 * MOST_HEADERS && rawHeaders.length === 2 * Object.keys(headers).length;
  return isAlone && Number(length) > 0 && Number(length) <= READ_BYTES ? urlOf(host, url) : undefined;
}

/**
 * The requests of each connection, one after another. A client may send hundreds without waiting for answers: each order would
 * have connections of its own to services.
 */
function createSequences() {
  /** By socket, the holder of the answer to its last request: to set a WeakMap for each request makes work for the collector. */
  const holders = new WeakMap();

  function holderOf(socket) {
    if (!holders.has(socket)) holders.set(socket, { outgoing: undefined });
    return holders.get(socket);
  }

  return {
    /** Gives the answer to the request before, if it is not over. */
    enter(socket, outgoing) {
      const last = holderOf(socket);
      const before = last.outgoing;
      last.outgoing = outgoing;
      return before?.closed ? undefined : before;
    },

    /** Waits until the answer before is over. The socket is not read meanwhile. */
    async turn(before, socket, outgoing) {
      if (!before || before.closed) return;
      socket.pause();
      await new Promise((resolve) => before.once("close", resolve));
      if (holderOf(socket).outgoing === outgoing) socket.resume();
    },
  };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Of what no Request can be made. */
const NO_REQUEST = "Invalid request: expected a URL and a method that fetch accepts";
const TOO_MANY_HEADERS = `Too many headers: expected at most ${MOST_HEADERS}`;

const connections = (server) => new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
