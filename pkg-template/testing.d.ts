import type { CouponRequest, DiscountResultInput, Host, NationwideRate, PriceRecord, Voucher } from "order-cost";

/** What a test's host knows. */
export interface Facts {
  /** By `"<cprcode>/<branchId>"`, or by `"<cprcode>"` for every branch. */
  prices: Record<string, PriceRecord>;
  /** By id. */
  vouchers?: Record<string, Voucher>;
  /** By mode. An order that needs another one fails with `No rate for <mode>`. */
  rates?: Partial<Record<"DRY" | "FRESH" | "MIX", NationwideRate>>;
  /** The answer, or what makes it of the request. Default: every code fails. */
  coupons?: DiscountResultInput | ((request: CouponRequest) => DiscountResultInput);
}

/** A host that answers from facts, and remembers what it was asked. */
export function hostFromFacts(facts: Facts): Host & {
  readonly calls: readonly { name: keyof Host; argument: unknown }[];
};
