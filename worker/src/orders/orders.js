import { caught, heading, replying, soon } from "order-cost/internal";
import { createFetchHandler } from "order-cost/worker";
import { answerOf } from "../answers/index.js";
import { log } from "../log/index.js";
import { Order } from "./order.js";
import { levelOf, orderLine } from "./order-line.js";
import { Recording } from "./recording.js";
import { serverTiming } from "./server-timing.js";

/** Names the version of the catalogue that an order was priced with. */
const VERSION_HEADER = "x-order-cost-data";

/** Proves which request the answer is of. */
const RECEIPT_HEADER = "x-order-cost-receipt";

/** As many digits as tell the keys of a service apart. */
const KEY_DIGITS = 8;

/**
 * Answers orders, and says in headers, log and captures what became of each.
 *
 * @param {ReturnType<typeof import("./pricing.js").createPricing>} pricing
 * @param {ReturnType<typeof import("../captures/decisions.js").createDecisions> | undefined} decisions
 * @param {{ routes: import("order-cost/worker").FetchHandlerOptions, logSample: number } & Ground} options `logSample` is the
 *   share of priced orders that are logged; every failure is
 * @returns {import("../service/service.js").Handle}
 *
 * @typedef {Pick<import("../service/service.js").Platform, "deployment" | "rayOf" | "trace" | "observer" | "hold">} Ground
 */
export function createOrders(pricing, decisions, { routes, logSample, deployment, rayOf, trace, observer, hold }) {
  const onOrder = (outcome) => {
    outcome.context.outcome = outcome;
  };
  const options = { ...routes, onOrder, [heading]: addHeaders, [replying]: answerOf };
  /** @type {(request: any, env: undefined, order: Order) => any} which answers as `replying` says */
  const handle = createFetchHandler(() => pricing, options);

  function report(order) {
    const level = levelOf(order);
    if (level !== "info" || order.capture || Math.random() < logSample) log(level, "order", orderLine(order, { deployment, rayOf }));
  }

  /** An order that is captured has a line, which says where: so it waits for that. */
  function tellOf(order) {
    const kind = decisions?.kindOf(order);
    if (!decisions || !kind) return report(order);
    hold(
      decisions.capture(order, kind).then((capture) => {
        order.capture = capture;
        report(order);
      }),
    );
  }

  function answer(request, ctx, key, span) {
    const order = new Order(request, ctx, key?.slice(0, KEY_DIGITS));
    order.traceparent = span?.traceparent;
    observer?.orderBegan();
    if (decisions) order.recording = new Recording();
    const ended = (answer) => {
      observer?.orderEnded(order);
      if (!order.outcome) return answer; // no order: an unknown path or a wrong method
      tellOf(order);
      span?.set(attributesOf(order));
      return answer;
    };
    const failed = (fault) => {
      observer?.orderEnded(order);
      throw fault;
    };
    const run = () => {
      pricing.begin(order);
      ctx.begin?.(order);
      return handle(request, undefined, order);
    };
    return soon(caught(run, failed), ended);
  }

  return trace ? (request, ctx, key) => trace("order", request, (span) => answer(request, ctx, key, span)) : answer;
}

function addHeaders(headers, order, observation) {
  if (order.version?.id) headers[VERSION_HEADER] = order.version.id;
  if (order.receipt) headers[RECEIPT_HEADER] = order.receipt;
  const timing = serverTiming(order, observation.ms());
  if (timing) headers["server-timing"] = timing;
}

/** What a trace shows of an order: like its line in the log, nothing that it holds. */
const attributesOf = ({ outcome: { route, status, error, lines }, version, reads }) => ({
  "http.route": route,
  "http.response.status_code": status,
  "error.type": error?.code,
  "order_cost.lines": lines,
  "order_cost.data_version": version?.id,
  "order_cost.reads": reads,
});
