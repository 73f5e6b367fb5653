// An order and its facts, from the answer of this package: the answer echoes the order, and shows what it was priced from.
import { FIELDS, MODES } from "../../order-fields.js";
import {
  order as compare,
  decimal,
  decimalText,
  exactText,
  member,
  multiply,
  numberText,
  readExact,
  stringText,
  subtract,
  typeOf,
} from "../../shared/index.js";

/**
 * @typedef {Record<string, string>} Policy
 * @typedef {{ policy: Policy, isOwn?: (key: string, amount: string) => boolean }} Made `isOwn`: whether another answer shows that
 *   the product's record has this settlement price
 * @typedef {{ byCode: Map<string, string>, hidden?: (row: unknown) => string }} Settled
 * @typedef {{ shown?: string, hidden?: string }} Share
 */

/**
 * What an answer was priced from by a policy, as far as it shows that: `request`, `facts` and the text of `zones`. A policy may
 * hide amounts: then there is a second one, which differs in these, and gives the same answer. None: it was another policy.
 * @param {string} answer
 * @param {Made} made
 */
export function rebuilt(answer, made) {
  const order = readExact(answer);
  if (refutes(order, made.policy)) return [];
  const shipping = member(order, "shipping");
  const schedules = list(shipping, "scheduleList");
  const vouchers = [...list(order, "validVouchers"), ...list(order, "invalidVouchers")];
  const shown = {
    vouchers: Object.fromEntries(vouchers.map((voucher) => [stringText(member(voucher, "voucherId")), voucherOf(voucher)])),
    rates: Object.fromEntries(
      schedules.filter(isFrom("nationwideRate")).map((one) => [stringText(member(one, "nationwideMode")), rateOf(one)]),
    ),
  };
  const settled = settlementsIn(order, made);
  const shares = sharesIn(order, made.policy);
  const zones = zonesOf(shipping, schedules);
  const withHidden = (isOther) => ({
    request: answer, // what is computed is dropped (D2)
    facts: { ...shown, prices: pricesOf(order, settled, isOther), coupons: couponsOf(order, shares, isOther) },
    zones,
  });
  const isAllShown = settled.hidden === undefined && shares.every(({ hidden }) => hidden === undefined);
  return isAllShown ? [withHidden(false)] : [withHidden(false), withHidden(true)];
}

/** The policies that say what an answer shows of its facts. */
export const REBUILT_BY = ["settlementPrice", "discountedRowTotal"];

/** The zones that give the fees of an answer. */
export function rebuiltZones(answer) {
  const shipping = member(readExact(answer), "shipping");
  return zonesOf(shipping, list(shipping, "scheduleList"));
}

/** The settlement prices in an answer that can only be those of records. */
export function ownSettlements(answer) {
  const order = readExact(answer);
  return list(order, "productList")
    .filter(hasOwnSettlement("rowTotal"))
    .map((row) => [keyOf(order, row), settlementOf(row)]);
}

const list = (object, name) => member(object, name) ?? [];

const codeOf = (row) => numberText(member(row, "cprcode"));

/** Whether the fee of a schedule comes from there. */
const isFrom = (source) => (schedule) => MODES[stringText(member(schedule, "mode"))]?.source === source;

const keyOf = (order, row) => `${codeOf(row)}/${stringText(member(order, "branchId"))}`;

const settlementOf = (row) => exactText(member(row, "settlementPrice"));

const hasOwnSettlement = (otherwise) => (row) => compare(amountOf(row, "settlementPrice"), amountOf(row, otherwise)) !== 0;

const amountOf = (object, name) => decimal(numberText(member(object, name)));

/** No record has it. */
const OTHER_SETTLEMENT = "987654321.0123";

/**
 * D17, D48: the settlement prices of the records, by product; `hidden(row)`: one that a record may have where none is shown.
 * @param {unknown} order
 * @param {Made} made
 * @returns {Settled}
 */
function settlementsIn(order, { policy: { settlementPrice }, isOwn = () => false }) {
  if (settlementPrice === "rowTotal") return { byCode: new Map(), hidden: () => OTHER_SETTLEMENT };
  const byCodeOf = (isRecords) =>
    new Map(
      list(order, "productList")
        .filter(isRecords)
        .map((row) => [codeOf(row), settlementOf(row)]),
    );
  if (settlementPrice === "record") return { byCode: byCodeOf(hasOwnSettlement("price")), hidden: settlementOf };
  return { byCode: byCodeOf((row) => hasOwnSettlement("rowTotal")(row) || isOwn(keyOf(order, row), settlementOf(row))) };
}

/**
 * Whether an answer cannot have been made by a policy: no record's settlement price is what so many pieces cost.
 * @param {unknown} order
 * @param {Policy} policy
 */
const refutes = (order, { settlementPrice }) =>
  settlementPrice === "record" &&
  list(order, "productList").some((row) => hasOwnSettlement("price")(row) && !hasOwnSettlement("rowTotal")(row));

/**
 * @param {unknown} order
 * @param {Settled} settled
 * @param {boolean} isOther
 */
function pricesOf(order, { byCode, hidden }, isOther) {
  const settlementPrice = (row) => byCode.get(codeOf(row)) ?? (isOther ? hidden?.(row) : undefined);
  return Object.fromEntries(list(order, "productList").map((row) => [keyOf(order, row), recordOf(row, settlementPrice(row))]));
}

/** The columns that a row shows as they are. */
const SHOWN_COLUMNS = Object.keys(FIELDS.Price.read).filter((name) => name !== "settlementPrice" && name in FIELDS.Product.response);

function recordOf(row, settlementPrice) {
  const shown = SHOWN_COLUMNS.map((name) => [name, exactText(member(row, name))]);
  return objectText(settlementPrice === undefined ? shown : [...shown, ["settlementPrice", settlementPrice]]);
}

/** Of somebody else's voucher an answer shows only that it is one: so does a record of nobody's. */
function voucherOf(voucher) {
  return member(voucher, "value") === undefined ? '{"value":0,"isActive":false,"isUsed":false}' : exactText(voucher);
}

function rateOf(schedule) {
  const config = member(schedule, "nationwideConfig");
  return objectText([
    ["deliveryFee", exactText(member(schedule, "deliveryFee"))],
    ["nationwideConfig", exactText(config ?? null)],
  ]);
}

/** No row costs as much. */
const WHOLE_ROW = "999999999999";

/**
 * D16: what coupons take off each row; `hidden`: it may as well be more, because the row ends at 0.
 * @param {unknown} order
 * @param {Policy} policy
 * @returns {Share[]}
 */
function sharesIn(order, { discountedRowTotal }) {
  const hasCoupons = list(order, "couponCodeList").length > 0;
  return list(order, "productList").map((row) => {
    const product = multiply(amountOf(row, "price"), amountOf(row, "quantity"));
    const before = discountedRowTotal === "fromRowTotal" ? amountOf(row, "rowTotal") : product;
    const discount = before.digits > 0n ? subtract(before, amountOf(row, "discountedRowTotal")) : before;
    const isFloor = hasCoupons && amountOf(row, "discountedRowTotal").digits === 0n;
    return { shown: discount.digits > 0n ? decimalText(discount) : undefined, hidden: isFloor ? WHOLE_ROW : undefined };
  });
}

/**
 * The coupon service's answer.
 * @param {unknown} order
 * @param {Share[]} shares
 * @param {boolean} isOther
 */
function couponsOf(order, shares, isOther) {
  /** @param {Share} share */
  const amountOfShare = ({ shown, hidden }) => (isOther ? (hidden ?? shown) : shown);
  const lines = shares.flatMap((share, line) => {
    const discount = amountOfShare(share);
    return discount === undefined ? [] : [`{"line":${line},"discount":${discount}}`];
  });
  const result = member(order, "discountResult");
  const shown = ["discounts", "failedCoupons", "error"].map((name) => [name, exactText(member(result, name))]);
  return objectText([...shown, ["lines", `[${lines.join(",")}]`]]);
}

const EVERYWHERE = [
  [
    [-180, -90],
    [180, -90],
    [180, 90],
    [-180, 90],
    [-180, -90],
  ],
];

/** One zone that covers every address, with the fee that the answer shows; undefined if it shows none. */
function zonesOf(shipping, schedules) {
  const schedule = schedules.find(isFrom("zone"));
  if (schedule === undefined) return undefined;
  const geometry = JSON.stringify({ type: "Polygon", coordinates: EVERYWHERE });
  const properties = objectText([
    ["brcode", exactText(member(shipping, "brcode"))],
    ["deliveryFee", exactText(member(schedule, "deliveryFee"))],
  ]);
  return `{"type":"FeatureCollection","features":[{"type":"Feature","properties":${properties},"geometry":${geometry}}]}`;
}

const objectText = (members) => `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`;

/** Whether an answer is a priced order of this package. */
export function isPriced(answer) {
  const order = readExact(answer);
  return typeOf(order) === "object" && typeOf(member(order, "discountResult")) === "object" && Array.isArray(member(order, "productList"));
}
