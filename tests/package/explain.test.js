// Why a total is what it is: each step is computed again from its operands, and the model lists the expected steps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { allAtNight, cases, SEED } from "../effort.js";
import { readCorpus } from "../golden/corpus.mjs";
import { hostFor, optionsFor } from "../golden/host.js";
import { decimalText, equals } from "../model/decimal.js";
import { generate } from "../model/generate.js";
import { AMOUNTS, exact, isShort, ledger, runningTotals } from "../model/ledger.js";
import { price } from "../model/price.js";
import { failure, replayObject } from "./replay.js";

const ORDERS = allAtNight(50, cases(150));
const counts = Object.fromEntries(Object.keys(AMOUNTS).map((rule) => [rule, 0]));

/** The outcome of `explain` for a case. */
async function explained(testCase) {
  const pricer = await createPricer(hostFor(testCase).host, optionsFor(testCase));
  try {
    return await pricer.explain(testCase.order);
  } catch (error) {
    return { ...failure(error), cause: error.cause };
  }
}

/** Checks a case and returns its category. */
async function check(testCase) {
  const { text, couponRequest } = price(testCase);
  const { response, ...failed } = await replayObject(testCase);
  const { order, steps, ...alsoFailed } = await explained(testCase);
  assert.deepEqual(order, response);
  assert.deepEqual(alsoFailed, failed);
  if (!steps) return "failed";
  const counted = steps.filter(({ runningTotal }) => runningTotal !== null);
  assert.equal(counted.at(-1).runningTotal, order.grandTotal);
  if (!isShort(text)) return "long numbers";
  assertLedger(steps, ledger(testCase, JSON.parse(text), couponRequest), order);
  for (const { rule } of steps) counts[rule] += 1;
  return "worked out again";
}

function assertLedger(steps, expected, order) {
  assert.deepEqual(
    steps.map(({ amount, runningTotal, ...facts }) => facts),
    expected.map(({ amount, counts, ...facts }) => facts),
  );
  const totals = runningTotals(expected);
  steps.forEach(({ rule, operands, amount, runningTotal }, index) => {
    const of = `${index}: ${rule}`;
    assert.equal(amount, Number(decimalText(AMOUNTS[rule](operands))), of);
    assert.equal(runningTotal, totals[index] && Number(decimalText(totals[index])), of);
  });
  const last = totals.findLast((total) => total !== null);
  assert.ok(equals(last, exact(order.grandTotal)), "the steps come to grandTotal");
}

/** Counts the categories of the cases. A failing case is named. */
async function checkAll(cases, context, enough = Infinity) {
  const outcomes = { failed: 0, "long numbers": 0, "worked out again": 0 };
  for (const { name, testCase } of cases) {
    try {
      outcomes[await check(testCase)] += 1;
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      throw error;
    }
    if (outcomes["worked out again"] >= enough) break;
  }
  context.diagnostic(JSON.stringify(outcomes));
  return outcomes;
}

test("every case of the corpus with an order", async (context) => {
  const cases = readCorpus().filter(({ testCase }) => testCase.order && !testCase.expect.zonesError);
  const named = cases.map(({ file, testCase }) => ({ name: file, testCase }));
  const outcomes = await checkAll(named, context);
  assert.ok(outcomes["worked out again"] >= 70 && outcomes.failed >= 70);
});

/** A case whose order is an object and whose facts are exact in JavaScript; undefined if its body is not JSON. */
function asObjects({ body, bodyBase64, ...testCase }) {
  try {
    const { prices, rates, vouchers, coupons, ...script } = testCase.host;
    const host = { ...script, prices: each(prices, short), rates: each(rates, short), vouchers: each(vouchers, short) };
    if (coupons !== undefined) host.coupons = short(coupons);
    return { ...testCase, host, order: testCase.order ?? JSON.parse(body) };
  } catch {
    return undefined;
  }
}

const each = (table, map) => Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value)]));

/** A fact or its text, rounded to four decimal places. */
function short(fact) {
  if (typeof fact === "string") return JSON.stringify(short(JSON.parse(fact)));
  const places = (_key, value) => (typeof value === "number" ? Math.round(value * 1e4) / 1e4 : value);
  return JSON.parse(JSON.stringify(fact, places));
}

/** A look-up without an answer takes its whole deadline; the corpus covers those. */
const isLate = ({ host: { fails = {} } }) => Object.values(fails).some(({ late }) => late);

/**
 * In an object, values under unknown keys that are too deep or too large are dropped (D2); object.test.js covers that.
 */
const isTooLarge = ({ tags }) => ["spoiled: too deep", "spoiled: too many bytes"].some((tag) => tags.includes(tag));

function* generated() {
  for (let seed = SEED; ; seed += 1) {
    const testCase = asObjects(generate(seed));
    if (testCase && !isLate(testCase) && !isTooLarge(testCase)) yield { name: `seed ${seed} (${testCase.tags})`, testCase };
  }
}

test(`${ORDERS} generated orders`, async (context) => {
  const outcomes = await checkAll(generated(), context, ORDERS);
  assert.ok(outcomes.failed >= ORDERS);
});

test("every rule occurred", (context) => {
  for (const [rule, count] of Object.entries(counts)) context.diagnostic(`${String(count).padStart(6)} ${rule}`);
  assert.deepEqual(
    Object.keys(counts).filter((rule) => counts[rule] === 0),
    [],
  );
});

test("an abort, a deadline, and the next call", async () => {
  const order = { productList: [{ cprcode: 1, productName: "ข้าว", quantity: 2 }] };
  const pricer = await createPricer({ lookupPrices: () => new Promise(() => {}) }, { deadlineMs: 20 });
  await assert.rejects(pricer.explain(order, { signal: AbortSignal.abort(), requestId: "r1" }), {
    code: "ABORTED",
    requestId: "r1",
  });
  await assert.rejects(pricer.explain(order), { code: "PRICE_LOOKUP_FAILED", retryable: true });
  const shop = await createPricer(hostFromFacts({ prices: { 1: { price: 12.5 } } }));
  const [first, second] = await Promise.all([shop.explain(order), shop.explain(order)]);
  assert.deepEqual(first, second);
  assert.equal(first.steps[0].runningTotal, 25);
});
