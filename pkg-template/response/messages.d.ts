import type { BasketSnapshot, DeepReadonly, ExplainRule, ExplainStep, PricingError, PricingErrorCode } from "order-cost";

/** The language of a text: English, Thai, or a shop's own. */
export type Language = "en" | "th" | Texts;

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
export function customerText(problem: CustomerProblem, language: Language, names?: CustomerNames): string;

/** What became different in a basket without the customer's doing. */
export type BasketChange =
  | {
      /** The price of a row's product. */
      kind: "price";
      /** The row's key. */
      key: string;
      /** The row's product. */
      productName: string;
      /** THB per unit. */
      before: number;
      /** THB per unit. */
      after: number;
    }
  | {
      /** The price of a row's product was not found, or was found after all. */
      kind: "unavailable" | "available";
      /** The row's key. */
      key: string;
      /** The row's product. */
      productName: string;
    }
  | {
      /** The fee of the delivery, `totals.deliveryFee`. */
      kind: "deliveryFee";
      /** THB. */
      before: number;
      /** THB. */
      after: number;
    }
  | {
      /** A voucher is one of `invalidVouchers`. */
      kind: "voucherRefused";
      /** Id of the voucher. */
      voucherId: string;
    }
  | {
      /** A coupon is one of `discountResult.failedCoupons`. */
      kind: "couponFailed";
      /** Code of the coupon. */
      coupon: string;
    };

/**
 * What became different between two snapshots of a basket without the customer's doing: the prices of rows in their
 * sequence, the delivery fee, vouchers, coupons. Compare what the customer saw last with what the basket is after it has
 * settled: what only one of them knows is no change.
 *
 * No change is what follows from the customer's own choice: the price of another product or at another branch, the fee
 * of another delivery, the vouchers of another owner. A coupon that the service refuses counts, also if the products
 * have changed.
 *
 * ```js
 * const seen = basket.snapshot;
 * basket.refresh();
 * await basket.settle();
 * basketChanges(seen, basket.snapshot).map((change) => changeText(change, "en"));
 * // ["น้ำปลา now costs ฿39.00 instead of ฿37.25."]
 * ```
 */
export function basketChanges(before: BasketSnapshot, after: BasketSnapshot): BasketChange[];

/** A short sentence for the shop's customers about a change. It is plain text, so a page has to escape it. */
export function changeText(change: BasketChange, language: Language): string;

/**
 * A short sentence for the shop's customers about a step of `explain`. It is plain text, so a page has to escape it. A
 * product without a name in `names`, and a delivery, is called by its place, counted from 1. A rule that this version
 * does not know has the text of `otherStep`.
 *
 * ```js
 * const { steps } = await pricer.explain(order);
 * explainText(steps[0], "en"); // "Product 1: 3 × ฿37.25 = ฿111.75."
 * ```
 */
export function explainText(step: DeepReadonly<ExplainStep>, language: Language, names?: CustomerNames): string;

/**
 * {@link explainText} of each step, in their sequence.
 *
 * ```js
 * const { steps, rows } = basket.snapshot;
 * explainTexts(steps, "en", { product: (line) => rows[line].productName }, { withoutZeros: true });
 * // ["น้ำปลา: 3 × ฿37.25 = ฿111.75.", …]
 * ```
 */
export function explainTexts(
  steps: readonly DeepReadonly<ExplainStep>[],
  language: Language,
  names?: CustomerNames,
  options?: {
    /**
     * Leaves out the steps whose amount is 0, but not those that say what has become of a voucher or a coupon. Default
     * `false`.
     */
    withoutZeros?: boolean;
  },
): string[];

/**
 * All texts of a language. A language of your own has every member; to change a few texts, spread {@link english} or
 * {@link thai}:
 *
 * ```js
 * const ours = { ...english, reasons: { ...english.reasons, used: "You have used this gift card before." } };
 * customerText("used", ours);
 * ```
 */
export interface Texts {
  /** Writes an amount in THB. The package rounds no amount: 33.2625 is `฿33.2625` in English, −2.5 has a minus (U+2212). */
  money: (amount: number) => string;
  /** What a product without a name is called. It stands at the start of a sentence. */
  someProduct: string;
  /** Why a voucher is refused. */
  reasons: Record<"inactive" | "used" | "ownerMismatch", string>;
  /** A coupon is refused. */
  failedCoupon: (coupon: string) => string;
  /** An error, by its code. */
  errors: Record<PricingErrorCode, (error: ErrorFacts) => string>;
  /** A change of a basket, by its kind. */
  changes: { [Kind in BasketChange["kind"]]: (change: ChangeFacts<Kind>) => string };
  /** A step of a calculation, by its rule. {@link ExplainRule} lists the operands of each. */
  steps: Record<ExplainRule, (step: StepFacts) => string>;
  /** A step whose rule this version does not know. */
  otherStep: (step: StepFacts) => string;
}

/** What the text of an error is made of. */
export interface ErrorFacts {
  /** The product's name, or `someProduct`. Absent if the error is not about one row. */
  product?: string | undefined;
  /** Id of the voucher. Absent if the error is not about one voucher. */
  voucherId?: string | undefined;
  /** Whether the same order may succeed later. Absent counts as no. */
  retryable?: boolean | undefined;
}

/** What the text of a change is made of: the change itself. Its `productName` is never empty. */
export type ChangeFacts<Kind extends BasketChange["kind"]> = BasketChange &
  Pick<Texts, "money"> & {
    /** The change's kind. */
    kind: Kind;
  };

/** What the text of a step is made of: the step itself. */
export interface StepFacts extends ExplainStep, Pick<Texts, "money"> {
  /** The number of the product, delivery, coupon or voucher in its list, counted from 1; 0 if it is about none. */
  number: number;
  /** The product's name. Absent if `names` has none, or if the step is not about one product. */
  product?: string | undefined;
}

/** The English texts. */
export const english: Texts;

/** The Thai texts. */
export const thai: Texts;
