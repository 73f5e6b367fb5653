import { copied, readCopy } from "./body.js";
import { endToEnd } from "./hops.js";
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

  /**
   * Parts of a URL are put in, not joined as text: the path `//elsewhere.example/` would name another host.
   * @param {string} url
   */
  function target(url) {
    const { pathname, search } = new URL(url);
    const found = new URL(base);
    found.pathname = base.pathname.replace(/\/$/, "") + pathname;
    found.search = search;
    return found;
  }

  return {
    /**
     * Answers a client with what the service answers.
     * @param {Request} request
     */
    async pass(request) {
      const response = await fetch(new Request(target(request.url), request), {
        ...AS_IT_COMES,
        headers: marked(endToEnd(request.headers)),
      });
      return mayBeMade(response.status) ? passedOn(response.body, response) : response;
    },

    /**
     * The same, with a copy of the answer.
     * @param {import("./order.js").Order} order
     * @param {import("./body.js").Room} room
     * @param {number} ms how long the copy may take
     * @returns {Promise<{ response: Response, answer: import("./ask.js").Begun }>}
     */
    async serve(order, room, ms) {
      const { request, body } = order;
      const response = await fetch(target(request.url), { ...AS_IT_COMES, method: "POST", headers: marked(firstCall(order)), body });
      const { status, body: content } = response;
      if (!mayBeMade(status)) return { response, answer: { status, copy: { text: "" } } };
      if (!content) return { response: passedOn(null, response), answer: { status, copy: { text: "" } } };
      const { readable, copy } = copied(response, room, ms);
      return { response: passedOn(readable, response), answer: { status, copy } };
    },

    /**
     * Asks for the comparison alone.
     * @param {import("./order.js").Order} order
     * @param {import("./body.js").Room} room
     * @param {AbortSignal} signal
     */
    async ask(order, room, signal) {
      const { request, body } = order;
      const response = await fetch(target(request.url), {
        method: "POST",
        headers: marked(secondCall(order)),
        body,
        redirect: "manual",
        signal,
      });
      return { status: response.status, copy: readCopy(response.body, room, signal) };
    },
  };
}

/**
 * No Response can be made with another status. It is a failure, whatever its text.
 * @param {number} status
 */
const mayBeMade = (status) => status >= 200 && status <= 599;

/** Neither followed nor decoded. */
/** @type {RequestInit} */
const AS_IT_COMES = { redirect: "manual", encodeResponseBody: "manual" };

/**
 * An answer for the client, still encoded as it came: rightly, wrongly, or in a way that nobody here knows.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>> | null} body
 * @param {Response} response
 */
const passedOn = (body, { status, statusText, headers }) =>
  new Response(body, { status, statusText, headers: endToEnd(headers), encodeBody: "manual" });

/** @param {Headers} headers */
function marked(headers) {
  const all = new Headers(headers);
  all.set(PASSED_HEADER, "1");
  return all;
}
