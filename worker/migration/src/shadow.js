import { within } from "order-cost/internal";
import { readStream, requestIdOf } from "order-cost/worker";
import { errorText, log } from "../../src/log/index.js";
import { ROUTES } from "../../src/options/index.js";
import { ask, DEADLINE_MS, finished, hasCoupons, MOST_ANSWER_BYTES, together, UNREACHABLE } from "../sides/index.js";
import { comparisonOf } from "./comparison.js";
import { Held } from "./held.js";
import { shadowLine } from "./line.js";

/** Why an answer is not compared, which is no fault of its side. */
const NOT_COMPARED = ["memory", "hungUp"];

/**
 * @typedef {"legacy" | "new"} Served the side that answers the client
 * @typedef {import("../sides/order.js").Order} Order
 * @typedef {import("../sides/ask.js").Begun} Begun
 * @typedef {import("../sides/ask.js").Answer} Answer
 */

/**
 * Answers each client from the side that serves its route. A share of the orders is also asked of the other side, after
 * the answer, and compared.
 *
 * @param {{ legacy: ReturnType<typeof import("../sides/legacy.js").createLegacy>, new: ReturnType<typeof import("../sides/fresh.js").createFresh> }} sides
 * @param {ReturnType<typeof import("./keeper.js").createKeeper> | undefined} captures
 * @param {{ serve: Record<string, Served>, share: number, comparesCoupons: boolean, orderDeadlineMs: number, maxBodyBytes: number }} options
 * @returns {(request: Request, ctx: ExecutionContext) => Promise<Response>}
 */
export function createShadow(sides, captures, { serve, share, comparesCoupons, orderDeadlineMs, maxBodyBytes }) {
  const held = new Held();
  /** @param {Request} request */
  const isSampled = (request) => request.method === "POST" && Math.random() < share;

  /**
   * Room for a body of an order: not above `most` bytes, nor above what all orders may hold.
   * @param {Order} order
   * @param {number} most
   * @param {string} reason
   * @returns {import("../sides/body.js").Room}
   */
  function roomFor(order, most, reason) {
    let left = most;
    return (bytes) => {
      left -= bytes;
      if (left < 0) return reason;
      return held.take(order, bytes) ? undefined : "memory";
    };
  }

  /** @param {Order} order */
  const roomForAnswer = (order) => roomFor(order, MOST_ANSWER_BYTES, "tooLong");

  /**
   * @param {Request} request
   * @param {string} route
   * @param {Served} serving
   * @param {ExecutionContext} ctx
   */
  async function answerCompared(request, route, serving, ctx) {
    /** @type {Order} */
    const order = { request, route, requestId: requestIdOf(request), body: new Uint8Array(0) }; // until it is read
    const { reason, passed } = await readInTime(order).catch((error) => {
      held.release(order);
      throw error;
    });
    if (!reason) return serveCompared(order, serving, ctx);
    held.release(order);
    leftOut(order, reason);
    return passed ? sides[serving].pass(passed) : late(order);
  }

  /** @param {Order} order */
  function readInTime(order) {
    const patience = new AbortController();
    return within(orderDeadlineMs, read(order, patience.signal), () => {
      patience.abort();
      return { reason: "deadline", passed: undefined };
    });
  }

  /**
   * The failure of an order whose body does not arrive, as the pricing Worker says it.
   * @param {Order} order
   */
  function late({ requestId }) {
    const headers = { "x-request-id": requestId, "x-order-cost-error": "DEADLINE_EXCEEDED" };
    return Response.json({ error: `The order was not priced within ${orderDeadlineMs} ms` }, { status: 500, headers });
  }

  /**
   * Reads an order's body; or says why it is not compared, and what is passed on.
   * @param {Order} order
   * @param {AbortSignal} signal
   * @returns {Promise<{ reason?: string, passed?: Request }>}
   */
  async function read(order, signal) {
    const { request } = order;
    if (Number(request.headers.get("content-length")) > maxBodyBytes) return { reason: "length", passed: request };
    const { bytes, rest, reason } = await readStream(request.body, { room: roomFor(order, maxBodyBytes, "length"), signal });
    const body = bytes.slice(); // to the new side, the whole buffer would be sent
    if (rest) return { reason, passed: new Request(request, { body: together(body, rest), duplex: "half" }) };
    if (!comparesCoupons && hasCoupons(body)) return { reason: "coupons", passed: new Request(request, { body }) };
    order.body = body;
    return {};
  }

  /**
   * @param {Order} order
   * @param {Served} serving
   * @param {ExecutionContext} ctx
   */
  async function serveCompared(order, serving, ctx) {
    const startedAt = Date.now();
    /** @param {Begun} answer */
    const compareWith = (answer) => ctx.waitUntil(compare(order, serving, finished(answer, startedAt)).finally(() => held.release(order)));
    try {
      const { response, answer } = await sides[serving].serve(order, roomForAnswer(order), DEADLINE_MS);
      compareWith(answer);
      return response;
    } catch (error) {
      compareWith(UNREACHABLE);
      throw error;
    }
  }

  /**
   * @param {Order} order
   * @param {Served} serving
   * @param {Promise<Answer>} served
   */
  async function compare(order, serving, served) {
    try {
      const [own, other] = [await served, serving === "legacy" ? sides.new : sides.legacy];
      if (!isCompared(own)) return leftOut(order, own.reason);
      const asked = await ask(other, order, roomForAnswer(order));
      if (!isCompared(asked)) return leftOut(order, asked.reason);
      const answers = serving === "legacy" ? { legacy: own, new: asked } : { legacy: asked, new: own };
      const comparison = comparisonOf(answers.legacy, answers.new);
      console.log(JSON.stringify(shadowLine(order, serving, comparison, answers)));
      const { pricedFrom } = answers.new;
      if (pricedFrom?.isRepeatable) await captures?.keep(order, answers.legacy, { ...answers.new, pricedFrom });
    } catch (error) {
      log("error", "fault", { requestId: order.requestId, message: "A comparison failed", cause: errorText(error) });
    }
  }

  return async (request, ctx) => {
    const route = routeOf(request.url);
    if (route === undefined) return sides.legacy.pass(request);
    const serving = serve[route] ?? "legacy";
    if (!isSampled(request)) return sides[serving].pass(request);
    return answerCompared(request, route, serving, ctx);
  };
}

/** @param {Answer} answer */
const isCompared = ({ reason = "" }) => !NOT_COMPARED.includes(reason);

/**
 * An order of the share that is served and not compared.
 * @param {Order} order
 * @param {string | undefined} reason
 */
const leftOut = ({ requestId, route }, reason) => log("info", "left-out", { requestId, route, reason });

/**
 * The last name of a path, if it is a route's.
 * @param {string} url
 */
function routeOf(url) {
  const name = new URL(url).pathname.split("/").findLast(Boolean) ?? "";
  return ROUTES.includes(name) ? name : undefined;
}
