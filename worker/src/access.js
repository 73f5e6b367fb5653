// D40: CORS, rate limit and API key. An operator switches them on with ALLOWED_ORIGINS, RATE_LIMITER and API_KEY; all
// are off by default.

import { logError } from "./log.js";

/** Names the version of the catalogue that an order was priced with. */
export const VERSION_HEADER = "x-order-cost-data";

/**
 * @param {{ allowedOrigins: string[], apiKey?: string }} options
 * @param {{ limit(options: { key: string }): Promise<{ success: boolean }> } | undefined} rateLimiter
 * @param {(request: Request, env: unknown, ctx: ExecutionContext) => Promise<Response>} handle
 */
export function withAccess({ allowedOrigins, apiKey }, rateLimiter, handle) {
  return async (request, env, ctx) => {
    const cors = corsHeaders(request, allowedOrigins);
    if (isPreflight(request) && cors["access-control-allow-origin"]) {
      return new Response(null, { status: 204, headers: { ...cors, ...PREFLIGHT_HEADERS } });
    }
    const response =
      (await refuseTooMany(request, rateLimiter)) ??
      (await refuseStranger(request, apiKey)) ??
      (await handle(request, env, ctx));
    for (const [name, value] of Object.entries(cors)) response.headers.set(name, value);
    return response;
  };
}

const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "authorization, content-type",
  "access-control-max-age": "86400",
};

/** A rate limit counts over 10 or 60 seconds. The binding does not say which, so clients wait for the longer one. */
const LONGEST_PERIOD_SECONDS = "60";

const isPreflight = (request) => request.method === "OPTIONS" && request.headers.has("access-control-request-method");

function corsHeaders(request, allowedOrigins) {
  if (allowedOrigins.length === 0) return {};
  if (allowedOrigins.includes("*")) return allow("*");
  const origin = request.headers.get("origin");
  return { vary: "Origin", ...(allowedOrigins.includes(origin) && allow(origin)) };
}

const allow = (origin) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": VERSION_HEADER,
});

async function refuseTooMany(request, rateLimiter) {
  if (!rateLimiter) return undefined;
  const { success } = await rateLimiter.limit({ key: request.headers.get("cf-connecting-ip") ?? "" }).catch((error) => {
    logError("The rate limiter failed", error);
    return { success: true }; // a failing limiter must not stop orders
  });
  if (success) return undefined;
  return Response.json(
    { error: "Too many requests: try again later" },
    { status: 429, headers: { "retry-after": LONGEST_PERIOD_SECONDS } },
  );
}

async function refuseStranger(request, apiKey) {
  if (!apiKey || (await isSame(bearerToken(request), apiKey))) return undefined;
  return Response.json(
    { error: "Missing or wrong API key: expected the header Authorization: Bearer <key>" },
    { status: 401, headers: { "www-authenticate": "Bearer" } },
  );
}

/** The scheme is case-insensitive (RFC 9110), the key is not. */
const bearerToken = (request) => /^bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";

/** Compares digests in constant time, so that the time reveals neither the key nor its length. */
async function isSame(left, right) {
  const digest = (text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return crypto.subtle.timingSafeEqual(await digest(left), await digest(right));
}
