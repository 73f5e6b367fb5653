import { env as startEnv, waitUntil } from "cloudflare:workers";
import manifest from "order-cost/package.json" with { type: "json" };
import { requestIdOf } from "order-cost/worker";
import { withAccess, withCors } from "./access.js";
import { connectCatalogue } from "./catalogue/connect.js";
import { createHost } from "./look-ups/host.js";
import { errorText, log } from "./log/log.js";
import { withOperations } from "./operations.js";
import { readOptions, shownOptions } from "./options.js";
import { createOrders } from "./orders.js";
import { createPricing } from "./pricing.js";
import { createReadiness } from "./readiness.js";

readOptions(startEnv); // at startup: a wrong variable stops the deployment, not the orders

/**
 * One handler per env: a deployment that changes only bindings, such as the API keys, keeps the isolate and passes a new
 * env.
 */
const handlers = new WeakMap();

export default {
  fetch(request, env, ctx) {
    if (!handlers.has(env)) handlers.set(env, createHandler(env));
    return handlers.get(env)(request, ctx);
  },
};

/** The service, from the outside in: CORS, the operators' routes, access, orders. */
function createHandler(env) {
  const options = readOptions(env);
  const deployment = env.CF_VERSION_METADATA?.id;
  log("info", "start", { package: manifest.version, deployment, options: shownOptions(env) });

  const catalogue = connectCatalogue(env.CATALOGUE, { ...options.data, hold: waitUntil });
  const host = createHost(env, options.services);
  const orders = createOrders(createPricing(host, options.pricer, catalogue), { ...options, deployment });
  const ready = createReadiness(catalogue, { vouchers: env.VOUCHERS, ...host.probes }, waitUntil);
  const answers = { ready, version: () => versionAnswer(catalogue, ready) };
  const admitted = withAccess(options.access, env.RATE_LIMITER, orders);
  const answer = withOperations(options.basePath, answers, admitted);
  return withCors(options.access.allowedOrigins, (request, ctx) => answer(request, ctx).catch((error) => failed(request, error)));
}

/** Looks at the catalogue as an order does. Without a version that costs a read, so `ready` does it, not each caller. */
async function versionAnswer(catalogue, ready) {
  if (catalogue.state().version) await catalogue.current();
  else await ready();
  const { version } = catalogue.state();
  return { package: manifest.version, data: version?.id ?? null, since: version?.activatedAt ?? null };
}

/** Only a fault of this Worker comes here. */
function failed(request, error) {
  const requestId = requestIdOf(request);
  log("error", "fault", { requestId, message: "The Worker failed", cause: errorText(error) });
  const headers = { "x-request-id": requestId, "x-order-cost-error": "INTERNAL" };
  return Response.json({ error: "Internal error" }, { status: 500, headers });
}
