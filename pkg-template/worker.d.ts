import type { Awaitable, Pricer } from "order-cost";

/** The platform's own, or where nobody declares it (no DOM, no Node), the part that routes are told by. */
type PlatformRequest = typeof globalThis extends { Request: { prototype: infer Platform } }
  ? Platform
  : { readonly method: string; readonly url: string };
type PlatformResponse = typeof globalThis extends { Response: { prototype: infer Platform } }
  ? Platform
  : { readonly status: number; text(): Promise<string> };

/** Where the routes are, and how much they read; all of it may be left out. */
export interface FetchHandlerOptions {
  /** What stands before the routes, as in `/api`. Default `""`. */
  basePath?: string;
  /** Bytes; a larger body is refused before it is read whole. Default 1_048_576. */
  maxBodyBytes?: number;
  /**
   * Milliseconds for a whole order, from the first byte of its body; an integer up to 2_147_483_647. A later one is
   * given up: 500, `The order was not priced within <n> ms`. Default 0: none, so that a body that never comes waits for
   * the platform to end it.
   */
  deadlineMs?: number;
}

/**
 * The routes `POST /calculatecost2`, `/calculatecost3` and `/calculatecost4` for any fetch-style
 * runtime. `pricer` runs once an isolate, and again after it failed.
 *
 * A priced order is 200; every failure of one is 500 with `{"error": "<message>"}`. An unknown
 * path is 404 and a wrong method 405, in the same shape.
 *
 * Where `pricer` fails, its error is logged and each order that waits for it reads `Internal error`.
 * An error made for clients is read instead: one whose `toJSON()` gives `{ error: "<message>" }`, as
 * a `PricingError` does, and whose `code` is not `INTERNAL`.
 *
 * ```js
 * export default {
 *   fetch: createFetchHandler((env) => createPricer({
 *     lookupPrices: (keys) => Promise.all(keys.map(({ cprcode }) => env.PRICES.get(`${cprcode}`))),
 *   })),
 * };
 * ```
 */
export function createFetchHandler<Env>(
  pricer: (env: Env) => Awaitable<Pricer>,
  options?: FetchHandlerOptions,
): (
  request: PlatformRequest,
  env: Env,
  ctx: {
    /** Keeps the making of the pricer alive, also where the first order is given up. */
    waitUntil(promise: Promise<unknown>): void;
  },
) => Promise<PlatformResponse>;

// What has no `export` before it stays here.
export {};
