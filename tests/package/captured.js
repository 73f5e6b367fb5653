// Captured orders, as `order-cost replay` and `explain` read them.
import assert from "node:assert/strict";
import { createPricer, PricingError } from "order-cost";
import { recordingHost } from "order-cost/testing";
import { readCorpus } from "../golden/corpus.mjs";
import { hostFor, optionsFor } from "../golden/host.js";
import { bodyBytes } from "../model/body.js";
import { squareZones } from "../zones.js";

export const ZONES = squareZones(30);
export const HASH = "0f3a";
export const HOST = {
  lookupPrices: (keys) => keys.map(({ cprcode }) => (cprcode === 9 ? null : '{"price":37.25,"originalPrice":40}')),
  nationwideRate: () => ({ deliveryFee: 80.1000000000000001 }),
  validateCoupons: () => ({ discounts: [{ coupon: "A", discount: 10, freeshipping: true }] }),
  lookupVouchers: (ids) => ids.map((id) => ({ voucherId: id, ownerId: "malee", value: 5, isActive: true, isUsed: false })),
};
export const ORDER = { productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 3 }] };

/**
 * Captures an order as the shadow Worker does; `noted` are further members, as in the decision log. The legacy side answers the
 * same unless `change` changes its answer.
 */
export async function capture(requestId, order, { options = {}, zones, change = (body) => body, answers = HOST, noted = {} } = {}) {
  const host = recordingHost(answers);
  const pricer = await createPricer(host, { ...options, ...(zones && { deliveryZones: ZONES }) });
  const outcome = async () => {
    try {
      return { status: 200, body: `${Buffer.from(await pricer.calculateJson(JSON.stringify(order)))}` };
    } catch (error) {
      assert.ok(error instanceof PricingError);
      return { status: 500, body: JSON.stringify(error) };
    }
  };
  const { status, body } = await outcome();
  const side = (text) => `{"status":${status},"body":${text}}`;
  const head = { requestId, route: "calculatecost4", policy: options.policy ?? {}, limits: options.limits ?? {}, zones: zones ?? null };
  const parts = { ...head, ...noted, request: order, facts: host.facts };
  return `${JSON.stringify(parts).slice(0, -1)},"legacy":${side(change(body))},"new":${side(body)}}`;
}

/** The cases of the golden corpus that a capture can hold: the name, the text, and the zones that the capture names. */
export async function* goldenCaptures() {
  for (const { file: name, testCase } of readCorpus()) {
    const { host = {}, zones, options: { policy = {}, limits = {}, deadlineMs } = {} } = testCase;
    // On a busy machine another look-up of these cases may be late, too.
    if (deadlineMs !== undefined) continue;
    const body = `${Buffer.from(bodyBytes(testCase))}`;
    if (host.fails || host.missing || typeof testCase.order !== "object" || body.includes("\n") || !isJson(body)) continue;
    const recorder = recordingHost(hostFor(testCase).host);
    const pricer = await createPricer(recorder, optionsFor(testCase));
    const answer = await pricer.calculateJson(bodyBytes(testCase)).then(
      (bytes) => `${Buffer.from(bytes)}`,
      (error) => JSON.stringify(error),
    );
    if (answer.includes("Invalid answer") || answer.includes("\n") || !answer.startsWith("{")) continue;
    const head = JSON.stringify({ requestId: name, policy, limits, zones: zones ? name : null, facts: recorder.facts }).slice(0, -1);
    const status = answer.startsWith('{"error"') ? 500 : 200;
    yield { name, zones, text: `${head},"request":${body},"new":{"status":${status},"body":${answer}}}` };
  }
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
