// The shapes that are written by hand, what is optional, what is writable, and that nothing is `any`. Nothing here runs.
import type * as orderCost from "order-cost";
import type * as compare from "order-cost/compare";
import type * as messages from "order-cost/messages";
import type * as react from "order-cost/react";
import type * as receipt from "order-cost/receipt";
import type * as testing from "order-cost/testing";
import type * as worker from "order-cost/worker";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_T extends true>(): void {}

// ------------------------------------------------------------------- the keys

type CouponRequestKeys =
  | "couponCodeList"
  | "ownerId"
  | "branchId"
  | "basketId"
  | "orderId"
  | "orderDate"
  | "subTotal"
  | "deliveryFee"
  | "expressShippingCost"
  | "totalWeight"
  | "productList";

assertType<Equal<keyof orderCost.BasketRow, keyof orderCost.PricedProduct | "key" | "problem">>();
assertType<Equal<orderCost.PricedRow, orderCost.BasketRow>>();
assertType<Equal<keyof orderCost.CouponRequest, CouponRequestKeys>>();

// Every key that is sent comes back.
assertType<Equal<Exclude<keyof orderCost.OrderInput, keyof orderCost.PricedOrder>, never>>();
assertType<Equal<Exclude<keyof orderCost.ProductInput, keyof orderCost.PricedProduct>, never>>();
assertType<Equal<keyof orderCost.PricedSchedule, keyof orderCost.ScheduleInput>>();
assertType<Equal<keyof orderCost.PricedShipping, keyof orderCost.ShippingInput>>();

// A priced order has no optional key at any depth. In a request, all keys are optional except the required ones.
type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>;
assertType<Equal<OptionalKeys<orderCost.PricedOrder>, never>>();
assertType<Equal<OptionalKeys<orderCost.PricedProduct>, never>>();
assertType<Equal<OptionalKeys<orderCost.PricedShipping>, never>>();
assertType<Equal<OptionalKeys<orderCost.PricedSchedule>, never>>();
assertType<Equal<OptionalKeys<orderCost.Discount | orderCost.DiscountResult | orderCost.Summary>, never>>();
assertType<Equal<RequiredKeys<orderCost.OrderInput>, "productList">>();
assertType<Equal<RequiredKeys<orderCost.ProductInput>, "cprcode" | "productName" | "quantity">>();
assertType<Equal<RequiredKeys<orderCost.ShippingInput>, never>>();
assertType<Equal<RequiredKeys<orderCost.ScheduleInput>, never>>();
assertType<Equal<orderCost.ScheduleMode, "REGULAR" | "EXPRESS" | "NATIONWIDE" | "PICKUP">>();
assertType<Equal<RequiredKeys<orderCost.PriceRecord>, "price">>();
assertType<Equal<RequiredKeys<orderCost.NationwideRate>, "deliveryFee">>();
assertType<Equal<RequiredKeys<orderCost.DiscountInput>, "coupon">>();
assertType<Equal<RequiredKeys<orderCost.Host | orderCost.PricerOptions | orderCost.CallOptions>, never>>();
assertType<Equal<RequiredKeys<testing.Facts>, never>>();

// Every total is a number, except the one boolean.
assertType<Equal<orderCost.Totals[Exclude<keyof orderCost.Totals, "isFreeShipping">], number>>();
assertType<Equal<orderCost.Totals["isFreeShipping"], boolean>>();

// ---------------------------------------------------------------- the literals

assertType<Equal<orderCost.PendingPart, "prices" | "delivery" | "coupons" | "vouchers">>();
assertType<Equal<orderCost.BasketQuestion, orderCost.PendingPart>>();
assertType<Equal<orderCost.BasketSnapshot["status"], orderCost.BasketStatus>>();
assertType<Equal<keyof orderCost.ErrorSubject, "line" | "cprcode" | "branchId" | "voucherId" | "schedule" | "brcode" | "lookup">>();
assertType<Equal<orderCost.RefusedVoucher["reasons"], ("inactive" | "used")[] | ["ownerMismatch"]>>();
assertType<Equal<orderCost.PricerOptions["input"], "strict" | "lenient" | undefined>>();
assertType<Equal<orderCost.PriceOptions["input"], orderCost.PricerOptions["input"]>>();
assertType<Equal<compare.FieldDifference["kind"], "missing" | "type" | "numberFormat" | "underHalfSatang" | "value">>();
assertType<Equal<receipt.ReceiptPayload["policy"], Required<NonNullable<orderCost.PricerOptions["policy"]>>>>();
assertType<
  Equal<keyof receipt.ReceiptPayload, "request" | "response" | "module" | "dataVersion" | "policy" | "jti" | "requestId" | "iat" | "exp">
>();
assertType<Equal<testing.Facts["rates"], Partial<Record<string, orderCost.NationwideRate | string | null>> | undefined>>();
assertType<Equal<keyof orderCost.Host, "lookupPrices" | "nationwideRate" | "validateCoupons" | "lookupVouchers">>();

export const literals: orderCost.ShippingInput[] = [
  { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE", nationwideMode: "MIX" }] },
  // @ts-expect-error: a type is in capitals
  { shippingType: "delivery" },
  // @ts-expect-error: there is no such nationwide mode
  { scheduleList: [{ nationwideMode: "FROZEN" }] },
  // @ts-expect-error: a branch of zones is a number
  { brcode: "1000" },
];
export const answers: orderCost.DiscountResultInput[] = [
  { discounts: [{ coupon: "A", discount: 10, lines: [{ line: 0, discount: 10 }] }], failedCoupons: ["B"] },
  // @ts-expect-error: it is spelt freeshipping
  { discounts: [{ coupon: "A", freeShipping: true }] },
  // @ts-expect-error: a discount needs a coupon
  { discounts: [{ discount: 10 }] },
];
export const zones: orderCost.DeliveryZone["geometry"][] = [
  {
    type: "Polygon",
    coordinates: [
      [
        [100.5, 13.7],
        [100.6, 13.7],
        [100.6, 13.8, 2],
        [100.5, 13.7],
      ],
    ],
  },
  // @ts-expect-error: a position has a longitude and a latitude
  { type: "Polygon", coordinates: [[[100.5]]] },
  // @ts-expect-error: a point is not an area
  { type: "Point", coordinates: [100.5, 13.7] },
];

// ----------------------------------------------------------- what is writable

type ReadonlyKeys<T> = {
  [K in keyof T]-?: Equal<{ [P in K]: T[P] }, { readonly [P in K]: T[P] }> extends true ? K : never;
}[keyof T];
type Fields<T> = { [K in keyof T]: T[K] extends (...args: never) => unknown ? never : K }[keyof T];
assertType<Equal<ReadonlyKeys<orderCost.CallContext>, keyof orderCost.CallContext>>();
assertType<Equal<Exclude<Fields<orderCost.Basket>, ReadonlyKeys<orderCost.Basket>>, never>>();
assertType<Equal<Exclude<Fields<Required<orderCost.PricingError>>, ReadonlyKeys<orderCost.PricingError> | keyof Error>, never>>();
assertType<Equal<ReadonlyKeys<orderCost.BasketSnapshot>, keyof orderCost.BasketSnapshot>>();
assertType<Equal<ReadonlyKeys<orderCost.BasketRow>, keyof orderCost.BasketRow>>();
assertType<Equal<ReadonlyKeys<orderCost.Totals>, never>>(); // the caller owns the result
assertType<Equal<ReadonlyKeys<orderCost.PricedOrder>, never>>();
assertType<Equal<ReturnType<typeof testing.hostFromFacts>["calls"][number]["name"], keyof orderCost.Host>>();

export function write(basket: orderCost.Basket, ctx: orderCost.CallContext, order: orderCost.OrderInput): void {
  // @ts-expect-error: totals follow the edits
  basket.totals = basket.setOwner("");
  // @ts-expect-error: rows are read-only
  basket.rows.push(basket.rows[0]!);
  // @ts-expect-error: the caller owns the context
  ctx.requestId = "";
  // @ts-expect-error: the package must not change a given order
  order.productList.push({ cprcode: 1, productName: "", quantity: 1 });
}

// -------------------------------------------------------------- nothing is any

type IsAny<T> = 0 extends 1 & T ? true : false;
type Platform = AbortSignal | EventTarget | Request | Response | Uint8Array | Error;

/** The paths of every `any`: in fields, elements, parameters and results. */
type AnyPaths<T, Path extends string = "", Depth extends 0[] = []> =
  IsAny<T> extends true
    ? Path
    : Depth["length"] extends 7
      ? never
      : T extends string | number | boolean | bigint | symbol | null | undefined
        ? never
        : T extends Platform
          ? never
          : T extends (...args: infer Args) => infer Result
            ? AnyPaths<Args, `${Path}()`, [...Depth, 0]> | AnyPaths<Result, `${Path}():`, [...Depth, 0]>
            : T extends PromiseLike<infer Value>
              ? AnyPaths<Value, `${Path}.then`, [...Depth, 0]>
              : T extends readonly (infer Item)[]
                ? AnyPaths<Item, `${Path}[]`, [...Depth, 0]>
                : T extends object
                  ?
                      | { [K in OwnKeys<T>]: AnyPaths<T[K], `${Path}.${K}`, [...Depth, 0]> }[OwnKeys<T>]
                      | AnyPaths<Others<T>, `${Path}.*`, [...Depth, 0]>
                  : never;

/** The keys that have a name, without those that the platform defines. */
type OwnKeys<T> = Exclude<keyof { [K in keyof T as string extends K ? never : K]: 0 }, PlatformKeys> & string & keyof T;
type PlatformKeys = keyof EventTarget | keyof Error | number;
type Others<T> = string extends keyof T ? T[string & keyof T] : never;

assertType<Equal<AnyPaths<{ a: [{ b?: (c: any) => void }]; c: any; [d: string]: unknown }>, ".a[].b()[]" | ".c">>();
assertType<Equal<AnyPaths<{ a: Record<string, any> }>, ".a.*">>();

/** The exported types. Types that are not named here are part of one of these. */
interface Exported {
  Awaitable: orderCost.Awaitable<string>;
  Json: orderCost.Json;
  OrderInput: orderCost.OrderInput;
  PricedOrder: orderCost.PricedOrder;
  BasketSnapshot: Omit<orderCost.BasketSnapshot, "problems" | "error" | "rows">;
  BasketRow: Omit<orderCost.BasketRow, "problem">;
  BasketOptions: orderCost.BasketOptions;
  CouponRequest: orderCost.CouponRequest;
  DiscountResultInput: orderCost.DiscountResultInput;
  Voucher: orderCost.Voucher;
  RefusedVoucher: orderCost.RefusedVoucher;
  Host: orderCost.Host;
  PricerOptions: orderCost.PricerOptions;
  CallOptions: orderCost.CallOptions;
  CallContext: orderCost.CallContext;
  ExplainStep: orderCost.ExplainStep;
  Pricer: orderCost.Pricer;
  Basket: Omit<orderCost.Basket, keyof EventTarget>;
  PricingError: Omit<orderCost.PricingError, keyof Error>;
  functions: typeof orderCost.createPricer | typeof orderCost.preload;
  Facts: testing.Facts;
  CouponFact: testing.CouponFact;
  hostFromFacts: typeof testing.hostFromFacts;
  recordingHost: typeof testing.recordingHost;
  unreliable: typeof testing.unreliable;
  FieldDifference: compare.FieldDifference;
  compareOrders: typeof compare.compareOrders;
  VerifiedReceipt: receipt.VerifiedReceipt;
  customerText: typeof messages.customerText;
  BasketChange: messages.BasketChange;
  Texts: messages.Texts;
  useBasket: typeof react.useBasket<unknown>;
  FetchHandlerOptions: worker.FetchHandlerOptions;
  createFetchHandler: ReturnType<typeof worker.createFetchHandler<unknown>>;
}
assertType<Equal<AnyPaths<Exported>, never>>();
