// What the package answers, beside what the naive model says.
import assert from "node:assert/strict";
import { compareOrders } from "order-cost/compare";
import { bodyBytes } from "../model/body.js";
import { price } from "../model/price.js";
import { assertCalls, replay, replayObject } from "./replay.js";

/** The difference in a few lines; undefined if both are equal. */
export async function differenceOf(testCase, { couponRequest, ...expected }) {
  try {
    const { calls, cause, ...actual } = await replay(testCase, bodyBytes(testCase));
    const bothPriced = expected.text !== undefined && actual.text !== undefined;
    if (bothPriced && expected.text !== actual.text) return textDifference(expected.text, actual.text);
    if (!bothPriced) assert.deepEqual(brief(actual), brief(expected));
    if (bothPriced) assertCalls(calls, couponRequest);
    if (testCase.order) await assertObjects(testCase, expected);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

/** `calculate` gives the same values as `calculateJson`, as objects. */
async function assertObjects(testCase, expected) {
  const { response, cause, ...failed } = await replayObject(testCase);
  const fitsAsObject = response && expected.code === "LIMIT_EXCEEDED";
  const { text, couponRequest, ...fault } = fitsAsObject ? price(withoutBodyLimit(testCase)) : expected;
  assert.deepEqual(failed, fault, "calculate");
  assert.deepEqual(response, text && JSON.parse(text), "calculate");
}

/** An object may fit without its unknown keys, which stand in a body. */
const withoutBodyLimit = ({
  options: {
    limits: { maxBodyBytes, ...limits },
    ...options
  },
  ...testCase
}) => ({
  ...testCase,
  options: { ...options, limits },
});

/** A short form of an outcome, for comparing a priced order with an error. */
function brief({ text, ...fault }) {
  return text === undefined ? fault : { priced: JSON.parse(text).grandTotal };
}

/** The fields that differ, or else the first byte that differs. The model is on the left. */
function textDifference(model, actual) {
  const fields = compareOrders(model, actual).slice(0, 10);
  const lines = fields.map(({ path, left, right, kind }) => `${path}: ${kind}: model ${show(left)}, package ${show(right)}`);
  const at = Array.from(model).findIndex((_, index) => model[index] !== actual[index]);
  const around = (text) => text.slice(Math.max(at - 60, 0), at + 60);
  return [...lines, `first at ${at}:`, `  model   …${around(model)}…`, `  package …${around(actual)}…`].join("\n");
}

function show(value) {
  return JSON.stringify(value) ?? String(value);
}
