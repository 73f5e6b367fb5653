import { DEFAULT_LIMITS, MAX_BRANCH_UNITS } from "../order.js";
import { draftShipping } from "./draft.js";
import { needsText } from "./text.js";
import { UNCOVERED } from "./zones.js";

/** Edits of a live basket: `{ name, argument, isWrong? }`, for a call of `basket[name](...argument)`. */

export const BRANCHES = ["1000", "2000"];
export const OWNERS = ["", "u-9", "u-1"];
export const POSTCODES = ["10110", "50000"];
const LONG_BRANCH = "สาขา🥭".repeat(22).slice(0, MAX_BRANCH_UNITS); // D45: the longest that is allowed

export function draftProduct(random, isHuge) {
  const product = { cprcode: random.weighted([[30, random.integer(1, 5)], [4, 6], [1, 7], [isHuge ? 30 : 4, 8]]), productName: random.pick(["ข้าว", "น้ำปลา 🥭", ""]), quantity: draftQuantity(random, isHuge) };
  if (random.chance(0.2)) product.scheduleId = random.integer(0, 3);
  if (random.chance(0.2)) product.remark = random.pick(["x", null, 'a"b']);
  if (random.chance(0.1)) product[random.pick(["price", "foo"])] = random.pick([NaN, null, [Infinity], "x"]);
  return product;
}

function draftQuantity(random, isHuge) {
  return random.weighted([
    [8, random.integer(1, 12)],
    [1, random.integer(-3, 0)],
    [isHuge ? 6 : 0.2, isHuge ? random.pick([1e6, 2 ** 53 - 1, -(2 ** 53 - 1)]) : 1e6],
  ]);
}

function draftDelivery(random) {
  for (;;) {
    const shipping = draftShipping(random, random.chance(0.85) ? "DELIVERY" : "PICKUP");
    if (needsText(shipping)) continue;
    shipping.shippingPostcode = random.pick(POSTCODES);
    if (random.chance(0.15)) [, shipping.brcode, shipping.shippingLon, shipping.shippingLat] = random.pick(UNCOVERED);
    if (random.chance(0.1)) shipping.foo = NaN;
    return shipping;
  }
}

/** A few entries of a list; sometimes as many as an order may have (D45). */
function some(random, list, most) {
  const count = random.chance(0.03) ? DEFAULT_LIMITS.maxVouchers : random.integer(0, most);
  return random.times(count, () => random.pick(list));
}

const EDITS = [
  [6, "setQuantity", (random, { lines, isHuge }) => [random.integer(0, lines - 1), draftQuantity(random, isHuge)]],
  [4, "addProduct", (random, { isHuge }) => [draftProduct(random, isHuge)]],
  [2.5, "removeProduct", (random, { lines }) => [random.integer(0, lines - 1)]],
  [2, "setShipping", (random) => [random.chance(0.2) ? null : draftDelivery(random)]],
  [3, "setCoupons", (random) => [some(random, ["A", "B", "LINE", "PCT", "SHIP", "NONE", "a"], 4)]],
  [2, "setVouchers", (random) => [some(random, ["V1", "V1", "V2", "V2", "V3", "V4", "V5"], 2)]],
  [1, "setOwner", (random) => [random.pick(OWNERS)]],
  [1, "setBranch", (random) => [random.chance(0.1) ? LONG_BRANCH : random.pick(BRANCHES)]],
  [0.8, "refresh", () => []],
];

/** A valid edit of a basket with `lines` lines. */
export function draftEdit(random, basket) {
  const possible = EDITS.filter(([, name]) => basket.lines > 0 || (name !== "setQuantity" && name !== "removeProduct"));
  const [name, make] = random.weighted(possible.map(([weight, ...edit]) => [weight, edit]));
  return { name, argument: make(random, basket) };
}

const NO_LINE = [-1, 0.5, NaN, Infinity, "0", null, undefined, 2 ** 32, 0n];
const NO_INTEGER = [1.5, NaN, -Infinity, 2 ** 53, "2", 2n, {}, true];

const WRONG = {
  setQuantity: (random, { lines }) =>
    lines > 0 && random.chance(0.6)
      ? [random.integer(0, lines - 1), random.pick(NO_INTEGER)]
      : [random.pick([...NO_LINE, lines]), 2],
  removeProduct: (random, { lines }) => [random.pick([...NO_LINE, lines])],
  addProduct: (random) => [
    random.pick([null, 5, "x", [], NaN, 7n, {}, cycle(), { ...draftProduct(random), cprcode: random.pick(NO_INTEGER) }, { ...draftProduct(random), remark: NaN }]),
  ],
  setShipping: (random) => [
    random.pick([5, "x", [], NaN, 7n, cycle(), { shippingType: "SHIP" }, { shippingLat: NaN }, { brcode: 1.5 }, { scheduleList: [null] }, { scheduleList: [{ date_slot: { a: [1n] } }] }, { scheduleList: tooMany({}) }]),
  ],
  setCoupons: (random) => [random.pick(["A", {}, 5, NaN, ["A", null], ["A", 5], [NaN], tooMany("A"), cycle()])],
  setVouchers: (random) => [random.pick(["V1", {}, 5, 7n, ["V1", undefined], [true], tooMany("V1"), cycle()])],
  setOwner: (random) => [random.pick([5, NaN, [], {}, true, cycle()])],
  setBranch: (random) => [random.pick([1000, NaN, [], 7n, `${LONG_BRANCH}x`, cycle()])],
};

/** More than an order may list, for vouchers, coupon codes and schedules alike. The last entry may be anything. */
const tooMany = (element) => [...Array(DEFAULT_LIMITS.maxVouchers).fill(element), null];

/** Wrong values in known fields: under unknown keys they would be dropped (D2). */
function cycle() {
  const one = { cprcode: 1, productName: "", quantity: 1 };
  return Object.assign(one, { remark: [one], shippingFirstName: [one] });
}

/** An invalid edit of a basket with `lines` lines. */
export function draftWrongEdit(random, basket) {
  const name = random.pick(Object.keys(WRONG));
  return { name, argument: WRONG[name](random, basket), isWrong: true };
}
