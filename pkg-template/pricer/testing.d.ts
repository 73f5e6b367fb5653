import type { Facts, Host } from "order-cost";

export type { CouponFact, Facts } from "order-cost";

/**
 * Makes a host that answers from facts and records its calls. Throws an `Error` if they have a member or a key that no
 * host is asked for.
 *
 * ```js
 * const host = hostFromFacts({ prices: { 1001: { price: 37.25 } } });
 * const pricer = await createPricer(host);
 * ```
 */
export function hostFromFacts(facts: Facts): Host & {
  /** Every call so far, in sequence. */
  readonly calls: readonly {
    /** Name of the look-up. */
    name: keyof Host;
    /** First argument of the call. */
    argument: unknown;
  }[];
};

/**
 * Wraps a host and records what it answers: `hostFromFacts(facts)` answers the same. Strings are recorded as they are,
 * objects as their JSON text. Of several answers to one key the last one counts; a call that failed is not recorded.
 * A function that the host does not have is missing here, too.
 *
 * ```js
 * const host = recordingHost({ lookupPrices: () => ['{"price":37.25}'] });
 * host.lookupPrices([{ cprcode: 1001, branchId: "1000" }]);
 * console.log(host.facts); // { prices: { "1001/1000": '{"price":37.25}' } }
 * ```
 */
export function recordingHost(host: Host): Host & {
  /** What the host has answered so far. */
  readonly facts: Facts;
};

/** How slow and how faulty a host is. */
export interface UnreliableOptions {
  /** Milliseconds before each answer: a number, or the least and the most. Default 0. */
  delayMs?: number | readonly [least: number, most: number];
  /** The number of failures per call, from 0 to 1: with 0.2 about every fifth call fails. Default 0. */
  failures?: number;
  /** The number of a random sequence, an integer: the same number gives the same delays and failures again. Default 1. */
  seed?: number;
}

/**
 * Wraps a host so that it is slow, and fails now and then, as a real one: to see and to test what your shop shows
 * meanwhile. A call waits, then it throws or asks the host; an abort ends its wait at once. The n-th call of a function
 * always does the same for one seed, whatever else is called. A function that the host does not have is missing here,
 * too. A wrong option throws.
 *
 * ```js
 * const host = unreliable(hostFromFacts({ prices: { 1001: { price: 37.25 } } }), { delayMs: [50, 800], failures: 0.2 });
 * const pricer = await createPricer(host);
 * ```
 */
export function unreliable(host: Host, options: UnreliableOptions): Host;
