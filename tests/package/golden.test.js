import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { readCorpus } from "../golden/corpus.mjs";
import { coverage, coverageText } from "../golden/coverage.mjs";
import { hostFor, optionsFor } from "../golden/host.js";
import { bodyBytes } from "../model/body.js";
import { LOOKUP_CODES } from "../model/fault.js";
import { TEST_ZONES } from "../model/generator/zones.js";
import { readJson } from "../model/json.js";
import { assertCalls, failure, replay, replayObject } from "./replay.js";

const corpus = readCorpus();

/** After any order, the same instance prices the next one correctly. */
const nextPricer = await createPricer({ lookupPrices: () => [{ price: 37.25 }] });
const NEXT_ORDER = { productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 3 }] };

test("the corpus covers every decision, rule and error row", (context) => {
  const covered = coverage(corpus.map(({ testCase }) => testCase));
  context.diagnostic(`${corpus.length} cases; ${coverageText(covered)}`);
  assert.deepEqual({ missing: covered.missing, unknown: covered.unknown }, { missing: [], unknown: [] });
});

test("every number in the corpus has JavaScript's notation, so that every runner sends the same bytes", () => {
  for (const { file, text } of corpus) {
    for (const raw of numbers(readJson(text))) assert.equal(JSON.stringify(Number(raw)), raw, file);
  }
});

function numbers(node) {
  if (node.type === "number") return [node.raw];
  const parts = node.members?.map(({ value }) => value) ?? node.items ?? [];
  return parts.flatMap(numbers);
}

for (const { file, testCase } of corpus) {
  describe(`${file}: ${testCase.why}`, () => {
    if (testCase.expect.zonesError) zonesTests(testCase);
    else calculationTests(testCase);
  });
}

function calculationTests(testCase) {
  const { response, responseText, couponRequest, steps, ...fault } = testCase.expect;
  const expectedText = responseText ?? (response && JSON.stringify(response));
  const body = testCase.body ?? (testCase.order && JSON.stringify(testCase.order));

  async function assertReplay(sent) {
    const { text, calls, cause, ...failed } = await replay(testCase, sent);
    assert.equal(text, expectedText);
    assert.deepEqual(failed, fault);
    assertCause(testCase, fault, cause);
    if (text !== undefined) assertCalls(calls, couponRequest);
    else assert.equal((await nextPricer.calculate(NEXT_ORDER)).grandTotal, 111.75, "the next order on the same instance");
  }

  test("calculateJson, bytes", () => assertReplay(bodyBytes(testCase)));
  if (body !== undefined) test("calculateJson, a string", () => assertReplay(body));
  if (testCase.order !== undefined) {
    test("calculate", async () => {
      const { response: priced, cause, ...failed } = await replayObject(testCase);
      assert.deepEqual(priced, expectedText && JSON.parse(expectedText));
      assert.deepEqual(failed, fault);
      assertCause(testCase, fault, cause);
    });
  }
  if (steps && testCase.order !== undefined) {
    test("explain", async () => {
      const pricer = await createPricer(hostFor(testCase).host, optionsFor(testCase));
      assert.deepEqual(await pricer.explain(testCase.order), { order: JSON.parse(expectedText), steps });
    });
  }
}

/** D41: the error's cause is what the look-up threw. */
function assertCause({ host }, { code }, cause) {
  const lookup = Object.keys(LOOKUP_CODES).find((name) => LOOKUP_CODES[name] === code);
  const { throws, throwsValue } = host.fails?.[lookup] ?? {};
  if (throws !== undefined) assert.deepEqual(cause, new Error(throws));
  if (throwsValue !== undefined) assert.deepEqual(cause, throwsValue);
}

/** D35: invalid zones are refused with their path, and the old zones stay. */
function zonesTests({ zones, expect }) {
  const path = /^Invalid deliveryZones: (?:(.*): )?(?:expected .*|required)$/.exec(expect.zonesError)[1] ?? "";
  const expected = { error: expect.zonesError, code: "VALIDATION_ERROR", path, retryable: false };
  const order = {
    productList: [{ cprcode: 1001, productName: "ข้าว", quantity: 1 }],
    shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }], shippingLat: 13.6, shippingLon: 100.5 },
  };
  const { host } = hostFor({ host: { prices: { 1001: { price: 245 } } } });

  test("createPricer", async () => {
    await assert.rejects(createPricer(host, { deliveryZones: zones }), (error) => {
      assert.deepEqual(failure(error), expected);
      return true;
    });
  });

  test("setDeliveryZones", async () => {
    const pricer = await createPricer(host, { deliveryZones: TEST_ZONES });
    assert.throws(
      () => pricer.setDeliveryZones(zones),
      (error) => {
        assert.deepEqual(failure(error), expected);
        return true;
      },
    );
    assert.equal((await pricer.calculate(order)).deliveryFee, 40);
  });
}
