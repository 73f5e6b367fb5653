// The routes of an order for any fetch-style runtime. Imports no pricer: that is the caller's.
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
          // Here, where all the orders that wait for it log it once.
          logError("The pricer could not be created", error);
          throw new ClientError(clientText(error) ?? INTERNAL);
        },
      );
    // It is everybody's: where the client hangs up, or the order is late, it must not be torn down with that.
    ctx?.waitUntil?.(creating.catch(() => {}));
    return creating;
  }

  async function answer(request, env, ctx, signal) {
    const body = await readBody(request, maxBodyBytes, signal).catch((error) => {
      // What breaks off is no JSON. The client has gone: that is no fault for our log.
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

/** A timer of JavaScript counts no further, and fires at once. */
const MOST_DEADLINE_MS = 2 ** 31 - 1;

const isCount = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;

function refuseUnless(isRight, fault) {
  if (isRight) return;
  const path = fault.split(":", 1)[0];
  throw new PricingError({ code: "VALIDATION_ERROR", message: `Invalid options: ${fault}`, path, retryable: false }, crypto.randomUUID());
}

/** Runs an order, which is given up with `signal` when it is late; `deadlineMs` 0: never. */
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
  // Without it each response is copied twice: a tenth more of what workerd does for an order.
  if (lend && (await copiesBodies())) return (body, call) => lend.call(pricer, body, call, answer);
  return async (body, call) => answer(await pricer.calculateJson(body, call));
}

/** Whether a Response has a copy of its bytes, as the standard wants it: without one it would send the next order's. */
async function copiesBodies() {
  const bytes = new Uint8Array(1);
  const response = new Response(bytes);
  bytes[0] = 1;
  return new Uint8Array(await response.arrayBuffer())[0] === 0;
}

const INTERNAL = "Internal error";

/** Its message is what the client reads. */
class ClientError extends Error {
  toJSON() {
    return { error: this.message };
  }
}

const tooLarge = (maxBytes) => new ClientError(`Request body is larger than ${maxBytes} bytes`);

/**
 * What a client may read of an error: the `error` of its `toJSON`, as a PricingError has it. Undefined for a failure of
 * ours and for what was not made for clients: that is for the log, text and stack.
 */
function clientText(error) {
  if (typeof error?.toJSON !== "function" || error.code === "INTERNAL") return undefined;
  const text = error.toJSON()?.error;
  return typeof text === "string" ? text : undefined;
}

/** Made once: a tenth of what workerd does for an order would be to make them anew. */
const JSON_HEADERS = new Headers({ "content-type": "application/json" });

function reply(status, body, headers = {}) {
  const response = new Response(body, { status, headers: JSON_HEADERS });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** `api`, `/api` and `/api/` are one base path; it is compared as a URL spells it. */
function orderPath(basePath, route) {
  const segments = [...basePath.split("/"), route].filter((segment) => segment !== "");
  return new URL(`/${segments.join("/")}`, "http://localhost").pathname;
}

/** Whether a request is for one of the paths, however its URL spells that. Nearly always it does so plainly. */
function isFor(paths, { url }) {
  const [path] = url.slice(url.indexOf("/", url.indexOf("//") + 2)).split(/[?#]/, 1);
  return paths.has(path) || paths.has(withoutSlash(new URL(url).pathname));
}

const withoutSlash = (path) => (path.endsWith("/") ? path.slice(0, -1) : path);

async function readBody(request, maxBytes, signal) {
  const declared = Number(request.headers.get("content-length"));
  if (declared > maxBytes) throw tooLarge(maxBytes);
  // The runtime holds a client to the length it declared, and the whole is read in half the time of its chunks. Not where
  // there is a transfer encoding: that one says how long a body is, and the declared length is nobody's (RFC 9112).
  const isHeld = declared > 0 && !request.headers.has("transfer-encoding");
  const body = isHeld ? new Uint8Array(await request.arrayBuffer()) : await readStream(request.body, maxBytes, signal);
  if (body.byteLength > maxBytes) throw tooLarge(maxBytes);
  return body;
}

const CHUNKS_PER_TURN = 1_000;

/** The bytes of a body of unknown length, read no further than the limit. */
async function readStream(stream, maxBytes, signal) {
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  const giveUp = () => void reader.cancel().catch(() => {}); // the answer is the same, however the rest of the body ends
  const endListening = signal && whenAborted(signal, giveUp);
  const chunks = [];
  let size = 0;
  try {
    for (let count = 1; ; count += 1) {
      const { done, value } = await reader.read();
      if (done) return concatenate(chunks, size);
      // A stream that always has a chunk at hand, an empty one even, leaves no turn for the deadline.
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
