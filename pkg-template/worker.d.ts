import type { Awaitable, Pricer } from "order-cost";

/** The platform's types. Without DOM or Node types: the members that the routes use. */
type PlatformRequest = typeof globalThis extends { Request: { prototype: infer Platform } }
  ? Platform
  : { readonly method: string; readonly url: string };
type PlatformResponse = typeof globalThis extends { Response: { prototype: infer Platform } }
  ? Platform
  : { readonly status: number; text(): Promise<string> };

/** Options of the routes. Every option is optional. */
export interface FetchHandlerOptions {
  /** Path in front of the routes, such as `/api`. Default `""`. */
  basePath?: string;
  /** Largest request body in bytes. A larger one is refused before it is read completely. Default 1_048_576. */
  maxBodyBytes?: number;
  /**
   * Milliseconds for a whole order, from the first byte of its body: an integer up to 2_147_483_647. A slower order is
   * answered with 500, `The order was not priced within <n> ms` (D41). Default 0: no limit. Without a limit, a request
   * whose body never arrives stays open until the platform ends it.
   */
  deadlineMs?: number;
}

/**
 * Makes the routes `POST /calculatecost2`, `/calculatecost3` and `/calculatecost4` for any fetch-style runtime.
 * `pricer` runs once per isolate, and again after it failed.
 *
 * A priced order is answered with 200. Every failed order is answered with 500 and `{"error": "<message>"}`. An unknown
 * path is answered with 404 and a wrong method with 405, in the same shape (D40).
 *
 * If a host function throws an `Error` or a string, the client reads its message as it is (D40, D41). Throw messages
 * that a client may read: no address, no stack.
 *
 * If `pricer` fails, its error is logged, and every waiting order is answered with `Internal error`. An error for
 * clients is passed on instead: its `toJSON()` returns `{ error: "<message>" }`, as a `PricingError` does, and its
 * `code` is not `INTERNAL`.
 *
 * Throws a `PricingError` with `VALIDATION_ERROR` if an option is invalid.
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
    /** Keeps the creation of the pricer alive, even if the first order is cancelled. */
    waitUntil(promise: Promise<unknown>): void;
  },
) => Promise<PlatformResponse>;

// Makes the file export only what says `export`.
export {};
