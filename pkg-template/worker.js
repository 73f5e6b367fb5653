// The HTTP routes of an order for any fetch-style runtime. Imports no pricer: the caller supplies one.
import { whenAborted } from "./abort.js";
import { PricingError } from "./error.js";
import { lending } from "./internal.js";
import { logError } from "./log.js";

const ROUTES = ["calculatecost2", "calculatecost3", "calculatecost4"];
const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/**
 * Answers `POST <basePath>/calculatecost2`, `3` and `4`: one operation under three names.
 * D40: every failure of an order is 500 with `{"error": message}` and nothing else in the body.
 *
 * @template Env
 * @param {(env: Env) => import("order-cost").Pricer | PromiseLike<import("order-cost").Pricer>} createPricer
 *   runs with the isolate's first order, and again after it failed
 * @param {{ basePath?: string, maxBodyBytes?: number, deadlineMs?: number }} [options]
 * @returns {(request: Request, env: Env, ctx: { waitUntil(promise: Promise<unknown>): void }) => Promise<Response>}
 */
export function createFetchHandler(createPricer, options = {}) {
  const { basePath = "", maxBodyBytes = DEFAULT_MAX_BODY_BYTES, deadlineMs = 0 } = options;
  refuseUnless(typeof basePath === "string", "basePath: expected a string");
  refuseUnless(isCount(deadlineMs, MOST_DEADLINE_MS), `deadlineMs: expected an integer of 0 to ${MOST_DEADLINE_MS}`);
  refuseUnless(isCount(maxBodyBytes, Number.MAX_SAFE_INTEGER), "maxBodyBytes: expected an integer of 0 or more");
  const paths = new Set(ROUTES.map((route) => orderPath(basePath, route)));
  /** @type {Price | undefined} */
  let price;
  /** @type {Promise<Price> | undefined} */
  let creating;

  function create(env, ctx) {
    if (creating) return creating;
    creating = Promise.resolve(env)
      .then(createPricer)
      .then(pricing)
      .then(
        (created) => (price = created),
        (error) => {
          creating = undefined;
          // Logs here, once for all the orders that wait for the pricer.
          logError("The pricer could not be created", error);
          throw new ClientError(clientText(error) ?? INTERNAL);
        },
      );
    // All orders share this pricer: its creation must not end when one client hangs up or one order is late.
    ctx?.waitUntil?.(creating.catch(() => {}));
    return creating;
  }

  async function answer(request, env, ctx, signal) {
    const body = await readBody(request, maxBodyBytes, signal).catch((error) => {
      // A body that breaks off is not JSON. The client has gone: that does not belong in our log.
      throw error instanceof ClientError ? error : new ClientError("Failed to parse request body");
    });
    const priceOrder = price ?? (await create(env, ctx));
    return priceOrder(body, { signal, context: ctx });
  }

  return async (request, env, ctx) => {
    if (!isFor(paths, request)) {
      return reply(404, JSON.stringify({ error: `Unknown path: expected ${[...paths].join(", ")}` }));
    }
    if (request.method !== "POST") {
      return reply(405, JSON.stringify({ error: "Method not allowed: expected POST" }), { allow: "POST" });
    }
    try {
      return await inTime(deadlineMs, request.signal, (signal) => answer(request, env, ctx, signal));
    } catch (error) {
      const text = clientText(error);
      if (text === undefined) logError("An order failed", error);
      return reply(500, JSON.stringify({ error: text ?? INTERNAL }));
    }
  };
}

/** The longest delay of a JavaScript timer. With a longer one it fires at once. */
const MOST_DEADLINE_MS = 2 ** 31 - 1;

const isCount = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;

function refuseUnless(isRight, fault) {
  if (isRight) return;
  const path = fault.split(":", 1)[0];
  throw new PricingError({ code: "VALIDATION_ERROR", message: `Invalid options: ${fault}`, path, retryable: false }, crypto.randomUUID());
}

/** Runs an order. Aborts it when `signal` aborts or after `deadlineMs`; 0 means no deadline. */
function inTime(deadlineMs, signal, run) {
  if (deadlineMs === 0) return run(signal);
  const order = new AbortController();
  if (signal?.aborted) order.abort(signal.reason);
  const endListening = signal && whenAborted(signal, () => order.abort(signal.reason));
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      const message = `The order was not priced within ${deadlineMs} ms`;
      const error = new PricingError({ code: "DEADLINE_EXCEEDED", message, retryable: true }, crypto.randomUUID());
      reject(error);
      order.abort(error);
    }, deadlineMs);
  });
  return Promise.race([run(order.signal), late]).finally(() => {
    clearTimeout(timer);
    endListening?.();
  });
}

/**
 * Prices an order's body and answers it.
 * @typedef {(body: Uint8Array, call: import("order-cost").CallOptions) => Promise<Response>} Price
 */

/** @returns {Promise<Price>} */
async function pricing(pricer) {
  const answer = (bytes) => reply(200, bytes);
  const lend = pricer.calculateJson[lending];
  // Without lending, each response is copied twice: a tenth more work for workerd per order.
  if (lend && (await copiesBodies())) return (body, call) => lend.call(pricer, body, call, answer);
  return async (body, call) => answer(await pricer.calculateJson(body, call));
}

/** Whether a Response copies its bytes, as the standard requires. If not, it would send the bytes of the next order. */
async function copiesBodies() {
  const bytes = new Uint8Array(1);
  const response = new Response(bytes);
  bytes[0] = 1;
  return new Uint8Array(await response.arrayBuffer())[0] === 0;
}

const INTERNAL = "Internal error";

/** An error whose message the client reads. */
class ClientError extends Error {
  toJSON() {
    return { error: this.message };
  }
}

const tooLarge = (maxBytes) => new ClientError(`Request body is larger than ${maxBytes} bytes`);

/**
 * The text that a client may read: the `error` of the error's `toJSON`, as in a PricingError. Undefined for a failure
 * of ours and for an error that was not made for clients: their text and stack belong in the log.
 */
function clientText(error) {
  if (typeof error?.toJSON !== "function" || error.code === "INTERNAL") return undefined;
  const text = error.toJSON()?.error;
  return typeof text === "string" ? text : undefined;
}

/** Made once: new headers for each order would be a tenth of workerd's work for it. */
const JSON_HEADERS = new Headers({ "content-type": "application/json" });

function reply(status, body, headers = {}) {
  const response = new Response(body, { status, headers: JSON_HEADERS });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** A route's path, spelled as in a URL so that the two compare. `api`, `/api` and `/api/` are the same base path. */
function orderPath(basePath, route) {
  const segments = [...basePath.split("/"), route].filter((segment) => segment !== "");
  return new URL(`/${segments.join("/")}`, "http://localhost").pathname;
}

/** Whether a request is for one of the paths. Parses its URL only if the plain text does not match, which is rare. */
function isFor(paths, { url }) {
  const [path] = url.slice(url.indexOf("/", url.indexOf("//") + 2)).split(/[?#]/, 1);
  return paths.has(path) || paths.has(withoutSlash(new URL(url).pathname));
}

const withoutSlash = (path) => (path.endsWith("/") ? path.slice(0, -1) : path);

async function readBody(request, maxBytes, signal) {
  const declared = Number(request.headers.get("content-length"));
  if (declared > maxBytes) throw tooLarge(maxBytes);
  // The runtime enforces the declared length, so the body is read as a whole: in half the time of reading its chunks. A
  // transfer encoding overrides the declared length (RFC 9112), which nothing enforces then.
  const isHeld = declared > 0 && !request.headers.has("transfer-encoding");
  const body = isHeld ? new Uint8Array(await request.arrayBuffer()) : await readStream(request.body, maxBytes, signal);
  if (body.byteLength > maxBytes) throw tooLarge(maxBytes);
  return body;
}

const CHUNKS_PER_TURN = 1_000;

/** Reads a body of unknown length, but no further than the limit. */
async function readStream(stream, maxBytes, signal) {
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  const giveUp = () => void reader.cancel().catch(() => {}); // a failed cancel does not change the answer
  const endListening = signal && whenAborted(signal, giveUp);
  const chunks = [];
  let size = 0;
  try {
    for (let count = 1; ; count += 1) {
      const { done, value } = await reader.read();
      if (done) return concatenate(chunks, size);
      // A stream that always has a chunk ready, even an empty one, would leave the deadline's timer no turn.
      if (count % CHUNKS_PER_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
      size += value.byteLength;
      if (size > maxBytes) {
        giveUp();
        throw tooLarge(maxBytes);
      }
      chunks.push(value);
    }
  } finally {
    endListening?.();
  }
}

function concatenate(chunks, size) {
  const bytes = new Uint8Array(size);
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.byteLength;
  }
  return bytes;
}
