import { DEFAULT_LIMITS, MAX_BRANCH_UNITS } from "../order.js";
import { draftShipping } from "./draft.js";
import { needsText } from "./text.js";
import { UNCOVERED } from "./zones.js";

/**
 * Edits of a live basket: `{ name, argument }`, for a call of `basket[name](...argument)`. Those of
 * `draftEdit` are valid, those of `draftWrongEdit` are refused.
 */

const BRANCHES = ["1000", "2000"];
export const OWNERS = ["", "u-9", "u-1"];
const POSTCODES = ["10110", "50000"];
const LONG_BRANCH = "สาขา🥭".repeat(22).slice(0, MAX_BRANCH_UNITS); // D45: the longest that is allowed

function draftProduct(random, isHuge) {
  const product = {
    cprcode: random.weighted([
      [30, random.integer(1, 5)],
      [4, 6],
      [1, 7],
      [isHuge ? 30 : 4, 8],
    ]),
    productName: random.pick(["ข้าว", "น้ำปลา 🥭", ""]),
    quantity: draftQuantity(random, isHuge),
  };
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

/** Fields to change; undefined leaves one as it is, null resets it. */
function draftPatch(random, isHuge) {
  const fields = {
    quantity: () => draftQuantity(random, isHuge),
    cprcode: () => draftProduct(random, isHuge).cprcode,
    productName: () => random.pick(["ข้าว", "x", undefined]),
    remark: () => random.pick(["x", null, undefined, 'a"b']),
    scheduleId: () => random.pick([0, 1, null, undefined]),
    isPreOrder: () => random.pick([true, false, null]),
  };
  const names = random.shuffle(Object.keys(fields)).slice(0, random.integer(0, 3));
  return Object.fromEntries(names.map((name) => [name, fields[name]()]));
}

/** Another order, mostly of the same products: an undo, a restore, a wholesale edit. */
function draftOrder(random, { order, isHuge }) {
  const products = random.shuffle(structuredClone(order.productList)).filter(() => random.chance(0.8));
  if (random.chance(0.4)) products.push(draftProduct(random, isHuge));
  if (products.length > 0 && random.chance(0.3)) products.push({ ...random.pick(products) });
  const other = structuredClone(order);
  if (random.chance(0.3)) other.couponCodeList = some(random, ["A", "B", "LINE"], 2);
  if (random.chance(0.3)) delete other[random.pick(["shipping", "voucherId", "ownerId", "branchId"])];
  return { ...other, productList: random.chance(0.3) ? structuredClone(order.productList) : products };
}

const EDITS = [
  [6, "setQuantity", (random, { lines, isHuge }) => [random.integer(0, lines - 1), draftQuantity(random, isHuge)]],
  [4, "addProduct", (random, { isHuge }) => [draftProduct(random, isHuge)]],
  [1.5, "insertProduct", (random, { lines, isHuge }) => [random.integer(0, lines), draftProduct(random, isHuge)]],
  [2, "updateProduct", (random, { lines, isHuge }) => [random.integer(0, lines - 1), draftPatch(random, isHuge)]],
  [2.5, "removeProduct", (random, { lines }) => [random.integer(0, lines - 1)]],
  [2, "setShipping", (random) => [random.chance(0.2) ? null : draftDelivery(random)]],
  [3, "setCoupons", (random) => [some(random, ["A", "B", "LINE", "PCT", "SHIP", "NONE", "a"], 4)]],
  [2, "setVouchers", (random) => [some(random, ["V1", "V1", "V2", "V2", "V3", "V4", "V5"], 2)]],
  [1, "setOwner", (random) => [random.pick(OWNERS)]],
  [1, "setBranch", (random) => [random.chance(0.1) ? LONG_BRANCH : random.pick(BRANCHES)]],
  [1.2, "replace", (random, basket) => [draftOrder(random, basket)]],
  [0.5, "refresh", () => []],
  [0.5, "refresh", (random, { lines }) => [random.integer(0, lines - 1)], "of a line"],
];
/** Edits of a line that must be there. */
const NEEDS_A_LINE = new Set(["setQuantity", "updateProduct", "removeProduct"]);

/** A valid edit of a basket: `{ lines, isHuge, order }`. It names lines by index. */
export function draftEdit(random, basket) {
  const possible = EDITS.filter(([, name, , isOfALine]) => basket.lines > 0 || !(NEEDS_A_LINE.has(name) || isOfALine));
  const [name, make] = random.weighted(possible.map(([weight, ...edit]) => [weight, edit]));
  return { name, argument: make(random, basket) };
}

const NO_LINE = [-1, 0.5, NaN, Infinity, "\u0000 no such key", "", null, 2 ** 32, 0n, {}];
const NO_INTEGER = [1.5, NaN, -Infinity, 2 ** 53, "2", 2n, {}, true];
const NO_PRODUCT = (random) =>
  random.pick([
    null,
    5,
    "x",
    [],
    NaN,
    7n,
    {},
    cycle(),
    { ...draftProduct(random), cprcode: random.pick(NO_INTEGER) },
    { ...draftProduct(random), remark: NaN },
  ]);

const WRONG = {
  setQuantity: (random, { lines }) =>
    lines > 0 && random.chance(0.6) ? [random.integer(0, lines - 1), random.pick(NO_INTEGER)] : [random.pick([...NO_LINE, lines]), 2],
  removeProduct: (random, { lines }) => [random.pick([...NO_LINE, lines])],
  addProduct: (random) => [NO_PRODUCT(random)],
  insertProduct: (random, { lines }) =>
    random.chance(0.6) ? [random.integer(0, lines), NO_PRODUCT(random)] : [random.pick([...NO_LINE, lines + 1]), draftProduct(random)],
  updateProduct: (random, { lines }) =>
    lines > 0 && random.chance(0.6)
      ? [
          random.integer(0, lines - 1),
          random.pick([
            { quantity: random.pick(NO_INTEGER) },
            { cprcode: null },
            { productName: 5 },
            { remark: [] },
            { quantity: null },
            { scheduleId: "1" },
          ]),
        ]
      : [random.pick([...NO_LINE, lines]), {}],
  refresh: (random, { lines }) => [random.pick([...NO_LINE.filter((line) => line !== null), lines])],
  setShipping: (random) => [
    random.pick([
      undefined,
      5,
      "x",
      [],
      NaN,
      7n,
      cycle(),
      { shippingType: "SHIP" },
      { shippingLat: NaN },
      { brcode: 1.5 },
      { scheduleList: [null] },
      { scheduleList: [{ date_slot: { a: [1n] } }] },
      { scheduleList: tooMany({}) },
    ]),
  ],
  setCoupons: (random) => [random.pick([null, undefined, "A", {}, 5, NaN, ["A", null], ["A", 5], [NaN], tooMany("A"), cycle()])],
  setVouchers: (random) => [random.pick([null, undefined, "V1", {}, 5, 7n, ["V1", undefined], [true], tooMany("V1"), cycle()])],
  setOwner: (random) => [random.pick([null, undefined, 5, NaN, [], {}, true, cycle()])],
  setBranch: (random) => [random.pick([null, undefined, 1000, NaN, [], 7n, `${LONG_BRANCH}x`, cycle()])],
  replace: (random, { order }) => [
    random.pick([
      null,
      undefined,
      5,
      [],
      { ...order, productList: {} },
      { ...order, productList: [...order.productList, {}] },
      { ...order, ownerId: 5 },
      { ...order, couponCodeList: "A" },
      { ...order, voucherId: tooMany("V1") },
    ]),
  ],
};

/** More than an order may list, for vouchers, coupon codes and schedules alike. The last entry may be anything. */
const tooMany = (element) => [...Array(DEFAULT_LIMITS.maxVouchers).fill(element), null];

/** Wrong values in known fields: under unknown keys they would be dropped (D2). */
function cycle() {
  const one = { cprcode: 1, productName: "", quantity: 1 };
  return Object.assign(one, { remark: [one], shippingFirstName: [one] });
}

/** An invalid edit of a basket: `{ lines, isHuge, order }`. */
export function draftWrongEdit(random, basket) {
  const name = random.pick(Object.keys(WRONG));
  return { name, argument: WRONG[name](random, basket) };
}
