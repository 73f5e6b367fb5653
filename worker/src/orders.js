import { createFetchHandler } from "order-cost/worker";
import { heading } from "../../pkg/internal.js";
import { log } from "./log/log.js";
import { levelOf, orderLine } from "./log/order-line.js";
import { serverTiming } from "./log/server-timing.js";
import { Order } from "./order.js";

/** Names the version of the catalogue that an order was priced with. */
const VERSION_HEADER = "x-order-cost-data";

/** Proves which request the answer is of. */
const RECEIPT_HEADER = "x-order-cost-receipt";

/** As many digits as tell the keys of a service apart. */
const KEY_DIGITS = 8;

/**
 * Answers orders, and says in headers and log what became of each.
 *
 * @param {{ begin(order: Order): void, calculateJson(body: Uint8Array, call: object): Promise<Uint8Array> }} pricing
 * @param {{ routes: object, logSample: number } & import("./service.js").Platform} options `logSample` is the share of priced
 *   orders that are logged; every failure is
 * @returns {(request: Request, ctx: ExecutionContext & { recording?: import("./recording.js").Recording }, key?: string) => Promise<Response>}
 */
export function createOrders(pricing, { routes, logSample, deployment, trace, observer }) {
  const onOrder = (outcome) => {
    outcome.context.outcome = outcome;
  };
  const answer = createFetchHandler(() => pricing, { ...routes, onOrder, [heading]: headersOf });

  function report(order) {
    const level = levelOf(order);
    if (level !== "info" || Math.random() < logSample) log(level, "order", orderLine(order, deployment));
  }

  async function answerOrder(request, ctx, key, span) {
    const order = new Order(request, ctx, key?.slice(0, KEY_DIGITS));
    order.traceparent = span?.traceparent;
    observer?.orderBegan();
    let response;
    try {
      pricing.begin(order);
      ctx.recording?.begin(order);
      response = await answer(request, undefined, order);
    } finally {
      observer?.orderEnded(order);
    }
    if (!order.outcome) return response; // no order: an unknown path or a wrong method
    report(order);
    span?.set(attributesOf(order));
    return response;
  }

  if (!trace) return answerOrder;
  return (request, ctx, key) => trace("order", request, (span) => answerOrder(request, ctx, key, span));
}

function headersOf(order, ms) {
  const headers = {};
  if (order.version?.id) headers[VERSION_HEADER] = order.version.id;
  if (order.receipt) headers[RECEIPT_HEADER] = order.receipt;
  const timing = serverTiming(order, ms);
  if (timing) headers["server-timing"] = timing;
  return headers;
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
