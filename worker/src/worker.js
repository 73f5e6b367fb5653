// The service as a Worker of Cloudflare's. node/main.js runs the same one on Node.
import { env as startEnv, WorkerEntrypoint } from "cloudflare:workers";
import { responseOf } from "./answers/index.js";
import { onCloudflare } from "./cloudflare/index.js";
import { readOptions } from "./options/index.js";
import { createService } from "./service/index.js";

readOptions(startEnv); // at startup: a wrong variable stops the deployment, not the orders

/**
 * One service per env: a deployment that changes only bindings, such as the API keys, keeps the isolate and passes a new
 * env.
 */
const services = new WeakMap();

function serviceOf(env) {
  if (!services.has(env)) services.set(env, createService(onCloudflare(env), env));
  return services.get(env);
}

const answered = async (request, env, ctx) => responseOf(await serviceOf(env).answer(request, ctx));

export default { fetch: answered };

/** For the shadow Worker, which alone is bound to it (www/docs/service/migrate.md). */
export class Capture extends WorkerEntrypoint {
  /** Answers a client's request as the Worker itself does. */
  fetch(request) {
    return answered(request, this.env, this.ctx);
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
