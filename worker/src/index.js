import { WorkerEntrypoint, env as startEnv, waitUntil } from "cloudflare:workers";
import manifest from "order-cost/package.json" with { type: "json" };
import { requestIdOf } from "order-cost/worker";
import { withAccess, withCors } from "./access.js";
import { createCapture } from "./capture.js";
import { connectCatalogue } from "./catalogue.js";
import { createHost } from "./look-ups/host.js";
import { errorText, log } from "./log/log.js";
import { withOperations } from "./operations.js";
import { readOptions, shownOptions } from "./options.js";
import { createOrders } from "./orders.js";
import { createPricing } from "./pricing.js";
import { createReadiness } from "./readiness.js";

readOptions(startEnv); // at startup: a wrong variable stops the deployment, not the orders

/**
 * One service per env: a deployment that changes only bindings, such as the API keys, keeps the isolate and passes a new
 * env.
 */
const services = new WeakMap();

function serviceOf(env) {
  if (!services.has(env)) services.set(env, createService(env));
  return services.get(env);
}

export default {
  fetch: (request, env, ctx) => serviceOf(env).answer(request, ctx),
};

/** For the shadow Worker, which alone is bound to it (../migration/README.md). */
export class Capture extends WorkerEntrypoint {
  /** Answers a client's request as the Worker itself does. */
  fetch(request) {
    return serviceOf(this.env).answer(request, this.ctx);
  }

  /**
   * Answers an order as the Worker itself does, and says what it was priced from.
   * @param {Uint8Array<ArrayBuffer> | string} body
   * @param {HeadersInit} headers with `x-order-cost-shadow: 1`, no key is asked for and no rate limit counts
   * @param {string} [url] the client's; without it, the path of calculatecost4
   */
  price(body, headers, url) {
    return serviceOf(this.env).price(body, headers, url, this.ctx);
  }

  /**
   * The GeoJSON that `price` named; null if it is not there.
   * @param {string} hash
   */
  zones(hash) {
    return this.env.CATALOGUE.get(`zones:${hash}`, "text");
  }
}

/** The service, from the outside in: CORS, the operators' routes, access, orders. */
function createService(env) {
  const options = readOptions(env);
  const deployment = env.CF_VERSION_METADATA?.id;
  log("info", "start", { package: manifest.version, deployment, options: shownOptions(env) });

  const catalogue = connectCatalogue(env.CATALOGUE, { ...options.data, hold: waitUntil });
  const host = createHost(env, options.services);
  const orders = createOrders(createPricing(host, options.pricer, catalogue), { ...options, deployment });
  const ready = createReadiness(catalogue, { vouchers: env.VOUCHERS, ...host.probes }, waitUntil);
  const answers = { ready, version: () => versionAnswer(catalogue, ready) };
  const admitted = withAccess(options.access, env.RATE_LIMITER, orders);
  const operated = withOperations(options.basePath, answers, admitted);
  const answer = withCors(options.access.allowedOrigins, guarded(operated));
  return { answer, price: createCapture(options, answer, guarded(orders)) };
}

const guarded = (answer) => (request, ctx) => answer(request, ctx).catch((error) => failed(request, error));

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
