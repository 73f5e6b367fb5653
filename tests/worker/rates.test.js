// Which nationwide rates are kept, and for how long.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createRates } from "../../worker/src/look-ups/rates.js";

const KEPT_MS = 60_000;

/** A service that counts its answers, and orders that ask it. */
function setUp(t, { keepMs = KEPT_MS, answer = (_, count) => `{"deliveryFee":${count}}` } = {}) {
  t.mock.timers.enable({ apis: ["Date"] });
  const ask = mock.fn(async (query) => answer(query, ask.mock.callCount() + 1));
  const rates = createRates(ask, keepMs);
  const priced = async (shippingPostcode, nationwideMode = "DRY") => {
    const context = {};
    const text = await rates.nationwideRate({ shippingPostcode, nationwideMode }, { context });
    rates.keep(context);
    return text;
  };
  return { rates, ask, priced };
}

test("a rate is asked for once by postcode and mode, until it is old", async (t) => {
  const { priced, ask } = setUp(t);
  assert.equal(await priced("10110"), '{"deliveryFee":1}');
  assert.equal(await priced("10110"), '{"deliveryFee":1}');
  assert.equal(await priced("10110", "FRESH"), '{"deliveryFee":2}');
  assert.equal(await priced("10120"), '{"deliveryFee":3}');
  t.mock.timers.setTime(KEPT_MS - 1);
  assert.equal(await priced("10110"), '{"deliveryFee":1}');
  t.mock.timers.setTime(KEPT_MS);
  assert.equal(await priced("10110"), '{"deliveryFee":4}');
  assert.equal(ask.mock.callCount(), 4);
});

test("a rate that came while the clock was ahead is asked for anew", async (t) => {
  const { priced } = setUp(t);
  t.mock.timers.setTime(3_600_000);
  assert.equal(await priced("10110"), '{"deliveryFee":1}');
  t.mock.timers.setTime(0);
  assert.equal(await priced("10110"), '{"deliveryFee":2}');
});

test("the rate of an order that failed is not kept", async (t) => {
  const { rates, priced, ask } = setUp(t);
  await rates.nationwideRate({ shippingPostcode: "10110", nationwideMode: "DRY" }, { context: {} });
  assert.equal(await priced("10110"), '{"deliveryFee":2}');
  assert.equal(ask.mock.callCount(), 2);
});

test("a failure is not kept", async (t) => {
  const { priced, ask } = setUp(t, {
    answer: (_, count) => (count === 1 ? Promise.reject(new Error("The nationwide function answered 503")) : "{}"),
  });
  await assert.rejects(priced("10110"), /answered 503/);
  assert.equal(await priced("10110"), "{}");
  assert.equal(ask.mock.callCount(), 2);
});

for (const [what, postcode, answer, calls] of [
  ["a postcode of 16 characters is kept", "1".repeat(16), "{}", 1],
  ["a longer one is not", "1".repeat(17), "{}", 2],
  ["an answer of 1,000 characters is kept", "10110", "x".repeat(1000), 1],
  ["a longer one is not", "10110", "x".repeat(1001), 2],
]) {
  test(what, async (t) => {
    const { priced, ask } = setUp(t, { answer: () => answer });
    for (let time = 0; time < 2; time += 1) assert.equal(await priced(postcode), answer);
    assert.equal(ask.mock.callCount(), calls);
  });
}

test("10,000 are kept: the first one goes", async (t) => {
  const { priced, ask } = setUp(t);
  for (let postcode = 0; postcode <= 10_000; postcode += 1) await priced(`${postcode}`);
  await priced("1");
  assert.equal(ask.mock.callCount(), 10_001);
  await priced("0");
  assert.equal(ask.mock.callCount(), 10_002);
});

test("0 seconds: each order asks", async (t) => {
  const { priced, ask } = setUp(t, { keepMs: 0 });
  await priced("10110");
  await priced("10110");
  assert.equal(ask.mock.callCount(), 2);
});
