// What operators and machines ask, without a key: GET /health, /ready, /version, /receipt-key and
// /openapi.json.
import { requestIdOf } from "order-cost/worker";
import { answerOf } from "../answers/index.js";
import { contract } from "./contract.js";

/**
 * @param {string} basePath
 * @param {{ ready(): Promise<{ fault?: string, degraded: object }>, version(): Promise<object>, receiptKeys(): Promise<object> }} answers
 * @param {import("../service/service.js").Handle} handle answers all other paths
 * @returns {import("../service/service.js").Handle}
 */
export function withOperations(basePath, { ready, version, receiptKeys }, handle) {
  /** @type {Map<string | undefined, () => Promise<Content>>} */
  const routes = new Map([
    ["health", async () => ok({ status: "ok" })],
    ["ready", async () => readyAnswer(await ready())],
    ["version", async () => ok(await version())],
    ["receipt-key", async () => ok(await receiptKeys())],
    ["openapi.json", async () => ok(contract)],
  ]);

  const base = segmentsOf(new URL(`/${segmentsOf(basePath).join("/")}`, "http://localhost").pathname);

  /** That of the last order: most have the same, and are not kept up by the parsing of it. */
  let url;

  return (request, ctx) => {
    const answer = request.url === url ? undefined : routes.get(nameIn(base, request.url));
    if (answer) return answered(answer, request);
    url = request.url;
    return handle(request, ctx);
  };

  async function answered(answer, request) {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const { status, body } = isRead ? await answer() : refusal(405, "Method not allowed: expected GET or HEAD");
    return answerOf(status, request.method === "HEAD" ? null : body, headersFor(request, isRead));
  }
}

/** @typedef {{ status: number, body: string }} Content */

/** @returns {Content} */
const ok = (content) => ({ status: 200, body: JSON.stringify(content) });
/** @returns {Content} */
const refusal = (status, error) => ({ status, body: JSON.stringify({ error }) });

/** @param {{ fault?: string, degraded: object }} state */
function readyAnswer({ fault, degraded }) {
  if (fault) return refusal(503, fault);
  return ok(Object.keys(degraded).length === 0 ? { status: "ready" } : { status: "degraded", degraded });
}

const headersFor = (request, isRead) => ({
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-request-id": requestIdOf(request),
  ...(!isRead && { allow: "GET, HEAD" }),
});

const segmentsOf = (path) => path.split("/").filter(Boolean);

/** What follows the base path in a URL, `health` for `/shop/health/`. Undefined if another path precedes it. */
function nameIn(base, url) {
  const segments = segmentsOf(new URL(url).pathname);
  return segments.length === base.length + 1 && base.every((name, at) => segments[at] === name) ? segments.at(-1) : undefined;
}
