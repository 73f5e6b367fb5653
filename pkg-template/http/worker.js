// The HTTP routes of an order for any fetch-style runtime. Imports no pricer: the caller supplies one.
import {
  aborted,
  hangingUp,
  heading,
  hides,
  INPUTS,
  invalidOption,
  lending,
  notPlain,
  observing,
  PricingError,
  pricingError,
  refusing,
  spentMs,
} from "../core/index.js";
import { LIMITS } from "../order-fields.js";
import { atOnce, isObject, MOST_TIMER_MS, readStream, whenAborted } from "../shared/index.js";
import { readBody } from "./body.js";
import { logError } from "./log.js";
import { Observation } from "./observation.js";
import { requestIdOf } from "./request-id.js";

export { readStream, requestIdOf };

const ROUTES = ["calculatecost2", "calculatecost3", "calculatecost4"];

/**
 * Answers `POST <basePath>/calculatecost2`, `3` and `4`: one operation under three names. See worker.d.ts.
 * D40: every failure of an order is 500 with `{"error": message}` and nothing else in the body.
 */
export function createFetchHandler(createPricer, options = {}) {
  const { basePath = "", maxBodyBytes = LIMITS.maxBodyBytes, deadlineMs = 0, input = {}, onOrder, [heading]: headersOf } = options;
  refusing(
    () => {
      if (hides(options)) throw notPlain("options");
      refuseUnless(typeof basePath === "string", "basePath", "expected a string");
      refuseUnless(isCount(deadlineMs, MOST_TIMER_MS), "deadlineMs", `expected an integer of 0 to ${MOST_TIMER_MS}`);
      refuseUnless(isCount(maxBodyBytes, Number.MAX_SAFE_INTEGER), "maxBodyBytes", "expected an integer of 0 or more");
      refuseUnless(isObject(input) && !hides(input), "input", "expected an object");
      for (const [route, one] of Object.entries(input)) {
        refuseUnless(ROUTES.includes(route), `input.${route}`, `expected a route, one of ${ROUTES.join(", ")}`);
        refuseUnless(INPUTS.includes(one), `input.${route}`, `expected one of ${INPUTS.join(", ")}`);
      }
      refuseUnless(onOrder === undefined || typeof onOrder === "function", "onOrder", "expected a function");
    },
    () => crypto.randomUUID(),
  );
  const paths = new Map(ROUTES.map((route) => [orderPath(basePath, route), route]));
  const routeOf = createRouter(paths);
  /** Once the pricer is created: it, and what prices an order's body and answers it. */
  let pricer;
  let price;
  /** The promise of the same. */
  let creating;

  function create(env, ctx) {
    if (creating) return creating;
    creating = Promise.resolve(env)
      .then(createPricer)
      .then(async (created) => {
        const answering = await pricing(created);
        pricer = created;
        return (price = answering);
      })
      .catch((error) => {
        creating = undefined;
        // Once for all the orders that wait for the pricer. With `onOrder` each of them reports it.
        if (!onOrder) logError("The pricer could not be created", error);
        throw new NoPricer(undefined, { cause: error });
      });
    // All orders share this pricer: its creation must not end when one client hangs up or one order is late.
    ctx?.waitUntil?.(creating.catch(() => {}));
    return creating;
  }

  async function answer(request, env, call) {
    const body = await readBody(request, maxBodyBytes, call.requestId, call.signal);
    const priceOrder = price ?? (await unlessAborted(create(env, call.context), call));
    return priceOrder(body, call);
  }

  function callOf(context, requestId, route) {
    const observation = onOrder && new Observation();
    const headers = () => headersOf?.(context, observation?.ms());
    return { context, requestId, input: input[route], [observing]: observation, [heading]: headers };
  }

  /** Tells `onOrder`, which can harm nothing, even if it is asynchronous. */
  function tell(route, { context, requestId, [observing]: observation }, status, error) {
    if (!onOrder) return;
    const fail = (error) => logError("onOrder failed", error);
    try {
      const told = onOrder({ status, route, requestId, error, ...observation.counts, ms: observation.ms(), context });
      if (told) Promise.resolve(told).catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Answers an order that has its body and asks nobody. Otherwise nobody has heard of it. */
  function answerNow(request, body, ctx) {
    const route = paths.get(request.url);
    if (!route || !pricer?.calculateJsonNow || body.length > maxBodyBytes) return undefined;
    const call = callOf(ctx, requestIdOf(request), route);
    const priced = pricer.calculateJsonNow(body, call);
    const headers = answerHeaders(call.requestId, call[heading]());
    tell(route, call, 200);
    return { status: 200, headers, body: priced };
  }

  async function handle(request, env, ctx) {
    const requestId = requestIdOf(request);
    const route = routeOf(request.url);
    if (!route) return refuse(404, `Unknown path: expected ${[...paths.keys()].join(", ")}`, requestId);
    if (request.method !== "POST") return refuse(405, "Method not allowed: expected POST", requestId, { allow: "POST" });

    const call = callOf(ctx, requestId, route);
    let response;
    let error;
    try {
      response = await inTime(deadlineMs, request, call, () => answer(request, env, call));
    } catch (thrown) {
      error = errorOf(thrown, request.signal, requestId);
      // NoPricer has been logged already.
      if (!onOrder && error.code === "INTERNAL" && !(thrown instanceof NoPricer)) logError("An order failed", error.cause);
      response = refuse(500, error.message, requestId, { "x-order-cost-error": error.code, ...call[heading]() });
    }
    tell(route, call, response.status, error);
    return response;
  }

  return Object.assign(handle, { [atOnce]: answerNow });
}

const isCount = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;

function refuseUnless(isRight, path, fault) {
  if (!isRight) throw invalidOption(path, fault);
}

/**
 * Runs an order. Its `call.signal` aborts when the request's does or `deadlineMs` after its server began with it; 0 means no
 * deadline.
 */
function inTime(deadlineMs, request, call, run) {
  const { signal } = request;
  call.signal = signal;
  if (deadlineMs === 0) return run();
  const order = request[hangingUp] ?? new AbortController();
  call.signal = order.signal;
  if (signal?.aborted) order.abort(signal.reason);
  const isShared = !signal || signal === order.signal;
  const endListening = isShared ? undefined : whenAborted(signal, () => order.abort(signal.reason));
  return new Promise((resolve, reject) => {
    const late = () => {
      const message = `The order was not priced within ${deadlineMs} ms`;
      const error = new PricingError({ code: "DEADLINE_EXCEEDED", message, retryable: true }, call.requestId);
      end(reject, error);
      order.abort(error);
    };
    const timer = setTimeout(late, deadlineMs - (request[spentMs] ?? 0));
    const end = (settle, value) => {
      clearTimeout(timer);
      endListening?.();
      settle(value);
    };
    run().then(
      (response) => end(resolve, response),
      (error) => end(reject, error),
    );
  });
}

/** A promise that many orders wait for. Each ends its own waiting if it is aborted. */
function unlessAborted(promise, { signal, requestId }) {
  if (!signal) return promise;
  let endListening;
  const gone = new Promise((_, reject) => {
    const abort = () => reject(pricingError(aborted(signal.reason), requestId));
    if (signal.aborted) abort();
    else endListening = whenAborted(signal, abort);
  });
  return Promise.race([promise, gone]).finally(() => endListening?.());
}

/** Returns the function that prices an order's body and answers it. */
async function pricing(pricer) {
  const answer = (bytes, call) => reply(200, bytes, call.requestId, call[heading]());
  const lend = pricer.calculateJson[lending];
  // Without lending, each response is copied twice: a tenth more work for workerd per order.
  if (lend && (await copiesBodies())) return (body, call) => lend.call(pricer, body, call, (bytes) => answer(bytes, call));
  return async (body, call) => {
    const priced = await pricer.calculateJson(body, call);
    if (!ArrayBuffer.isView(priced)) throw new TypeError("calculateJson returned no bytes");
    return answer(priced, call);
  };
}

/** Whether a Response copies its bytes, as the standard requires. If not, it would send the bytes of the next order. */
async function copiesBodies() {
  const bytes = new Uint8Array(1);
  const response = new Response(bytes);
  bytes[0] = 1;
  return new Uint8Array(await response.arrayBuffer())[0] === 0;
}

/** The pricer could not be created; the cause says why. */
class NoPricer extends Error {}

/**
 * The error of an order that failed. The client reads the message of an error that was made for clients: one with
 * `toJSON`, as a PricingError has it. Any other error is ours: its text and stack belong in the log.
 */
function errorOf(thrown, signal, requestId) {
  const error = thrown instanceof NoPricer ? thrown.cause : thrown;
  // A client that hangs up ends its body, too.
  if (signal?.aborted && error?.code === "INVALID_JSON") return pricingError(aborted(signal.reason), requestId);
  const text = clientText(error);
  const code = text !== undefined && CODE.test(error.code) ? error.code : "INTERNAL";
  if (code !== "INTERNAL" && error.message === text) return error;
  const message = text ?? "Internal error";
  return new PricingError({ code, message, retryable: error?.retryable === true, cause: error }, requestId);
}

/** A code stands in a header. */
const CODE = /^[A-Z_]{1,64}$/;

/** The text that a client may read. Undefined for a failure of ours and for an error that was not made for clients. */
function clientText(error) {
  try {
    const text = error.code === "INTERNAL" ? undefined : error.toJSON().error;
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined; // it has no text for them
  }
}

const refuse = (status, error, requestId, headers) => reply(status, JSON.stringify({ error }), requestId, headers);

function reply(status, body, requestId, headers) {
  return new Response(body, { status, headers: answerHeaders(requestId, headers) });
}

const answerHeaders = (requestId, headers) => ({ "content-type": "application/json", "x-request-id": requestId, ...headers });

/** A route's path, spelled as in a URL so that the two compare. `api`, `/api` and `/api/` are the same base path. */
function orderPath(basePath, route) {
  const segments = [...basePath.split("/"), route].filter((segment) => segment !== "");
  return new URL(`/${segments.join("/")}`, "http://localhost").pathname;
}

/** Makes the function that gives the route of a URL, whose path may end with a slash. Most orders have the URL of the one before. */
function createRouter(paths) {
  let last;
  let route;
  return (url) => {
    if (url === last) return route;
    route = paths.get(new URL(url).pathname.replace(/\/$/, ""));
    last = url;
    return route;
  };
}
