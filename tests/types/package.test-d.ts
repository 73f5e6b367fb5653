// What must type-check and what must not. Nothing here runs.
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type {
  Basket,
  ExplainRule,
  ExplainStep,
  Host,
  OrderInput,
  PricedOrder,
  Pricer,
  PricingErrorCode,
  Totals,
  Voucher,
  WasmModule,
} from "order-cost";
import { createPricer, PricingError, preload } from "order-cost";
import { type Pricer as CalculatingPricer, createPricer as createCalculating } from "order-cost/calculate";
import { type Catalogue, CatalogueError, type CatalogueVersion, createCatalogue, fromUrl, type ReadTexts } from "order-cost/catalogue";
import { compareOrders, type FieldDifference } from "order-cost/compare";
import { checkOrder, checkPrice, checkZones, type OrderFault, orderSchema, orderSchemaWith } from "order-cost/data";
import { createNodeListener, type FetchHandler } from "order-cost/http";
import { type JsonWebKeySet, type ReceiptRefusal, verifyReceipt } from "order-cost/receipt";
import { hostFromFacts } from "order-cost/testing";
import type { createPricer as createPricerByUrl } from "order-cost/url";
import addressOfModule from "order-cost/wasm";
import { createFetchHandler } from "order-cost/worker";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_T extends true>(): void {}

assertType<Equal<typeof createPricerByUrl, typeof createPricer>>();

const order: OrderInput = { productList: [{ cprcode: 1001, productName: "ข้าวหอมมะลิ", quantity: 2 }] };
// @ts-expect-error: productList is required
const noProducts: OrderInput = {};
// @ts-expect-error: a quantity is a number
const wrongQuantity: OrderInput = { productList: [{ cprcode: 1, productName: "", quantity: "2" }] };
// @ts-expect-error: there is no such mode
const wrongMode: OrderInput = { ...order, shipping: { scheduleList: [{ mode: "DRONE" }] } };
// @ts-expect-error: there is no such field
const wrongKey: OrderInput = { ...order, coupons: [] };
// The specification also lists them in a request; they are dropped.
const computed: OrderInput = { ...order, shipping: { scheduleList: [{ mode: "REGULAR", deliveryFee: 30, expressFee: null }] } };
const nulls: OrderInput = { ...order, shipping: null, ownerId: null, voucherId: null };
const readonlyOrder = { productList: [{ cprcode: 1, productName: "", quantity: 1 }], couponCodeList: ["A"] } as const;

const host: Host = {
  lookupPrices: (keys, ctx) => keys.map(({ cprcode, branchId }) => (ctx.signal.aborted ? null : `{"price":${cprcode + branchId.length}}`)),
  nationwideRate: async ({ nationwideMode }) => ({ deliveryFee: nationwideMode === "DRY" ? 45 : 90 }),
  validateCoupons: ({ couponCodeList }) => ({ failedCoupons: couponCodeList }),
  lookupVouchers: (ids) => Promise.resolve(ids.map((): Voucher | undefined => undefined)),
};
// @ts-expect-error: a record needs a price
const wrongHost: Host = { lookupPrices: () => [{ weight: 1 }] };

/** The index that `map` passes is no options. */
export const mapped = (pricer: Pricer): [Promise<PricedOrder>[], Basket[]] => [[order].map(pricer.calculate), [order].map(pricer.basket)];

function shop(pricer: Pricer): number {
  using basket: Basket = pricer.basket();
  basket.addEventListener("change", () => {});
  const totals: Totals = basket.addProduct({ cprcode: 1, productName: "", quantity: 1 });
  basket.setShipping(null);
  basket.setCoupons(readonlyOrder.couponCodeList);
  // @ts-expect-error: a quantity is a number
  basket.setQuantity(0, "2");
  // @ts-expect-error: the order changes by its edits
  basket.order = order;
  // @ts-expect-error: the order is frozen
  basket.order.productList[0]!.quantity = 2;
  basket.replace(basket.order);
  basket.setShipping(basket.order.shipping ?? null);
  basket.insertProduct(basket.rows[0]!.key, readonlyOrder.productList[0]);
  basket.updateProduct(0, { remark: null, scheduleId: 2 });
  // @ts-expect-error: a remark is a string
  basket.updateProduct(0, { remark: 2 });
  const end: () => void = basket.subscribe(({ rows, shipping, problems }) => {
    assertType<Equal<(typeof rows)[number]["problem"], PricingError | null>>();
    assertType<Equal<NonNullable<typeof shipping>["scheduleList"][number]["deliveryFee"], number | null>>();
    const line: number | undefined = problems[0]?.subject?.line;
    void line;
  });
  end();
  void pricer.basket(order, { autoSettle: { debounceMs: 10 }, context: { user: "malee" } });
  // @ts-expect-error: a pause is a number
  void pricer.basket(order, { autoSettle: { debounceMs: "10" } });
  assertType<Equal<Basket["status"], "current" | "pending" | "failed">>();
  assertType<Equal<Basket["rows"][number]["price"], number | null>>();
  const settled: Promise<PricedOrder> = basket.settle({ signal: AbortSignal.timeout(5) });
  const error: PricingError | null = basket.error;
  void settled.catch(() => error);
  return pricer.basket(readonlyOrder).refresh().grandTotal + totals.grandTotal;
}

async function price(): Promise<PricedOrder> {
  await preload();
  const pricer: Pricer = await createPricer(host, { policy: { rowTotal: "list" }, deadlineMs: 0, limits: { maxProducts: 10 } });
  await createPricer(host, { deliveryZones: () => "{}" });
  await createPricer(host, { deliveryZones: async () => ({ type: "FeatureCollection", features: [] }) });
  // @ts-expect-error: a function gives zones or their text
  await createPricer(host, { deliveryZones: () => 5 });
  // @ts-expect-error: there is no such policy
  await createPricer(host, { policy: { rowTotal: "listed" } });
  await pricer.calculate(readonlyOrder);
  await pricer.calculate(nulls, { signal: new AbortController().signal, requestId: "r", context: 1 });
  const bytes = await pricer.calculateJson(new Uint8Array());
  assertType<Equal<typeof bytes, Uint8Array<ArrayBuffer>>>();
  new Response(bytes);
  assertType<Equal<ReturnType<typeof pricer.calculateJsonNow>, typeof bytes>>();
  const now: PricedOrder = [readonlyOrder].map(pricer.calculateNow)[0] ?? pricer.calculateNow(order, { facts: pricer.facts() });
  // @ts-expect-error: it is no promise
  now.then;
  return pricer.calculate(order);
}

async function withModule(): Promise<number> {
  assertType<Equal<WasmModule, WebAssembly.Module & object>>();
  await createPricer(host, { module: fetch("/order-cost.wasm") });
  await createPricer(host, { module: new WebAssembly.Module(new Uint8Array()) });
  await createPricer(host, { module: fetch(addressOfModule) });
  // @ts-expect-error: an address is no module
  await createPricer(host, { module: addressOfModule });
  const calculating: CalculatingPricer = await createCalculating(host, { deadlineMs: 0 });
  // @ts-expect-error: it has no baskets
  calculating.basket();
  createFetchHandler(() => calculating);
  createFetchHandler(() => ({ calculateJson: calculating.calculateJson }));
  return (await calculating.calculate(order)).grandTotal + calculating.calculateNow(order).grandTotal;
}

async function explain(pricer: Pricer): Promise<readonly ExplainRule[]> {
  const { order: priced, steps } = await pricer.explain(readonlyOrder, { requestId: "r" });
  assertType<Equal<typeof priced, PricedOrder>>();
  assertType<Equal<typeof steps, ExplainStep[]>>();
  assertType<Equal<ExplainStep["runningTotal"], number | null>>();
  assertType<Equal<ExplainStep["operands"], Record<string, number | string | boolean>>>();
  const rules = steps.filter(({ runningTotal }) => runningTotal !== null).map(({ rule }) => rule);
  // @ts-expect-error: there is no such rule
  rules.includes("discount");
  // @ts-expect-error: a decision and a path may be missing
  const _where: string = steps[0].path;
  return rules;
}

function read(priced: PricedOrder): number {
  assertType<Equal<PricedOrder["cartDiscountInfo"], unknown[]>>();
  assertType<Equal<keyof PricedOrder extends string ? true : false, true>>();
  // @ts-expect-error: shipping may be null
  priced.shipping.brcode;
  // @ts-expect-error: there is no such total
  priced.total;
  const reasons: readonly ("inactive" | "used" | "ownerMismatch")[] = priced.invalidVouchers.flatMap(({ reasons }) => reasons);
  return priced.grandTotal + priced.summary.discountResult.discounts.length + reasons.length;
}

function handle(thrown: unknown): PricingErrorCode | undefined {
  if (!(thrown instanceof PricingError)) return undefined;
  const body: { error: string } = thrown.toJSON();
  const prices: readonly string[] = thrown.notKnown?.prices ?? [];
  // @ts-expect-error: zones have no keys
  thrown.notKnown?.deliveryZones?.length;
  if (prices.length > 0) return "NOT_KNOWN";
  // @ts-expect-error: an error's fields are read-only
  thrown.code = "INTERNAL";
  return body.error === "" ? "INTERNAL" : thrown.code;
}

const handler = createFetchHandler(async (env: { KEY: string }) => createPricer({ lookupPrices: () => [env.KEY] }), { basePath: "/api" });
const response: Promise<Response> = handler(new Request("https://example.test"), { KEY: "" }, { waitUntil() {} });
// @ts-expect-error: the environment has its type
handler(new Request("https://example.test"), {}, { waitUntil() {} });
createNodeListener(handler, { env: { KEY: "" } });
// @ts-expect-error: the handler needs its environment
createNodeListener(handler);
// @ts-expect-error: a key is a string
createNodeListener(handler, { env: { KEY: 1 } });
const ownHandler: FetchHandler<unknown> = async ({ url }) => new Response(url);
createNodeListener(ownHandler);

const facts = hostFromFacts({ prices: { 1001: { price: 1 } }, rates: { DRY: { deliveryFee: 45 } } });
const names: (keyof Host)[] = facts.calls.map(({ name }) => name);
hostFromFacts({});

const differences: FieldDifference[] = compareOrders("{}", {});
// @ts-expect-error: a number is not an order
compareOrders(1, 2);

const publicKeys: JsonWebKeySet = { keys: [{ kty: "OKP", crv: "Ed25519", x: "", kid: "k1" }] };
export async function honour(receipt: string | null, request: Uint8Array, response: Uint8Array): Promise<ReceiptRefusal | string> {
  const verified = await verifyReceipt(receipt, { request, response, keys: publicKeys, at: new Date() });
  return verified.valid ? verified.payload.jti : verified.reason;
}
// @ts-expect-error: only a valid receipt has a payload
verifyReceipt("", { request: new Uint8Array(), response: new Uint8Array(), keys: publicKeys }).then(({ payload }) => payload);
// @ts-expect-error: a body is bytes
verifyReceipt("", { request: "{}", response: new Uint8Array(), keys: publicKeys });

const columns: string[] = checkPrice("{}").map(({ column, expected }) => `${column}: expected ${expected}`);
const paths: string[] = checkZones("{}").map(({ path }) => path);
// @ts-expect-error: a record is text
checkPrice({ price: 1 });

export {
  columns,
  computed,
  differences,
  explain,
  handle,
  names,
  noProducts,
  paths,
  price,
  read,
  response,
  shop,
  withModule,
  wrongHost,
  wrongKey,
  wrongMode,
  wrongQuantity,
};

// order-cost/catalogue
const catalogue: Catalogue = createCatalogue({ read: fromUrl("/catalogue", { fetch }), refreshMs: 1_000 });
const readAnything: ReadTexts = (names, { signal }) => new Map(names.map((name) => [name, signal.aborted ? null : ""]));
createCatalogue({ read: readAnything, hold: (work) => void work, onEvent: ({ level, message }) => console.log(level, message) });
// @ts-expect-error: a catalogue reads from somewhere
createCatalogue({ refreshMs: 1_000 });
// @ts-expect-error: a name without a text is null
const _undefinedTexts: ReadTexts = () => new Map([["current", undefined]]);

export async function priced(): Promise<PricedOrder> {
  const version: CatalogueVersion = await catalogue.version();
  assertType<Equal<typeof version.id, string>>();
  const pricer = await createPricer({ lookupPrices: version.lookupPrices }, { deliveryZones: () => version.deliveryZones() });
  return pricer.calculate(order);
}
export function why(error: unknown): string | undefined {
  return error instanceof CatalogueError ? error.detail : undefined;
}

// order-cost/data: a schema of orders is one of the standard's own type
const schema: StandardSchemaV1<OrderInput, OrderInput> = orderSchemaWith({ input: "lenient", limits: { maxProducts: 20 } });
assertType<Equal<StandardSchemaV1.InferInput<typeof orderSchema>, OrderInput>>();
assertType<Equal<StandardSchemaV1.InferOutput<typeof orderSchema>, OrderInput>>();
const found: OrderFault[] = checkOrder('{"productList":[]}', { limits: { maxVouchers: 1 } });
const checked = orderSchema["~standard"].validate(order);
const quantities: (number | undefined)[] = checked.issues ? [] : checked.value.productList.map(({ quantity }) => quantity);
// @ts-expect-error: there is no such option
checkOrder(order, { limit: {} });
// @ts-expect-error: a policy changes no fault
orderSchemaWith({ policy: {} });

export { found, quantities, schema };
