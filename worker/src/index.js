import { env as startEnv } from "cloudflare:workers";
import { createPricer } from "order-cost";
import { createFetchHandler } from "order-cost/worker";
import { withAccess } from "./access.js";
import { createHost } from "./host.js";
import { readOptions } from "./options.js";
import { createZones } from "./zones.js";

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
  const zones = createZones(env.ZONES, options.zones);
  let pricer; // set by the first order

  const handleOrder = createFetchHandler(async () => {
    const created = await createPricer(createHost(env, options.services), options.pricer);
    await zones.load(created);
    pricer = created;
    return pricer;
  }, options.routes);
  const handle = withAccess(options.access, env.RATE_LIMITER, handleOrder);

  return (request, env, ctx) => {
    if (pricer && zones.isDue()) ctx.waitUntil(zones.refresh(pricer));
    return handle(request, env, ctx);
  };
}
