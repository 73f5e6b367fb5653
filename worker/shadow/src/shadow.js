import { requestIdOf } from "order-cost/worker";
import { within } from "../../src/deadline.js";
import { errorText, log } from "../../src/log/log.js";
import { readUpTo, textOf, together } from "./body.js";
import { comparisonOf } from "./comparison.js";
import { Held } from "./held.js";
import { shadowLine } from "./line.js";
import { ROUTES } from "./options.js";

/** The other side answers nobody: it may take as long as an order does by default. */
const DEADLINE_MS = 10_000;

const UNREACHABLE = { status: null, reason: "unreachable" };
const LATE = { status: null, reason: "timeout" };

/**
 * Answers each client from the side that serves its route. A share of the orders is also asked of the other side, after
 * the answer, and compared.
 *
 * @param {{ legacy: ReturnType<typeof import("./legacy.js").createLegacy>, new: ReturnType<typeof import("./fresh.js").createFresh> }} sides
 * @param {ReturnType<typeof import("./captures.js").createCaptures>} [captures]
 * @param {{ serve: Record<string, "legacy" | "new">, share: number, comparesCoupons: boolean, maxBodyBytes: number }} options
 * @returns {(request: Request, ctx: ExecutionContext) => Promise<Response>}
 */
export function createShadow(sides, captures, { serve, share, comparesCoupons, maxBodyBytes }) {
  const held = new Held();
  const isSampled = (request, route) => route !== undefined && request.method === "POST" && Math.random() < share;

  async function answerCompared(request, route, serving, ctx) {
    const requestId = requestIdOf(request);
    const leaveOut = (reason, passed = request) => {
      log("info", "left-out", { requestId, route, reason });
      return sides[serving].pass(passed);
    };
    if (held.isFull) return leaveOut("memory");
    if (Number(request.headers.get("content-length")) > maxBodyBytes) return leaveOut("length");
    const { bytes: body, rest } = await readUpTo(request.body, maxBodyBytes);
    if (rest) return leaveOut("length", new Request(request, { body: together(body, rest) }));
    if (!comparesCoupons && hasCoupons(body)) return leaveOut("coupons", new Request(request, { body }));
    return serveCompared({ request, body, route, requestId }, serving, ctx);
  }

  async function serveCompared(order, serving, ctx) {
    const startedAt = Date.now();
    const compareWith = (answer) => {
      held.add(order, order.body.length);
      ctx.waitUntil(compare(order, serving, finished(answer, startedAt)).finally(() => held.release(order)));
    };
    try {
      const { response, answer } = await sides[serving].serve(order);
      compareWith(answer);
      return response;
    } catch (error) {
      compareWith(UNREACHABLE);
      throw error;
    }
  }

  async function compare(order, serving, served) {
    try {
      const answers = { [serving]: await served };
      held.add(order, answers[serving].text?.length ?? 0);
      const other = serving === "legacy" ? "new" : "legacy";
      answers[other] = await ask(sides[other], order);
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

/** The other side's answer, in time. */
function ask(side, order) {
  const startedAt = Date.now();
  const patience = new AbortController();
  const answer = side.ask(order, patience.signal).then((begun) => finished(begun, startedAt));
  return within(DEADLINE_MS, answer, () => finished(LATE, startedAt))
    .catch((error) => {
      log("warn", "fault", { requestId: order.requestId, message: "The other side could not be reached", cause: errorText(error) });
      return finished(UNREACHABLE, startedAt);
    })
    .finally(() => patience.abort());
}

/** An answer with its whole text, or why it has none, and the time that it took. */
async function finished({ text: coming, ...answer }, startedAt) {
  const whole = await Promise.resolve(coming).then((text) => (text === undefined ? { reason: "tooLong" } : { text }), () => ({ reason: "brokenOff" }));
  return { ...whole, ...answer, ms: Date.now() - startedAt };
}

/** The last name of a path, if it is a route's. */
function routeOf(url) {
  const name = new URL(url).pathname.split("/").findLast(Boolean);
  return ROUTES.includes(name) ? name : undefined;
}

/** Whether the order has coupon codes. What cannot be read has none that anybody would ask for. */
function hasCoupons(body) {
  try {
    return JSON.parse(textOf(body)).couponCodeList?.length > 0;
  } catch {
    return false;
  }
}
