// What the shadow Worker (../migration) asks by its binding: an order's answer, with all that it takes to price it again.
import { responseOf } from "../answers/index.js";
import { isOrdersOwn, Recording, SHADOW_HEADER } from "../orders/index.js";

/**
 * @param {{ basePath: string, routes: { input: object }, pricer: { policy: object, limits: import("./redaction/capture-text.js").Exchange["limits"] } }} options
 * @param {import("../service/service.js").Handle} answer as for a client, access included
 * @param {import("../service/service.js").Handle} answerShadow without access: the old service has answered
 *   the client
 */
export function createCapture({ basePath, routes: { input }, pricer: { policy, limits } }, answer, answerShadow) {
  /**
   * @param {Uint8Array<ArrayBuffer> | string} body
   * @param {HeadersInit} headers
   * @param {string | undefined} url
   * @param {Pick<ExecutionContext, "waitUntil">} ctx
   */
  return async function price(body, headers, url, ctx) {
    const request = new Request(url ?? ownUrl(basePath), { method: "POST", headers, body });
    let order;
    const begin = (begun) => {
      order = begun;
      order.isBound = true;
      order.recording ??= new Recording();
    };
    const isShadow = request.headers.get(SHADOW_HEADER) === "1";
    const answered = await (isShadow ? answerShadow : answer)(request, { waitUntil: (work) => ctx.waitUntil(work), begin });
    const response = responseOf(answered);
    return {
      status: response.status,
      headers: [...response.headers],
      body: new Uint8Array(await response.arrayBuffer()),
      facts: order?.recording.facts ?? {},
      input: input[order?.outcome?.route],
      policy,
      limits,
      zones: order?.version?.zones ?? null,
      isRepeatable: isRepeatable(order?.outcome),
    };
  };
}

const ownUrl = (basePath) => new URL(`${basePath}/calculatecost4`.replace(/^\/*/, "/"), "https://order-cost");

/** Whether the same facts always give the same answer: no look-up failed, and nothing was late. */
const isRepeatable = (outcome) => outcome !== undefined && (!outcome.error || isOrdersOwn(outcome.error));
