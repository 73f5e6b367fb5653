/// <reference lib="esnext.disposable" />

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Any JSON value; it is passed through as it is, to the last digit. */
export type Json = unknown;

declare global {
  // The platform's own, whoever declares it; where nobody does (no DOM, no Node), no more than a name.
  interface AbortSignal {}
}

/** The platform's own `EventTarget`, or where nobody declares it, the part of it that a basket is used by. */
type BasketEventTarget = typeof globalThis extends { EventTarget: { prototype: infer Platform } }
  ? Platform
  : Listenable;

interface Listenable {
  addEventListener(
    type: string,
    listener: (event: never) => void,
    options?: { once?: boolean; signal?: AbortSignal },
  ): void;
  removeEventListener(type: string, listener: (event: never) => void): void;
}

// ---------------------------------------------------------------- the request

/** An order to price. Other keys are dropped; `null` on an optional field means "not sent": its default applies. */
export interface OrderInput {
  /** What is ordered: at least one product, at most {@link PricerOptions.limits | limits.maxProducts}. Required. */
  productList: readonly ProductInput[];
  /**
   * Ids of vouchers to redeem, asked of {@link Host.lookupVouchers}; one listed twice counts once. At most
   * {@link PricerOptions.limits | limits.maxVouchers}. Default `[]`.
   */
  voucherId?: readonly string[] | null;
  /**
   * Codes of coupons to apply, asked of {@link Host.validateCoupons}: case-sensitive, never trimmed; one listed twice
   * counts once. At most {@link PricerOptions.limits | limits.maxCoupons}. Default `[]`.
   */
  couponCodeList?: readonly string[] | null;
  /** A name for your own use; passed through. Default `""`. */
  basketName?: string | null;
  /** An id for your own use; passed through, and told to the coupon service. Default `""`. */
  basketId?: string | null;
  /**
   * The branch whose prices count, part of each key of {@link Host.lookupPrices}: at most 128 UTF-16 units. Default
   * `"1000"`.
   */
  branchId?: string | null;
  /** An id for your own use; passed through, and told to the coupon service. Default `""`. */
  orderId?: string | null;
  /** Unix timestamp; passed through, and told to the coupon service. Default `0`. */
  orderDate?: number | null;
  /** Whose vouchers may be redeemed; without it, nobody's. Told to the coupon service. Default `""`. */
  ownerId?: string | null;
  /** Whether a missing product may be replaced by another; passed through. Default `false`. */
  requestSubstitute?: boolean | null;
  /** A remark on the order; passed through. Default `null`. */
  specialComment?: string | null;
  /** Whether it comes without plastic bags; passed through. Default `false`. */
  noPlasticBags?: boolean | null;
  /** How the order is delivered. Default `null`: it is not, and nothing is to pay for it. */
  shipping?: ShippingInput | null;
  /** Any JSON about discounts on the cart; passed through, it changes no total. Default `[]`. */
  cartDiscountInfo?: readonly Json[] | null;
}

/** A product that is ordered. Computed fields that are sent, as `price` or `rowTotal`, are dropped. */
export interface ProductInput {
  /** Product code, an integer: part of its key of {@link Host.lookupPrices}. Required. */
  cprcode: number;
  /** What people call it; passed through. Required. */
  productName: string;
  /** Units, an integer. Zero and less are allowed: the row then counts 0. Required. */
  quantity: number;
  /** The id of the schedule that delivers it, an integer; passed through. Default `0`. */
  scheduleId?: number | null;
  /** Whether it is ordered ahead; passed through. Default `false`. */
  isPreOrder?: boolean | null;
  /** A remark on the product; passed through. Default `""`. */
  remark?: string | null;
}

/** How an order is delivered: by which slots, to whom and where. */
export interface ShippingInput {
  /** Whether anything is to pay for delivery. Default `"PICKUP"`: nothing. */
  shippingType?: ShippingType | null;
  /**
   * The delivery slots of a `DELIVERY` order; each is charged once, whatever its id. At most
   * {@link PricerOptions.limits | limits.maxSchedules}. Default `[]`.
   */
  scheduleList?: readonly ScheduleInput[] | null;
  /** Postcode, asked of {@link Host.nationwideRate}. Default `"10110"`. */
  shippingPostcode?: string | null;
  /** Latitude in degrees: where the delivery zones are looked up. Default `0`. */
  shippingLat?: number | null;
  /** Longitude in degrees: where the delivery zones are looked up. Default `0`. */
  shippingLon?: number | null;
  /** First name of who receives it; passed through. Default `""`. */
  shippingFirstName?: string | null;
  /** Last name of who receives it; passed through. Default `""`. */
  shippingLastName?: string | null;
  /** House, street; passed through. Default `""`. */
  shippingAddress?: string | null;
  /** Sub-district; passed through. Default `""`. */
  shippingSubDistrict?: string | null;
  /** Province; passed through. Default `""`. */
  shippingProvince?: string | null;
  /** Telephone number; passed through. Default `""`. */
  shippingPhone?: string | null;
  /** E-mail address; passed through. Default `""`. */
  shippingEmail?: string | null;
  /** Unix timestamp; passed through. Default `0`. */
  shippingDate?: number | null;
  /** Code of the branch whose delivery zones count, an integer. Default `1000`. */
  brcode?: number | null;
}

/** A delivery slot. */
export interface ScheduleInput {
  /** The id by which products name it, an integer. Default `0`. */
  scheduleId?: number | null;
  /** What sets its fee. Default `"NATIONWIDE"`. */
  mode?: ScheduleMode | null;
  /** ISO 8601 timestamp; passed through unchecked. Default `null`. */
  dateTime?: string | null;
  /** Which nationwide rate a `NATIONWIDE` slot pays. Default `"DRY"`. */
  nationwideMode?: NationwideMode | null;
  /** Kept for a `NATIONWIDE` slot whose rate brings none. Default `null`. */
  nationwideConfig?: string | null;
  /** Any JSON about picking; passed through. Default `null`. */
  pickingStatus?: Json;
  /** Any JSON about the slot's time; passed through. Default `null`. */
  date_slot?: Json;
  /** The slot's hour, an integer; passed through. Default `0`. */
  booking_hour?: number | null;
  /** THB; dropped: it is calculated. Default: none. */
  deliveryFee?: number | null;
  /** THB; dropped: it is calculated. Default: none. */
  expressFee?: number | null;
}

/** Whether anything is to pay for delivery. */
export type ShippingType =
  /** Every schedule is charged, by its mode. */
  | "DELIVERY"
  /** Nothing is charged and nothing is looked up. */
  | "PICKUP";

/** What sets the fee of a schedule. */
export type ScheduleMode =
  /** The delivery zone of the branch that covers the address. */
  | "REGULAR"
  /** As `REGULAR`, and 50 THB more where it is the first schedule; see the policy `expressSurcharge`. */
  | "EXPRESS"
  /** The rate that {@link Host.nationwideRate} answers for the postcode and the nationwide mode. */
  | "NATIONWIDE"
  /** Nothing: it is fetched. */
  | "PICKUP";

/** What kind of goods a nationwide delivery carries. */
export type NationwideMode =
  /** Goods that keep. */
  | "DRY"
  /** Goods that are cooled. */
  | "FRESH"
  /** Both. */
  | "MIX";

// --------------------------------------------------------------- the response

/**
 * The computed scalars: THB, but for `totalWeight` in kg. The arithmetic is exact; each number here is the double nearest
 * to the exact decimal.
 */
export interface Totals {
  /** THB: Σ max(price × quantity, 0) over the products. */
  subTotal: number;
  /**
   * THB, what is to pay: max(subTotal + discountedDeliveryFee + expressShippingCost − cartDiscount − bogoDiscount −
   * voucherDiscount, 0).
   */
  grandTotal: number;
  /** THB: `grandTotal` less the `rowTotal` of controlled products; may be negative. */
  totalExcludeControlledProducts: number;
  /** kg: Σ weight × quantity over the products. */
  totalWeight: number;
  /** THB: Σ of the schedules' `deliveryFee`, before any discount. 0 where nothing is delivered. */
  deliveryFee: number;
  /** THB: max(deliveryFee − shippingDiscount, 0). */
  discountedDeliveryFee: number;
  /** THB: Σ of the schedules' `expressFee`, so 50 or 0. */
  expressShippingCost: number;
  /** THB: equal to `deliveryFee`. */
  shippingFee: number;
  /** THB: equal to `deliveryFee`. */
  shippingPrice: number;
  /** THB: Σ of the discounts' `discount`. */
  cartDiscount: number;
  /** THB: Σ of the discounts' `bogoDiscount`. */
  bogoDiscount: number;
  /** THB: Σ of the discounts' `two4Discount`; computed, not subtracted. */
  two4Discount: number;
  /** THB: the largest multiplier of the discounts × `subTotal`; computed, not subtracted. */
  percentageDiscount: number;
  /**
   * THB: Σ of the discounts' `shippingDiscount`; with the policy `freeShipping: "waivesDelivery"` and a coupon that
   * grants it, at least `deliveryFee`.
   */
  shippingDiscount: number;
  /** THB: Σ of the valid vouchers' `value`. */
  voucherDiscount: number;
  /** THB: cartDiscount + bogoDiscount + two4Discount + voucherDiscount + percentageDiscount. */
  totalDiscount: number;
  /** Whether a coupon grants free shipping; what that is worth says the policy `freeShipping`. */
  isFreeShipping: boolean;
}

/** A priced order: always all 35 keys, whatever was sent. */
export interface PricedOrder extends Totals {
  /** As sent, or `"1000"`. */
  branchId: string;
  /** As sent, or `""`. */
  basketName: string;
  /** As sent, or `""`. */
  basketId: string;
  /** As sent, or `""`. */
  orderId: string;
  /** Unix timestamp, as sent, or 0. */
  orderDate: number;
  /** As sent, or `""`. */
  ownerId: string;
  /** As sent, or `false`. */
  requestSubstitute: boolean;
  /** As sent, or `null`. */
  specialComment: string | null;
  /** As sent, or `false`. */
  noPlasticBags: boolean;
  /** As sent, repeated codes too, or `[]`. */
  couponCodeList: string[];
  /** As sent, repeated ids too, or `[]`. */
  voucherId: string[];
  /** As sent, or `[]`. */
  cartDiscountInfo: Json[];
  /** The products with their prices, in the order in which they were sent. */
  productList: PricedProduct[];
  /** The delivery with its fees; `null` when none was sent. */
  shipping: PricedShipping | null;
  /** The vouchers that count, each once, in the order in which they were sent. */
  validVouchers: RedeemedVoucher[];
  /** The vouchers that do not, with the reasons. */
  invalidVouchers: RefusedVoucher[];
  /** What the coupon service answered; empty where no code was sent. */
  discountResult: DiscountResult;
  /** The totals once more, as one object. */
  summary: Summary;
}

/** A product with its price; THB and kg. */
export interface PricedProduct {
  /** Product code, as sent. */
  cprcode: number;
  /** As sent. */
  productName: string;
  /** Units, as sent. */
  quantity: number;
  /** The id of its schedule, as sent, or 0. */
  scheduleId: number;
  /** As sent, or `false`. */
  isPreOrder: boolean;
  /** As sent, or `""`. */
  remark: string;
  /** The order's branch. */
  branchId: string;
  /** List price in THB per unit, of the price record; equal to `price` where that has none. */
  originalPrice: number;
  /** Current price in THB per unit, of the price record. */
  price: number;
  /** THB: max(price × quantity, 0); with the policy `rowTotal: "list"`, max(originalPrice × quantity, 0). */
  rowTotal: number;
  /** THB: max(price × quantity, 0) less what coupons take off this line, not below 0. */
  discountedRowTotal: number;
  /** THB, of the price record; equal to `rowTotal` where that has none. */
  settlementPrice: number;
  /** kg per unit, of the price record; 0.25 where that has none. */
  weight: number;
  /** Whether it is on the controlled list, by the price record; `false` where that does not say. */
  isControlledProduct: boolean;
}

/** The delivery as sent, with defaults for what was not, and with the fees of each schedule. */
export interface PricedShipping {
  /** As sent, or `"PICKUP"`. */
  shippingType: ShippingType;
  /** The slots with their fees, in the order in which they were sent. */
  scheduleList: PricedSchedule[];
  /** As sent, or `"10110"`. */
  shippingPostcode: string;
  /** Latitude in degrees, as sent, or 0. */
  shippingLat: number;
  /** Longitude in degrees, as sent, or 0. */
  shippingLon: number;
  /** As sent, or `""`. */
  shippingFirstName: string;
  /** As sent, or `""`. */
  shippingLastName: string;
  /** As sent, or `""`. */
  shippingAddress: string;
  /** As sent, or `""`. */
  shippingSubDistrict: string;
  /** As sent, or `""`. */
  shippingProvince: string;
  /** As sent, or `""`. */
  shippingPhone: string;
  /** As sent, or `""`. */
  shippingEmail: string;
  /** Unix timestamp, as sent, or 0. */
  shippingDate: number;
  /** Branch code, as sent, or 1000. */
  brcode: number;
}

/** A delivery slot with its fees. */
export interface PricedSchedule {
  /** Its id, as sent, or 0. */
  scheduleId: number;
  /** As sent, or `"NATIONWIDE"`. */
  mode: ScheduleMode;
  /** ISO 8601 timestamp, as sent, or `null`. */
  dateTime: string | null;
  /** THB: of the delivery zone or the nationwide rate, by `mode`; 0 for what is fetched. */
  deliveryFee: number;
  /**
   * THB: 50 where it is `EXPRESS` and the first schedule of a `DELIVERY` order, else 0. With the policy
   * `expressSurcharge: "firstExpress"`, 50 for the first `EXPRESS` one.
   */
  expressFee: number;
  /** As sent, or `"DRY"`. */
  nationwideMode: NationwideMode;
  /** Of the nationwide rate, else as sent, or `null`; `"none"` for the other modes. */
  nationwideConfig: string | null;
  /** As sent, or `null`. */
  pickingStatus: Json;
  /** As sent, or `null`. */
  date_slot: Json;
  /** Hour, as sent, or 0. */
  booking_hour: number;
}

/** A voucher's record as the host gave it, its id set. */
export interface RedeemedVoucher extends Voucher {
  /** The id that was sent. */
  voucherId: string;
}

/** A voucher that may not be redeemed, and why. Of a voucher that is not of the order's `ownerId` nothing is shown. */
export type RefusedVoucher =
  | (RedeemedVoucher & {
      /** At least one, in this order: it is not active, it is used. */
      reasons: ("inactive" | "used")[];
    })
  | {
      /** The id that was sent. */
      voucherId: string;
      /** It is somebody else's, or nobody's. */
      reasons: ["ownerMismatch"];
    };

/** What the coupon service answered, with nothing missing. */
export interface DiscountResult {
  /** What applies, in the service's order. */
  discounts: Discount[];
  /** The codes that do not apply, in the service's order. */
  failedCoupons: string[];
  /** What the service says went wrong, any JSON; `{}` on success. */
  error: Json;
}

/** What a coupon takes off, in THB. */
export interface Discount {
  /** Its code. */
  coupon: string;
  /** THB off the cart; part of `cartDiscount`. */
  discount: number;
  /** THB off for buy-one-get-one; part of `bogoDiscount`. */
  bogoDiscount: number;
  /** THB for two-for; computed, not subtracted from the total. */
  two4Discount: number;
  /** A multiplier, not THB: 0.1 is 10 %. Computed, not subtracted from the total. */
  percentageDiscount: number;
  /** Whether it grants free shipping. */
  freeshipping: boolean;
  /** THB off the delivery fee. */
  shippingDiscount: number;
}

/** The totals as one object: each equals the field of the same name of {@link PricedOrder}. */
export interface Summary
  extends Pick<
    Totals,
    | "subTotal"
    | "grandTotal"
    | "voucherDiscount"
    | "cartDiscount"
    | "bogoDiscount"
    | "two4Discount"
    | "percentageDiscount"
    | "shippingDiscount"
    | "totalExcludeControlledProducts"
    | "expressShippingCost"
    | "deliveryFee"
    | "discountedDeliveryFee"
    | "totalWeight"
  > {
  /** Equal to that of the order. */
  discountResult: DiscountResult;
}

// ------------------------------------------------------------------- the host

/** What a callback is told of the calculation that calls it. */
export interface CallContext {
  /** Aborts when the caller aborts, the deadline passes or the calculation fails. */
  readonly signal: AbortSignal;
  /** {@link CallOptions.requestId}, or the new UUID in its place. */
  readonly requestId: string;
  /** {@link CallOptions.context}, handed on; `undefined` from a basket. */
  readonly context: unknown;
}

/**
 * What the host supplies. Each is called at most once per calculation with every distinct key
 * (`nationwideRate`: once per distinct mode). All but `validateCoupons` start together; that one
 * is called last, and only for an order with coupon codes. An order that needs a callback that is
 * missing fails.
 *
 * A string is that value's JSON text, as a key-value store returns it; it is never parsed in
 * JavaScript on its way in, so its numbers stay exact. Answers are checked: a wrong type, a wrong
 * length, a negative or non-finite amount fails the look-up.
 */
export interface Host {
  /**
   * The price of every product of the order, each asked once. Answers one record for each key, in the order of the
   * keys; `null` or `undefined`: not found, which fails the order with `PRODUCT_PRICE_NOT_FOUND`.
   */
  lookupPrices?(
    keys: readonly {
      /** Product code. */
      cprcode: number;
      /** The order's branch. */
      branchId: string;
    }[],
    ctx: CallContext,
  ): Awaitable<readonly (PriceRecord | string | null | undefined)[]>;
  /** The fee of the `NATIONWIDE` schedules of a `DELIVERY` order: asked once for each of their modes. */
  nationwideRate?(
    query: {
      /** The order's. */
      shippingPostcode: string;
      /** The schedules'. */
      nationwideMode: NationwideMode;
    },
    ctx: CallContext,
  ): Awaitable<NationwideRate | string>;
  /** What the coupons are worth: asked once, last, and only where there are codes. Its word is final. */
  validateCoupons?(request: CouponRequest, ctx: CallContext): Awaitable<DiscountResultInput | string>;
  /**
   * The vouchers of the order, each asked once. Answers one record for each id, in the order of the ids; `null` or
   * `undefined`: not found, which fails the order with `VOUCHER_NOT_FOUND`.
   */
  lookupVouchers?(
    voucherIds: readonly string[],
    ctx: CallContext,
  ): Awaitable<readonly (Voucher | string | null | undefined)[]>;
}

/** What the price database says of a product at a branch: an answer of {@link Host.lookupPrices}. */
export interface PriceRecord {
  /** Current price in THB per unit: 0 or more. Required. */
  price: number;
  /** List price in THB per unit. Default: `price`. */
  originalPrice?: number | null;
  /** Settlement price in THB; passed through. Default: the row's `rowTotal`. */
  settlementPrice?: number | null;
  /** kg per unit. Default 0.25. */
  weight?: number | null;
  /** Whether it is on the controlled list, see `totalExcludeControlledProducts`. Default `false`. */
  isControlledProduct?: boolean | null;
}

/** What a nationwide delivery costs: the answer of {@link Host.nationwideRate}. */
export interface NationwideRate {
  /** THB, for each schedule of the mode: 0 or more. Required. */
  deliveryFee: number;
  /** Goes into those schedules. Default: theirs. */
  nationwideConfig?: string | null;
}

/**
 * What is known of a voucher: an answer of {@link Host.lookupVouchers}. It counts where it is active, unused and of the
 * order's owner.
 */
export interface Voucher {
  /** Its id. Default: the id that was asked for. Another one fails the look-up. */
  voucherId?: string | null;
  /** Whose it is; compared with the order's `ownerId`. Default `""`: nobody can redeem it. */
  ownerId?: string | null;
  /** THB, taken off in full: 0 or more. Required. */
  value: number;
  /** Whether it may be redeemed at all. Required. */
  isActive: boolean;
  /** Whether it has been redeemed. Required. */
  isUsed: boolean;
  /** Any other keys are echoed, to the last digit. */
  [extra: string]: unknown;
}

/** What the coupon service is asked: the order with its prices and its delivery, before any discount. */
export interface CouponRequest {
  /** Each code once, in the order in which they were sent. */
  couponCodeList: string[];
  /** The order's, `""` without one. */
  ownerId: string;
  /** The order's. */
  branchId: string;
  /** The order's, `""` without one. */
  basketId: string;
  /** The order's, `""` without one. */
  orderId: string;
  /** Unix timestamp: the order's, 0 without one. */
  orderDate: number;
  /** THB. */
  subTotal: number;
  /** THB. */
  deliveryFee: number;
  /** THB. */
  expressShippingCost: number;
  /** kg. */
  totalWeight: number;
  /** The products with their prices; {@link DiscountLine.line} is an index into it. */
  productList: PricedProduct[];
}

/** What the coupon service answers; what is missing is empty, 0 or false. Its word is final. */
export interface DiscountResultInput {
  /** What applies. Default `[]`. */
  discounts?: readonly DiscountInput[] | null;
  /** The codes that do not apply: the order is priced without them. Default `[]`. */
  failedCoupons?: readonly string[] | null;
  /** Any JSON; passed through, and no failure. Throw to fail the order. Default `{}`. */
  error?: Json;
  /** On which products amounts fall that the discounts carry already. Default `[]`. */
  lines?: readonly DiscountLine[] | null;
}

/** What a coupon takes off, in THB: 0 or more. */
export interface DiscountInput {
  /** Its code. Required. */
  coupon: string;
  /** THB off the cart. Default 0. */
  discount?: number | null;
  /** THB off for buy-one-get-one. Default 0. */
  bogoDiscount?: number | null;
  /** THB for two-for; stated, not subtracted. Default 0. */
  two4Discount?: number | null;
  /**
   * A multiplier, not THB: 0.1 is 10 %. Stated, not subtracted: what is to lower the total stands in `discount` too.
   * Default 0.
   */
  percentageDiscount?: number | null;
  /** Whether it grants free shipping. Default `false`. */
  freeshipping?: boolean | null;
  /** THB off the delivery fee. Default 0. */
  shippingDiscount?: number | null;
  /** On which products this discount falls. Default `[]`. */
  lines?: readonly DiscountLine[] | null;
}

/** Lowers `discountedRowTotal` of a product, and no total. Several for one product add up. */
export interface DiscountLine {
  /** Index into `productList`, from 0. */
  line: number;
  /** THB: 0 or more. Default 0. */
  discount?: number | null;
}

// ----------------------------------------------------------------- the pricer

/** GeoJSON: which branch delivers where, and for how much. */
export interface DeliveryZones {
  /** As GeoJSON has it. */
  type: "FeatureCollection";
  /** The zones; where two of a branch overlap the first one counts. */
  features: readonly DeliveryZone[];
}

/** An area to which a branch delivers for a fee; its edges belong to it. */
export interface DeliveryZone {
  /** As GeoJSON has it. */
  type: "Feature";
  /** Where it is. Rings are closed: the last position is the first one. */
  geometry:
    | {
        /** One area. */
        type: "Polygon";
        /** Its outline, then its holes. */
        coordinates: readonly (readonly Position[])[];
      }
    | {
        /** Several areas. */
        type: "MultiPolygon";
        /** Of each area its outline, then its holes. */
        coordinates: readonly (readonly (readonly Position[])[])[];
      };
  /** Whose it is, and what it costs. */
  properties: {
    /** Code of the branch, an integer: compared with `shipping.brcode`. Required. */
    brcode: number;
    /** THB for each schedule: 0 or more. Required. */
    deliveryFee: number;
    /** What people call it; `explain` names it. Default: none. */
    name?: string | null;
  };
}

/** Longitude, latitude, in degrees; what follows them is ignored. */
export type Position = readonly [lon: number, lat: number, ...rest: number[]];

/** How a pricer prices; all of it may be left out. */
export interface PricerOptions {
  /**
   * What `REGULAR` and `EXPRESS` delivery costs where: GeoJSON or its text. Validated by {@link createPricer}, indexed
   * once. Default: none, so that such an order fails with `BRANCH_NOT_AVAILABLE`.
   */
  deliveryZones?: DeliveryZones | string;
  /** Which reading counts where there are two. Default: the first of each. */
  policy?: {
    /** Whether `rowTotal` comes from `price` or from `originalPrice`; `grandTotal` stays. Default `"effective"`. */
    rowTotal?: "effective" | "list";
    /** Whether a coupon for free shipping without an amount waives the delivery fee. Default `"asStated"`: no. */
    freeShipping?: "asStated" | "waivesDelivery";
    /**
     * Which `EXPRESS` schedule pays the 50 THB. Default `"firstSchedule"`, as the specification states it: the one that
     * is first in `scheduleList`, so that a schedule sent before it saves 50 THB. `"firstExpress"`: the first `EXPRESS`
     * one, wherever it stands.
     */
    expressSurcharge?: "firstSchedule" | "firstExpress";
  };
  /** Milliseconds for each call of the host; 0: no limit. Default 5000. */
  deadlineMs?: number;
  /**
   * How large an order may be; beyond it `LIMIT_EXCEEDED`, before anything is asked. Repeated entries count. Default: as
   * below.
   */
  limits?: {
    /** Bytes of the order as JSON. Default 1_048_576. */
    maxBodyBytes?: number;
    /** Length of `productList`. Default 5_000. */
    maxProducts?: number;
    /** Length of `voucherId`. Default 100. */
    maxVouchers?: number;
    /** Length of `couponCodeList`. Default 100. */
    maxCoupons?: number;
    /** Length of `shipping.scheduleList`. Default 100. */
    maxSchedules?: number;
  };
}

/** What goes with one calculation; all of it may be left out. */
export interface CallOptions {
  /** Aborts the calculation at once: `ABORTED`. Default: nobody does. */
  signal?: AbortSignal;
  /** For your logs: the callbacks and the error have it. Default: a new UUID. */
  requestId?: string;
  /** Anything that the callbacks need, as {@link CallContext.context}. Default `undefined`. */
  context?: unknown;
}

/**
 * The rules that explain a total, by the name of a step, with the step's operands. Amounts are THB.
 *
 * A step whose amount is part of `grandTotal` is marked "counts"; the others show an amount that moves no total.
 */
export type ExplainRule =
  /**
   * A zone of the order's branch, in file order; the first that covers the address sets the fee. Amount: `deliveryFee`
   * of the chosen one, 0 of the others. Operands: `brcode`; `shippingLon` and `shippingLat` in degrees; `feature`, the
   * zone's index in `deliveryZones.features`; `name` where it has one; `deliveryFee`; `covers`; `isChosen`.
   */
  | "zone"
  /**
   * `price` × `quantity` of a product; counts. Below zero a `floor` follows. Operands: `price` per unit; `quantity`.
   * (Where a product below zero is beyond 96 bits, the amount is 0 and there is nothing to lift.)
   */
  | "row"
  /**
   * With the policy `rowTotal: "list"`: `originalPrice` × `quantity`, what the row shows. Operands: `originalPrice` per
   * unit; `quantity`.
   */
  | "rowTotal"
  /** What a nationwide rate look-up answered. Operands: `shippingPostcode`; `nationwideMode`; `deliveryFee`. */
  | "nationwideRate"
  /**
   * The delivery fee of a schedule; counts. Amount: `fee`, 0 without one. Operands: `shippingType`; `mode`;
   * `nationwideMode` where the mode is `NATIONWIDE`; `fee`, of the chosen zone or of the nationwide rate, where there is
   * anything to pay for.
   */
  | "deliveryFee"
  /**
   * The surcharge of an `EXPRESS` schedule; counts. Amount: `surcharge` where `shippingType` is `DELIVERY` and `isFirst`
   * is true, else 0. Operands: `shippingType`; `mode`; `expressSurcharge`, the policy; `isFirst`: whether it is the first
   * schedule or, with `"firstExpress"`, the first `EXPRESS` one; `surcharge`.
   */
  | "expressFee"
  /**
   * A voucher's outcome. Amount: `value`, 0 where a reason stands against it. Operands: `voucherId`; `value`; the
   * reasons `inactive`, `used`, `ownerMismatch`, each true or false. Of a voucher that is not of the order's `ownerId`
   * only `voucherId` and `ownerMismatch`.
   */
  | "voucher"
  /** A code or an id that is listed again and counts once. Operands: `coupon` or `voucherId`; `first`, its first index. */
  | "repeated"
  /**
   * A discount that the coupon service grants. Amount: `discount` + `bogoDiscount` + `shippingDiscount`, what it takes off
   * before any floor. Operands: the discount's seven fields, `percentageDiscount` a multiplier.
   */
  | "coupon"
  /** A code that failed. Operands: `coupon`; `error`, that of the service's answer, as JSON text. */
  | "failedCoupon"
  /** A code that was sent, and that the service says nothing about. Operands: `coupon`. */
  | "ignoredCoupon"
  /**
   * What a row comes to with what coupons take off it: `row` − `discountFromCoupon`. Below zero a `floor` follows.
   * Operands: `row`, max(price × quantity, 0); `discountFromCoupon`.
   */
  | "discountedRowTotal"
  /** Computed, not subtracted: the sum of its operands, each named by its path in the priced order. */
  | "two4Discount"
  /** Computed, not subtracted: `percentage` × `subTotal`. Operands: `percentage`, the largest multiplier; `subTotal`. */
  | "percentageDiscount"
  /** Taken off delivery; counts, negative. Operands: its terms, each named by its path in the priced order. */
  | "shippingDiscount"
  /**
   * A coupon grants free shipping; counts. Amount: `shippingDiscount` − `deliveryFee` where that is negative and
   * `freeShipping` is `"waivesDelivery"`, else 0. Operands: `freeShipping`, the policy; `deliveryFee`;
   * `shippingDiscount`, what the discounts grant.
   */
  | "freeShipping"
  /** Taken off; counts, negative. Operands: its terms, each named by its path in the priced order. */
  | "cartDiscount"
  /** Taken off; counts, negative. Operands: its terms, each named by its path in the priced order. */
  | "bogoDiscount"
  /** Taken off; counts, negative. Operands: its terms, each named by its path in the priced order. */
  | "voucherDiscount"
  /**
   * A floor at zero that was reached: −`value`. It counts where what it lifts does. Operands: `value`, what lies below
   * zero.
   */
  | "floor"
  /** The sum of its operands: the five discounts by name. */
  | "totalDiscount"
  /**
   * `grandTotal` less the controlled rows; not floored. Operands: `grandTotal`; the `rowTotal` of each controlled
   * product, named by its path in the priced order.
   */
  | "totalExcludeControlledProducts";

/**
 * A step on the way to `grandTotal`. The amounts of the steps with a `runningTotal` sum exactly to it; a number here is
 * the double nearest to the exact decimal.
 */
export interface ExplainStep {
  /** Which rule it is. */
  rule: ExplainRule;
  /** Id of the project's decision that the rule follows, as in `D15`. Absent where the specification leaves none. */
  decision?: string;
  /** The field or line of the priced order that the step is about, as in `productList[3]`. Absent for the whole order. */
  path?: string;
  /** What the amount follows from; {@link ExplainRule} says which there are. */
  operands: Record<string, number | string | boolean>;
  /** THB: what the step adds to the total or, where `runningTotal` is null, what it would come to. */
  amount: number;
  /** THB: what the steps so far come to; `null` where this one moves no total. */
  runningTotal: number | null;
}

/** Prices orders. All methods reject with, or throw, a {@link PricingError}. */
export interface Pricer {
  /**
   * Prices an order: objects in, objects out. The values are those that {@link Pricer.calculateJson} gives as text.
   *
   * ```js
   * const order = await pricer.calculate({
   *   productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 3 }],
   * });
   * console.log(order.grandTotal);
   * ```
   */
  calculate(order: OrderInput, call?: CallOptions): Promise<PricedOrder>;
  /** Prices an order: JSON text or its UTF-8 bytes in, fresh UTF-8 bytes out; every number exact. */
  calculateJson(body: string | Uint8Array, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** A live basket that begins with this order; its `productList` may be empty, which it is by default. */
  basket(order?: OrderInput): Basket;
  /**
   * Prices the order as `calculate` does, with the same result and the same errors, and says how the total came about:
   * every rule in the order of computation.
   */
  explain(
    order: OrderInput,
    call?: CallOptions,
  ): Promise<{
    /** The priced order. */
    order: PricedOrder;
    /** How its total came about, in the order of computation. */
    steps: ExplainStep[];
  }>;
  /** Replaces the delivery zones, of open baskets too; the old ones stay where the new ones are refused. */
  setDeliveryZones(zones: DeliveryZones | string): void;
}

// ----------------------------------------------------------------- the basket

/** What a basket does not know yet, in the order in which it is listed. */
export type BasketQuestion =
  /** Of {@link Host.lookupPrices}. */
  | "prices"
  /** Of {@link Host.nationwideRate}, or of delivery zones that cover the address. */
  | "delivery"
  /** Of {@link Host.validateCoupons}: the basket is not the one that it saw. */
  | "coupons"
  /** Of {@link Host.lookupVouchers}. */
  | "vouchers";

/** A product of a basket: until its price is known that is `null`, and the row counts 0. */
export interface PricedRow extends Omit<PricedProduct, "price" | "originalPrice"> {
  /** List price per unit in THB; `null` until it is known. */
  originalPrice: number | null;
  /** Current price per unit in THB; `null` until it is known. */
  price: number | null;
}

/**
 * An order that is edited, with totals that follow at once.
 *
 * Every setter recalculates the totals from the facts that are known, without asking anybody; only
 * {@link Basket.settle} calls the host. A price, rate or voucher once known is not asked again until
 * {@link Basket.refresh}; "not found" is not kept. What the coupons granted counts for the very basket that
 * the coupon service saw: after a change the amounts of the codes that are still listed keep counting, and
 * `"coupons"` are pending until the next `settle()`. Once a code is taken out, so are the amounts that the service named
 * otherwise or added.
 *
 * Fires `change` after every change of totals or status, once for all that happened together. A setter that is given
 * what no order may hold throws a {@link PricingError} and changes nothing; so does everything after `free()`.
 *
 * ```js
 * const basket = pricer.basket();
 * basket.addEventListener("change", () => console.log(basket.totals.grandTotal, basket.status));
 * basket.addProduct({ cprcode: 1001, productName: "น้ำปลา", quantity: 1 });
 * await basket.settle();
 * basket.setQuantity(0, 3); // the new totals, at once
 * ```
 */
export interface Basket extends BasketEventTarget {
  /** A copy of the order as it is now. */
  readonly order: OrderInput;
  /** What the known facts give now. Where an amount would be too large (`OVERFLOW`): the last that could be calculated. */
  readonly totals: Totals;
  /** One for each product, in the order of `productList`. */
  readonly rows: readonly PricedRow[];
  /**
   * `current`: the totals equal what `calculate(order)` would give. `pending`: an answer is missing, see
   * {@link Basket.pending}. `failed`: see {@link Basket.error}; an edit or the next `settle()` tries again.
   */
  readonly status: "current" | "pending" | "failed";
  /** What `settle()` would have to find out; a delivery that no zone covers stays here. */
  readonly pending: readonly BasketQuestion[];
  /** Why the last `settle()` failed, until something changes; the totals stay. */
  readonly error: PricingError | null;
  /** Sets the units of the product at this index of `productList`: an integer, zero and less are allowed. */
  setQuantity(line: number, quantity: number): Totals;
  /** Appends a product. Throws `LIMIT_EXCEEDED` beyond `limits.maxProducts`. */
  addProduct(product: ProductInput): Totals;
  /** Takes out the product at this index; those behind it move up. */
  removeProduct(line: number): Totals;
  /** Replaces how the order is delivered; `null`: it is not. */
  setShipping(shipping: ShippingInput | null): Totals;
  /** Replaces the codes; one listed twice counts once. */
  setCoupons(codes: readonly string[]): Totals;
  /** Replaces the ids; one listed twice counts once. */
  setVouchers(ids: readonly string[]): Totals;
  /** Sets whose vouchers may be redeemed; `""`: nobody's. */
  setOwner(ownerId: string): Totals;
  /** Sets the branch whose prices count; they are asked for at the next `settle()`. */
  setBranch(branchId: string): Totals;
  /**
   * Asks the host for what is unknown or out of date, in one round of look-ups, and gives what `calculate(order)` gives
   * with the same facts. What is edited meanwhile makes another round; every caller that waits gets the newest basket.
   * Rejects as `calculate` does, and with `ABORTED` where the basket is freed.
   */
  settle(): Promise<PricedOrder>;
  /** Forgets the facts: everything is asked again at the next `settle()`. */
  refresh(): Totals;
  /** Gives the basket's memory back. What is used of it afterwards throws; a `settle()` that waits rejects. */
  free(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * Loads the module on first use, then makes a pricer that asks `host`. One is enough for an application.
 *
 * Rejects with `VALIDATION_ERROR` where an option or a delivery zone is wrong, and with `INTERNAL` where the module could
 * not be loaded: its message says what to do, and the next call tries again.
 *
 * ```js
 * const pricer = await createPricer({
 *   lookupPrices: (keys) => keys.map(() => ({ price: 37.25 })),
 * });
 * ```
 */
export function createPricer(host: Host, options?: PricerOptions): Promise<Pricer>;

/** Loads the module ahead of the first `createPricer`, as while a page is idle. Rejects as that does. */
export function preload(): Promise<void>;

// --------------------------------------------------------------------- errors

/** Why an order was not priced: a sentence for people in `message`, a code for programs. */
export class PricingError extends Error {
  /** Which failure it is. */
  readonly code: PricingErrorCode;
  /** Of a `VALIDATION_ERROR`: where in what was given, as in `productList[3].quantity`. Absent with other codes. */
  readonly path?: string;
  /** Whether the same order may succeed later: a look-up threw or was late, or the module failed. */
  readonly retryable: boolean;
  /** {@link CallOptions.requestId}, or a new UUID. */
  readonly requestId: string;
  /** What lies behind it: what a callback threw, the signal's reason, why the module failed. Absent where nothing does. */
  readonly cause?: unknown;
  /** The body of an HTTP answer. */
  toJSON(): {
    /** The `message`. */
    error: string;
  };
}

/** The failures that there are. */
export type PricingErrorCode =
  /** The body is not JSON, or nested more than 128 levels deep. Of an object, `cause` says why it cannot be written. */
  | "INVALID_JSON"
  /** It is JSON, but no order; or an argument or an option is wrong. Mend what `path` names. */
  | "VALIDATION_ERROR"
  /** The order is larger than {@link PricerOptions.limits} allows. */
  | "LIMIT_EXCEEDED"
  /** A product has no price at the branch. Take it out. */
  | "PRODUCT_PRICE_NOT_FOUND"
  /** {@link Host.lookupPrices} threw, was late or missing, or answered what it may not. */
  | "PRICE_LOOKUP_FAILED"
  /** No delivery zone is of `shipping.brcode`. Offer another branch or another way of delivery. */
  | "BRANCH_NOT_AVAILABLE"
  /** None of the branch's delivery zones covers the address. Offer another branch or another way of delivery. */
  | "BRANCH_NOT_IN_POLYGON"
  /** {@link Host.nationwideRate} threw, was late or missing, or answered what it may not. */
  | "NATIONWIDE_RATE_FAILED"
  /** {@link Host.validateCoupons} threw, was late or missing, or answered what it may not. */
  | "COUPON_SERVICE_FAILED"
  /** There is no such voucher. Take it out. */
  | "VOUCHER_NOT_FOUND"
  /** {@link Host.lookupVouchers} threw, was late or missing, or answered what it may not. */
  | "VOUCHER_LOOKUP_FAILED"
  /** A fetch handler's order was not priced within its `deadlineMs`. */
  | "DEADLINE_EXCEEDED"
  /** The signal was aborted, or the basket freed. */
  | "ABORTED"
  /** An amount needs more than 96 bits, for its size or its decimal places. Mend the price or the quantity. */
  | "OVERFLOW"
  /** The module could not be loaded, and the message says what to do; or a fault of ours. */
  | "INTERNAL";

// What has no `export` before it stays here.
export {};
