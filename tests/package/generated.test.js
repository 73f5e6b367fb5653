import assert from "node:assert/strict";
import { test } from "node:test";
import { compareOrders } from "order-cost/compare";
import { SEED, cases } from "../effort.js";
import { bodyBytes } from "../model/body.js";
import { CATEGORIES, categories } from "../model/categories.js";
import { generate } from "../model/generate.js";
import { price } from "../model/price.js";
import { assertCalls, replay, replayObject } from "./replay.js";

const CASES = cases(3_000);
const ENOUGH = Math.floor(CASES / 200); // about 1 % of the cases are of the rarest category
const SHOWN = 5;

test(`${CASES} generated cases from seed ${SEED}: the package gives the model's bytes`, async (context) => {
  const counts = Object.fromEntries(CATEGORIES.map((category) => [category, 0]));
  const mismatches = [];
  for (let seed = SEED; seed < SEED + CASES; seed += 1) {
    const testCase = generate(seed);
    const expected = price(testCase);
    for (const category of categories(testCase, expected)) counts[category] += 1;
    const difference = await differenceOf(testCase, expected);
    if (difference) mismatches.push(`seed ${seed} (${testCase.tags.join(", ")}):\n${difference}`);
  }
  for (const [category, count] of Object.entries(counts))
    context.diagnostic(`${String(count).padStart(6)} ${category}`);
  const shown = mismatches.slice(0, SHOWN).join("\n\n");
  assert.equal(mismatches.length, 0, `${mismatches.length} of ${CASES} differ. The first:\n\n${shown}\n`);
  const rare = CATEGORIES.filter((category) => counts[category] < ENOUGH);
  assert.deepEqual(rare, [], `fewer than ${ENOUGH} cases each`);
});

/** The difference in a few lines; undefined if there is none. */
async function differenceOf(testCase, { couponRequest, ...expected }) {
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
async function assertObjects(testCase, { text, ...fault }) {
  const { response, cause, ...failed } = await replayObject(testCase);
  assert.deepEqual(failed, fault, "calculate");
  assert.deepEqual(response, text && JSON.parse(text), "calculate");
}

/** A short form of an outcome, for comparing a priced order with an error. */
function brief({ text, ...fault }) {
  return text === undefined ? fault : { priced: JSON.parse(text).grandTotal };
}

/** The fields that differ, or else the first byte that differs. The model is on the left. */
function textDifference(model, actual) {
  const fields = compareOrders(model, actual).slice(0, 10);
  const lines = fields.map(
    ({ path, left, right, kind }) => `${path}: ${kind}: model ${show(left)}, package ${show(right)}`,
  );
  const at = Array.from(model).findIndex((_, index) => model[index] !== actual[index]);
  const around = (text) => text.slice(Math.max(at - 60, 0), at + 60);
  return [...lines, `first at ${at}:`, `  model   …${around(model)}…`, `  package …${around(actual)}…`].join("\n");
}

function show(value) {
  return JSON.stringify(value) ?? String(value);
}
