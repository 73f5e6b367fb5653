import type { createFetchHandler } from "order-cost/worker";

/** Node's types of these names fit. They are not named, so that the package type-checks without them. */
type IncomingMessage = { readonly httpVersion: string };
type ServerResponse = { readonly headersSent: boolean };

/** A handler as `createFetchHandler` returns it. */
export type FetchHandler<Env> = ReturnType<typeof createFetchHandler<Env>>;

/** Options of the listener. */
export interface NodeListenerOptions<Env> {
  /** Passed to the handler as its `env`. Default `undefined`. */
  env?: Env;
}

/**
 * Makes a listener for `createServer` of `node:http` or `node:https` from a fetch-style handler, such as that of
 * `createFetchHandler`.
 *
 * `request.signal` aborts if the client closes its connection before it has the whole answer. Bodies are streams in both
 * directions and are read no faster than they are used. What is left of a body after the answer is read for 5 seconds,
 * so that the client gets the answer and can use its connection again.
 *
 * If the handler throws, the error is logged and the client reads 500 and `{"error":"Internal error"}`. A request that
 * is no `Request`, such as one with a wrong `Host`, is answered with 400. `ctx.waitUntil` logs a promise's rejection.
 *
 * Node's own limits stay in force: `requestTimeout`, `headersTimeout`, `maxHeaderSize`. Set `server.timeout` too, or a
 * client that never reads its answer keeps its connection.
 *
 * ```js
 * const handle = createFetchHandler(() => createPricer({ lookupPrices }), { deadlineMs: 10_000 });
 * createServer(createNodeListener(handle)).listen(8787);
 * ```
 */
export function createNodeListener<Env>(
  handle: FetchHandler<Env>,
  ...options: undefined extends Env ? [options?: NodeListenerOptions<Env>] : [options: Required<NodeListenerOptions<Env>>]
): (incoming: IncomingMessage, outgoing: ServerResponse) => void;

// Makes the file export only what says `export`.
export {};
