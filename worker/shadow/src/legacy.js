import { copied, readCopy } from "./body.js";
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
     * @param {import("./body.js").Room} room
     */
    async serve(order, room) {
      const { request, body } = order;
      const response = await fetch(target(request.url), { method: "POST", headers: marked(firstCall(order)), body, redirect: "manual" });
      const { status, body: content } = response;
      if (!content || !mayBeMade(status)) return { response, answer: { status, copy: { text: "" } } };
      const { response: passed, copy } = copied(response, room);
      return { response: passed, answer: { status, copy } };
    },

    /**
     * Asks for the comparison alone.
     * @param {import("./order.js").Order} order
     * @param {import("./body.js").Room} room
     * @param {AbortSignal} signal
     */
    async ask(order, room, signal) {
      const { request, body } = order;
      const response = await fetch(target(request.url), { method: "POST", headers: marked(secondCall(order)), body, redirect: "manual", signal });
      return { status: response.status, copy: readCopy(response.body, room) };
    },
  };
}

/** No Response can be made with another status. It is a failure, whatever its text. */
const mayBeMade = (status) => status >= 200 && status <= 599;

function marked(headers) {
  const all = new Headers(headers);
  all.set(PASSED_HEADER, "1");
  return all;
}
