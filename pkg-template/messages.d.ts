import type { PricingError } from "order-cost";

/**
 * What can be wrong for a customer: an error of a calculation or of a basket, a reason of a refused voucher, or a code
 * of `failedCoupons`.
 */
export type CustomerProblem =
  | Pick<PricingError, "code" | "subject" | "retryable">
  | "inactive"
  | "used"
  | "ownerMismatch"
  | {
      /** The code that the coupon service refused. */
      failedCoupon: string;
    };

/** How the shop calls what a text is about. */
export interface CustomerNames {
  /** The name of the product in that row, counted from 0. Default: the text says "a product in your basket". */
  product?: (line: number) => string;
}

/**
 * A short, kind sentence for the shop's customers: what is wrong, and what they can do. It is plain text, so a page has
 * to escape it. A code that this version does not know has the text of `INTERNAL`.
 *
 * ```js
 * const { problems, rows } = basket.snapshot;
 * problems.map((problem) => customerText(problem, "en", { product: (line) => rows[line].productName }));
 * // ["น้ำปลา is not available at this branch. Please remove it, or choose another branch."]
 * ```
 */
export function customerText(problem: CustomerProblem, language: "en" | "th", names?: CustomerNames): string;
