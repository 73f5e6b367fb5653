// The line that the log has about an order. It says what happened, and nothing that the order holds.
import { LOOK_UPS } from "order-cost/internal";
import { errorText, Failure, HIDDEN } from "../log/index.js";
import { nounOf } from "../look-ups/index.js";
import { THE_BODY } from "./order.js";

/**
 * @param {import("./order.js").Order} order
 * @param {{ deployment?: string, rayOf?: (request: import("../service/service.js").Asked) => string | undefined }} platform
 * @returns {Record<string, unknown>}
 */
export function orderLine(order, { deployment, rayOf }) {
  const { requestId, route, status, error, lines, vouchers, coupons, schedules, ms } = order.outcome;
  return {
    requestId,
    ray: rayOf?.(order.request),
    route,
    status,
    code: error?.code,
    ...whatHappened(order),
    lookup: error?.subject?.lookup,
    lines,
    vouchers,
    coupons,
    schedules,
    dataVersion: order.version?.id,
    deployment,
    key: order.key,
    ms,
    reads: order.reads,
    retryable: error?.retryable,
    shadow: order.isShadow || undefined,
    capture: order.capture?.name,
    notCaptured: order.capture?.fault ?? order.capture?.reason,
  };
}

/** What the order itself is to blame for. */
const OF_THE_ORDER = new Set([
  "INVALID_JSON",
  "VALIDATION_ERROR",
  "LIMIT_EXCEEDED",
  "BRANCH_NOT_AVAILABLE",
  "BRANCH_NOT_IN_POLYGON",
  "OVERFLOW",
  ...Object.values(LOOK_UPS).flatMap(({ notFound }) => notFound || []),
]);

/**
 * Whether an order is to blame for its failure, and fails again with the same facts.
 * @param {import("order-cost").PricingError} error
 */
export const isOrdersOwn = ({ code }) => OF_THE_ORDER.has(code);

/** Whether a service found fault with the order. */
const isRefused = ({ cause }) => cause instanceof Failure && !cause.retryable;

/**
 * `error`: a part of the service failed. `warn`: the order failed, or its coupons did. `info`: it was priced.
 * @param {import("./order.js").Order} order
 * @returns {"info" | "warn" | "error"}
 */
export function levelOf(order) {
  const { error } = order.outcome;
  if (!error) return order.couponError === undefined && !order.capture?.fault ? "info" : "warn";
  const isOrders = isOrdersOwn(error) || error.code === "ABORTED" || isRefused(error) || order.open.includes(THE_BODY);
  return isOrders ? "warn" : "error";
}

/** What no order waits for alone. */
const SHARED = "what orders share: the delivery zones, or a turn among large orders";

/** The client's message without ids and without a service's own words, and the cause, which the client does not see. */
function whatHappened({ outcome: { error }, couponError, open, request }) {
  if (!error) return couponError === undefined ? {} : { message: "The coupon service answered an error", cause: couponError };
  const { code, message, cause } = error;
  if (cause instanceof Failure) return { message: cause.shown, cause: cause.detail };
  if (code === "DEADLINE_EXCEEDED") return { message, cause: `it waited for ${open.join(", ") || SHARED}` };
  if (code === "INTERNAL") return { message, cause: errorText(cause) };
  if (code === "ABORTED") return { message };
  if (code === "INVALID_JSON") return { message, cause: cause ? "the body broke off" : encodingIn(request) };
  // A look-up threw what is no Failure: its message is the client's, but nobody knows what it holds.
  if (cause !== undefined) return { message: `${error.subject?.lookup ?? "A look-up"} failed`, cause: errorText(cause) };
  return { message: withoutIds(error) };
}

/** What curl, proxies and libraries encode with. Anything else in the header is a client's own. */
const ENCODINGS = ["gzip", "x-gzip", "deflate", "br", "zstd", "compress"];

/** D10: an encoded body is no JSON. */
function encodingIn({ headers }) {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase();
  return encoding && `the body is encoded (${ENCODINGS.includes(encoding) ? encoding : HIDDEN}), and bodies are not decoded`;
}

/**
 * The messages that hold what a client chose: a voucher's id, a branch, a postcode.
 * @param {import("order-cost").PricingError} error
 */
function withoutIds({ code, message, subject = {} }) {
  const { cprcode, branchId } = subject;
  for (const [name, { id: key, failed, notFound }] of Object.entries(LOOK_UPS)) {
    if (key === "") continue;
    if (code === notFound) return `${capitalised(nounOf(key))} ${HIDDEN} not found`;
    if (code === failed && subject[key] !== undefined) return withoutId(message, `Invalid answer from ${name}: `, subject[key], key);
  }
  switch (code) {
    case "PRODUCT_PRICE_NOT_FOUND":
      return `No price for ${cprcode}/${HIDDEN}`;
    case "BRANCH_NOT_AVAILABLE":
      return `Branch ${HIDDEN} is not available`;
    case "BRANCH_NOT_IN_POLYGON":
      return `Branch ${HIDDEN} not in polygon`;
    case "NATIONWIDE_RATE_NOT_FOUND":
      return `No nationwide rate for ${HIDDEN}${message.slice(message.lastIndexOf("/"))}`;
    case "PRICE_LOOKUP_FAILED":
      return branchId === undefined ? message : withoutId(message, `Invalid answer from lookupPrices: ${cprcode}/`, branchId, "branchId");
    default:
      return message;
  }
}

const capitalised = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

/** Hides the id behind the prefix, and the one that was expected in its place. */
function withoutId(message, prefix, id, key) {
  const begin = `${prefix}${id}`;
  if (!message.startsWith(begin)) return `${prefix}${HIDDEN}`;
  return `${prefix}${HIDDEN}${message.slice(begin.length).replace(new RegExp(`(${key}: expected ).*`, "s"), `$1${HIDDEN}`)}`;
}
