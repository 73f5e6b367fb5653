// What the service has of Cloudflare: KV, R2, the Cache API, service bindings, the rate limiter, spans.
import { tracing, waitUntil } from "cloudflare:workers";
import { BY_ID, variable } from "order-cost/internal";
import { captureBucket } from "../captures/index.js";
import { nounOf, recordKey } from "../look-ups/index.js";
import { createBulkReader } from "./bulk-reader.js";
import { signing } from "./signing.js";
import { createStoreReader } from "./store-reader.js";

/** Cloudflare's are shorter. A caller behind a binding can put anything into the header. */
const MOST_RAY_LENGTH = 64;

/**
 * @param {Bindings} env
 * @returns {import("../service/service.js").Platform}
 *
 * @typedef {object} Bindings of a deployment, each if it has one
 * @property {KVNamespace} [CATALOGUE]
 * @property {KVNamespace} [VOUCHERS]
 * @property {Fetcher} [NATIONWIDE]
 * @property {Fetcher} [COUPONS]
 * @property {R2Bucket} [DECISIONS]
 * @property {import("../service/service.js").Platform["rateLimiter"]} [RATE_LIMITER]
 * @property {{ id: string }} [CF_VERSION_METADATA]
 */
export function onCloudflare({ CATALOGUE, NATIONWIDE, COUPONS, DECISIONS, RATE_LIMITER, CF_VERSION_METADATA, ...stores }) {
  return {
    deployment: CF_VERSION_METADATA?.id,
    readCatalogue: CATALOGUE && createStoreReader(CATALOGUE, globalThis.caches?.default, waitUntil),
    ...Object.fromEntries(BY_ID.map(([, row]) => [row.part, recordStore(stores[variable(row.part)], row)])),
    nationwide: NATIONWIDE,
    coupons: COUPONS,
    decisions: DECISIONS && captureBucket(DECISIONS),
    abandonsWork: true,
    rateLimiter: RATE_LIMITER,
    signing,
    sameBytes: crypto.subtle.timingSafeEqual.bind(crypto.subtle),
    addressOf: (request) => request.headers.get("cf-connecting-ip") ?? "",
    rayOf: (request) => request.headers.get("cf-ray")?.slice(0, MOST_RAY_LENGTH),
    trace: (name, _request, run) => tracing.enterSpan(name, (span) => run(span.isTraced ? attributesOf(span) : undefined)),
    hold: waitUntil,
  };
}

function recordStore(store, { part, id: field }) {
  if (!store) return undefined;
  const name = `${nounOf(field)} store`;
  const read = createBulkReader(name, store);
  const keyOf = (id) => recordKey(field, id);
  return {
    lookup: (ids, { context: order }) => read(ids.map(keyOf), (count) => order.countReads(part, count)),
    async probe() {
      try {
        await store.get([keyOf("")], "text"); // no record has this id: it reads nobody's
      } catch {
        throw new Error(`The ${name} did not answer`);
      }
    },
  };
}

/** Cloudflare makes the ids of a trace: the client's are handed on as they came. */
const attributesOf = (span) => ({
  set(attributes) {
    for (const [name, value] of Object.entries(attributes)) span.setAttribute(name, value);
  },
});
