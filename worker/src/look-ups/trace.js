/** A valid W3C traceparent: no version ff, no id of zeros. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The headers that let an order be followed through the services.
 * @param {string} requestId
 * @param {import("../orders/order.js").Order} order
 */
export function traceHeaders(requestId, order) {
  const traceparent = order.traceparent ?? order.request.headers.get("traceparent") ?? "";
  return { "x-request-id": requestId, ...(TRACEPARENT.test(traceparent) && { traceparent }) };
}
