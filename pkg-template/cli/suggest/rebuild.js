// An order and its facts, from the answer of this package: the answer echoes the order, and shows what it was priced from.
import { order as compare, decimal, decimalText, multiply, subtract } from "../../decimal.js";
import { exactText, member, numberText, readExact, stringText, typeOf } from "../../exact-json.js";

/**
 * What the answer was priced from, as far as it shows that: `request`, `facts` and the text of `zones`. A settlement price is
 * the record's where it is not `rowTotal`.
 */
export function rebuilt(answer) {
  const order = readExact(answer);
  const rows = list(order, "productList");
  const branch = stringText(member(order, "branchId"));
  const settled = new Map(rows.filter(hasOwnSettlement).map((row) => [codeOf(row), exactText(member(row, "settlementPrice"))]));
  const prices = Object.fromEntries(rows.map((row) => [`${codeOf(row)}/${branch}`, recordOf(row, settled.get(codeOf(row)))]));
  const vouchers = [...list(order, "validVouchers"), ...list(order, "invalidVouchers")];
  const shipping = member(order, "shipping");
  const schedules = list(shipping, "scheduleList");
  return {
    request: answer, // what is computed is dropped (D2)
    facts: {
      prices,
      vouchers: Object.fromEntries(vouchers.map((voucher) => [stringText(member(voucher, "voucherId")), voucherOf(voucher)])),
      rates: Object.fromEntries(schedules.filter(hasMode("NATIONWIDE")).map((one) => [stringText(member(one, "nationwideMode")), rateOf(one)])),
      coupons: couponsOf(member(order, "discountResult"), rows),
    },
    zones: zonesOf(shipping, schedules.find(hasMode("REGULAR", "EXPRESS"))),
  };
}

const list = (object, name) => member(object, name) ?? [];

const codeOf = (row) => numberText(member(row, "cprcode"));

const hasMode = (...modes) => (schedule) => modes.includes(stringText(member(schedule, "mode")));

const hasOwnSettlement = (row) => compare(amountOf(row, "settlementPrice"), amountOf(row, "rowTotal")) !== 0;

const amountOf = (object, name) => decimal(numberText(member(object, name)));

function recordOf(row, settlementPrice) {
  const shown = ["price", "originalPrice", "weight", "isControlledProduct"].map((name) => [name, exactText(member(row, name))]);
  return objectText(settlementPrice === undefined ? shown : [...shown, ["settlementPrice", settlementPrice]]);
}

/** Of somebody else's voucher an answer shows only that it is one: so does a record of nobody's. */
function voucherOf(voucher) {
  return member(voucher, "value") === undefined ? '{"value":0,"isActive":false,"isUsed":false}' : exactText(voucher);
}

function rateOf(schedule) {
  const config = member(schedule, "nationwideConfig");
  return objectText([["deliveryFee", exactText(member(schedule, "deliveryFee"))], ["nationwideConfig", exactText(config ?? null)]]);
}

/** The coupon service's answer. Which rows it discounted is what is missing in these. */
function couponsOf(result, rows) {
  const lines = rows.flatMap((row, line) => {
    const product = multiply(amountOf(row, "price"), amountOf(row, "quantity"));
    if (product.digits <= 0n) return [];
    const discount = subtract(product, amountOf(row, "discountedRowTotal"));
    return discount.digits > 0n ? [`{"line":${line},"discount":${decimalText(discount)}}`] : [];
  });
  const shown = ["discounts", "failedCoupons", "error"].map((name) => [name, exactText(member(result, name))]);
  return objectText([...shown, ["lines", `[${lines.join(",")}]`]]);
}

const EVERYWHERE = [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]];

/** One zone that covers every address, with the fee that the answer shows; undefined if it shows none. */
function zonesOf(shipping, schedule) {
  if (schedule === undefined) return undefined;
  const geometry = JSON.stringify({ type: "Polygon", coordinates: EVERYWHERE });
  const properties = objectText([["brcode", exactText(member(shipping, "brcode"))], ["deliveryFee", exactText(member(schedule, "deliveryFee"))]]);
  return `{"type":"FeatureCollection","features":[{"type":"Feature","properties":${properties},"geometry":${geometry}}]}`;
}

const objectText = (members) => `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`;

/** Whether an answer is a priced order of this package. */
export function isPriced(answer) {
  const order = readExact(answer);
  return typeOf(order) === "object" && typeOf(member(order, "discountResult")) === "object" && Array.isArray(member(order, "productList"));
}
