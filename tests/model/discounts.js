import { isNegative, ONE, parseInteger, subtract, ZERO } from "./decimal.js";
import { ask, readAnswer } from "./facts.js";
import { invalidAnswer } from "./fault.js";
import { optional, readers, required } from "./values.js";

const LOOKUP = "validateCoupons";

const fail = (path, what) => {
  throw invalidAnswer(LOOKUP, path ? [path] : [], what);
};
const { amount, boolean, text, any, list, object } = readers(fail);

/** D23: the result of an order without codes. Nobody is asked. */
export const NO_DISCOUNTS = { discounts: [], failedCoupons: [], error: "{}", lines: [] };

/** The coupon service's answer to a request (D26, D27). `lines` holds all of them, from every level. */
export function askCoupons(testCase, request) {
  const node = readAnswer(ask(testCase, LOOKUP, request), LOOKUP);
  const lines = list(object({ line: required(lineOf(request.productList)), discount: optional(amount) }));
  const discount = object({
    coupon: required(text),
    discount: optional(amount),
    bogoDiscount: optional(amount),
    two4Discount: optional(amount),
    percentageDiscount: optional(amount),
    freeshipping: optional(boolean),
    shippingDiscount: optional(amount),
    lines: optional(lines),
  });
  const answer = object({
    discounts: optional(list(discount)),
    failedCoupons: optional(list(text)),
    error: optional(any),
    lines: optional(lines),
  })(node, "");
  const discounts = (answer.discounts ?? []).map(withDefaults);
  if (["percentage", "both"].includes(testCase.options?.policy?.foldedDiscounts)) checkMultipliers(discounts);
  return {
    discounts,
    failedCoupons: answer.failedCoupons ?? [],
    error: answer.error ?? "{}",
    lines: [...(answer.lines ?? []), ...discounts.flatMap((one) => one.lines)].map(({ line, discount: off = ZERO }) => ({
      line,
      discount: off,
    })),
  };
}

/** Above 1 it is most likely meant in per cent, and would make the order free. */
function checkMultipliers(discounts) {
  for (const [index, { percentageDiscount }] of discounts.entries()) {
    const path = `discounts[${index}].percentageDiscount`;
    if (isNegative(subtract(ONE, percentageDiscount)))
      fail(path, "expected a multiplier of at most 1, because foldedDiscounts subtracts it");
  }
}

function lineOf(products) {
  return (node, path) => {
    const line = node.type === "number" ? parseInteger(node.raw) : undefined;
    if (line === undefined || line < 0 || line >= products.length) fail(path, "expected a line of the order");
    return line;
  };
}

function withDefaults(discount) {
  return {
    discount: ZERO,
    bogoDiscount: ZERO,
    two4Discount: ZERO,
    percentageDiscount: ZERO,
    freeshipping: false,
    shippingDiscount: ZERO,
    lines: [],
    ...discount,
  };
}
