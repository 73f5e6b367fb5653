// The HTTP routes of an order for any fetch-style runtime. Imports no pricer: the caller supplies one.
import {
  aborted,
  heading,
  hides,
  INPUTS,
  invalidOption,
  lateSignal,
  lending,
  notPlain,
  observing,
  PricingError,
  pricingError,
  refusing,
  replying,
} from "../core/index.js";
import { LIMITS } from "../order-fields.js";
import { caught, isObject, MOST_TIMER_MS, readStream, sharedGetter, soon, whenAborted } from "../shared/index.js";
import { readBody } from "./body.js";
import { Ending } from "./ending.js";
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
  const { basePath = "", maxBodyBytes = LIMITS.maxBodyBytes, deadlineMs = 0, input = {}, onOrder } = options;
  const { [heading]: addHeaders = () => {}, [replying]: reply = respond } = options;
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
  /** What prices an order's body and answers it, once the pricer is created, and the promise of it. */
  let price;
  let creating;

  function create(env, ctx) {
    if (creating) return creating;
    creating = Promise.resolve(env)
      .then(createPricer)
      .then(async (pricer) => (price = await pricing(pricer, answered)))
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

  const answered = (bytes, call) => reply(200, bytes, headersOf(call));
  const refuse = (status, error, headers) => reply(status, JSON.stringify({ error }), headers);

  /** The headers of an order's answer. */
  function headersOf({ requestId, context, [observing]: observation }, code) {
    const headers = answerHeaders(requestId);
    if (code !== undefined) headers["x-order-cost-error"] = code;
    addHeaders(headers, context, observation);
    return headers;
  }

  function answer(request, env, call) {
    return soon(readBody(request, maxBodyBytes, call), (body) =>
      soon(price ?? unlessAborted(create(env, call.context), call), (priceOrder) => priceOrder(body, call)),
    );
  }

  function callOf(context, requestId, route, ending) {
    const observation = onOrder && new Observation();
    const call = { context, requestId, input: input[route], [observing]: observation, [lateSignal]: ending };
    return Object.defineProperty(call, "signal", SIGNAL);
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

  /** Answers at once, or gives a promise of the answer. */
  function handle(request, env, ctx) {
    const requestId = requestIdOf(request);
    const route = routeOf(request.url);
    if (!route) return refuse(404, `Unknown path: expected ${[...paths.keys()].join(", ")}`, answerHeaders(requestId));
    if (request.method !== "POST") return refuse(405, "Method not allowed: expected POST", { ...answerHeaders(requestId), allow: "POST" });

    const ending = new Ending(request, deadlineMs);
    const call = callOf(ctx, requestId, route, ending);
    const priced = (response) => {
      tell(route, call, response.status);
      return response;
    };
    const failed = (thrown) => {
      const error = errorOf(thrown, request, requestId);
      // NoPricer has been logged already.
      if (!onOrder && error.code === "INTERNAL" && !(thrown instanceof NoPricer)) logError("An order failed", error.cause);
      const response = refuse(500, error.message, headersOf(call, error.code));
      tell(route, call, response.status, error);
      return response;
    };
    return caught(() => soon(ending.inTime(answer(request, env, call), requestId), priced), failed);
  }

  return reply === respond ? async (request, env, ctx) => handle(request, env, ctx) : handle;
}

const SIGNAL = sharedGetter((call) => call[lateSignal].signal);

const isCount = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;

function refuseUnless(isRight, path, fault) {
  if (!isRight) throw invalidOption(path, fault);
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

/** Returns the function that prices an order's body and has it answered. */
async function pricing(pricer, answered) {
  const lend = pricer.calculateJson[lending];
  // Without lending, each response is copied twice: a tenth more work for workerd per order.
  if (lend && (await copiesBodies())) return (body, call) => lend.call(pricer, body, call, (bytes) => answered(bytes, call));
  return (body, call) =>
    soon(pricer.calculateJson(body, call), (priced) => {
      if (!ArrayBuffer.isView(priced)) throw new TypeError("calculateJson returned no bytes");
      return answered(priced, call);
    });
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
function errorOf(thrown, request, requestId) {
  const error = thrown instanceof NoPricer ? thrown.cause : thrown;
  // A client that hangs up ends its body, too.
  if (error?.code === "INVALID_JSON" && request.signal?.aborted) return pricingError(aborted(request.signal.reason), requestId);
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

const respond = (status, body, headers) => new Response(body, { status, headers });

const answerHeaders = (requestId) => ({ "content-type": "application/json", "x-request-id": requestId });

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
