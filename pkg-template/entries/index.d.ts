/// <reference lib="esnext.disposable" />

// Amounts are THB, weights are kg.
//
// An id such as D15 names a decision: how the package reads its specification where that leaves a choice. The
// repository of the package holds both texts, DECISIONS.md and SPECIFICATION.md, at its top level.

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Any JSON value. It passes through unchanged, digit for digit (D6). */
export type Json = unknown;

declare global {
  // Merges with the platform's type. Without DOM or Node types it is an empty interface.
  interface AbortSignal {}
}

/** The platform's `EventTarget`. Without DOM or Node types: the two methods that a basket needs. */
type BasketEventTarget = typeof globalThis extends { EventTarget: { prototype: infer Platform } } ? Platform : Listenable;

interface Listenable {
  addEventListener(type: string, listener: (event: never) => void, options?: { once?: boolean; signal?: AbortSignal }): void;
  removeEventListener(type: string, listener: (event: never) => void): void;
}

// ---------------------------------------------------------------- the request

/**
 * An order to price: a plain object, or one of a class whose own fields these are. A `Map` and a class with getters are
 * refused (D47). Unknown keys are dropped (D2). `null` in an optional field counts as absent: the default applies (D7). An
 * invalid field fails the order with `VALIDATION_ERROR`, and the error's `path` names the field (D11).
 */
export interface OrderInput extends Generated<"Order.read"> {}

/** An ordered product. Computed fields that are sent, such as `price` or `rowTotal`, are dropped (D2). */
export interface ProductInput extends Generated<"Product.read"> {}

/** How an order is delivered: when, to whom and where. */
export interface ShippingInput extends Generated<"Shipping.read"> {}

/** A delivery slot. */
export interface ScheduleInput extends Generated<"Schedule.read"> {
  /** Any JSON. Dropped: the package calculates it (D2). Default: none. */
  deliveryFee?: Json;
  /** Any JSON. Dropped: the package calculates it (D2). Default: none. */
  expressFee?: Json;
}

/** Whether delivery costs anything. */
export type ShippingType = Generated<"ShippingType">;

/** Where the fee of a schedule comes from. */
export type ScheduleMode = Generated<"Mode">;

/** What kind of goods a nationwide delivery carries. */
export type NationwideMode = Generated<"NationwideMode">;

// --------------------------------------------------------------- the response

/**
 * The computed scalars, in THB; `totalWeight` is in kg. The arithmetic is exact (D19). Each number here is the double
 * nearest to the exact decimal. The formulas are those of the default {@link PricerOptions.policy}.
 */
export interface Totals extends Generated<"Order.totals"> {}

/** A priced order. It always has all 35 keys (D1). */
export interface PricedOrder extends Totals, Generated<"Order.response"> {}

/** A product with its price, in THB and kg. */
export interface PricedProduct extends Generated<"Product.response"> {}

/** The order's delivery: defaults are filled in, and each schedule has its fees (D3). */
export interface PricedShipping extends Generated<"Shipping.response"> {}

/** A delivery slot with its fees. */
export interface PricedSchedule extends Generated<"Schedule.response"> {}

/** A voucher as the host returned it, with its id filled in (D30). */
export interface RedeemedVoucher extends Voucher {
  /** The id from the order. */
  voucherId: string;
}

/** A refused voucher and the reasons. If it does not belong to the order's `ownerId`, it shows only its id (D30). */
export type RefusedVoucher =
  | (RedeemedVoucher & {
      /** One or both, in this sequence: the voucher is not active, the voucher is used. */
      reasons: ("inactive" | "used")[];
    })
  | {
      /** The id from the order. */
      voucherId: string;
      /** The voucher belongs to another owner, or to nobody. */
      reasons: ["ownerMismatch"];
    };

/** The coupon service's answer, with defaults filled in (D26). */
export interface DiscountResult extends Generated<"DiscountResult.response"> {}

/** What a coupon grants, in THB. */
export interface Discount extends Generated<"Discount.response"> {}

/** The totals as one object. Each field equals the field of the same name in {@link PricedOrder}. */
export interface Summary extends Pick<Totals, Generated<"Summary">> {
  /** Equal to the order's `discountResult`. */
  discountResult: DiscountResult;
}

// ------------------------------------------------------------------- the host

/** What the pricer tells each host function about the calculation. */
export interface CallContext {
  /** Aborts when the caller cancels, the deadline passes or the calculation fails. */
  readonly signal: AbortSignal;
  /** {@link CallOptions.requestId}, or a new UUID. */
  readonly requestId: string;
  /** {@link CallOptions.context}, or {@link BasketOptions.context} when a basket asks. */
  readonly context: unknown;
}

/**
 * Your functions that look up prices, rates, coupons and vouchers. Implement only the functions that your orders use:
 * an order that needs a missing one fails (D41).
 *
 * A calculation calls each function at most once, with every distinct key; it calls `nationwideRate` once for each
 * distinct mode. All functions start together, except `validateCoupons`: it runs last, and only for an order with
 * coupon codes.
 *
 * An answer may be a string: the value's JSON text, as a key-value store returns it. JavaScript never parses that text,
 * so its numbers stay exact. Answers are checked: a wrong type, a wrong length, or a negative or non-finite amount
 * fails the look-up (D44).
 */
export interface Host {
  /**
   * Looks up the price of each distinct product. Return one record per key, in the same sequence. `null` or `undefined`
   * means "not found" and fails the order with `PRODUCT_PRICE_NOT_FOUND` (D43, D44).
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
  /**
   * Looks up the fee of the `NATIONWIDE` schedules of a `DELIVERY` order, once for each of their modes (D36). `null` or
   * `undefined` means "the postcode is not served" and fails the order with `NATIONWIDE_RATE_NOT_FOUND` (D46).
   */
  nationwideRate?(
    query: {
      /** The order's postcode. */
      shippingPostcode: string;
      /** The nationwide mode of one or more schedules. */
      nationwideMode: NationwideMode;
    },
    ctx: CallContext,
  ): Awaitable<NationwideRate | string | null | undefined>;
  /**
   * Decides what the coupons are worth. Called once, last, and only if the order has codes (D23). Its answer is final
   * (D27).
   */
  validateCoupons?(request: CouponRequest, ctx: CallContext): Awaitable<DiscountResultInput | string>;
  /**
   * Looks up each distinct voucher. Return one record per id, in the same sequence. `null` or `undefined` means "not
   * found" and fails the order with `VOUCHER_NOT_FOUND` (D32).
   */
  lookupVouchers?(voucherIds: readonly string[], ctx: CallContext): Awaitable<readonly (Voucher | string | null | undefined)[]>;
}

/**
 * The price of a product at a branch, as {@link Host.lookupPrices} returns it. Amounts and the weight have at most 28
 * decimal places and 96 bits (D14).
 */
export interface PriceRecord extends Generated<"Price.read"> {}

/**
 * What a nationwide delivery costs, as {@link Host.nationwideRate} returns it (D36). The fee has at most 28 decimal
 * places and 96 bits (D14).
 */
export interface NationwideRate extends Generated<"Rate.read"> {}

/**
 * A voucher, as {@link Host.lookupVouchers} returns it. It counts if it is active, unused and belongs to the order's
 * owner (D30, D31).
 */
export interface Voucher extends Generated<"Voucher.read"> {
  /** Any other keys. The priced order repeats them, digit for digit (D6). */
  [extra: string]: unknown;
}

/** What the coupon service receives: the order with prices and delivery fees, before any discount (D25). */
export interface CouponRequest {
  /** Each code once, in the sequence of its first appearance (D24). */
  couponCodeList: string[];
  /** From the order; default `""`. */
  ownerId: string;
  /** From the order; default `"1000"`. */
  branchId: string;
  /** From the order; default `""`. */
  basketId: string;
  /** From the order; default `""`. */
  orderId: string;
  /** Unix timestamp, from the order; default 0. */
  orderDate: number;
  /** THB. */
  subTotal: number;
  /** THB. */
  deliveryFee: number;
  /** THB. */
  expressShippingCost: number;
  /** kg. */
  totalWeight: number;
  /** The products with their prices. {@link DiscountLine.line} is an index into this list. */
  productList: PricedProduct[];
}

/** The coupon service's answer. Missing fields are empty, 0 or false (D26). The answer is final (D27). To fail the order, throw. */
export interface DiscountResultInput extends Generated<"DiscountResult.read"> {}

/** What a coupon grants, in THB. Every amount is 0 or more, with at most 28 decimal places and 96 bits (D14). */
export interface DiscountInput extends Generated<"Discount.read"> {}

/** Lowers the `discountedRowTotal` of a product, but no total. Several entries for one product add up (D16, D26). */
export interface DiscountLine extends Generated<"LineDiscount.read"> {}

// ----------------------------------------------------------------- the pricer

/** GeoJSON: where each branch delivers, and for what fee (D35). */
export interface DeliveryZones {
  /** Fixed by GeoJSON. */
  type: "FeatureCollection";
  /** The zones. If two zones of a branch overlap, the first one counts. */
  features: readonly DeliveryZone[];
}

/** An area in which a branch delivers for a fee. A point on an edge is inside (D35). */
export interface DeliveryZone {
  /** Fixed by GeoJSON. */
  type: "Feature";
  /** The shape of the zone. Each ring is closed: its last position equals its first. */
  geometry:
    | {
        /** One area. */
        type: "Polygon";
        /** The outline, then the holes. */
        coordinates: readonly (readonly Position[])[];
      }
    | {
        /** Several areas. */
        type: "MultiPolygon";
        /** For each area: the outline, then the holes. */
        coordinates: readonly (readonly (readonly Position[])[])[];
      };
  /** The branch and the fee. */
  properties: {
    /** Code of the branch, an integer, compared with `shipping.brcode` (D34). Required. */
    brcode: number;
    /** THB for each schedule, 0 or more (D14). Required. */
    deliveryFee: number;
    /** Display name; `explain` shows it. Default: none. */
    name?: string | null;
  };
}

/** Longitude and latitude in degrees. Further numbers are ignored. */
export type Position = readonly [lon: number, lat: number, ...rest: number[]];

/** The platform's `Response`. Without DOM or Node types: the members that a reader of an answer uses. */
export type PlatformResponse = typeof globalThis extends Record<"Response", Record<"prototype", infer Platform>> ? Platform : Answer;

/** What is read of an answer. */
interface Answer {
  readonly status: number;
  text(): Promise<string>;
}

/** `WebAssembly.Module`, where TypeScript's libraries declare it. */
export type WasmModule =
  typeof globalThis extends Record<"WebAssembly", Record<"Module", new (...bytes: never) => infer Module>> ? Module & object : object;

/** How a pricer prices. Every option is optional. An unknown one is refused, here and in `policy` and `limits` (D47). */
export interface PricerOptions {
  /**
   * The zones and fees of `REGULAR` and `EXPRESS` delivery: GeoJSON or its text. {@link createPricer} validates and
   * indexes them once (D35). Default: no zones; an order that needs one fails with `BRANCH_NOT_AVAILABLE` (D34).
   *
   * Or a function that returns them, or a promise of them. The first order that needs a zone calls it, together with the
   * order's look-ups; other orders and baskets wait for the same call. Once it has returned valid zones it is never
   * called again; after a failure the next order that needs a zone calls it. It has the deadline of a host call. If it
   * throws, is late or returns zones that are invalid, the orders that need a zone fail with `DELIVERY_ZONES_FAILED`
   * (D41).
   */
  deliveryZones?: DeliveryZones | string | (() => Awaitable<DeliveryZones | string>);
  /**
   * The WebAssembly module from a place of your own: compiled, or the response to a request for the file `order-cost/wasm`.
   * Default: the module that the entry contains or finds beside itself. A page or Worker loads one module, so the pricer
   * that comes first decides; {@link preload} comes first, too, and loads the default. Another version's module is refused with `INTERNAL`: `The module is of order-cost 0.1.0, this
   * package is 0.2.0`.
   *
   * ```js
   * const pricer = await createPricer(host, { module: fetch("/static/order-cost.4f1c.wasm") });
   * ```
   */
  module?: Awaitable<WasmModule | PlatformResponse>;
  /** Choices where the specification allows two readings. Default: the first value of each. */
  policy?: Generated<"policies">;
  /**
   * Which types the values of an order may have. `"lenient"` also takes a string that is a JSON number for a number, a
   * number for a string, `"true"` and `"false"` for a boolean, and an enum in another case; the priced order has the
   * values as they were read (D49). Default `"strict"`.
   */
  input?: "strict" | "lenient";
  /** Milliseconds for each call of a host function (D41); 0 means no limit. Default 5000. */
  deadlineMs?: number;
  /**
   * How large an order may be. A larger order fails with `LIMIT_EXCEEDED` before any look-up (D45). Each entry of a
   * list counts, repeated ones too. Default: see each field.
   */
  limits?: Generated<"limits">;
}

/** Options of one calculation. Every option is optional. An unknown one is refused (D47). */
export interface CallOptions {
  /** Aborts the calculation at once; it rejects with `ABORTED` (D41). Default: none. */
  signal?: AbortSignal;
  /** Id for your logs. The host functions and the error carry it. Default: a new UUID. */
  requestId?: string;
  /** Any value that your host functions need; they read it as {@link CallContext.context}. Default `undefined`. */
  context?: unknown;
}

/** Options of a calculation that may use a fact store. */
export interface PriceOptions extends CallOptions {
  /** Which types the values of this order may have. Default: as {@link PricerOptions.input}. */
  input?: "strict" | "lenient";
  /**
   * A store of this pricer: the prices and rates that it knows are not asked, and what the host answers is added to it,
   * with the time of the answer.
   * One that is too old is asked again, and fails the order if it cannot be had. Vouchers are always asked. Default: none.
   */
  facts?: FactStore;
}

// ----------------------------------------------------------------- facts

/**
 * What somebody knows: for a fact store ({@link Pricer.facts}), or for a test host (`order-cost/testing`). A store asks
 * for what is absent. In a test host an absent price or voucher is not found, and an absent rate is a failed look-up,
 * which is `retryable`. Both refuse other members, and keys of another form.
 */
export interface Facts {
  /**
   * Price records by `"<cprcode>/<branchId>"`; `null` where nothing was found. A text is the record's JSON. A test host also
   * takes `"<cprcode>"` for every branch. The code is written in digits, without a zero before them. Default: none.
   */
  prices?: Record<string, PriceRecord | string | null>;
  /**
   * Nationwide rates by `"<postcode>/<mode>"`; `null` where the postcode is not served (D46). A text is the rate's JSON. A
   * test host also takes `"<mode>"` for every postcode. Default: none.
   */
  rates?: Partial<Record<string, NationwideRate | string | null>>;
  /** When each price and rate was answered, in ms since 1970, under the same keys. A test host ignores it. Default: now. */
  at?: {
    /** Of the prices. Default: now. */
    prices?: Record<string, number>;
    /** Of the rates. Default: now. */
    rates?: Record<string, number>;
  };
  /** Vouchers by id. A store ignores them: they may be another customer's (D30). Default: none. */
  vouchers?: Record<string, Voucher | string | null>;
  /**
   * The coupon service's answer, a function that makes it from the request, or a list of answers: the first whose
   * `request` is equal, or that has none, is taken; without one the call fails. A store ignores it. Default: every code
   * fails.
   */
  coupons?: DiscountResultInput | string | null | ((request: CouponRequest) => DiscountResultInput) | readonly CouponFact[];
}

/** One answer of the coupon service. */
export interface CouponFact {
  /** The request that it answers. Default: any. */
  request?: CouponRequest;
  /** The answer. */
  answer: DiscountResultInput | string;
}

/** Options of a fact store. Every option is optional. An unknown one is refused (D47). */
export interface FactOptions {
  /**
   * For how many milliseconds, 0 or more, a price, a rate or a voucher counts as new. An older one is `pending` as after
   * {@link Basket.refresh}: it counts until it is answered. A basket with `autoSettle` and a subscriber asks again by itself,
   * without an edit; in a page that is in the background, once it is visible. Without `autoSettle`, call `settle()` when the
   * status is `pending`. Without a subscriber the basket notices at the next `subscribe()`, edit or `settle()`,
   * and shows the old status until then; a listener of `change` events alone is no subscriber. A short age asks often: 0 without a pause. Vouchers
   * that age cost more look-ups, and one that was used meanwhile is noticed. If the clock is set back, ages begin anew.
   * Default: for ever.
   */
  maxAgeMs?: number;
  /** The number of facts that it keeps, 1 or more; beyond that, the oldest that no basket needs go. Default 10_000. */
  maxEntries?: number;
  /**
   * Called with each call of the host for a basket of the store: once when it begins, and once when it has
   * ended. Default: nobody is told.
   */
  onCall?: (call: HostCall) => void;
}

/** A call of a host function, for an inspector. */
export interface HostCall {
  /** The number of the call among those of the store. */
  readonly id: number;
  /** The name of the function; `"deliveryZones"` is that of the pricer's options. */
  readonly lookup: keyof Host | "deliveryZones";
  /** What it was asked. */
  readonly argument: unknown;
  /** The `context` of the basket that asked. */
  readonly context: unknown;
  /** The `requestId` that the function was given. */
  readonly requestId: string;
  /** How it ended. `"asked"`: it has just begun; `"dropped"`: nobody needs the answer any more. */
  readonly outcome: "asked" | "answered" | "failed" | "late" | "missing" | "dropped";
  /** Milliseconds since it began. */
  readonly ms: number;
  /** What the function threw, if it failed. Default: absent. */
  readonly cause?: unknown;
}

/**
 * What a host has answered: prices and rates, kept beyond one order. Give it to baskets and calculations of the same
 * pricer, fill it with what you know, or keep it as JSON.
 *
 * Baskets of one store ask nothing that it knows, nor what another of them is asking; they also share their vouchers. A
 * store knows nothing of `context`: where the host's answers depend on the customer, each customer needs a store.
 *
 * ```js
 * const facts = pricer.facts();
 * await pricer.calculate(order, { facts });
 * const text = JSON.stringify(facts);
 * // on another machine, or after a reload:
 * const basket = pricer.basket(order, { facts: pricer.facts(JSON.parse(text)) });
 * ```
 */
export interface FactStore {
  /**
   * Takes prices and rates, as known now or `at` their times; they replace older ones, and open baskets show them at
   * once. A call that is still out does not replace them. If one is wrong it throws `VALIDATION_ERROR` with its path,
   * such as `prices["1001/1000"].price`, and takes nothing.
   */
  add(facts: Facts): void;
  /**
   * All known prices and rates with the times of their answers, as `add` takes them. Each is a JSON text of the fields that
   * the types name, exact to the digit. Vouchers, coupons and failures never leave a store.
   */
  toJSON(): Facts;
  /** Forgets everything: baskets of the store ask anew. */
  clear(): void;
}

/**
 * The rules behind a total. Each entry describes the step of that name and its operands. Amounts are THB.
 *
 * "Counts" means that the amount is part of `grandTotal`. The other steps only show an amount.
 */
export type ExplainRule =
  /**
   * A zone of the order's branch, in file order. The first zone that covers the address sets the fee (D34, D35).
   * Amount: `deliveryFee` for the chosen zone, else 0. Operands: `brcode`; `shippingLon` and `shippingLat` in degrees;
   * `feature`, the zone's index in `deliveryZones.features`; `name` if the zone has one; `deliveryFee`; `covers`;
   * `isChosen`.
   */
  | "zone"
  /**
   * `price` × `quantity` of a product. Counts, unless `rowTotal` does. A negative amount is followed by a `floor`. Operands: `price` per unit;
   * `quantity`. If the negative product needs more than 96 bits, the amount is 0 and no `floor` follows.
   */
  | "row"
  /**
   * `originalPrice` × `quantity`: the row's `rowTotal` with the policy `rowTotal: "list"` (D15). Operands:
   * `originalPrice` per unit; `quantity`. With the policy `subTotal: "rowTotals"` it counts, and has the operand
   * `subTotal`, the policy.
   */
  | "rowTotal"
  /** An answer of `nationwideRate` (D36). Operands: `shippingPostcode`; `nationwideMode`; `deliveryFee`. */
  | "nationwideRate"
  /**
   * The delivery fee of a schedule. Counts. Amount: `fee`, or 0 without one. Operands: `shippingType`; `mode`;
   * `nationwideMode` if that is a nationwide rate; `fee`, absent for a mode without one.
   */
  | "deliveryFee"
  /**
   * The surcharge of an `EXPRESS` schedule (D38). Counts. Amount: `surcharge` if `shippingType` is `DELIVERY` and
   * `isFirst` is true, else 0. Operands: `shippingType`; `mode`; `expressSurcharge`, the policy; `surcharge`;
   * `isFirst`, whether this is the first schedule or, with `"firstExpress"` and `"anyExpress"`, the first `EXPRESS`
   * schedule.
   */
  | "expressFee"
  /**
   * The outcome of a voucher (D30). Amount: `value`, or 0 if the voucher is refused. Operands: `voucherId`; `value`;
   * the reasons `inactive`, `used` and `ownerMismatch`, each true or false. If the voucher does not belong to the
   * order's `ownerId`: only `voucherId` and `ownerMismatch`.
   */
  | "voucher"
  /** A repeated code or id; it counts once (D24, D29). Operands: `coupon` or `voucherId`; `first`, its first index. */
  | "repeated"
  /**
   * A discount that the coupon service grants. Amount: `discount` + `bogoDiscount` + `shippingDiscount`, before any
   * floor. Operands: the discount's seven fields; `percentageDiscount` is a multiplier.
   */
  | "coupon"
  /** A code that failed. Operands: `coupon`; `error`, the `error` of the service's answer as JSON text. */
  | "failedCoupon"
  /** A code of the order that the service's answer does not mention. Operands: `coupon`. */
  | "ignoredCoupon"
  /**
   * A row less its coupon discount: `row` − `discountFromCoupon` (D16). A negative amount is followed by a `floor`.
   * Operands: `row`, max(price × quantity, 0); `discountFromCoupon`. With the policy
   * `discountedRowTotal: "fromRowTotal"`: `discountedRowTotal`, the policy, and `rowTotal` in place of `row`.
   */
  | "discountedRowTotal"
  /** The sum of its operands; this step subtracts nothing. Each operand is named by its path in the priced order. */
  | "two4Discount"
  /**
   * `percentage` × `subTotal`; this step subtracts nothing (D21). Operands: `percentage`, the largest multiplier;
   * `subTotal`.
   */
  | "percentageDiscount"
  /** Subtracted from delivery. Counts, negative. Operands: its terms, each named by its path in the priced order. */
  | "shippingDiscount"
  /**
   * A coupon grants free shipping (D28). Counts. Amount: `shippingDiscount` − `deliveryFee` if that is negative and
   * `freeShipping` is `"waivesDelivery"`, else 0. Operands: `freeShipping`, the policy; `deliveryFee`;
   * `shippingDiscount`, the sum that the discounts grant.
   */
  | "freeShipping"
  /**
   * Subtracted. Counts, negative. Operands: its terms, each named by its path in the priced order. If something is
   * folded: `foldedDiscounts`, the policy; `two4Discount`; `percentageDiscount` (D48).
   */
  | "cartDiscount"
  /** Subtracted. Counts, negative. Operands: its terms, each named by its path in the priced order. */
  | "bogoDiscount"
  /** Subtracted. Counts, negative. Operands: its terms, each named by its path in the priced order. */
  | "voucherDiscount"
  /**
   * Lifts a negative amount to zero: −`value`. Counts if the lifted amount counts. Operands: `value`, the negative
   * amount.
   */
  | "floor"
  /** The sum of its operands: the discounts by name, without those that `cartDiscount` holds (D48). */
  | "totalDiscount"
  /**
   * `grandTotal` less the controlled rows; may be negative (D20). Operands: `grandTotal`; `productList[0].row` and so
   * on, max(price × quantity, 0) of each controlled product. With the policy `excludeControlled: "rowTotal"`:
   * `excludeControlled`, the policy; `productList[0].rowTotal` and so on.
   */
  | "totalExcludeControlledProducts";

/**
 * A step on the way to `grandTotal`. The exact amounts of all steps with a `runningTotal` add up to `grandTotal`. Each
 * number here is the double nearest to the exact decimal.
 */
export interface ExplainStep {
  /** Name of the rule. */
  rule: ExplainRule;
  /** Id of the decision behind the rule, such as `D15`. Absent if the specification leaves no choice. */
  decision?: string;
  /** Which part of the priced order the step is about, such as `productList[3]`. Absent for the whole order. */
  path?: string;
  /** The values behind the amount. {@link ExplainRule} lists them for each rule. */
  operands: Record<string, number | string | boolean>;
  /** THB that the step adds to the total. If `runningTotal` is null, the amount changes no total. */
  amount: number;
  /** THB: the total after this step; `null` if the step changes no total. */
  runningTotal: number | null;
}

/**
 * Prices orders. Every failure is a {@link PricingError}: promises reject with it, other methods throw it. Methods of a
 * pricer, a basket and a fact store work without it: `orders.map(pricer.calculate)`, where the index (a number) is ignored.
 */
export interface Pricer {
  /**
   * Prices an order: takes an object, resolves to an object. The values equal those of {@link Pricer.calculateJson}.
   *
   * ```js
   * const order = await pricer.calculate({
   *   productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 3 }],
   * });
   * console.log(order.grandTotal);
   * ```
   */
  calculate(order: OrderInput, call?: PriceOptions | number): Promise<PricedOrder>;
  /**
   * Prices an order: takes JSON text or its UTF-8 bytes, resolves to new UTF-8 bytes. Every number is exact (D5). A body
   * that is neither text nor bytes rejects with `VALIDATION_ERROR`, path `body`.
   */
  calculateJson(body: string | ArrayBufferLike | ArrayBufferView, call?: PriceOptions | number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Prices an order at once, from what is known: the prices that a catalogue's version has in memory (`order-cost/catalogue`),
   * the prices and rates of {@link PriceOptions.facts}, and the delivery zones. The result is that of
   * {@link Pricer.calculate}.
   *
   * It asks nobody: no function of the host is called, nor that of the delivery zones. If it would have to ask, it throws
   * `NOT_KNOWN`, and {@link PricingError.notKnown} lists all that it lacks. Vouchers and coupon codes are never known. Otherwise
   * it throws what `calculate` rejects with. An aborted `signal` throws `ABORTED`.
   *
   * ```js
   * const facts = pricer.facts({ prices: { "1001/1000": { price: 37.25 } } });
   * const { grandTotal } = pricer.calculateNow({ productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 3 }] }, { facts });
   * ```
   */
  calculateNow(order: OrderInput, call?: PriceOptions | number): PricedOrder;
  /** Prices an order as {@link Pricer.calculateNow} does. Takes and returns what {@link Pricer.calculateJson} does. */
  calculateJsonNow(body: string | ArrayBufferLike | ArrayBufferView, call?: PriceOptions | number): Uint8Array<ArrayBuffer>;
  /** Makes a fact store, empty or filled: see {@link FactStore}. A wrong fact throws as {@link FactStore.add} does. */
  facts(known?: Facts, options?: FactOptions): FactStore;
  /** Makes a live basket from this order. Its `productList` may be empty. Without an order, the basket is empty. */
  basket(order?: OrderInput, options?: BasketOptions | number): Basket;
  /**
   * Prices an order as `calculate` does, with the same result and the same errors. It also lists every step of the
   * calculation.
   */
  explain(
    order: OrderInput,
    call?: PriceOptions | number,
  ): Promise<{
    /** The priced order. */
    order: PricedOrder;
    /** The steps behind its total, in the sequence of the calculation. */
    steps: ExplainStep[];
  }>;
  /**
   * Replaces the delivery zones, also for open baskets. If the new zones are invalid, the old ones stay (D35). Then a
   * function in {@link PricerOptions.deliveryZones} is not called any more.
   */
  setDeliveryZones(zones: DeliveryZones | string): void;
}

// ----------------------------------------------------------------- the basket

/** A line of a basket: the index of its row, or the row's {@link BasketRow.key}. */
export type Line = number | string;

/** Options of a basket. Every option is optional. An unknown one is refused (D47). */
export interface BasketOptions {
  /** Any value that your host functions need; they read it as {@link CallContext.context}. Default `undefined`. */
  context?: unknown;
  /** The fact store that the basket shares with others. Default: one of its own. */
  facts?: FactStore;
  /**
   * Whether the basket settles by itself. `debounceMs` (default 150) after the last edit it asks for what it has not
   * asked yet, even if another look-up has failed. A failed look-up is asked again after the pauses of `retryMs`
   * (default 1, 2, 4, 8, 16 and 30 seconds), each up to 20 % longer; an edit does not change them. After a failure that
   * is not `retryable`, only `settle()` or `refresh()` asks again. For an empty basket it asks only for slots. Its timers
   * keep no Node process alive. Do not use it on a server. Default `false`.
   */
  autoSettle?:
    | boolean
    | {
        /** Milliseconds after an edit, 0 to 2_147_483_647. Default 150. */
        debounceMs?: number;
        /**
         * The pauses in milliseconds, each 0 to 2_147_483_647, before a failed look-up is asked again. The last one is
         * repeated as long as somebody subscribes; an empty list means no other try. Default `[1000, 2000, 4000, 8000,
         * 16000, 30000]`.
         */
        retryMs?: readonly number[];
      };
}

/** Whether a basket's totals are final. */
export type BasketStatus =
  /** The totals equal those of `calculate(order)`. An empty basket, which nobody can price, is current, too. */
  | "current"
  /** Something is not known yet; {@link BasketSnapshot.pending} says what. */
  | "pending"
  /** Something is known to be wrong; {@link BasketSnapshot.problems} says what. */
  | "failed";

/** What a basket does not know yet. `pending` lists these in the sequence below. */
export type PendingPart =
  /** Answers of {@link Host.lookupPrices}. */
  | "prices"
  /** Answers of {@link Host.nationwideRate}. */
  | "delivery"
  /** An answer of {@link Host.validateCoupons} to the basket as it is now. */
  | "coupons"
  /** Answers of {@link Host.lookupVouchers}. */
  | "vouchers";

/** Another name for {@link PendingPart}. */
export type BasketQuestion = PendingPart;

/** `T` and all its parts, which cannot be changed. */
export type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** A product of a basket. The row counts 0 until its price is known. */
export interface BasketRow extends Readonly<Omit<PricedProduct, "price" | "originalPrice">> {
  /** The line's identity within this basket: the key for a list of rows. Never used twice. */
  readonly key: string;
  /** Current price per unit in THB; `null` until it is known. */
  readonly price: number | null;
  /** List price per unit in THB; `null` until it is known. */
  readonly originalPrice: number | null;
  /**
   * Why the row counts 0: its price was not found, its record is wrong, or an amount is too large. `null` if the whole
   * look-up failed: that stands once in {@link BasketSnapshot.problems}.
   */
  readonly problem: PricingError | null;
}

/** Another name for {@link BasketRow}. */
export type PricedRow = BasketRow;

/** The delivery of a basket. */
export interface BasketShipping extends Omit<DeepReadonly<PricedShipping>, "scheduleList"> {
  /** The delivery slots with their fees. */
  readonly scheduleList: readonly (Omit<DeepReadonly<PricedSchedule>, "deliveryFee"> & {
    /** THB; `null` until it is known. */
    readonly deliveryFee: number | null;
  })[];
}

/** A delivery that the customer may choose, see {@link Basket.setSlots}. */
export interface BasketSlot {
  /** The delivery with its fees. */
  readonly shipping: BasketShipping;
  /**
   * What it costs in THB: `deliveryFee` + `expressShippingCost` of an order with this delivery, so before shipping discounts;
   * `null` until every fee is known. After `refresh()` the old value counts until the answer.
   */
  readonly cost: number | null;
  /** The first that is wrong with it, as `calculate` would reject an order with this delivery. */
  readonly problem: PricingError | null;
}

/** What has become of a coupon code. */
export type CouponState =
  /** It is worth `amount`. No more is taken off than there is to pay. */
  | "accepted"
  /** It takes nothing off: the service grants it no amount that counts, or does not name it. */
  | "withoutEffect"
  /** The service lists it in `failedCoupons`. `reason` has the service's words, if there are any. */
  | "refused"
  /** The service has yet to answer for the basket as it is now. Until then `amount` still counts. */
  | "waiting"
  /**
   * The service is not asked, or has failed: {@link BasketSnapshot.problems} says why, or the basket is empty. Until it
   * answers, `amount` still counts.
   */
  | "notChecked";

/** The outcome of a coupon code. */
export interface BasketCoupon {
  /** The code as the order lists it, or as the service spelt it. */
  readonly code: string;
  /** What has become of it. */
  readonly state: CouponState;
  /**
   * What it takes off, in THB, 0 or more, added exactly (D19): its `discount`, `bogoDiscount` and `shippingDiscount`, and what
   * the policies `foldedDiscounts` and `freeShipping` make of it. What these take off for several coupons at once counts for
   * the first of them. All amounts together are `cartDiscount` + `bogoDiscount` + `shippingDiscount` of the totals.
   */
  readonly amount: number;
  /**
   * Why it is refused, in the service's words: its `error` if that is a text, else the text that `error` has under the
   * code, else under `message`. `null` without one, and in every other state.
   */
  readonly reason: string | null;
}

/**
 * What there is to show. A snapshot never changes: it is frozen. Each edit and each answer makes another one, in which
 * every part that has not changed is the same object: a row, the totals, the shipping.
 */
export interface BasketSnapshot {
  /** Whether the totals are final. */
  readonly status: BasketStatus;
  /** Whether something will come by itself: a call of the host is out, or a pause runs that ends in one. */
  readonly isSettling: boolean;
  /** What has yet to be known, asked for or not. What is known to be wrong is not pending. */
  readonly pending: readonly PendingPart[];
  /** What waits until a problem is solved: the coupons, while a price or a fee is wrong. It is not pending. */
  readonly blocked: readonly PendingPart[];
  /**
   * All that is known to be wrong: prices by line, delivery by schedule, vouchers, amounts that are too large, coupons
   * (D42). A call that failed stands here once, until its look-up is answered or no longer needed. As JSON they keep `code`,
   * `message`, `path`, `subject` and `retryable`. `structuredClone` and `postMessage` keep only the messages: give them
   * `JSON.parse(JSON.stringify(snapshot))`.
   */
  readonly problems: readonly PricingError[];
  /** The first of the problems. */
  readonly error: PricingError | null;
  /**
   * The order as it is now; of a lenient pricer with the values as read (D49). `order-cost/keep` keeps it, or
   * `JSON.stringify`; {@link Basket.replace} restores it.
   */
  readonly order: DeepReadonly<OrderInput>;
  /**
   * What the known facts give. Unknown amounts count 0. A total that is too large shows 0 and is a problem; then
   * `grandTotal` and `totalExcludeControlledProducts` show 0, too.
   */
  readonly totals: Readonly<Totals>;
  /** The totals of the last `current` snapshot, to show greyed while something is unknown; `null` until there was one. */
  readonly settledTotals: Readonly<Totals> | null;
  /** One row for each product, in the sequence of `productList`. */
  readonly rows: readonly BasketRow[];
  /** The delivery with its fees. */
  readonly shipping: BasketShipping | null;
  /** The vouchers that count, of those known. */
  readonly validVouchers: readonly RedeemedVoucher[];
  /** The vouchers that do not count, of those known, with the reasons. */
  readonly invalidVouchers: readonly RefusedVoucher[];
  /** The newest answer of the coupon service, as far as its amounts still count. */
  readonly discountResult: DiscountResult;
  /**
   * The outcome of each code: those of `order.couponCodeList` in their sequence, each once; then those that the service
   * spelt otherwise or added itself (D27), which {@link Basket.setCoupons} cannot remove.
   */
  readonly coupons: readonly BasketCoupon[];
  /** The slots with what each costs, in the sequence of {@link Basket.setSlots}. */
  readonly slots: readonly BasketSlot[];
  /**
   * The steps that lead to `totals`, as {@link Basket.explain} lists them, made when they are first read. Read those of
   * the newest snapshot: an older one that was never asked has none (`[]`). No copy has them: they are not enumerable.
   */
  readonly steps: readonly DeepReadonly<ExplainStep>[];
}

/**
 * An order that you edit. Its totals follow each edit at once, from the known facts.
 *
 * An edit asks the host nothing. {@link Basket.settle} asks for what is unknown; with {@link BasketOptions.autoSettle}
 * the basket does so by itself.
 *
 * A known price, rate or voucher is not asked again until {@link Basket.refresh}. Neither is one that was "not found",
 * until `refresh()` or until the last line or id that names it has gone and comes back.
 *
 * A coupon result is valid only for the basket that the coupon service saw (D25). After an edit, `"coupons"` is pending.
 * Until the next answer the amounts of the listed codes still count. If you remove a code, its amounts no longer count,
 * and if the service was asked about it, neither do those of codes that the service renamed or added. The service is asked
 * as often as the basket changes: it must not redeem.
 *
 * Setters return the new totals. With a value that counts already, they change nothing. A wrong value throws a
 * {@link PricingError} with its `path` and changes nothing.
 *
 * A basket is a store: `subscribe` is all that Svelte needs. `order-cost/react` and `order-cost/vue` have a hook. A
 * basket that nobody holds is collected; `free()` releases its memory earlier.
 *
 * ```js
 * const basket = pricer.basket(undefined, { autoSettle: true });
 * basket.subscribe(({ totals, status }) => console.log(totals.grandTotal, status));
 * basket.addProduct({ cprcode: 1001, productName: "น้ำปลา", quantity: 1 });
 * basket.setQuantity(0, 3);
 * ```
 */
export interface Basket extends BasketEventTarget {
  /** What there is to show now. */
  readonly snapshot: BasketSnapshot;
  /** The first snapshot, for rendering on a server and for hydration. */
  readonly initialSnapshot: BasketSnapshot;
  /**
   * Calls `listener` at once, and after each change of the snapshot, before the edit returns. Returns a function that
   * ends this. A listener may edit the basket; listeners that change it a hundred times in a row end with an `Error`.
   */
  subscribe(listener: (snapshot: BasketSnapshot) => void): () => void;
  /** The snapshot's order. */
  readonly order: DeepReadonly<OrderInput>;
  /** The snapshot's totals. */
  readonly totals: Readonly<Totals>;
  /** The snapshot's rows. */
  readonly rows: readonly BasketRow[];
  /** The snapshot's status. */
  readonly status: BasketStatus;
  /** What the snapshot has yet to know. */
  readonly pending: readonly PendingPart[];
  /** The snapshot's problems. */
  readonly problems: readonly PricingError[];
  /** The snapshot's first problem. */
  readonly error: PricingError | null;
  /** Whether something will come by itself. */
  readonly isSettling: boolean;
  /** The snapshot's delivery. */
  readonly shipping: BasketShipping | null;
  /** The snapshot's vouchers that count. */
  readonly validVouchers: readonly RedeemedVoucher[];
  /** The snapshot's vouchers that do not count. */
  readonly invalidVouchers: readonly RefusedVoucher[];
  /** The snapshot's answer of the coupon service. */
  readonly discountResult: DiscountResult;
  /** The snapshot's outcomes of the coupon codes. */
  readonly coupons: readonly BasketCoupon[];
  /** The snapshot's slots. */
  readonly slots: readonly BasketSlot[];
  /** Sets the units of a product: an integer; zero and negative are allowed (D13). */
  setQuantity(line: Line, quantity: number): Totals;
  /** Appends a product. Throws `LIMIT_EXCEEDED` beyond `limits.maxProducts` (D45). */
  addProduct(product: ProductInput): Totals;
  /** Appends several products in one edit: all of them, or none if one is wrong. */
  addProducts(products: readonly ProductInput[]): Totals;
  /** Inserts a product before a line; the number of rows appends it. */
  insertProduct(line: Line, product: ProductInput): Totals;
  /**
   * Changes fields of a product: `undefined` leaves a field, `null` resets it to its default. The row keeps its key.
   * With another `cprcode`, its price is looked up.
   */
  updateProduct(line: Line, patch: Partial<ProductInput>): Totals;
  /** Removes a product; later products move up. */
  removeProduct(line: Line): Totals;
  /** Replaces the delivery; `null` means no delivery. */
  setShipping(shipping: ShippingInput | null): Totals;
  /**
   * Replaces the deliveries whose cost the page shows beside each other, at most `limits.maxSchedules`; `[]` means none. They
   * are no part of the order, and stay over {@link Basket.replace}. An empty basket has them, too. The basket asks for
   * their fees with the order's, each once, and again after a failure. What is wrong with a slot is its own
   * {@link BasketSlot.problem}: `status`, `pending` and `problems` are about the order alone.
   */
  setSlots(slots: readonly ShippingInput[]): Totals;
  /** Replaces the coupon codes. A repeated code counts once (D24). */
  setCoupons(codes: readonly string[]): Totals;
  /** Replaces the voucher ids. A repeated id counts once (D29). */
  setVouchers(ids: readonly string[]): Totals;
  /** Sets the customer whose vouchers count; `""` means that no voucher counts (D31). */
  setOwner(ownerId: string): Totals;
  /**
   * Sets the branch whose prices apply. `shipping.brcode`, the branch whose zones apply, is another field. A shop whose
   * branches deliver changes both at once:
   *
   * ```js
   * const { order } = basket;
   * basket.replace({ ...order, branchId: "2000", shipping: { ...order.shipping, brcode: 2000 } });
   * ```
   */
  setBranch(branchId: string): Totals;
  /**
   * Replaces the whole order and keeps the facts: for undo, restore, or several edits at once. The n-th row of a product
   * keeps the key of the n-th row of that product before. An order without `productList`, which may be empty, is
   * refused.
   */
  replace(order: OrderInput): Totals;
  /**
   * Asks the host at once for everything that is unknown, too old or has failed, until nothing is. Resolves to what
   * `calculate(order)` gives with the same facts, and rejects with the first problem, or for an empty basket with
   * `VALIDATION_ERROR`. An edit meanwhile changes what is asked: every waiting caller gets the newest basket. No
   * question is asked twice at the same time. It waits for the slots, too, but never rejects for them. An aborted `signal`
   * ends this wait with `ABORTED`, and nothing else.
   */
  settle(call?: {
    /** Ends the wait. Default: none. */
    signal?: AbortSignal;
  }): Promise<PricedOrder>;
  /**
   * Makes the next `settle()` ask again: for everything, or for one row's price. Until it is answered, the old values
   * count. Returns the totals.
   */
  refresh(line?: Line): Totals;
  /**
   * The steps that lead to the snapshot's totals, as far as they are known: they add up to `totals.grandTotal`, unless an
   * amount is too large. Asks the host nothing.
   */
  explain(): {
    /** The steps, in the sequence of the calculation. */
    steps: ExplainStep[];
  };
  /**
   * The response as exact JSON bytes, as `calculateJson` gives it, if the status is `current` and the basket has a
   * product. Else throws the first problem, or `VALIDATION_ERROR` with the path `basket`: "The basket is not settled",
   * or `productList`: the basket is empty. Asks the host nothing.
   */
  responseJson(): Uint8Array<ArrayBuffer>;
  /**
   * Prices the order with these fields replaced, without an edit: what would it come to with another coupon? `undefined`
   * leaves a field, `null` resets it. What the basket knows or is asking is not asked, and what the host answers is known
   * to the basket; coupons are asked for each quote. Any number of quotes may run at once, and share their calls. Rejects
   * as `calculate` does, for an empty basket too. {@link Basket.setSlots} is for delivery slots.
   */
  quote(patch: Partial<OrderInput>, call?: CallOptions): Promise<PricedOrder>;
  /**
   * Releases the basket's memory, and ends its calls and timers. Afterwards the last snapshot can still be read, edits
   * throw, and a waiting `settle()` rejects with `ABORTED`.
   */
  free(): void;
  /** The same as `free()`, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * Loads the module on first use and makes a pricer that asks `host`. One pricer is enough for an application.
 *
 * Rejects with `VALIDATION_ERROR` if an option or a delivery zone is invalid. Rejects with `INTERNAL` if the module
 * cannot be loaded: the message says what to do, and the next call tries again.
 *
 * ```js
 * const pricer = await createPricer({
 *   lookupPrices: (keys) => keys.map(() => ({ price: 37.25 })),
 * });
 * ```
 */
export function createPricer(host: Host, options?: PricerOptions): Promise<Pricer>;

/** Loads the module before the first `createPricer`, for example while a page is idle. Rejects if that fails. */
export function preload(): Promise<void>;

// --------------------------------------------------------------------- errors

/** The kinds of failure. */
export type PricingErrorCode = Generated<"codes">;

/**
 * Why an order was not priced. `message` is a sentence for people, `code` is for programs. If several parts of an order
 * fail, the error reports the first in a fixed sequence: the order itself, prices, delivery, vouchers, rows and fees
 * that are too large, coupons, totals that are too large (D42).
 */
export class PricingError extends Error {
  /** The kind of failure. */
  readonly code: PricingErrorCode;
  /**
   * What is invalid, with `VALIDATION_ERROR`: a field such as `productList[3].quantity` or `policy.freeShipping`, an
   * argument such as `line`, or `body` or `basket`; empty for the whole. Absent with other codes.
   */
  readonly path?: string;
  /** Whether the same order may succeed later: a look-up threw or was too late, or the module failed. */
  readonly retryable: boolean;
  /** {@link CallOptions.requestId}, or a new UUID. */
  readonly requestId: string;
  /** What the error is about, so that nobody has to parse its message. Absent if it is about no part of an order. */
  readonly subject?: ErrorSubject;
  /** What {@link Pricer.calculateNow} does not know, with `NOT_KNOWN`: all of it; the message shows the first keys. Else absent. */
  readonly notKnown?: FactKeys;
  /** The original error: what a host function threw, the signal's reason, why the module failed. Absent without one. */
  readonly cause?: unknown;
  /** The body of the HTTP response (D40). A problem of a {@link BasketSnapshot} gives its own fields instead. */
  toJSON(): {
    /** The `message`. */
    error: string;
  };
  /**
   * The fields of a problem, as a plain object for `postMessage` and `structuredClone`, which keep only the message of an
   * error. `customerText` takes it.
   */
  toProblem(): Pick<PricingError, "code" | "message" | "path" | "subject" | "notKnown" | "retryable">;
}

/** What is not known, by its keys: prices and rates have those of {@link Facts}. Only the parts that apply are there. */
export interface FactKeys {
  /** Prices by `"<cprcode>/<branchId>"`. Default: absent. */
  readonly prices?: readonly string[];
  /** Nationwide rates by `"<postcode>/<mode>"`. Default: absent. */
  readonly rates?: readonly string[];
  /** Ids of vouchers. Default: absent. */
  readonly vouchers?: readonly string[];
  /** Whether the delivery zones belong to them. Default: absent. */
  readonly deliveryZones?: true;
  /** Coupon codes. Default: absent. */
  readonly coupons?: readonly string[];
}

/** The part of an order that an error is about. Only the fields that apply are there. */
export interface ErrorSubject {
  /** Index in `productList`, counted from 0, of a price or an amount. Default: absent. */
  readonly line?: number;
  /** Product code of that line. Default: absent. */
  readonly cprcode?: number;
  /** The order's branch, with `line`. Default: absent. */
  readonly branchId?: string;
  /** Id of the voucher, from the order. Default: absent. */
  readonly voucherId?: string;
  /** Index in `shipping.scheduleList`, counted from 0, of a delivery. Default: absent. */
  readonly schedule?: number;
  /** Branch code, if that branch does not deliver to the address. Default: absent. */
  readonly brcode?: number;
  /** The host's function that failed or gave a wrong record. Default: absent. */
  readonly lookup?: keyof Host;
}

// Makes the file export only what says `export`.
export {};
