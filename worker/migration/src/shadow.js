import { readStream, requestIdOf } from "order-cost/worker";
import { within } from "../../../pkg/within.js";
import { errorText, log } from "../../src/log/log.js";
import { DEADLINE_MS, UNREACHABLE, ask, finished } from "./ask.js";
import { MOST_ANSWER_BYTES, together } from "./body.js";
import { comparisonOf } from "./comparison.js";
import { Held } from "./held.js";
import { shadowLine } from "./line.js";
import { hasCoupons } from "./order.js";
import { ROUTES } from "../../src/variables.js";

/** Why an answer is not compared, which is no fault of its side. */
const NOT_COMPARED = ["memory", "hungUp"];

/**
 * Answers each client from the side that serves its route. A share of the orders is also asked of the other side, after
 * the answer, and compared.
 *
 * @param {{ legacy: ReturnType<typeof import("./legacy.js").createLegacy>, new: ReturnType<typeof import("./fresh.js").createFresh> }} sides
 * @param {ReturnType<typeof import("./captures.js").createKeeper>} [captures]
 * @param {{ serve: Record<string, "legacy" | "new">, share: number, comparesCoupons: boolean, orderDeadlineMs: number, maxBodyBytes: number }} options
 * @returns {(request: Request, ctx: ExecutionContext) => Promise<Response>}
 */
export function createShadow(sides, captures, { serve, share, comparesCoupons, orderDeadlineMs, maxBodyBytes }) {
  const held = new Held();
  const isSampled = (request, route) => route !== undefined && request.method === "POST" && Math.random() < share;

  /** Room for a body of an order: not above `most` bytes, nor above what all orders may hold. */
  function roomFor(order, most, reason) {
    let left = most;
    return (bytes) => {
      left -= bytes;
      if (left < 0) return reason;
      return held.take(order, bytes) ? undefined : "memory";
    };
  }

  const roomForAnswer = (order) => roomFor(order, MOST_ANSWER_BYTES, "tooLong");

  async function answerCompared(request, route, serving, ctx) {
    const order = { request, route, requestId: requestIdOf(request) };
    const { reason, passed } = await readInTime(order).catch((error) => {
      held.release(order);
      throw error;
    });
    if (!reason) return serveCompared(order, serving, ctx);
    held.release(order);
    leftOut(order, reason);
    return passed ? sides[serving].pass(passed) : late(order);
  }

  function readInTime(order) {
    const patience = new AbortController();
    return within(orderDeadlineMs, read(order, patience.signal), () => {
      patience.abort();
      return { reason: "deadline" };
    });
  }

  /** The failure of an order whose body does not arrive, as the pricing Worker says it. */
  function late({ requestId }) {
    const headers = { "x-request-id": requestId, "x-order-cost-error": "DEADLINE_EXCEEDED" };
    return Response.json({ error: `The order was not priced within ${orderDeadlineMs} ms` }, { status: 500, headers });
  }

  /** Reads an order's body; or says why it is not compared, and what is passed on. */
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

  async function serveCompared(order, serving, ctx) {
    const startedAt = Date.now();
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

  async function compare(order, serving, served) {
    try {
      const other = serving === "legacy" ? "new" : "legacy";
      const answers = { [serving]: await served };
      if (isCompared(answers[serving])) answers[other] = await ask(sides[other], order, roomForAnswer(order));
      const missing = Object.values(answers).find((answer) => !isCompared(answer));
      if (missing) return leftOut(order, missing.reason);
      const comparison = comparisonOf(answers.legacy, answers.new);
      console.log(JSON.stringify(shadowLine(order, serving, comparison, answers)));
      if (answers.new.pricedFrom?.isRepeatable) await captures?.keep(order, answers.legacy, answers.new);
    } catch (error) {
      log("error", "fault", { requestId: order.requestId, message: "A comparison failed", cause: errorText(error) });
    }
  }

  return async (request, ctx) => {
    const route = routeOf(request.url);
    const serving = serve[route] ?? "legacy";
    if (!isSampled(request, route)) return sides[serving].pass(request);
    return answerCompared(request, route, serving, ctx);
  };
}

const isCompared = ({ reason }) => !NOT_COMPARED.includes(reason);

/** An order of the share that is served and not compared. */
const leftOut = ({ requestId, route }, reason) => log("info", "left-out", { requestId, route, reason });

/** The last name of a path, if it is a route's. */
function routeOf(url) {
  const name = new URL(url).pathname.split("/").findLast(Boolean);
  return ROUTES.includes(name) ? name : undefined;
}
