import { RequestError } from "../json/index.js";

/**
 * A coupon of worker/seed/coupons.json. What it grants stands in fields of its kind.
 * @typedef {object} Coupon
 * @property {string} code
 * @property {string} kind a key of {@link GRANTS}
 * @property {number} [minimumSpend]
 * @property {string} [startsAt]
 * @property {string} [expiresAt]
 * @property {string[]} [ownerIds]
 * @property {number[]} [cprcodes]
 * @property {number[]} [categories]
 *
 * A line of the request that coupons apply to. `left`: what remains of its amount.
 * @typedef {{ index: number, cprcode: number, price: bigint, units: bigint, amount: bigint, left: bigint }} Line
 */

/**
 * What the coupons of a request grant (D25, D26). Coupons apply in the request's sequence, each to the remaining
 * amount, so together they never exceed the order. A coupon that is unknown, not valid here or grants nothing is a
 * failed coupon. Amounts are whole satang. Coupons never apply to controlled products (alcohol, infant formula,
 * medicine).
 * @param {unknown} request the coupon request
 * @param {Coupon[]} coupons worker/seed/coupons.json
 * @param {number} now milliseconds since 1970
 * @returns {{discounts: import("order-cost").DiscountInput[], failedCoupons: string[], error: object}}
 */
export function evaluate(request, coupons, now) {
  const order = readRequest(request);
  const discounts = [];
  const failedCoupons = [];
  for (const code of order.codes) {
    const coupon = coupons.find((candidate) => candidate.code === code); // exact match, D24
    const grant = coupon && grantOf(coupon, order, now);
    if (grant === undefined) failedCoupons.push(code);
    else discounts.push({ coupon: code, ...NOTHING, ...grant });
  }
  return { discounts, failedCoupons, error: {} };
}

const NOTHING = {
  discount: 0,
  bogoDiscount: 0,
  two4Discount: 0,
  percentageDiscount: 0,
  freeshipping: false,
  shippingDiscount: 0,
};

/** What one coupon adds to the answer; undefined if it grants nothing. */
function grantOf(coupon, order, now) {
  if (!isOpen(coupon, order.ownerId, now)) return undefined;
  const lines = eligibleLines(coupon, order.lines);
  const spend = sum(lines.map((line) => line.amount));
  if (spend < toSatang(coupon.minimumSpend ?? 0)) return undefined;
  return GRANTS[coupon.kind](coupon, lines, order);
}

function isOpen({ startsAt, expiresAt, ownerIds }, ownerId, now) {
  if (startsAt !== undefined && now < Date.parse(startsAt)) return false;
  if (expiresAt !== undefined && now >= Date.parse(expiresAt)) return false;
  return ownerIds === undefined || ownerIds.includes(ownerId);
}

/** The lines that a coupon applies to: those of its products or categories, or all lines if it names none. */
function eligibleLines({ cprcodes, categories }, lines) {
  if (cprcodes) return lines.filter((line) => cprcodes.includes(line.cprcode));
  if (categories) return lines.filter((line) => categories.includes(categoryOf(line.cprcode)));
  return lines;
}

/** A product code starts with the two digits of its category. */
const categoryOf = (cprcode) => Math.floor(cprcode / 10_000);

// Grants, by kind of coupon

const GRANTS = {
  /** `amount` off all eligible lines together. */
  flat: (coupon, lines) => takeOff("discount", coupon, lines, share(toSatang(coupon.amount), lines)),

  /**
   * `percent` off the eligible lines, at most `maximum`. An unfolded coupon only states its percentage (rule 10, D21).
   */
  percentage: (coupon, lines) => {
    const amount = (sum(lines.map((line) => line.left)) * BigInt(coupon.percent)) / 100n;
    if (amount === 0n) return undefined;
    if (!coupon.folded) return { percentageDiscount: hundredths(BigInt(coupon.percent)) };
    const maximum = coupon.maximum === undefined ? amount : toSatang(coupon.maximum);
    return takeOff("discount", coupon, lines, share(least(amount, maximum), lines));
  },

  /** `amount` off every unit of the eligible lines. */
  perUnit: (coupon, lines) => {
    const amount = toSatang(coupon.amount);
    const savings = lines.map((line) => least(amount * line.units, line.left));
    return takeOff("discount", coupon, lines, savings);
  },

  /** One of every two units on a line is free. */
  buyOneGetOne: (coupon, lines) => {
    const savings = lines.map((line) => least((line.units / 2n) * line.price, line.left));
    return takeOff("bogoDiscount", coupon, lines, savings);
  },

  /** Every two units on a line cost `pairPrice`. An unfolded coupon only states the amount (rule 10). */
  twoFor: (coupon, lines) => {
    const pairPrice = toSatang(coupon.pairPrice);
    const savings = lines.map((line) => least((line.units / 2n) * atLeastZero(2n * line.price - pairPrice), line.left));
    if (coupon.folded) return takeOff("discount", coupon, lines, savings);
    const total = sum(savings);
    return total === 0n ? undefined : { two4Discount: hundredths(total) };
  },

  /** `amount` off the delivery fee. */
  shipping: (coupon, _lines, order) => {
    const amount = takeOffDelivery(order, toSatang(coupon.amount));
    return amount === 0n ? undefined : { shippingDiscount: hundredths(amount) };
  },

  /** Free delivery. Without an amount, the pricer's policy decides about the fee (D28). */
  freeShipping: (coupon, _lines, order) => {
    if (order.deliveryLeft === 0n) return undefined;
    const amount = coupon.carriesAmount ? takeOffDelivery(order, order.deliveryLeft) : 0n;
    return { freeshipping: true, shippingDiscount: hundredths(amount) };
  },
};

/** Subtracts each line's saving. A coupon that names products also lists the amount of each row (D16). */
function takeOff(field, coupon, lines, savings) {
  const total = sum(savings);
  if (total === 0n) return undefined;
  lines.forEach((line, i) => {
    line.left -= savings[i];
  });
  const grant = { [field]: hundredths(total) };
  if (coupon.cprcodes || coupon.categories) {
    const rows = lines.map((line, i) => ({ line: line.index, discount: hundredths(savings[i]) }));
    grant.lines = rows.filter((row) => row.discount > 0);
  }
  return grant;
}

function takeOffDelivery(order, amount) {
  const taken = least(amount, order.deliveryLeft);
  order.deliveryLeft -= taken;
  return taken;
}

/**
 * Distributes an amount in proportion to the lines' remaining amounts. The shares add up to it exactly, or to all that
 * remains.
 * @param {bigint} amount
 * @param {Line[]} lines
 */
function share(amount, lines) {
  const total = sum(lines.map((line) => line.left));
  const shared = least(amount, total);
  let before = 0n;
  return lines.map((line) => {
    const after = before + line.left;
    const part = total === 0n ? 0n : (shared * after) / total - (shared * before) / total;
    before = after;
    return part;
  });
}

// Amounts: whole satang, as BigInt

/**
 * A double's shortest decimal text in satang. Fractions of a satang are cut off, so that no discount exceeds its price.
 * @param {number} amount 0 or more
 */
function toSatang(amount) {
  const [mantissa, exponent = "0"] = String(amount).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const shift = Number(exponent) - fraction.length + 2;
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

/** Divides by 100: satang to baht, percent to a multiplier. */
const hundredths = (count) => Number(`${count / 100n}.${String(count % 100n).padStart(2, "0")}`);

/** @type {(amounts: bigint[]) => bigint} */
const sum = (amounts) => amounts.reduce((total, amount) => total + amount, 0n);
/** @type {(a: bigint, b: bigint) => bigint} */
const least = (a, b) => (a < b ? a : b);
/** @type {(amount: bigint) => bigint} */
const atLeastZero = (amount) => (amount > 0n ? amount : 0n);

// The request

function readRequest(request) {
  if (!isObject(request)) throw new RequestError("Invalid coupon request: expected an object");
  const { couponCodeList, ownerId, deliveryFee, productList } = request;
  if (!Array.isArray(couponCodeList)) invalid("couponCodeList", "an array");
  couponCodeList.forEach((code, i) => typeof code === "string" || invalid(`couponCodeList[${i}]`, "a string"));
  if (!isAmount(deliveryFee)) invalid("deliveryFee", "an amount of 0 or more");
  if (!Array.isArray(productList)) invalid("productList", "an array");
  const lines = productList.map(readLine);
  return {
    codes: new Set(couponCodeList),
    ownerId,
    deliveryLeft: toSatang(deliveryFee),
    lines: lines.filter((line) => !line.isControlledProduct),
  };
}

/** A line in the form that the grants need. A negative quantity buys nothing (D13). */
function readLine(product, index) {
  const at = `productList[${index}]`;
  if (!isObject(product)) invalid(at, "an object");
  const { cprcode, price, quantity, isControlledProduct } = product;
  if (!Number.isSafeInteger(cprcode)) invalid(`${at}.cprcode`, "an integer");
  if (!isAmount(price)) invalid(`${at}.price`, "an amount of 0 or more");
  if (!Number.isSafeInteger(quantity)) invalid(`${at}.quantity`, "an integer");
  const units = atLeastZero(BigInt(quantity));
  const amount = toSatang(price) * units;
  return { index, cprcode, price: toSatang(price), units, amount, left: amount, isControlledProduct };
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isAmount = (value) => Number.isFinite(value) && value >= 0;

function invalid(place, expected) {
  throw new RequestError(`Invalid coupon request: ${place}: expected ${expected}`);
}
