import { env as startEnv, waitUntil } from "cloudflare:workers";
import { createFetchHandler } from "order-cost/worker";
import { VERSION_HEADER, withAccess } from "./access.js";
import { readOptions } from "./options.js";
import { createPricing } from "./pricing.js";

readOptions(startEnv); // at startup: a wrong variable stops the deployment, not the orders

/**
 * One handler per env: a deployment that changes only bindings, such as the API key, keeps the isolate and passes a new
 * env.
 */
const handlers = new WeakMap();

export default {
  fetch(request, env, ctx) {
    if (!handlers.has(env)) handlers.set(env, createHandler(env));
    return handlers.get(env)(request, env, ctx);
  },
};

function createHandler(env) {
  const options = readOptions(env);
  const pricing = createPricing(env, options, waitUntil);
  const answer = createFetchHandler(() => pricing, options.routes);

  const handleOrder = async (request, env, ctx) => {
    const response = await answer(request, env, ctx);
    const version = pricing.versionIdOf(ctx);
    if (version) response.headers.set(VERSION_HEADER, version);
    return response;
  };
  return withAccess(options.access, env.RATE_LIMITER, handleOrder);
}
