import assert from "node:assert/strict";
import { createPricer, PricingError } from "order-cost";
import { hostFor, optionsFor } from "../golden/host.js";

/** Runs a case on the built package. The outcome has the shape of the model's result. `create`: an entry's createPricer. */
export async function replay(testCase, body, create = createPricer) {
  const { host, calls } = hostFor(testCase);
  const pricer = await create(host, optionsFor(testCase));
  const outcome = await outcomeOf(async () => ({ text: textOf(await pricer.calculateJson(body)) }));
  return { ...outcome, calls };
}

/** The same order through `calculate`, as objects. */
export async function replayObject(testCase) {
  const { host } = hostFor(testCase);
  const pricer = await createPricer(host, optionsFor(testCase));
  return outcomeOf(async () => ({ response: await pricer.calculate(testCase.order) }));
}

async function outcomeOf(run) {
  try {
    return await run();
  } catch (error) {
    return { ...failure(error), cause: error.cause };
  }
}

/** The fields of an error, in the shape of a golden `expect`. */
export function failure(error) {
  assert.ok(error instanceof PricingError, `not a PricingError: ${error?.stack ?? error}`);
  const { message, code, path, retryable, requestId } = error;
  assert.deepEqual(error.toJSON(), { error: message });
  assert.match(requestId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  return { error: message, code, ...(path !== undefined && { path }), retryable };
}

function textOf(bytes) {
  assert.ok(bytes instanceof Uint8Array);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/**
 * Checks that every look-up is called at most once per distinct key, and that coupons get exactly the expected request.
 */
export function assertCalls(calls, couponRequest) {
  const asked = (lookup) => calls.filter(({ name }) => name === lookup).map(({ argument }) => argument);
  const prices = asked("lookupPrices");
  const vouchers = asked("lookupVouchers");
  const rates = asked("nationwideRate");
  assert.ok(prices.length <= 1 && vouchers.length <= 1, "a list look-up was called twice");
  for (const keys of [...prices, ...vouchers, rates]) {
    // Keys that differ may both read U+FFFD (D29).
    const distinct = new Set(keys.map((key, index) => (/\ufffd/.test(JSON.stringify(key)) ? index : JSON.stringify(key))));
    assert.equal(distinct.size, keys.length, "a key was asked twice");
  }
  assert.deepEqual(asked("validateCoupons"), couponRequest ? [couponRequest] : []);
}
