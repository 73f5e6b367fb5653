import { readText } from "./body.js";
import { firstCall, secondCall } from "./order.js";

/** Every request to the old service has it. One that comes with it has been here before. */
const PASSED_HEADER = "x-order-cost-passed";

/** @param {Request} request */
export const isPassedBefore = (request) => request.headers.has(PASSED_HEADER);

/**
 * The old service.
 * @param {string} address
 */
export function createLegacy(address) {
  const base = new URL(address);

  /** Parts of a URL are put in, not joined as text: the path `//elsewhere.example/` would name another host. */
  function target(url) {
    const { pathname, search } = new URL(url);
    const found = new URL(base);
    found.pathname = base.pathname.replace(/\/$/, "") + pathname;
    found.search = search;
    return found;
  }

  return {
    /** Answers a client with what the service answers. */
    pass: (request) => fetch(new Request(target(request.url), request), { headers: marked(request.headers), redirect: "manual" }),

    /**
     * The same, with a copy of the answer.
     * @param {import("./order.js").Order} order
     */
    async serve(order) {
      const { request, body } = order;
      const response = await fetch(target(request.url), { method: "POST", headers: marked(firstCall(order)), body, redirect: "manual" });
      if (!response.body) return { response, answer: { status: response.status, text: "" } };
      const [client, copy] = response.body.tee();
      const { status } = response;
      const text = readText(copy);
      text.catch(() => {});
      return { response: new Response(client, response), answer: { status, text } };
    },

    /**
     * Asks for the comparison alone.
     * @param {import("./order.js").Order} order
     * @param {AbortSignal} signal
     */
    async ask(order, signal) {
      const { request, body } = order;
      const response = await fetch(target(request.url), { method: "POST", headers: marked(secondCall(order)), body, redirect: "manual", signal });
      return { status: response.status, text: readText(response.body) };
    },
  };
}

function marked(headers) {
  const all = new Headers(headers);
  all.set(PASSED_HEADER, "1");
  return all;
}
