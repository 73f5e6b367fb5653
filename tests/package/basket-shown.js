// Compares what a basket shows with what the naive model says.
import assert from "node:assert/strict";
import { PricingError } from "order-cost";

const ORDER = {
  basketName: "",
  basketId: "",
  branchId: "1000",
  orderId: "",
  orderDate: 0,
  ownerId: "",
  requestSubstitute: false,
  specialComment: null,
  noPlasticBags: false,
  couponCodeList: [],
  voucherId: [],
  cartDiscountInfo: [],
  shipping: null,
};
const PRODUCT = { cprcode: undefined, productName: undefined, quantity: undefined, scheduleId: 0, isPreOrder: false, remark: "" };
const SHIPPING = {
  shippingType: "PICKUP",
  shippingPostcode: "10110",
  shippingLat: 0,
  shippingLon: 0,
  shippingFirstName: "",
  shippingLastName: "",
  shippingAddress: "",
  shippingSubDistrict: "",
  shippingProvince: "",
  shippingPhone: "",
  shippingEmail: "",
  shippingDate: 0,
  brcode: 1000,
};
const SCHEDULE = {
  scheduleId: 0,
  mode: "NATIONWIDE",
  dateTime: null,
  nationwideMode: "DRY",
  nationwideConfig: null,
  pickingStatus: null,
  date_slot: null,
  booking_hour: 0,
};

const filled = (defaults, given) => Object.fromEntries(Object.keys(defaults).map((name) => [name, given[name] ?? defaults[name]]));

/** What an order says, with its defaults: an order that differs in this is another one. */
export function meaning(order) {
  const { shipping } = order;
  return {
    ...filled(ORDER, order),
    productList: order.productList.map((product) => filled(PRODUCT, product)),
    shipping: shipping
      ? { ...filled(SHIPPING, shipping), scheduleList: (shipping.scheduleList ?? []).map((one) => filled(SCHEDULE, one)) }
      : null,
  };
}

/** What an error says, without the id of its request and its cause. */
export function said(error) {
  assert.ok(error instanceof PricingError, `${error?.stack ?? error}`);
  return { code: error.code, message: error.message, path: error.path, retryable: error.retryable, subject: error.subject ?? {} };
}

/** Everything but the rows' keys. */
export function assertShows(snapshot, expected) {
  assert.deepEqual(snapshot.pending, expected.pending, "pending");
  assert.deepEqual(snapshot.blocked, expected.blocked, "blocked");
  assertProblems(snapshot, expected);
  assert.equal(snapshot.status, expected.status, "status");
  for (const [name, value] of Object.entries(expected.totals)) {
    if (!expected.uncertain.has(name)) assert.equal(snapshot.totals[name], value, `totals.${name}`);
    else assert.ok(Number.isFinite(snapshot.totals[name]), `totals.${name}`);
  }
  assert.deepEqual(Object.keys(snapshot.totals).sort(), Object.keys(expected.totals).sort());
  assert.equal(snapshot.rows.length, expected.rows.length, "rows");
  snapshot.rows.forEach((row, line) => assertRow(row, expected.rows[line], `rows[${line}]`));
  assert.deepEqual(snapshot.slots.map(slotOf), expected.slots, "slots");
  if (expected.isEmpty) return;
  assertShipping(snapshot.shipping, expected.shipping);
  assert.deepEqual(snapshot.validVouchers, expected.validVouchers, "validVouchers");
  assert.deepEqual(snapshot.invalidVouchers, expected.invalidVouchers, "invalidVouchers");
  assert.deepEqual(snapshot.discountResult.discounts, expected.discountResult.discounts, "discounts");
  if (expected.isWhole) assert.deepEqual(snapshot.discountResult, expected.discountResult, "discountResult");
  if (expected.isWhole && expected.coupons) assert.deepEqual(snapshot.coupons, expected.coupons, "coupons");
}

const slotOf = ({ shipping, cost, problem }) => ({
  fees: shipping.scheduleList.map(({ deliveryFee }) => deliveryFee),
  cost,
  problem: problem && said(problem),
});

/** The steps come to the total that is shown, in every state but an overflow. */
export function assertExplained(basket) {
  const { problems, totals } = basket.snapshot;
  const { steps } = basket.explain();
  assert.deepEqual(basket.snapshot.steps, steps);
  const counted = steps.filter(({ runningTotal }) => runningTotal !== null);
  if (problems.some(isOverflow)) return;
  assert.equal(counted.at(-1)?.runningTotal ?? 0, totals.grandTotal, "the steps come to grandTotal");
}

const isOverflow = ({ code }) => code === "OVERFLOW";
/** The codes in the order of D42. */
const RANKS = [
  ["PRODUCT_PRICE_NOT_FOUND", "PRICE_LOOKUP_FAILED"],
  ["BRANCH_NOT_AVAILABLE", "BRANCH_NOT_IN_POLYGON", "NATIONWIDE_RATE_FAILED", "NATIONWIDE_RATE_NOT_FOUND", "DELIVERY_ZONES_FAILED"],
  ["VOUCHER_NOT_FOUND", "VOUCHER_LOOKUP_FAILED"],
  ["OVERFLOW before coupons"],
  ["COUPON_SERVICE_FAILED"],
  ["OVERFLOW"],
];
const rankOf = ({ code, message }) => {
  const isBeforeCoupons = /(\.rowTotal|subTotal|totalWeight|deliveryFee|expressShippingCost) is too large$/.test(message);
  return RANKS.findIndex((codes) => codes.includes(isBeforeCoupons ? `${code} before coupons` : code));
};

/** D42. Of several overflows only the first is `calculate`'s; of the others only those of rows are certain. */
function assertProblems({ problems, error, rows }, expected) {
  const shown = problems.map(said);
  assert.equal(error, problems[0] ?? null, "error is the first problem");
  assert.deepEqual(
    shown.filter((one) => !isOverflow(one)),
    expected.problems.filter((one) => !isOverflow(one)),
    "problems",
  );
  const [first] = expected.problems.filter(isOverflow);
  const overflows = shown.filter(isOverflow);
  assert.equal(overflows[0]?.message, first?.message, "the first overflow");
  const ofRows = (list) => list.filter(isOverflow).flatMap(({ message }) => message.match(/productList\[(\d+)\]\.rowTotal/)?.[1] ?? []);
  assert.deepEqual(ofRows(shown), ofRows(expected.problems), "rows that overflow");
  const ranks = shown.map(rankOf);
  assert.deepEqual(
    ranks,
    [...ranks].sort((a, b) => a - b),
    `D42: ${shown.map(({ code }) => code)}`,
  );
  for (const row of rows) if (row.problem) assert.ok(problems.includes(row.problem), "row.problem is one of problems");
}

function assertRow({ key, problem, ...row }, { problem: why, isOverflow: overflows, ...expected }, what) {
  assert.equal(typeof key, "string", what);
  if (!overflows) {
    assert.deepEqual(row, expected, what);
    if (!isOverflow(problem ?? {})) assert.deepEqual(problem && said(problem), why, `${what}.problem`);
    return;
  }
  assert.equal(problem?.message, why.message, `${what}.problem`);
  assert.equal(problem.subject?.line, why.subject.line, `${what}.problem.subject`);
  const unclear = { settlementPrice: 0, weight: 0, isControlledProduct: false };
  assert.deepEqual({ ...row, ...unclear }, { ...expected, ...unclear }, what);
}

/** `nationwideConfig` of a schedule with an unknown rate is not specified. */
function assertShipping(shipping, expected) {
  const certain = (one) =>
    one && {
      ...one,
      scheduleList: one.scheduleList.map((slot) => (slot.deliveryFee === null ? { ...slot, nationwideConfig: null } : slot)),
    };
  assert.deepEqual(certain(shipping), certain(expected), "shipping");
}
