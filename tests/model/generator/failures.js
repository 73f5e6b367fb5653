import { draftRate, draftSchedule, draftShipping } from "./draft.js";
import { Raw } from "./text.js";
import { UNCOVERED, UNKNOWN_BRANCHES } from "./zones.js";

/** Orders that cannot be priced and hosts that fail, by name. Each is `(random, draft)` and spoils the draft. */

/** A DELIVERY order with one slot of the mode, at any place in the list. */
export function deliver(random, { order, host }, mode) {
  order.shipping = draftShipping(random, "DELIVERY", ["REGULAR", "EXPRESS", "PICKUP"]);
  order.shipping.scheduleList = random.shuffle([...(order.shipping.scheduleList ?? []), draftSchedule(random, [mode])]);
  for (const nationwideMode of ["DRY", "FRESH", "MIX"]) host.rates[nationwideMode] = draftRate(random);
}

function ensure(random, draft, lookup) {
  if (lookup === "nationwideRate") deliver(random, draft, "NATIONWIDE");
  if (lookup === "lookupVouchers") draft.order.voucherId = random.shuffle(["V1", "V2", "V1"].slice(random.integer(0, 2)));
  if (lookup === "validateCoupons") draft.order.couponCodeList = ["A", "B"].slice(random.integer(0, 1));
  if (lookup === "lookupVouchers" || lookup === "validateCoupons") {
    for (const id of ["V1", "V2"]) draft.host.vouchers[id] = { value: 10, isActive: true, isUsed: false };
  }
}

function script(draft, lookup, how) {
  draft.host.fails = { ...draft.host.fails, [lookup]: how };
}

function throwing(random) {
  return random.pick([
    { throws: "connection reset" },
    { throws: 'ฐานข้อมูลล่ม "x"\n' },
    { throws: "" },
    { throwsValue: "rate table is empty" },
    { throwsValue: "" },
    { throwsValue: null },
    { throwsValue: 503 },
    { throwsValue: { message: "not an Error" } },
    { throwsValue: ["x"] },
  ]);
}

const GARBAGE = [5, "x", "", true, [], "[", '{"a":', "null,", "[[]]", new Raw("NaN"), [null], "1"];

/** A record, which an earlier scenario may have spoiled. */
function asRecord(record, otherwise) {
  return record !== null && typeof record === "object" && !Array.isArray(record) && !(record instanceof Raw) ? record : otherwise;
}

/** A record with one fault. */
function spoilRecord(random, record, fields) {
  const [name, bad] = random.pick(fields);
  const value = random.pick(bad);
  const spoiled = { ...asRecord(record, {}) };
  delete spoiled[name];
  if (value === undefined) return spoiled;
  const entries = Object.entries(spoiled);
  entries.splice(random.integer(0, entries.length), 0, [name, value]);
  return Object.fromEntries(entries);
}

const BAD_AMOUNT = [
  -1,
  -0.01,
  "5",
  true,
  {},
  new Raw("1e999"),
  new Raw("-1e-999"),
  new Raw("79228162514264337593543950336"),
  new Raw("0.00000000000000000000000000001"),
];
const BAD_FLAG = [0, "true", [], 1];

function priceKeys({ prices }, cprcode) {
  return Object.keys(prices).filter((key) => key === `${cprcode}` || key.startsWith(`${cprcode}/`));
}

const SPOIL = {
  lookupPrices(random, { order, host }) {
    const { cprcode } = random.pick(order.productList);
    const [key] = priceKeys(host, cprcode);
    if (!key) return; // already spoiled
    const fields = [
      ["price", [undefined, null, ...BAD_AMOUNT]],
      ["originalPrice", BAD_AMOUNT],
      ["settlementPrice", BAD_AMOUNT],
      ["weight", BAD_AMOUNT],
      ["isControlledProduct", BAD_FLAG],
    ];
    host.prices[key] = random.chance(0.2) ? random.pick(GARBAGE) : spoilRecord(random, host.prices[key], fields);
  },
  nationwideRate(random, { host }) {
    const fields = [
      ["deliveryFee", [undefined, null, ...BAD_AMOUNT]],
      ["nationwideConfig", [5, {}, false]],
    ];
    for (const mode of ["DRY", "FRESH", "MIX"]) {
      host.rates[mode] = random.chance(0.2) ? random.pick(GARBAGE) : spoilRecord(random, host.rates[mode], fields);
    }
  },
  lookupVouchers(random, { host }) {
    const fields = [
      ["voucherId", ["other", "v1", 5, {}]],
      ["ownerId", [5, []]],
      ["value", [undefined, null, ...BAD_AMOUNT]],
      ["isActive", [undefined, null, ...BAD_FLAG]],
      ["isUsed", [undefined, null, ...BAD_FLAG]],
    ];
    for (const id of ["V1", "V2"]) {
      if (random.chance(0.9))
        host.vouchers[id] = random.chance(0.2) ? random.pick(GARBAGE) : spoilRecord(random, host.vouchers[id], fields);
    }
  },
  validateCoupons(random, { order, host }) {
    const lines = [
      [
        "lines",
        [
          "x",
          {},
          [null],
          [{ discount: 1 }],
          [{ line: null }],
          [{ line: order.productList.length }],
          [{ line: -1 }],
          [{ line: 0.5 }],
          [{ line: "0" }],
          [{ line: 0, discount: -1 }],
        ],
      ],
    ];
    const discount = spoilRecord(random, { coupon: "A", discount: 5 }, [
      ["coupon", [undefined, null, 5, []]],
      ["discount", BAD_AMOUNT],
      ["bogoDiscount", BAD_AMOUNT],
      ["two4Discount", BAD_AMOUNT],
      ["percentageDiscount", BAD_AMOUNT],
      ["shippingDiscount", BAD_AMOUNT],
      ["freeshipping", BAD_FLAG],
      ...lines,
    ]);
    host.coupons = random.weighted([
      [4, { discounts: [{ coupon: "B" }, discount] }],
      [1, spoilRecord(random, { discounts: [] }, lines)],
      [1, { failedCoupons: random.pick(["A", 5, [null], ["A", 1], {}]) }],
      [1, { discounts: random.pick(["A", 5, [null], ["A"], {}]) }],
      [1, random.pick(GARBAGE)],
    ]);
  },
};

const RAW_ANSWERS = [5, true, {}, "[]", "x", null, [null, null, null, null, null, null, null, null, null]];

function threw(lookup) {
  return (random, draft) => {
    ensure(random, draft, lookup);
    if (lookup === "nationwideRate" && random.chance(0.3))
      draft.host.rates = {}; // "No rate for <mode>"
    else script(draft, lookup, throwing(random));
  };
}

function invalid(lookup) {
  return (random, draft) => {
    ensure(random, draft, lookup);
    if (random.chance(0.2)) script(draft, lookup, { answers: random.pick(RAW_ANSWERS) });
    else SPOIL[lookup](random, draft);
  };
}

function late(lookup) {
  return (random, draft) => {
    ensure(random, draft, lookup);
    script(draft, lookup, { late: true });
    draft.options = { ...draft.options, deadlineMs: 5 };
  };
}

function missing(lookup) {
  return (random, draft) => {
    ensure(random, draft, lookup);
    draft.host.missing = [...(draft.host.missing ?? []), lookup];
  };
}

const LOOKUPS = ["lookupPrices", "nationwideRate", "lookupVouchers", "validateCoupons"];
const forEachLookup = (what, fault) => Object.fromEntries(LOOKUPS.map((lookup) => [`${lookup} ${what}`, fault(lookup)]));

export const LATE = forEachLookup("late", late);

const huge = (random) => new Raw(`${random.integer(4, 7)}${random.digits(28)}`);

/** Sets one field of one price record, or of all. */
function setPrices({ prices }, keys, name, value) {
  for (const key of keys) prices[key] = { ...asRecord(prices[key], { price: 1 }), [name]: value() };
}

const OVERFLOWS = {
  row(random, draft, order, host) {
    setPrices(host, priceKeys(host, random.pick(order.productList).cprcode), "price", () => huge(random));
  },
  list(random, draft, order, host) {
    setPrices(host, Object.keys(host.prices), "originalPrice", () => huge(random));
    draft.options = { ...draft.options, policy: { rowTotal: "list" } };
  },
  weight(random, draft, order, host) {
    setPrices(host, Object.keys(host.prices), "weight", () => huge(random));
  },
  sum(random, draft, order, host) {
    setPrices(host, Object.keys(host.prices), "price", () => huge(random));
    for (const one of order.productList) one.quantity = 1;
  },
  "too many places"(random, draft, order, host) {
    const long = () => new Raw(`${random.integer(0, 30)}.${random.digits(random.integer(24, 27))}1`);
    setPrices(host, Object.keys(host.prices), "price", long);
  },
  negative(random, draft, order, host) {
    setPrices(host, Object.keys(host.prices), "price", () => huge(random));
    for (const one of order.productList) one.quantity = -random.integer(0, 3);
  },
  fee(random, draft, order, host) {
    deliver(random, draft, "NATIONWIDE");
    for (const mode of ["DRY", "FRESH", "MIX"]) host.rates[mode] = { deliveryFee: huge(random) };
  },
  voucher(random, draft, order, host) {
    Object.assign(order, { voucherId: ["V1", "V2"], ownerId: "u-9" });
    for (const id of order.voucherId) host.vouchers[id] = { ownerId: "u-9", value: huge(random), isActive: true, isUsed: false };
  },
  discount(random, draft, order, host) {
    const name = random.pick(["discount", "bogoDiscount", "two4Discount", "percentageDiscount", "shippingDiscount"]);
    order.couponCodeList = ["A"];
    host.coupons = { discounts: random.times(2, () => ({ coupon: "A", [name]: huge(random) })) };
  },
  lines(random, draft, order, host) {
    order.couponCodeList = ["A"];
    const lines = random.times(2, () => ({ line: 0, discount: huge(random) }));
    host.coupons = { discounts: [{ coupon: "A", lines }] };
  },
};

export const FAILURES = {
  ...forEachLookup("threw", threw),
  ...forEachLookup("answered wrong", invalid),
  ...forEachLookup("missing", missing),
  "no price"(random, { order, host }) {
    const { cprcode } = random.pick(order.productList);
    for (const key of priceKeys(host, cprcode)) {
      if (random.chance(0.5)) delete host.prices[key];
      else host.prices[key] = random.pick([null, "null"]);
    }
  },
  "branch not available"(random, draft) {
    deliver(random, draft, random.pick(["REGULAR", "EXPRESS"]));
    draft.order.shipping.brcode = random.pick(UNKNOWN_BRANCHES);
  },
  "not in polygon"(random, draft) {
    deliver(random, draft, random.pick(["REGULAR", "EXPRESS"]));
    const [, brcode, shippingLon, shippingLat] = random.pick(UNCOVERED);
    Object.assign(draft.order.shipping, { brcode, shippingLon, shippingLat });
  },
  "rate not found"(random, draft) {
    deliver(random, draft, "NATIONWIDE");
    for (const mode of ["DRY", "FRESH", "MIX"]) draft.host.rates[mode] = random.pick([null, "null", " null\n"]);
  },
  "voucher not found"(random, draft) {
    ensure(random, draft, "lookupVouchers");
    const id = random.pick(draft.order.voucherId);
    if (random.chance(0.5)) delete draft.host.vouchers[id];
    else draft.host.vouchers[id] = random.pick([null, "null"]);
  },
  overflow(random, draft) {
    const { order, host } = draft;
    OVERFLOWS[random.pick(Object.keys(OVERFLOWS))](random, draft, order, host);
  },
};
