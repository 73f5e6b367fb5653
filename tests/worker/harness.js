// A Worker for the tests: at each base path, it prices orders with the golden case that was last PUT there.
import { createPricer } from "order-cost";
import { createFetchHandler } from "order-cost/worker";
import { hostFor, optionsFor } from "../golden/host.js";

const handles = new Map();

export default {
  async fetch(request, env, ctx) {
    const [, basePath] = new URL(request.url).pathname.split("/");
    if (request.method !== "PUT") return handles.get(basePath)(request, env, ctx);
    const testCase = await request.json();
    const handle = createFetchHandler(() => createPricer(hostFor(testCase).host, optionsFor(testCase)), {
      ...testCase.options?.limits,
      basePath,
    });
    handles.set(basePath, handle);
    return new Response(null, { status: 204 });
  },
};
