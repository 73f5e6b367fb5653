import type { Awaitable, PlatformResponse, Pricer, PricingError } from "order-cost";

/** The platform's types. Without DOM or Node types: the members that the routes use. */
type PlatformRequest = typeof globalThis extends { Request: { prototype: infer Platform } }
  ? Platform
  : { readonly method: string; readonly url: string; readonly headers: { get(name: string): string | null } };
type PlatformStream = typeof globalThis extends { ReadableStream: { prototype: infer Platform } }
  ? Platform
  : { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }> } };

/** Options of the routes. Every option is optional. */
export interface FetchHandlerOptions {
  /** Path in front of the routes, such as `/api`. Default `""`. */
  basePath?: string;
  /**
   * Largest request body in bytes, an integer of 0 or more. A larger one is refused before it is read completely.
   * Default 1_048_576.
   */
  maxBodyBytes?: number;
  /**
   * Milliseconds for a whole order, from when the handler gets its request: an integer up to 2_147_483_647. A slower order is
   * answered with 500, `The order was not priced within <n> ms` (D41). Default 0: no limit. Without a limit, a request
   * whose body never arrives stays open until the platform ends it.
   */
  deadlineMs?: number;
  /**
   * By route, which types the values of its orders may have: `{ calculatecost2: "lenient" }` for clients of an old service
   * (D49). Default: as the pricer's `input`.
   */
  input?: Partial<Record<"calculatecost2" | "calculatecost3" | "calculatecost4", "strict" | "lenient">>;
  /**
   * Called after each order, priced or failed, before its response is returned. Use it for a log or for metrics. What it
   * throws is logged and changes nothing; so is the rejection of a promise that it returns, which nobody waits for. With it, the routes log no failure by themselves.
   */
  onOrder?(outcome: OrderOutcome): void;
}

/** Times of an order. A look-up that never answered counts until the end of the order. */
export interface OrderTimes extends Generated<"hostFunctions.times"> {
  /** Milliseconds from the request to the response. */
  readonly total: number;
}

/** What became of an order, without its content: no field holds an owner, a voucher or a product. */
export interface OrderOutcome {
  /** The HTTP status code of the response: 200 or 500 (D40). */
  readonly status: number;
  /** The route without the base path, such as `calculatecost4`. */
  readonly route: string;
  /** The id of the request, see {@link requestIdOf}. The host's callbacks have it as `ctx.requestId`. */
  readonly requestId: string;
  /**
   * Why the order failed. Its `message` is what the client reads; it may name a voucher, a product or a branch, and it may
   * be a text of the host. Its `cause` is what a look-up threw. Absent if the order was priced.
   */
  readonly error?: PricingError;
  /** The number of products that the order lists, repeated ones included. 0 if the order could not be read. */
  readonly lines: number;
  /** The number of vouchers that it lists. */
  readonly vouchers: number;
  /** The number of coupon codes that it lists. */
  readonly coupons: number;
  /** The number of schedules that it lists. */
  readonly schedules: number;
  /**
   * Milliseconds of the whole order and of each look-up. Some runtimes, such as Cloudflare's, stop the clock while a
   * program computes: then these are times of waiting.
   */
  readonly ms: OrderTimes;
  /** The `ctx` that the handler was called with. The host's callbacks have it as `ctx.context`. */
  readonly context: unknown;
}

/**
 * Makes the routes `POST /calculatecost2`, `/calculatecost3` and `/calculatecost4` for any fetch-style runtime.
 * `pricer` runs once per isolate (the JavaScript engine's instance in which a Worker runs), and again after it failed.
 *
 * A priced order is answered with 200. Every failed order is answered with 500 and `{"error": "<message>"}`. An unknown
 * path is answered with 404 and a wrong method with 405, in the same shape (D40).
 *
 * If a host function throws an `Error` or a string, the client reads its message as it is (D40, D41). Throw messages
 * that a client may read: no address, no stack.
 *
 * Every response has the header `x-request-id`, see {@link requestIdOf}. A failed order has `x-order-cost-error`: the
 * `code` of its error.
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
  pricer: (env: Env) => Awaitable<Pick<Pricer, "calculateJson">>,
  options?: FetchHandlerOptions,
): (
  request: PlatformRequest,
  env: Env,
  ctx: {
    /** Keeps the creation of the pricer alive, even if the first order is cancelled. */
    waitUntil(promise: Promise<unknown>): void;
  },
) => Promise<PlatformResponse>;

/**
 * The id of a request: its header `x-request-id`, if that has 1 to 64 characters of `A-Za-z0-9._-`, or else a new UUID.
 * The same request always has the same id, so that your own answers can carry the id that the routes use.
 */
export function requestIdOf(request: {
  /** Those of the request. */
  readonly headers: {
    /** The value of a header, by its name in lower case. Null: it is not there. */
    get(name: string): string | null;
  };
}): string;

/** Options of {@link readStream}. */
export interface StreamOptions<Reason> {
  /**
   * Is asked after each chunk of `bytes`, with which there are `size` of them. Returns `undefined`, or the reason why there
   * is no room for it: reading ends there.
   */
  room(bytes: number, size: number): Reason | undefined;
  /**
   * Gets each chunk, for another reader, and must copy what it keeps. With it, the stream is read to its end even if
   * there is no room. Default: none.
   */
  pass?(chunk: Uint8Array): Awaitable<void>;
  /** Ends the reading: the stream is cancelled, and the promise is rejected. With `pass`, it ends only the keeping. Default: none. */
  signal?: AbortSignal;
}

/** What {@link readStream} has read. */
export interface StreamRead<Reason> {
  /** What has come, in a buffer that may be longer. With `pass`, nothing if there was no room for all of it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Why there was no room. Absent if there was. */
  readonly reason?: Reason;
  /** Where there was no room: the stream, which goes on after `bytes`. Cancel it if you do not read on. Absent if all has been read. */
  readonly rest?: PlatformStream;
}

/**
 * Reads a stream into one buffer, whatever its chunks are. It keeps at most twice what has arrived. Many small chunks do not
 * keep up timers and other orders.
 */
export function readStream<Reason>(stream: PlatformStream | null | undefined, options: StreamOptions<Reason>): Promise<StreamRead<Reason>>;

// Makes the file export only what says `export`.
export {};
