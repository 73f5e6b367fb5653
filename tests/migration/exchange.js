// An order, priced by the package as the entrypoint `Capture` does it, and a capture priced again.
import { createHmac } from "node:crypto";
import { createPricer } from "order-cost";
import { compareOrders } from "order-cost/compare";
import { hostFromFacts, recordingHost } from "order-cost/testing";
import { captureText } from "../../worker/src/captures/redaction/capture-text.js";
import { shownPath } from "../../worker/src/captures/redaction/path.js";
import { zonesIndexer } from "../../worker/src/captures/redaction/zones.js";
import { isOrdersOwn } from "../../worker/src/orders/order-line.js";
import { member, readJson } from "../model/json.js";

const decoder = new TextDecoder();

/**
 * Prices an order with a record of what the host answers.
 * @returns {Promise<{ answer: { status: number, text: string, code?: string }, facts: object, isRepeatable: boolean }>}
 */
export async function priced(body, host, options) {
  const recording = recordingHost(host);
  const pricer = await createPricer(recording, options);
  try {
    return { answer: { status: 200, text: decoder.decode(await pricer.calculateJson(body)) }, facts: recording.facts, isRepeatable: true };
  } catch (error) {
    const answer = { status: 500, text: JSON.stringify({ error: error.message }), code: error.code };
    return { answer, facts: recording.facts, isRepeatable: isOrdersOwn(error) };
  }
}

const hashesOf = async (ids) =>
  new Map(ids.map((id) => [id, createHmac("sha256", "the key of the tests").update(id).digest("hex").slice(0, 16)]));

/** The capture of an order that `priced` has priced. */
export async function captured({ answer, policy = {}, limits = {}, zones = null, ...given }) {
  const exchange = { requestId: "r-1", route: "calculatecost4", ...given, policy, limits, zones: zones && "hash", fresh: answer };
  return captureText(exchange, (await zonesIndexer())(zones), hashesOf);
}

/** The parts of a capture as JSON text, and its order priced again: from its facts, policy and limits. */
export function openCapture(capture, zones) {
  const root = readJson(capture);
  const part = (...path) => path.reduce(member, root).raw;
  return {
    part,
    async pricedAgain() {
      const request = member(root, "request");
      const facts = Object.fromEntries(
        member(root, "facts").members.map(({ name, value }) => [name, name === "coupons" ? value.raw : recordsOf(value)]),
      );
      const { answer } = await priced(request.type === "string" ? request.value : request.raw, hostFromFacts(facts), {
        policy: JSON.parse(part("policy")),
        limits: JSON.parse(part("limits")),
        ...(zones && { deliveryZones: zones }),
      });
      return answer;
    },
  };
}

/** The text of each record, null for one that was not found. */
function recordsOf(node) {
  const records = Object.create(null);
  for (const { name, value } of node.members) records[name] = value.type === "null" ? null : value.raw;
  return records;
}

/** Where two answers differ, and how, as the log says it. */
export const differencesOf = (legacy, fresh) => compareOrders(legacy, fresh).map(({ path, kind }) => `${shownPath(path)} ${kind}`);
