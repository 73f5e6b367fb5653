import type { CouponRequest, DiscountResultInput, Host, NationwideRate, PriceRecord, Voucher } from "order-cost";

/** What a test's host knows. */
export interface Facts {
  /** Price records by `"<cprcode>/<branchId>"`, or by `"<cprcode>"` for every branch. Required. */
  prices: Record<string, PriceRecord>;
  /** Vouchers by id. Default: there are none. */
  vouchers?: Record<string, Voucher>;
  /** Nationwide rates by mode; an order that needs another fails with `No rate for <mode>`. Default: there are none. */
  rates?: Partial<Record<"DRY" | "FRESH" | "MIX", NationwideRate>>;
  /** The coupon service's answer, or what makes it of the request. Default: every code fails. */
  coupons?: DiscountResultInput | ((request: CouponRequest) => DiscountResultInput);
}

/**
 * A host that answers from facts, and remembers what it was asked.
 *
 * ```js
 * const host = hostFromFacts({ prices: { 1001: { price: 37.25 } } });
 * const pricer = await createPricer(host);
 * ```
 */
export function hostFromFacts(facts: Facts): Host & {
  /** Every call, in order; grows as the host is asked. */
  readonly calls: readonly {
    /** Which look-up. */
    name: keyof Host;
    /** Its first argument. */
    argument: unknown;
  }[];
};
