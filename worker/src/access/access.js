// D40: CORS, rate limit and API keys. An operator switches them on with ALLOWED_ORIGINS, RATE_LIMITER and API_KEYS; all
// are off by default.
import { isPromise, soon, spentMs, within } from "order-cost/internal";
import { requestIdOf } from "order-cost/worker";
import { answerOf, jsonAnswer } from "../answers/index.js";
import { cut, log } from "../log/index.js";
import { clientOf } from "./client.js";
import { createKeyRing } from "./key-ring.js";

/** What the service tells in headers, also to pages of other origins. */
const EXPOSED = "x-request-id, x-order-cost-error, x-order-cost-data, x-order-cost-receipt, server-timing, retry-after";

/**
 * Who may send orders, and how many.
 *
 * @param {{ apiKeys: string[], deadlineMs: number, ipv6Prefix: number }} options
 * @param {Platform} platform
 * @returns {{ admit(handle: Handle): Handle, probe?: Probe }} `admit` lets orders through to `handle`, which gets the hash of
 *   the API key; `probe` takes as long as the check of an order. The service may be open: then nothing is checked
 *
 * @typedef {import("../service/service.js").Handle} Handle
 * @typedef {import("../service/service.js").Asked} Asked
 * @typedef {import("../service/service.js").Platform} Platform
 * @typedef {import("../service/service.js").Probe} Probe
 */
export function createAccess({ apiKeys, deadlineMs, ipv6Prefix }, platform) {
  const ring = createKeyRing(apiKeys, platform);
  const { rateLimiter } = platform;
  const counting = rateLimiter && { ...platform, rateLimiter, ipv6Prefix };
  if (ring.isEmpty && !counting) return { admit: (handle) => handle };

  function check(request, ctx) {
    return soon(ring.isEmpty ? undefined : ring.find(bearerToken(request)), (key) =>
      soon(counting && refuseTooMany(request, ctx, key, counting), (refusal) => ({
        key,
        refusal: refusal ?? refuseStranger(request, ring, key, platform),
      })),
    );
  }

  /** The order's deadline begins with the check, and the order gets what the check leaves of it. */
  const admit = (handle) => (request, ctx) => {
    const admitted = ({ key, refusal }) => refusal ?? handle(request, ctx, key);
    const checked = check(request, ctx);
    if (!isPromise(checked)) return admitted(checked);
    const began = performance.now();
    const late = () => ({ key: undefined, refusal: refuseLate(request, deadlineMs) });
    return within(deadlineMs, checked, late).then((known) => {
      request[spentMs] = performance.now() - began;
      return admitted(known);
    });
  };

  /** A limiter that fails stops no order. One that hangs, or is none, stops all. */
  async function probe() {
    if (!ring.isEmpty) await ring.find("probe");
    if (rateLimiter && typeof rateLimiter.limit !== "function") throw new Error("RATE_LIMITER is no rate limiter");
    await rateLimiter?.limit({ key: "probe" }).catch(() => {});
  }

  return { admit, probe };
}

/**
 * Answers preflights, and lets the pages of the allowed origins read the other answers.
 * @param {string[]} allowedOrigins
 * @param {Handle} handle
 * @returns {Handle}
 */
export function withCors(allowedOrigins, handle) {
  if (allowedOrigins.length === 0) return handle;
  return (request, ctx) => {
    const cors = corsHeaders(request, allowedOrigins);
    if (isPreflight(request) && cors["access-control-allow-origin"]) {
      const headers = { ...cors, ...PREFLIGHT_HEADERS, "x-request-id": requestIdOf(request) };
      return answerOf(204, null, headers);
    }
    return soon(handle(request, ctx), (answer) => ({ ...answer, headers: { ...answer.headers, ...cors } }));
  };
}

const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type, traceparent, x-order-cost-capture, x-request-id",
  "access-control-max-age": "86400",
};

/** Cloudflare's limit counts over 10 or 60 seconds and does not say which, so clients wait for the longer one. */
const LONGEST_PERIOD_SECONDS = 60;

const isPreflight = (request) => request.method === "OPTIONS" && request.headers.get("access-control-request-method") !== null;

function corsHeaders(request, allowedOrigins) {
  if (allowedOrigins.includes("*")) return allow("*");
  const origin = request.headers.get("origin");
  return { vary: "Origin", ...(allowedOrigins.includes(origin) && allow(origin)) };
}

const allow = (origin) => ({ "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED });

/**
 * Counts a right key by its hash, and everybody else by network: a stranger cannot use up a client's share.
 * @param {Asked} request
 * @param {import("../service/service.js").Context} ctx
 * @param {string | undefined} key
 * @param {Platform & { rateLimiter: NonNullable<Platform["rateLimiter"]>, ipv6Prefix: number }} counting
 */
async function refuseTooMany(request, ctx, key, { rateLimiter, addressOf, ipv6Prefix, observer }) {
  const counted = key ? `key:${key}` : `address:${clientOf(addressOf(request, ctx), ipv6Prefix)}`;
  const { success, retryAfterSeconds = LONGEST_PERIOD_SECONDS } = await rateLimiter.limit({ key: counted }).catch((error) => {
    log("error", "rate-limit", { requestId: requestIdOf(request), message: "The rate limiter failed", cause: cut(error?.message) });
    return { success: true, retryAfterSeconds: undefined }; // a failing limiter must not stop orders
  });
  if (success) return undefined;
  observer?.refused("rate");
  return refusal(request, 429, "Too many requests: try again later", { "retry-after": `${retryAfterSeconds}` });
}

/**
 * @param {Asked} request
 * @param {ReturnType<typeof createKeyRing>} ring
 * @param {string | undefined} key
 * @param {Platform} platform
 */
function refuseStranger(request, ring, key, { observer }) {
  if (ring.isEmpty || key) return undefined;
  observer?.refused("key");
  const message = "Missing or wrong API key: expected the header Authorization: Bearer <key>";
  return refusal(request, 401, message, { "www-authenticate": "Bearer" });
}

function refuseLate(request, deadlineMs) {
  const message = `The order was not priced within ${deadlineMs} ms`;
  log("error", "fault", { requestId: requestIdOf(request), message, cause: "the access check" });
  return refusal(request, 500, message, { "x-order-cost-error": "DEADLINE_EXCEEDED" });
}

const refusal = (request, status, error, headers) => jsonAnswer(status, { error }, { "x-request-id": requestIdOf(request), ...headers });

/** The scheme is case-insensitive (RFC 9110), the key is not. */
const bearerToken = (request) => /^bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
