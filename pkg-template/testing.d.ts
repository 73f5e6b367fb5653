import type { CouponRequest, DiscountResultInput, Host, NationwideRate, PriceRecord, Voucher } from "order-cost";

/** What the test host knows. */
export interface Facts {
  /** Price records by `"<cprcode>/<branchId>"` for one branch, or by `"<cprcode>"` for every branch. Required. */
  prices: Record<string, PriceRecord>;
  /** Vouchers by id. Default: none. */
  vouchers?: Record<string, Voucher>;
  /** Nationwide rates by mode. An order that needs a missing one fails with `No rate for <mode>`. Default: none. */
  rates?: Partial<Record<"DRY" | "FRESH" | "MIX", NationwideRate>>;
  /** The coupon service's answer, or a function that makes it from the request. Default: every code fails. */
  coupons?: DiscountResultInput | ((request: CouponRequest) => DiscountResultInput);
}

/**
 * Makes a host that answers from facts and records its calls.
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
