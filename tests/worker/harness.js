// A Worker for the tests: prices orders with the golden case that was PUT to it last.
import { createPricer } from "order-cost";
import { createFetchHandler } from "order-cost/worker";
import { hostFor, optionsFor } from "../golden/host.js";

let handle;

export default {
  async fetch(request, env, ctx) {
    if (request.method !== "PUT") return handle(request, env, ctx);
    const testCase = await request.json();
    handle = createFetchHandler(
      () => createPricer(hostFor(testCase).host, optionsFor(testCase)),
      testCase.options?.limits,
    );
    return new Response(null, { status: 204 });
  },
};
