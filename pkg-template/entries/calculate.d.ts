import type { Host, PricerOptions, Pricer as WholePricer } from "order-cost";

export * from "order-cost";

/** A pricer without baskets: `basket()` is in `order-cost`. All else is the same. */
export type Pricer = Omit<WholePricer, "basket">;

/** As `createPricer` of `order-cost`, on a module without the code of baskets, which is a fifth smaller. */
export function createPricer(host: Host, options?: PricerOptions): Promise<Pricer>;
