// A Worker for the tests: prices orders with the golden case that was PUT to it last.
import { createPricer } from "order-cost";
import { createFetchHandler } from "order-cost/worker";
import { hostFor } from "../golden/host.js";

let handle;

export default {
  async fetch(request, env, ctx) {
    if (request.method !== "PUT") return handle(request, env, ctx);
    const testCase = await request.json();
    const options = { ...testCase.options, ...(testCase.zones !== undefined && { deliveryZones: testCase.zones }) };
    handle = createFetchHandler(() => createPricer(hostFor(testCase), options), options.limits);
    return new Response(null, { status: 204 });
  },
};
