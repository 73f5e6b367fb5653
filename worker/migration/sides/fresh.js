import { endToEnd } from "./hops.js";
import { firstCall, secondCall } from "./order.js";
import { textOf } from "./text.js";

/**
 * @typedef {import("../../src/captures/redaction/capture-text.js").Exchange} Exchange
 * @typedef {Pick<Exchange, "facts" | "input" | "policy" | "limits" | "zones"> & { isRepeatable: boolean }} PricedFrom
 * @typedef {{ status: number, headers: [string, string][], body: Uint8Array<ArrayBuffer> } & PricedFrom} Priced
 * @typedef {{ price(body: Uint8Array<ArrayBuffer>, headers: [string, string][], url: string): Promise<Priced> }} Pricing
 * @typedef {import("./order.js").Order} Order
 */

/** @type {(service: Pricing, order: Order, headers: Headers) => Promise<Priced>} */
const price = async (service, { body, request }, headers) => service.price(body, [...headers], request.url);

/**
 * `order-cost/worker` says in a header why an order failed.
 * @param {Priced} priced
 * @param {import("./body.js").Room} room
 * @returns {import("./ask.js").Begun}
 */
function answerOf({ status, headers, body, ...pricedFrom }, room) {
  const reason = room(body.length);
  const code = headers.find(([name]) => name === "x-order-cost-error")?.[1];
  return { status, copy: reason ? { reason } : { text: textOf(body) }, code, pricedFrom };
}

/**
 * Asks the new service for the comparison alone.
 * @param {Pricing} service
 * @returns {import("./ask.js").Side["ask"]}
 */
export const asking = (service) => async (order, room) => answerOf(await price(service, order, secondCall(order)), room);

/**
 * The new service: the pricing Worker, by its entrypoint `Capture`.
 * @param {Pricing & { fetch(request: Request): Promise<Response> }} binding
 */
export function createFresh(binding) {
  return {
    /**
     * Answers a client with what the service answers.
     * @param {Request} request
     */
    pass: (request) => binding.fetch(new Request(request, { headers: endToEnd(request.headers) })),

    /**
     * The same, with a copy of the answer.
     * @param {Order} order
     * @param {import("./body.js").Room} room
     */
    async serve(order, room) {
      const priced = await price(binding, order, firstCall(order));
      const { body, status, headers } = priced;
      return { response: new Response(body, { status, headers }), answer: answerOf(priced, room) };
    },

    ask: asking(binding),
  };
}
