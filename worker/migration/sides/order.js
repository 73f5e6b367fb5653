import { SHADOW_HEADER } from "../../src/orders/index.js";
import { endToEnd } from "./hops.js";
import { textOf } from "./text.js";

/**
 * An order that is compared.
 * @typedef {{ request: Request, body: Uint8Array<ArrayBuffer>, route: string, requestId: string }} Order
 */

/**
 * The headers of the second call.
 * @param {Order} order
 */
export function secondCall(order) {
  const headers = firstCall(order);
  headers.set(SHADOW_HEADER, "1");
  return headers;
}

/**
 * The client's headers for the other end, with the id that the log shows. Only we say what a second call is.
 * @param {Order} order
 */
export function firstCall({ request, requestId }) {
  const headers = endToEnd(request.headers);
  headers.set("x-request-id", requestId);
  headers.delete(SHADOW_HEADER);
  return headers;
}

/**
 * Whether the order has coupon codes. What cannot be read has none that anybody would ask for.
 * @param {Uint8Array} body
 */
export function hasCoupons(body) {
  try {
    return JSON.parse(textOf(body)).couponCodeList?.length > 0;
  } catch {
    return false;
  }
}
