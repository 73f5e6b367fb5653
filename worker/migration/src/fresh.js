import { endToEnd } from "./hops.js";
import { firstCall, secondCall } from "./order.js";
import { textOf } from "./text.js";

/**
 * The new service: the pricing Worker, by its entrypoint `Capture`.
 * @param {Fetcher & { price: Function }} binding
 */
export function createFresh(binding) {
  const price = async ({ body, request }, headers) => binding.price(body, [...headers], request.url);

  /** `order-cost/worker` says in a header why an order failed. */
  const answerOf = ({ status, headers, body, ...pricedFrom }, room) => {
    const reason = room(body.length);
    const code = headers.find(([name]) => name === "x-order-cost-error")?.[1];
    return { status, copy: reason ? { reason } : { text: textOf(body) }, code, pricedFrom };
  };

  return {
    /** Answers a client with what the service answers. */
    pass: (request) => binding.fetch(new Request(request, { headers: endToEnd(request.headers) })),

    /**
     * The same, with a copy of the answer.
     * @param {import("./order.js").Order} order
     * @param {import("./body.js").Room} room
     */
    async serve(order, room) {
      const priced = await price(order, firstCall(order));
      const { body, status, headers } = priced;
      return { response: new Response(body, { status, headers }), answer: answerOf(priced, room) };
    },

    /**
     * Asks for the comparison alone.
     * @param {import("./order.js").Order} order
     * @param {import("./body.js").Room} room
     */
    ask: async (order, room) => answerOf(await price(order, secondCall(order)), room),
  };
}
