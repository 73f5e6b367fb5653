import { caught } from "order-cost/internal";
import manifest from "order-cost/package.json" with { type: "json" };
import { requestIdOf } from "order-cost/worker";
import { createAccess, withCors } from "../access/index.js";
import { jsonAnswer } from "../answers/index.js";
import { createCapture, createDecisions } from "../captures/index.js";
import { errorText, log } from "../log/index.js";
import { createHost } from "../look-ups/index.js";
import { createReadiness, withOperations } from "../operations/index.js";
import { readOptions, shownOptions, warnings } from "../options/index.js";
import { createOrders, createPricing } from "../orders/index.js";
import { createReceipts } from "../receipts/index.js";
import { connectCatalogue } from "./connected-catalogue.js";

/**
 * What the service needs of the platform that it runs on. What is absent, the service does without: an order that needs
 * it fails (D41).
 *
 * @typedef {object} Platform
 * @property {Record<string, import("../options/variables.js").Variable>} [variables] its own, beside those of options.js
 * @property {string} [deployment] names this deployment in the log
 * @property {import("order-cost/catalogue").CatalogueOptions["read"]} [readCatalogue] gets the order as `context`
 * @property {{ lookup(ids: readonly string[], ctx: OrderCall): Promise<(string | null)[]>, probe?: Probe }} [vouchers]
 * @property {Fetcher} [nationwide] the service, unless its URL is set
 * @property {Fetcher} [coupons]
 * @property {import("../captures/captures.js").CaptureStore} [decisions] where captures of orders go
 * @property {boolean} [abandonsWork] it may end work that it has held, without a word
 * @property {{ limit(options: { key: string }): Promise<{ success: boolean, retryAfterSeconds?: number }> }} [rateLimiter]
 * @property {import("../receipts/receipts.js").Signing} signing
 * @property {(left: Uint8Array, right: Uint8Array) => boolean} sameBytes in constant time
 * @property {(request: Asked, ctx: Context) => string} addressOf the client's
 * @property {(request: Asked) => string | undefined} [rayOf] the platform's own id of a request
 * @property {<T>(name: string, request: Asked, run: (span?: Span) => T | Promise<T>) => Promise<T>} [trace]
 * @property {(work: Promise<unknown>) => void} hold keeps work alive beyond its order
 * @property {Observer} [observer]
 *
 * @typedef {import("../orders/order.js").OrderCall} OrderCall
 *
 * @typedef {(signal: AbortSignal) => Promise<void>} Probe asks whether a part is there
 *
 * @typedef {object} Context what comes with a request
 * @property {(work: Promise<unknown>) => void} waitUntil
 * @property {import("node:http").IncomingMessage} [incoming] on Node
 * @property {(order: import("../orders/order.js").Order) => void} [begin] a caller that is bound gets the order, too
 *
 * @typedef {Pick<Request, "method" | "url" | "signal"> & { headers: Pick<Headers, "get"> }} Asked as much of a `Request` as
 *   the service reads
 *
 * @typedef {import("../answers/answer.js").Answer} Answer
 *
 * @typedef {(request: Asked, ctx: Context, key?: string) => Answer | Promise<Answer>} Handle `key` is the hash of an API key
 *
 * @typedef {object} Observer
 * @property {() => void} orderBegan
 * @property {(order: import("../orders/order.js").Order) => void} orderEnded
 * @property {(reason: "key" | "rate") => void} refused
 *
 * @typedef {object} Span
 * @property {(attributes: SpanAttributes) => void} set
 * @property {string} [traceparent] goes out with questions in place of the client's
 *
 * @typedef {Record<string, string | number | undefined> & { "http.response.status_code": number, "error.type"?: string }} SpanAttributes
 */

/**
 * The service, from the outside in: CORS, the operators' routes, access, orders.
 * @param {Platform} platform
 * @param {Record<string, unknown>} env
 */
export function createService(platform, env) {
  const { hold } = platform;
  const options = readOptions(env, platform.variables);
  log("info", "start", { package: manifest.version, deployment: platform.deployment, options: shownOptions(env, platform.variables) });
  for (const message of warnings(env, platform.variables)) log("warn", "start", { message });

  const catalogue = connectCatalogue(platform.readCatalogue, { ...options.data, hold });
  const host = createHost(platform, options.services);
  const decisions =
    platform.decisions &&
    createDecisions(platform.decisions, {
      ...options.decisions,
      ...options.pricer,
      ...options.routes,
      abandonsWork: platform.abandonsWork,
    });
  const receipts = createReceipts(platform.signing, options.receipts, options.pricer.policy);
  const pricing = createPricing(host, options.pricer, catalogue, receipts);
  const orders = createOrders(pricing, decisions, { ...options, ...platform });
  const access = createAccess(options.access, platform);
  const ready = createReadiness(catalogue, { access: access.probe, ...host.probes }, hold);
  const answers = { ready, version: () => versionAnswer(catalogue, ready), receiptKeys: receipts.keys };
  const operated = withOperations(options.basePath, answers, access.admit(orders));
  const answer = withCors(options.access.allowedOrigins, guarded(operated));
  return { answer, price: createCapture(options, answer, guarded(orders)), catalogue };
}

/** @type {(answer: Handle) => Handle} */
const guarded = (answer) => (request, ctx) =>
  caught(
    () => answer(request, ctx),
    (error) => failed(request, error),
  );

/** Looks at the catalogue as an order does. Without a version that costs a read, so `ready` does it, not each caller. */
async function versionAnswer(catalogue, ready) {
  if (catalogue.state().version) await catalogue.current();
  else await ready();
  const { version } = catalogue.state();
  return { package: manifest.version, data: version?.id ?? null, since: version?.activatedAt ?? null };
}

/** Only a fault of this service comes here. */
function failed(request, error) {
  const requestId = requestIdOf(request);
  log("error", "fault", { requestId, message: "The service failed", cause: errorText(error) });
  return jsonAnswer(500, { error: "Internal error" }, { "x-request-id": requestId, "x-order-cost-error": "INTERNAL" });
}
