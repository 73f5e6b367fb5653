import assert from "node:assert/strict";
import { test } from "node:test";
import { expectation, readCorpus } from "../golden/corpus.mjs";
import { coverage } from "../golden/coverage.mjs";
import { NaiveBasket } from "./basket.js";
import { CATEGORIES, categories } from "./categories.js";
import { add, decimalText, fits, max, multiply, parseAmount, parseDecimal, parseInteger, roundToFit, subtract } from "./decimal.js";
import { generate } from "./generate.js";
import { member, NotJson, readJson } from "./json.js";
import { ledger } from "./ledger.js";
import { price } from "./price.js";
import { covers, point, readZones, zonesFault } from "./zones.js";

const of = parseDecimal;
const MAX = "79228162514264337593543950335"; // 2^96 - 1

test("decimals are read exactly and written plainly", () => {
  const written = {
    0: "0",
    "-0": "0",
    "-0.00e5": "0",
    100: "100",
    "1e2": "100",
    "1.50": "1.5",
    "-1.50E-2": "-0.015",
    0.30000000000000004: "0.30000000000000004",
    "1e-28": "0.0000000000000000000000000001",
    "12300e-1": "1230",
    "0.000000000000000000000000000000e999999": "0",
  };
  for (const [text, expected] of Object.entries(written)) assert.equal(decimalText(of(text)), expected, text);
  assert.equal(of("1e99999999999"), undefined);
  assert.equal(of("1e-99999999999"), undefined);
});

test("decimal arithmetic is exact", () => {
  assert.equal(decimalText(add(of("0.1"), of("0.2"))), "0.3");
  assert.equal(decimalText(subtract(of("1"), of("0.9"))), "0.1");
  assert.equal(decimalText(subtract(of("0.9"), of("1"))), "-0.1");
  assert.equal(decimalText(multiply(of("0.15000000000000002"), of("12345.670000000002"))), "1851.85050000000054691340000000004");
  assert.equal(decimalText(multiply(of("-2.5"), of("4"))), "-10");
  assert.equal(decimalText(max(of("-0.1"), of("0"))), "0");
});

test("D14: amounts that fit", () => {
  assert.ok(fits(of(MAX)));
  assert.ok(!fits(of("79228162514264337593543950336")));
  assert.ok(fits(of(`-${MAX}`)));
  assert.ok(fits(of("1e-28")));
  assert.ok(!fits(of("1e-29")));
  assert.ok(fits(of("0.00000000000000000000000000010")));
  assert.ok(!fits(of("79228162514264337593543950335.5")));
  assert.equal(parseAmount("-0.01"), undefined);
  assert.equal(decimalText(parseAmount("-0")), "0");
});

test("D19: a product is rounded half to even, to the most places that fit", () => {
  const rounded = (text) => decimalText(roundToFit(of(text)));
  assert.equal(rounded("0.5e-28"), "0");
  assert.equal(rounded("0.50000001e-28"), "0.0000000000000000000000000001");
  assert.equal(rounded("1.5e-28"), "0.0000000000000000000000000002");
  assert.equal(rounded("2.5e-28"), "0.0000000000000000000000000002");
  assert.equal(rounded("-1.5e-28"), "-0.0000000000000000000000000002");
  assert.equal(rounded("1851.85050000000054691340000000004"), "1851.8505000000005469134");
  assert.equal(rounded("70000000000000000000000000000.5"), "70000000000000000000000000000");
  assert.equal(rounded("70000000000000000000000000001.5"), "70000000000000000000000000002");
  assert.equal(rounded("79228162514264337593543950334.5"), "79228162514264337593543950334");
  // Rounding up gives 2^96, and there is no place left to drop.
  assert.equal(roundToFit(of("79228162514264337593543950335.5")), undefined);
  // Rounding up gives 2^96 at 28 places, so the exact value is rounded to 27.
  assert.equal(rounded("7.92281625142643375935439503355"), "7.922816251426433759354395034");
  assert.equal(roundToFit(of("1e29")), undefined);
});

test("D8: integers", () => {
  assert.equal(parseInteger("2.0"), 2);
  assert.equal(parseInteger("2e0"), 2);
  assert.equal(parseInteger("20e-1"), 2);
  assert.equal(parseInteger("-9007199254740991"), -9007199254740991);
  assert.ok(Object.is(parseInteger("-0"), 0));
  for (const text of ["2.5", "9007199254740992", "1e999", "1e-1"]) assert.equal(parseInteger(text), undefined, text);
});

test("the JSON reader keeps order, duplicates, number text and lone surrogates", () => {
  const node = readJson(' {"b" : 1.50, "a":["\\ud83d",true,null], "b":{} } ');
  assert.deepEqual(
    node.members.map(({ name }) => name),
    ["b", "a", "b"],
  );
  assert.equal(node.members[0].value.raw, "1.50");
  assert.equal(node.members[1].value.raw, '["\\ud83d",true,null]');
  assert.equal(node.members[1].value.items[0].value, "\ud83d");
  assert.equal(member(node, "b").type, "object");
  assert.equal(readJson('"\\u0041\\n\\/"').value, "A\n/");
});

test("the JSON reader accepts the same texts as JSON.parse", () => {
  const texts = [
    "",
    " ",
    "{",
    "[1,]",
    "[,1]",
    '{"a"}',
    "{a:1}",
    "01",
    "-",
    "-01",
    "1.",
    ".5",
    "+1",
    "1e",
    "1e+",
    "0x1",
    "NaN",
    "nul",
    "truex",
    '"\t"',
    '"\\x"',
    '"\\u12g4"',
    '"\\u12"',
    '"',
    "[1 2]",
    "{} {}",
    "\ufeff{}",
    "\u00a01",
    "'a'",
    "//",
    "-0",
    "1E5",
    "0.0e-0",
    "[ ]",
    "{ }",
    '"\u007f\u2028"',
    " \r\n\t[true,false , null]\n",
    '{"":1}',
  ];
  for (const text of texts) assert.equal(isJson(text), parses(text), JSON.stringify(text));
});

function isJson(text) {
  try {
    readJson(text);
    return true;
  } catch (error) {
    assert.ok(error instanceof NotJson);
    return false;
  }
}

function parses(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("D10: 128 levels, the outermost is the first", () => {
  assert.ok(isJson("[".repeat(128) + "]".repeat(128)));
  assert.ok(!isJson("[".repeat(129) + "]".repeat(129)));
  assert.ok(isJson(`${'{"a":'.repeat(128)}1${"}".repeat(128)}`));
});

const square = (west, south, side) =>
  [
    [0, 0],
    [side, 0],
    [side, side],
    [0, side],
    [0, 0],
  ].map(([right, up]) => [west + right, south + up]);
const oneZone = (type, coordinates, deliveryFee = 40) => ({
  type: "FeatureCollection",
  features: [{ type: "Feature", properties: { brcode: 1000, deliveryFee }, geometry: { type, coordinates } }],
});
const zone = (type, coordinates) => readZones(oneZone(type, coordinates))[0];

test("D35: a polygon covers its edges, its vertices and its hole's edge, exactly", () => {
  const holed = zone("Polygon", [square(0, 0, 8), square(2, 2, 4)]);
  const inside = [
    [1, 1],
    [0, 0],
    [8, 8],
    [0, 4],
    [4, 8],
    [2, 2],
    [6, 4],
    [7, 2],
    [7, 6],
    [1, 0],
    [8, 1],
  ];
  const outside = [
    [4, 4],
    [-1, 4],
    [9, 4],
    [4, -1],
    [4, 9],
    [2.0000000000000004, 4],
    [8.000000000000002, 4],
    [-5e-324, 4],
    [9, 0],
    [-1, 8],
  ];
  for (const [x, y] of inside) assert.ok(covers(holed, point(x, y)), `${x} ${y}`);
  for (const [x, y] of outside) assert.ok(!covers(holed, point(x, y)), `${x} ${y}`);
});

test("D35: slanted edges, clockwise rings, rays through vertices, several parts", () => {
  const diamond = zone("Polygon", [
    [
      [0, 4],
      [4, 8],
      [8, 4],
      [4, 0],
      [0, 4],
    ],
  ]);
  for (const [x, y] of [
    [4, 4],
    [1, 4],
    [2, 2],
    [6, 2],
    [3, 7],
    [0, 4],
  ]) {
    assert.ok(covers(diamond, point(x, y)), `${x} ${y}`);
  }
  for (const [x, y] of [
    [-1, 4],
    [9, 4],
    [-1, 8],
    [-1, 0],
    [2, 1.9999999999999998],
    [1, 1],
    [7, 7],
  ]) {
    assert.ok(!covers(diamond, point(x, y)), `${x} ${y}`);
  }
  const parts = zone("MultiPolygon", [[square(0, 0, 1)], [square(5, 5, 1)]]);
  assert.ok(covers(parts, point(5.5, 5.5)));
  assert.ok(!covers(parts, point(3, 3)));
});

test("D35: 0.1 + 0.2 is not on the edge at 0.3", () => {
  const edge = zone("Polygon", [
    [
      [0, 0],
      [0.3, 0],
      [0.3, 1],
      [0, 1],
      [0, 0],
    ],
  ]);
  assert.ok(covers(edge, point(0.3, 0.5)));
  assert.ok(!covers(edge, point(0.1 + 0.2, 0.5)));
});

test("D35: invalid zones have a fault with a path, valid zones have none", () => {
  assert.equal(zonesFault({ type: "FeatureCollection", features: [] }), null);
  assert.equal(zonesFault("nope"), "Invalid deliveryZones: expected JSON");
});

test("totals by hand: 2 × 229.50 + 3 × 65, express 40 + 50, 20 off, 30 off shipping, voucher 100", () => {
  const { text } = price({
    order: {
      productList: [
        { cprcode: 1, productName: "ข้าว", quantity: 2 },
        { cprcode: 2, productName: "เบียร์", quantity: 3 },
      ],
      ownerId: "u",
      voucherId: ["V"],
      couponCodeList: ["C"],
      shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "EXPRESS" }], shippingLat: 1, shippingLon: 1 },
    },
    zones: oneZone("Polygon", [square(0, 0, 2)]),
    host: {
      prices: { 1: '{"price":229.50}', "2/1000": { price: 65, isControlledProduct: true } },
      vouchers: { V: { ownerId: "u", value: 100, isActive: true, isUsed: false } },
      coupons: { discounts: [{ coupon: "C", discount: 20, percentageDiscount: 0.1, two4Discount: 7, shippingDiscount: 30 }] },
    },
  });
  const priced = JSON.parse(text);
  assert.equal(Object.keys(priced).length, 35);
  assert.equal(priced.subTotal, 654);
  assert.equal(priced.grandTotal, 654 + 10 + 50 - 20 - 100);
  assert.equal(priced.totalExcludeControlledProducts, 594 - 195);
  assert.equal(priced.percentageDiscount, 65.4);
  assert.equal(priced.totalDiscount, 20 + 7 + 100 + 65.4);
  assert.equal(priced.discountedDeliveryFee, 10);
  assert.equal(priced.totalWeight, 1.25);
});

const RICE = { cprcode: 1, productName: "ข้าว", quantity: 1 };
const HOST = { prices: { 1: { price: 100 } } };
const priceOf = (order, more) => price({ order: { productList: [RICE], ...order }, host: HOST, ...more });

test("D45: lists of a hundred and branches of 128 units, by hand", () => {
  const host = { ...HOST, vouchers: { V: { ownerId: "u", value: 1, isActive: true, isUsed: false } } };
  const lists = [
    [(list) => ({ voucherId: list }), "V", "voucherId: expected at most 100 vouchers"],
    [(list) => ({ couponCodeList: list }), "C", "couponCodeList: expected at most 100 coupon codes"],
    [(list) => ({ shipping: { scheduleList: list } }), {}, "shipping.scheduleList: expected at most 100 schedules"],
  ];
  for (const [orderOf, element, message] of lists) {
    const withSoMany = (count, last) => priceOf(orderOf([...Array(count).fill(element), ...last]), { host });
    const exceeded = { error: `Invalid order: ${message}`, code: "LIMIT_EXCEEDED", retryable: false };
    assert.ok(withSoMany(100, []).text, message);
    assert.deepEqual(withSoMany(100, [element]), exceeded);
    assert.deepEqual(withSoMany(100, [5]), exceeded);
    assert.equal(withSoMany(99, [5, element]).code, "VALIDATION_ERROR");
  }
  assert.ok(priceOf({ branchId: "🥭".repeat(64) }).text);
  assert.equal(priceOf({ branchId: `${"🥭".repeat(64)}x` }).error, "Invalid order: branchId: expected at most 128 characters");
});

test("D30: the vouchers that an order shows, by hand, and its ledger", () => {
  const record = { value: 5, isActive: false, isUsed: true, phone: "0812345678" };
  const vouchers = { A: { ...record, ownerId: "other" }, B: { ...record, ownerId: "u" }, C: record };
  const testCase = { order: { productList: [RICE], ownerId: "u", voucherId: ["A", "B", "C"] }, host: { ...HOST, vouchers } };
  const order = JSON.parse(price(testCase).text);
  assert.deepEqual(order.invalidVouchers, [
    { voucherId: "A", reasons: ["ownerMismatch"] },
    { voucherId: "B", ...record, ownerId: "u", reasons: ["inactive", "used"] },
    { voucherId: "C", reasons: ["ownerMismatch"] },
  ]);
  const steps = ledger(testCase, order).filter(({ rule }) => rule === "voucher");
  assert.deepEqual(
    steps.map(({ operands }) => operands),
    [
      { voucherId: "A", ownerMismatch: true },
      { voucherId: "B", value: 5, inactive: true, used: true, ownerMismatch: false },
      { voucherId: "C", ownerMismatch: true },
    ],
  );
  assert.ok(steps.every(({ amount }) => decimalText(amount) === "0"));
});

test("D38: who pays the express surcharge, by hand, and its ledger", () => {
  const zones = oneZone("Polygon", [square(0, 0, 2)], 0);
  const paid = (modes, expressSurcharge, shippingType = "DELIVERY") => {
    const shipping = { shippingType, scheduleList: modes.map((mode) => ({ mode })), shippingLat: 1, shippingLon: 1 };
    const testCase = { order: { productList: [RICE], shipping }, zones, host: HOST, options: { policy: { expressSurcharge } } };
    const order = JSON.parse(price(testCase).text);
    const steps = ledger(testCase, order).filter(({ rule }) => rule === "expressFee");
    const first = steps.map(({ operands }) => operands.isFirst);
    return { fees: order.shipping.scheduleList.map(({ expressFee }) => expressFee), first, keys: Object.keys(steps[0].operands) };
  };
  const keys = ["shippingType", "mode", "expressSurcharge", "isFirst", "surcharge"];
  assert.deepEqual(paid(["EXPRESS", "EXPRESS"]), { fees: [50, 0], first: [true, false], keys });
  assert.deepEqual(paid(["REGULAR", "EXPRESS"]), { fees: [0, 0], first: [false], keys });
  assert.deepEqual(paid(["REGULAR", "EXPRESS"], "firstSchedule"), { fees: [0, 0], first: [false], keys });
  assert.deepEqual(paid(["REGULAR", "EXPRESS", "EXPRESS"], "firstExpress"), { fees: [0, 50, 0], first: [true, false], keys });
  assert.deepEqual(paid(["EXPRESS"], "firstExpress"), { fees: [50], first: [true], keys });
  assert.deepEqual(paid(["REGULAR", "EXPRESS"], "firstExpress", "PICKUP"), { fees: [0, 0], first: [true], keys });
});

test("D25: a service gets the largest double for an order date beyond all doubles", () => {
  for (const [text, expected] of [
    ["1e400", Number.MAX_VALUE],
    ["-1e400", -Number.MAX_VALUE],
    ["1.7976931348623159e308", Number.MAX_VALUE],
    ["1e-400", 0],
  ]) {
    const order = `{"productList":[${JSON.stringify(RICE)}],"couponCodeList":["A"],"orderDate":${text}}`;
    const priced = price({ body: order, host: HOST });
    assert.equal(priced.couponRequest.orderDate, expected);
    assert.ok(priced.text.includes(`"orderDate":${text},`));
  }
});

test("a basket keeps discounts that the service added until a requested code is removed", () => {
  const basket = new NaiveBasket({ productList: [RICE], couponCodeList: ["A", "B"] });
  basket.answered(basket.asked("lookupPrices", [{ cprcode: 1, branchId: "1000" }]), [{ price: 100 }]);
  const discounts = ["A", "B", "b", "AUTO"].map((coupon, index) => ({ coupon, discount: 10 ** index }));
  basket.answered(basket.asked("validateCoupons", JSON.parse(basket.couponsToAsk)), { discounts });
  const discountWith = (codes) => {
    basket.apply("setCoupons", [codes]);
    return basket.shown.totals.cartDiscount;
  };
  assert.equal(basket.shown.totals.cartDiscount, 1111);
  assert.equal(discountWith(["B", "A", "NEW"]), 1111);
  assert.equal(discountWith(["A", "NEW"]), 1);
  assert.equal(discountWith(["B", "b"]), 10, "b was not asked");
  assert.equal(discountWith(["AUTO"]), 0);
  assert.equal(discountWith(["A", "B"]), 1111);
});

test("D42: a basket lists what is wrong, and what is known to be wrong is not pending", () => {
  const basket = new NaiveBasket({ productList: [RICE, { ...RICE, cprcode: 9 }], voucherId: ["V"], couponCodeList: ["A"] });
  const keys = [1, 9].map((cprcode) => ({ cprcode, branchId: "1000" }));
  basket.answered(basket.asked("lookupPrices", keys), [{ price: 100 }, null]);
  basket.failed(basket.asked("lookupVouchers", ["V"]), "closed");
  const { status, problems, pending, blocked } = basket.shown;
  assert.deepEqual(
    [status, problems.map(({ code }) => code), pending, blocked],
    ["failed", ["PRODUCT_PRICE_NOT_FOUND", "VOUCHER_LOOKUP_FAILED"], [], ["coupons"]],
  );
  assert.deepEqual(
    problems.map(({ subject }) => subject),
    [{ line: 1, cprcode: 9, branchId: "1000" }, { lookup: "lookupVouchers" }],
  );
  assert.deepEqual(basket.toAsk, { prices: [], rates: [], vouchers: ["V"], zones: [] }, "what was not found is not asked again");
  basket.apply("refresh", []);
  assert.deepEqual([basket.shown.problems, basket.shown.pending, basket.shown.blocked], [[], ["prices", "coupons", "vouchers"], []]);
});

test("the same seed gives the same case, and a run holds each category", () => {
  const missing = new Set(CATEGORIES);
  for (let seed = 1; seed <= 3_000 && missing.size > 0; seed += 1) {
    const testCase = generate(seed);
    for (const category of categories(testCase, price(testCase))) missing.delete(category);
  }
  assert.deepEqual([...missing], []);
  for (let seed = 1; seed <= 100; seed += 1) assert.deepEqual(generate(seed), generate(seed));
});

test("the golden corpus equals the model's results, and covers every row and rule", () => {
  const corpus = readCorpus();
  for (const { file, testCase } of corpus) assert.deepEqual(testCase.expect, expectation(testCase), file);
  const { missing, unknown } = coverage(corpus.map(({ testCase }) => testCase));
  assert.deepEqual({ missing, unknown }, { missing: [], unknown: [] });
});
