import { parseDecimal } from "./decimal.js";
import { ask, checkList, readAnswer } from "./facts.js";
import { Fault, invalidAnswer } from "./fault.js";
import { handed } from "./order.js";
import { optional, readers, required } from "./values.js";

const LOOKUP = "lookupPrices";
const DEFAULT_WEIGHT = parseDecimal("0.25");

/** The price records by product code: one look-up for each distinct product at the order's branch (rule 1). */
export function lookUpPrices(testCase, order) {
  const branchId = handed(order.branchId);
  const keys = [...new Set(order.productList.map(({ cprcode }) => cprcode))].map((cprcode) => ({ cprcode, branchId }));
  const answers = checkList(ask(testCase, LOOKUP, keys), keys, LOOKUP);
  return new Map(keys.map((key, index) => [key.cprcode, readPrice(answers[index], key)]));
}

function readPrice(answer, { cprcode, branchId }) {
  const key = `${cprcode}/${branchId}`;
  const node = readAnswer(answer, LOOKUP, [key]);
  if (node.type === "null") throw new Fault("PRODUCT_PRICE_NOT_FOUND", `No price for ${key}`); // D43
  const { amount, boolean, object } = readers((field, what) => {
    throw invalidAnswer(LOOKUP, field ? [key, field] : [key], what);
  });
  const record = object({
    price: required(amount),
    originalPrice: optional(amount),
    settlementPrice: optional(amount),
    weight: optional(amount),
    isControlledProduct: optional(boolean),
  })(node, "");
  return { originalPrice: record.price, weight: DEFAULT_WEIGHT, isControlledProduct: false, ...record }; // D18
}
