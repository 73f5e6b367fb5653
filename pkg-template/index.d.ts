/// <reference lib="esnext.disposable" />

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Any JSON value that is passed through as it is. */
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

/** An order to price. Other keys are dropped; `null` on an optional field means "not sent". */
export interface OrderInput {
  /** What is ordered: at least one product, at most `limits.maxProducts`. */
  productList: readonly ProductInput[];
  /** Vouchers to redeem; one listed twice counts once. Default `[]`. */
  voucherId?: readonly string[] | null;
  /** Coupons to apply, case-sensitive; one listed twice counts once. Default `[]`. */
  couponCodeList?: readonly string[] | null;
  /** Passed through. Default `""`. */
  basketName?: string | null;
  /** Passed through. Default `""`. */
  basketId?: string | null;
  /** The branch whose prices count. Default `"1000"`. */
  branchId?: string | null;
  /** Passed through. Default `""`. */
  orderId?: string | null;
  /** Unix timestamp, passed through. Default `0`. */
  orderDate?: number | null;
  /** Whose vouchers may be redeemed; without it, none. Default `""`. */
  ownerId?: string | null;
  /** Passed through. Default `false`. */
  requestSubstitute?: boolean | null;
  /** Passed through. Default `null`. */
  specialComment?: string | null;
  /** Passed through. Default `false`. */
  noPlasticBags?: boolean | null;
  /** How the order is delivered. Default `null`: it is not. */
  shipping?: ShippingInput | null;
  /** Passed through. Default `[]`. */
  cartDiscountInfo?: readonly Json[] | null;
}

/** A product that is ordered. Computed fields that are sent are dropped. */
export interface ProductInput {
  /** Product code, an integer: the key of the price look-up. */
  cprcode: number;
  /** Passed through. */
  productName: string;
  /** Units, an integer. Zero and less are allowed: the row then counts 0. */
  quantity: number;
  /** The `scheduleId` of the schedule that delivers it. Default `0`. */
  scheduleId?: number | null;
  /** Passed through. Default `false`. */
  isPreOrder?: boolean | null;
  /** Passed through. Default `""`. */
  remark?: string | null;
}

/** How an order is delivered. */
export interface ShippingInput {
  /** Default `"PICKUP"`: nothing to pay. */
  shippingType?: ShippingType | null;
  /** The delivery slots; each is charged once. Default `[]`. */
  scheduleList?: readonly ScheduleInput[] | null;
  /** For the nationwide rate. Default `"10110"`. */
  shippingPostcode?: string | null;
  /** Latitude in degrees, for the delivery zones. Default `0`. */
  shippingLat?: number | null;
  /** Longitude in degrees, for the delivery zones. Default `0`. */
  shippingLon?: number | null;
  /** Passed through. Default `""`. */
  shippingFirstName?: string | null;
  /** Passed through. Default `""`. */
  shippingLastName?: string | null;
  /** Passed through. Default `""`. */
  shippingAddress?: string | null;
  /** Passed through. Default `""`. */
  shippingSubDistrict?: string | null;
  /** Passed through. Default `""`. */
  shippingProvince?: string | null;
  /** Passed through. Default `""`. */
  shippingPhone?: string | null;
  /** Passed through. Default `""`. */
  shippingEmail?: string | null;
  /** Unix timestamp, passed through. Default `0`. */
  shippingDate?: number | null;
  /** The branch whose delivery zones count. Default `1000`. */
  brcode?: number | null;
}

/** A delivery slot. */
export interface ScheduleInput {
  /** Links products to it. Default `0`. */
  scheduleId?: number | null;
  /** Which calculator sets the fee. Default `"NATIONWIDE"`. */
  mode?: ScheduleMode | null;
  /** ISO 8601 timestamp, passed through unchecked. Default `null`. */
  dateTime?: string | null;
  /** For the nationwide rate. Default `"DRY"`. */
  nationwideMode?: NationwideMode | null;
  /** Kept where the nationwide rate brings none. Default `null`. */
  nationwideConfig?: string | null;
  /** Passed through. Default `null`. */
  pickingStatus?: Json;
  /** Passed through. Default `null`. */
  date_slot?: Json;
  /** Passed through, an integer. Default `0`. */
  booking_hour?: number | null;
  /** Dropped: it is calculated. */
  deliveryFee?: number | null;
  /** Dropped: it is calculated. */
  expressFee?: number | null;
}

export type ShippingType = "DELIVERY" | "PICKUP";
export type ScheduleMode = "REGULAR" | "EXPRESS" | "NATIONWIDE" | "PICKUP";
export type NationwideMode = "DRY" | "FRESH" | "MIX";

// --------------------------------------------------------------- the response

/** The computed scalars: THB, but for `totalWeight` in kg. Each is the double nearest to the exact decimal. */
export interface Totals {
  /** Σ max(price × quantity, 0). */
  subTotal: number;
  /** max(subTotal + discountedDeliveryFee + expressShippingCost − cartDiscount − bogoDiscount − voucherDiscount, 0). */
  grandTotal: number;
  /** `grandTotal` less the `rowTotal` of controlled products; may be negative. */
  totalExcludeControlledProducts: number;
  /** Σ weight × quantity, in kg. */
  totalWeight: number;
  /** Σ of the schedules' `deliveryFee`, before any discount. */
  deliveryFee: number;
  /** max(deliveryFee − shippingDiscount, 0). */
  discountedDeliveryFee: number;
  /** 50 where the first schedule is `EXPRESS`, else 0. */
  expressShippingCost: number;
  /** Equal to `deliveryFee`. */
  shippingFee: number;
  /** Equal to `deliveryFee`. */
  shippingPrice: number;
  /** Σ of the discounts' `discount`. */
  cartDiscount: number;
  /** Σ of the discounts' `bogoDiscount`. */
  bogoDiscount: number;
  /** Σ of the discounts' `two4Discount`; computed, not subtracted. */
  two4Discount: number;
  /** Largest multiplier × `subTotal`; computed, not subtracted. */
  percentageDiscount: number;
  /** Σ of the discounts' `shippingDiscount`. */
  shippingDiscount: number;
  /** Σ of the valid vouchers' `value`. */
  voucherDiscount: number;
  /** cartDiscount + bogoDiscount + two4Discount + voucherDiscount + percentageDiscount. */
  totalDiscount: number;
  /** Whether a coupon grants free shipping. */
  isFreeShipping: boolean;
}

/** A priced order: always all 35 keys. */
export interface PricedOrder extends Totals {
  branchId: string;
  basketName: string;
  basketId: string;
  orderId: string;
  orderDate: number;
  ownerId: string;
  requestSubstitute: boolean;
  specialComment: string | null;
  noPlasticBags: boolean;
  /** As sent. */
  couponCodeList: string[];
  /** As sent. */
  voucherId: string[];
  /** As sent. */
  cartDiscountInfo: Json[];
  productList: PricedProduct[];
  /** `null` when none was sent. */
  shipping: PricedShipping | null;
  validVouchers: RedeemedVoucher[];
  invalidVouchers: RefusedVoucher[];
  discountResult: DiscountResult;
  summary: Summary;
}

/** A product with its price; THB and kg. */
export interface PricedProduct {
  cprcode: number;
  productName: string;
  quantity: number;
  scheduleId: number;
  isPreOrder: boolean;
  remark: string;
  /** The order's branch. */
  branchId: string;
  /** List price per unit; equal to `price` where the record has none. */
  originalPrice: number;
  /** Current price per unit. */
  price: number;
  /** max(price × quantity, 0); with the policy `rowTotal: "list"`, max(originalPrice × quantity, 0). */
  rowTotal: number;
  /** max(price × quantity, 0) less what coupons take off this line, not below 0. */
  discountedRowTotal: number;
  /** Of the price record; equal to `rowTotal` where it has none. */
  settlementPrice: number;
  /** kg per unit; 0.25 where the record has none. */
  weight: number;
  isControlledProduct: boolean;
}

export interface PricedShipping {
  shippingType: ShippingType;
  scheduleList: PricedSchedule[];
  shippingPostcode: string;
  shippingLat: number;
  shippingLon: number;
  shippingFirstName: string;
  shippingLastName: string;
  shippingAddress: string;
  shippingSubDistrict: string;
  shippingProvince: string;
  shippingPhone: string;
  shippingEmail: string;
  shippingDate: number;
  brcode: number;
}

export interface PricedSchedule {
  scheduleId: number;
  mode: ScheduleMode;
  dateTime: string | null;
  /** THB. */
  deliveryFee: number;
  /** 50 where it is `EXPRESS` and the first, else 0. */
  expressFee: number;
  nationwideMode: NationwideMode;
  /** `"none"` for the other modes. */
  nationwideConfig: string | null;
  pickingStatus: Json;
  date_slot: Json;
  booking_hour: number;
}

/** A voucher's record as the host gave it, its id set. */
export interface RedeemedVoucher extends Voucher {
  voucherId: string;
}

/** A voucher that may not be redeemed, and why. */
export interface RefusedVoucher extends RedeemedVoucher {
  /** Not empty, in this order. */
  reasons: ("inactive" | "used" | "ownerMismatch")[];
}

export interface DiscountResult {
  discounts: Discount[];
  failedCoupons: string[];
  /** `{}` on success. */
  error: Json;
}

/** What a coupon takes off, in THB. */
export interface Discount {
  coupon: string;
  /** Flat, at cart level. */
  discount: number;
  bogoDiscount: number;
  /** Computed, not subtracted from the total. */
  two4Discount: number;
  /** A multiplier, not THB; computed, not subtracted from the total. */
  percentageDiscount: number;
  freeshipping: boolean;
  /** Off the delivery fee. */
  shippingDiscount: number;
}

/** Each equals the top-level field of the same name. */
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
  discountResult: DiscountResult;
}

// ------------------------------------------------------------------- the host

/** What a callback is told of the calculation that calls it. */
export interface CallContext {
  /** Aborts when the caller aborts, the deadline passes or the calculation fails. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** `CallOptions.context`, handed on. */
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
  /** One record for each key, in the order of the keys; `null` or `undefined`: not found. */
  lookupPrices?(
    keys: readonly { cprcode: number; branchId: string }[],
    ctx: CallContext,
  ): Awaitable<readonly (PriceRecord | string | null | undefined)[]>;
  nationwideRate?(
    query: { shippingPostcode: string; nationwideMode: NationwideMode },
    ctx: CallContext,
  ): Awaitable<NationwideRate | string>;
  validateCoupons?(request: CouponRequest, ctx: CallContext): Awaitable<DiscountResultInput | string>;
  /** One record for each id, in the order of the ids; `null` or `undefined`: not found. */
  lookupVouchers?(
    voucherIds: readonly string[],
    ctx: CallContext,
  ): Awaitable<readonly (Voucher | string | null | undefined)[]>;
}

/** What the price database says of a product at a branch. */
export interface PriceRecord {
  /** THB per unit. */
  price: number;
  /** THB per unit. Default: `price`. */
  originalPrice?: number | null;
  /** THB. Default: the row's `rowTotal`. */
  settlementPrice?: number | null;
  /** kg per unit. Default 0.25. */
  weight?: number | null;
  /** Default `false`. */
  isControlledProduct?: boolean | null;
}

export interface NationwideRate {
  /** THB, for each schedule of the mode. */
  deliveryFee: number;
  nationwideConfig?: string | null;
}

export interface Voucher {
  /** Default: the id that was asked for. Another one fails the look-up. */
  voucherId?: string | null;
  /** Without it nobody can redeem the voucher. */
  ownerId?: string | null;
  /** THB. */
  value: number;
  isActive: boolean;
  isUsed: boolean;
  /** Any other keys are echoed. */
  [extra: string]: unknown;
}

/** What the coupon service is asked. */
export interface CouponRequest {
  /** Each code once, in first-seen order. */
  couponCodeList: string[];
  ownerId: string;
  branchId: string;
  basketId: string;
  orderId: string;
  orderDate: number;
  subTotal: number;
  deliveryFee: number;
  expressShippingCost: number;
  totalWeight: number;
  productList: PricedProduct[];
}

/** What the coupon service answers; what is missing is empty, 0 or false. Its word is final. */
export interface DiscountResultInput {
  discounts?: readonly DiscountInput[] | null;
  failedCoupons?: readonly string[] | null;
  /** Any JSON; passed through. */
  error?: Json;
  /** On which products amounts fall that the discounts carry already. */
  lines?: readonly DiscountLine[] | null;
}

export interface DiscountInput {
  coupon: string;
  discount?: number | null;
  bogoDiscount?: number | null;
  two4Discount?: number | null;
  percentageDiscount?: number | null;
  freeshipping?: boolean | null;
  shippingDiscount?: number | null;
  /** On which products this discount falls. */
  lines?: readonly DiscountLine[] | null;
}

/** Lowers `discountedRowTotal` of a product, and no total. */
export interface DiscountLine {
  /** Index into `productList`. */
  line: number;
  /** THB. */
  discount?: number | null;
}

// ----------------------------------------------------------------- the pricer

/** GeoJSON: which branch delivers where, and for how much. */
export interface DeliveryZones {
  type: "FeatureCollection";
  features: readonly DeliveryZone[];
}

/** Where zones overlap the first one counts; an edge belongs to its zone. */
export interface DeliveryZone {
  type: "Feature";
  geometry:
    | { type: "Polygon"; coordinates: readonly (readonly Position[])[] }
    | { type: "MultiPolygon"; coordinates: readonly (readonly (readonly Position[])[])[] };
  /** `deliveryFee` in THB. */
  properties: { brcode: number; deliveryFee: number; name?: string | null };
}

/** Longitude, latitude, in degrees; what follows them is ignored. */
export type Position = readonly [lon: number, lat: number, ...rest: number[]];

export interface PricerOptions {
  /** GeoJSON or its text; validated here, indexed once. */
  deliveryZones?: DeliveryZones | string;
  /** Which statement counts where the specification has two. */
  policy?: {
    /** `rowTotal` from `price` (default) or from `originalPrice`. */
    rowTotal?: "effective" | "list";
    /** Whether a free-shipping coupon without an amount waives the delivery fee; default: it does not. */
    freeShipping?: "asStated" | "waivesDelivery";
  };
  /** Milliseconds for each host call; 0: no limit. Default 5000. */
  deadlineMs?: number;
  limits?: {
    /** Default 1_048_576. */
    maxBodyBytes?: number;
    /** Default 5_000. */
    maxProducts?: number;
  };
}

export interface CallOptions {
  /** Aborts the calculation at once. */
  signal?: AbortSignal;
  /** For your logs; a new UUID when none is given. */
  requestId?: string;
  /** Handed on to the callbacks. */
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
   * is true, else 0. Operands: `shippingType`; `mode`; `isFirst` in `scheduleList`; `surcharge`.
   */
  | "expressFee"
  /**
   * A voucher's outcome. Amount: `value`, 0 where a reason stands against it. Operands: `voucherId`; `value`; the
   * reasons `inactive`, `used`, `ownerMismatch`, each true or false.
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
  rule: ExplainRule;
  /** The project's decision that the rule follows, where the specification has two statements or none. */
  decision?: string;
  /** The field or line of the priced order that the step is about, as in `productList[3]`. */
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
  /** Objects in, objects out. The same values as `JSON.parse` of what `calculateJson` gives. */
  calculate(order: OrderInput, call?: CallOptions): Promise<PricedOrder>;
  /** JSON text in, fresh UTF-8 bytes out; every number exact. */
  calculateJson(body: string | Uint8Array, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** A live basket that begins with this order; its `productList` may be empty, which it is by default. */
  basket(order?: OrderInput): Basket;
  /**
   * Prices the order as `calculate` does, with the same result and the same errors, and says how the total came about:
   * every rule in the order of computation.
   */
  explain(order: OrderInput, call?: CallOptions): Promise<{ order: PricedOrder; steps: ExplainStep[] }>;
  /** Replaces the delivery zones, of open baskets too; the old ones stay where the new ones are refused. */
  setDeliveryZones(zones: DeliveryZones | string): void;
}

// ----------------------------------------------------------------- the basket

/** What a basket does not know yet. */
export type BasketQuestion = "prices" | "delivery" | "coupons" | "vouchers";

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
 * `"coupons"` are pending until the next `settle()`.
 *
 * Fires `change` after every change of totals or status, once for all that happened together. A setter that is given
 * what no order may hold throws a {@link PricingError} and changes nothing; so does everything after `free()`.
 *
 * ```js
 * const basket = pricer.basket({ productList: [], branchId: "1000" });
 * basket.addEventListener("change", () => show(basket.totals, basket.status));
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
  /** `null`: it is not delivered. */
  setShipping(shipping: ShippingInput | null): Totals;
  /** Replaces the codes; one listed twice counts once. */
  setCoupons(codes: readonly string[]): Totals;
  /** Replaces the ids; one listed twice counts once. */
  setVouchers(ids: readonly string[]): Totals;
  /** Whose vouchers may be redeemed; `""`: nobody's. */
  setOwner(ownerId: string): Totals;
  /** The branch whose prices count. */
  setBranch(branchId: string): Totals;
  /**
   * Asks the host for what is unknown or out of date, in one round of look-ups, and gives what `calculate(order)` gives
   * with the same facts. What is edited meanwhile makes another round; every caller that waits gets the newest basket.
   * Rejects as `calculate` does, and with `ABORTED` where the basket is freed.
   */
  settle(): Promise<PricedOrder>;
  /** Forgets the facts: everything is asked again at the next `settle()`. */
  refresh(): Totals;
  /** Gives the basket's memory back. */
  free(): void;
  [Symbol.dispose](): void;
}

/** Loads the module on first use, then makes a pricer that asks `host`. */
export function createPricer(host: Host, options?: PricerOptions): Promise<Pricer>;

/** Loads the module ahead of the first `createPricer`. */
export function preload(): Promise<void>;

// --------------------------------------------------------------------- errors

/** Why an order was not priced: a sentence for people in `message`, a code for programs. */
export class PricingError extends Error {
  readonly code: PricingErrorCode;
  /** Of a `VALIDATION_ERROR`: where, as in `productList[3].quantity`. */
  readonly path?: string;
  /** Whether the same order may succeed later: a look-up threw or was late. */
  readonly retryable: boolean;
  readonly requestId: string;
  /** What a callback threw. */
  readonly cause?: unknown;
  /** The HTTP body. */
  toJSON(): { error: string };
}

export type PricingErrorCode =
  | "INVALID_JSON"
  | "VALIDATION_ERROR"
  | "LIMIT_EXCEEDED"
  | "PRODUCT_PRICE_NOT_FOUND"
  | "PRICE_LOOKUP_FAILED"
  | "BRANCH_NOT_AVAILABLE"
  | "BRANCH_NOT_IN_POLYGON"
  | "NATIONWIDE_RATE_FAILED"
  | "COUPON_SERVICE_FAILED"
  | "VOUCHER_NOT_FOUND"
  | "VOUCHER_LOOKUP_FAILED"
  | "ABORTED"
  | "OVERFLOW"
  | "INTERNAL";

// What has no `export` before it stays here.
export {};
