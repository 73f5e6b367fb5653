// What an attacker would send, and the worst that a host could answer. Each is priced to the model's byte or refused
// with the model's message, by every method. Laws for all orders, such as that no amount below zero is accepted, are in
// laws.test.js.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { initSync, Job } from "../../pkg/wasm/order_cost.js";
import { allAtNight, cases, someOf } from "../effort.js";
import { hostFor, optionsFor } from "../golden/host.js";
import { price } from "../model/price.js";
import { squareZones } from "../zones.js";
import { failure, replay } from "./replay.js";

const list = (count, item) => Array.from({ length: count }, (_, index) => item(index)).join();
const PRODUCT = '{"cprcode":1001,"productName":"น้ำปลา","quantity":3}';
const order = (members, products = PRODUCT) => `{${members && `${members},`}"productList":[${products}]}`;
const shipped = (members) => order(`"shipping":{"shippingType":"DELIVERY",${members}}`);
const VOUCHER = { ownerId: "malee", value: 7.25, isActive: true, isUsed: false };
const FACTS = {
  prices: { 1001: { price: 19.75, weight: 0.5 } },
  rates: { DRY: { deliveryFee: 60 }, FRESH: { deliveryFee: 75 }, MIX: { deliveryFee: 90 } },
};
const ZONES = squareZones(40);
const AT_THE_POINT = '"shippingLat":13.5,"shippingLon":100.5';

/** Shows where two long texts first differ. */
function assertSameText(actual, expected, what) {
  if (actual === expected) return;
  const at = Array.from(expected ?? "").findIndex((_, index) => expected[index] !== actual?.[index]);
  const around = (text) => text?.slice(Math.max(at - 60, 0), at + 60);
  assert.fail(`${what}: first at ${at}:\n  model   …${around(expected)}…\n  package …${around(actual)}…`);
}

function assertOutcome({ text, cause, calls, ...fault }, { text: expectedText, couponRequest, ...expectedFault }, what) {
  assert.deepEqual(fault, expectedFault, what);
  assertSameText(text, expectedText, what);
}

const caught = (promise) =>
  promise.then(
    (value) => ({ value }),
    (error) => failure(error),
  );

/** Checks text, bytes, an object and a basket. For the object, the model gets the output of `JSON.stringify`. */
async function assertAsTheModel(body, { host, ...more } = {}) {
  const testCase = { host: { ...FACTS, ...host }, zones: ZONES, ...more, body };
  assertOutcome(await replay(testCase, new TextEncoder().encode(body)), price(testCase), "calculateJson");
  const sent = parsed(body);
  if (sent === undefined) return;
  const expected = price({ ...testCase, body: JSON.stringify(sent) });
  const pricer = await createPricer(hostFor(testCase).host, optionsFor(testCase));
  assertObject(await caught(pricer.calculate(sent)), expected, "calculate");
  const basket = await caught((async () => pricer.basket(sent))());
  if (!basket.value) return assertObject(basket, expected, "basket");
  assertObject(await caught(basket.value.settle()), expected, "settle");
  basket.value.free();
}

function assertObject({ value, ...fault }, { text, couponRequest, ...expectedFault }, what) {
  assert.deepEqual(fault, expectedFault, what);
  if (text !== undefined) assertSameText(JSON.stringify(value), JSON.stringify(JSON.parse(text)), what);
}

/** Undefined if the text is not JSON or has a number that becomes infinite. D14 is tested in object.test.js. */
function parsed(body) {
  try {
    const finite = (_key, value) => (Math.abs(value) === Infinity ? assert.fail("too large") : value);
    return JSON.parse(body, finite);
  } catch {
    return undefined;
  }
}

const abused = (what, body, more) => test(what, () => assertAsTheModel(body, more));

describe("sizes beyond the limits (D45)", () => {
  const hundred = (item) => list(101, item);
  abused("101 coupon codes", order(`"couponCodeList":[${hundred((index) => `"C${index}"`)}]`));
  abused("101 times one voucher", order(`"ownerId":"malee","voucherId":[${hundred(() => '"V1"')}]`));
  abused("101 schedules", shipped(`"scheduleList":[${hundred(() => "{}")}]`));
  abused("thousands of vouchers", order(`"voucherId":[${list(cases(5_000), () => '"V1"')}]`));
  abused("thousands of schedules", shipped(`"scheduleList":[${list(cases(10_000), () => "{}")}]`));
  abused(
    "a branch of 200,000 letters over 5,000 lines",
    order(
      `"branchId":"${"x".repeat(200_000)}"`,
      list(5_000, () => PRODUCT),
    ),
  );
});

/** Ten times as large at night. */
describe("sizes that an operator allows", () => {
  const options = { limits: { maxVouchers: 100_000, maxCoupons: 100_000, maxSchedules: 100_000 } };
  const abused = (what, body, more) => test(what, () => assertAsTheModel(body, { options, ...more }));

  abused("many coupon codes", order(`"couponCodeList":[${list(cases(5_000), (index) => `"C${index}"`)}]`));
  abused(
    "many spellings of a hundred codes",
    order(`"couponCodeList":[${list(cases(5_000), (index) => `"${index % 2 ? "C" : "\\u0043"}${index % 100}"`)}]`),
  );
  const ids = Array.from({ length: cases(2_000) }, (_, index) => `V${index}`);
  abused("vouchers, every third of them somebody else's", order(`"ownerId":"malee","voucherId":${JSON.stringify(ids)}`), {
    host: { vouchers: Object.fromEntries(ids.map((id, index) => [id, { ...VOUCHER, ownerId: index % 3 ? "malee" : "mali" }])) },
  });
  abused(
    "one voucher many times, in several spellings",
    order(`"ownerId":"malee","voucherId":[${list(cases(5_000), (index) => ['"V1"', '"\\u00561"', '"V\\u0031"'][index % 3])}]`),
    {
      host: { vouchers: { V1: VOUCHER } },
    },
  );
  const modes = ["REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"];
  abused(
    "schedules of every mode",
    shipped(`${AT_THE_POINT},"scheduleList":[${list(cases(1_000), (index) => `{"scheduleId":${index},"mode":"${modes[index % 4]}"}`)}]`),
  );
  abused(
    "schedules of a branch that delivers nowhere",
    shipped(`"brcode":7,"scheduleList":[${list(cases(1_000), () => '{"mode":"REGULAR"}')}]`),
  );
  abused(
    "lines of the largest quantity",
    order(
      "",
      list(Math.min(cases(500), 5_000), () => '{"cprcode":1001,"productName":"","quantity":9007199254740991}'),
    ),
  );
  abused(
    "5,001 lines",
    order(
      "",
      list(5_001, () => PRODUCT),
    ),
  );
  abused("discounts with 20 lines each", order('"couponCodeList":["A"]'), {
    host: {
      coupons: `{"discounts":[${list(cases(100), () => `{"coupon":"A","discount":0.01,"lines":[${list(20, () => '{"line":0,"discount":0.003}')}]}`)}]}`,
    },
  });
  abused("unknown keys", `{${list(Math.min(cases(10_000), 100_000), (index) => `"${index.toString(36)}":0`)},"productList":[${PRODUCT}]}`);
  abused("128 levels", order(`"cartDiscountInfo":${"[".repeat(127)}${"]".repeat(127)}`));
  abused("129 levels", order(`"cartDiscountInfo":${"[".repeat(128)}${"]".repeat(128)}`));
  abused("half a million levels", "[".repeat(500_000));
  abused("a string of a million bytes", order(`"specialComment":"${"\\u0000".repeat(170_000)}"`));
  abused("a byte over the limit", order(`"specialComment":"${"x".repeat(1_048_576)}"`));
});

describe("numbers", () => {
  const zeros = (count) => "0".repeat(count);
  const NUMBERS = [
    ...["0", "-0", "-0.0", "0e0", "0e999999999999999999999", "-0e-99999999999999999999", "1e0", "1E+2", "10e-1", "1.0"],
    ...["9007199254740991", "9007199254740991.0", "9007199254740991.5", "9007199254740992", "-9007199254740991"],
    ...["-9007199254740992", "9223372036854775807", "9223372036854775808", "18446744073709551616", "4294967296"],
    ...["1e15", "1e16", "1e21", "1e22", "1e308", "1.7976931348623159e308", "1e309", "5e-324", "1e-400", "1e400", "-1e400"],
    ...["79228162514264337593543950335", "79228162514264337593543950336", "7922816251426433759354395033.5"],
    ...["1e-28", "1e-29", "1.0000000000000000000000000001", "0.10000000000000000000000000001", "123456789012345678901234567890.12"],
    ...[
      `1.${zeros(1000)}`,
      `1${zeros(1000)}e-1000`,
      `0.${zeros(1000)}1e1001`,
      `1e${zeros(1000)}1`,
      `1e-${"9".repeat(1000)}`,
      "9".repeat(1000),
    ],
    ...["-1", "-0.01", "-1e-28", "179.99999999999999999", "180.00000000000000001", "0.1", "2.5"],
    ...[
      "01",
      "+1",
      ".5",
      "1.",
      "1e",
      "1e+",
      "-",
      "--1",
      "0x10",
      "1_000",
      "1n",
      "NaN",
      "Infinity",
      "-Infinity",
      "１",
      "1,5",
      '"1"',
      "null",
      "true",
      "[1]",
    ],
  ];
  const REQUEST = {
    quantity: (number) => order("", `{"cprcode":1001,"productName":"","quantity":${number}}`),
    cprcode: (number) => order("", `{"cprcode":${number},"productName":"","quantity":1}`),
    "scheduleId of a product": (number) => order("", `{"cprcode":1001,"productName":"","quantity":1,"scheduleId":${number}}`),
    orderDate: (number) => order(`"orderDate":${number}`),
    scheduleId: (number) => shipped(`"scheduleList":[{"scheduleId":${number}}]`),
    booking_hour: (number) => shipped(`"scheduleList":[{"booking_hour":${number}}]`),
    deliveryFee: (number) => shipped(`"scheduleList":[{"deliveryFee":${number}}]`),
    brcode: (number) => shipped(`"brcode":${number},"scheduleList":[{"mode":"REGULAR"}]`),
    shippingDate: (number) => shipped(`"shippingDate":${number}`),
    shippingLat: (number) => shipped(`"shippingLon":100.5,"shippingLat":${number},"scheduleList":[{"mode":"REGULAR"}]`),
    shippingLon: (number) => shipped(`"shippingLat":13.5,"shippingLon":${number},"scheduleList":[{"mode":"REGULAR"}]`),
    cartDiscountInfo: (number) => order(`"cartDiscountInfo":[${number}]`),
    "an unknown key": (number) => order(`"price":${number}`),
  };
  /** For a change another third for each field, so that each number is tried. */
  const tried = (at) => someOf([...NUMBERS.slice(at), ...NUMBERS.slice(0, at)]);
  for (const [at, [field, body]] of Object.entries(REQUEST).entries()) {
    test(`as ${field}`, async () => {
      for (const number of tried(at)) await assertAsTheModel(body(number)).catch(named(number));
    });
  }

  const withVoucher = order('"ownerId":"malee","voucherId":["V1"]');
  const withCoupon = order('"couponCodeList":["A"]', PRODUCT);
  const discount = (member) => ({ coupons: `{"discounts":[{"coupon":"A",${member}}]}` });
  const ANSWERS = {
    price: [order(""), (number) => ({ prices: { 1001: `{"price":${number}}` } })],
    "price of the largest quantity": [REQUEST.quantity("9007199254740991"), (number) => ({ prices: { 1001: `{"price":${number}}` } })],
    originalPrice: [order(""), (number) => ({ prices: { 1001: `{"price":1,"originalPrice":${number}}` } })],
    settlementPrice: [order(""), (number) => ({ prices: { 1001: `{"price":1,"settlementPrice":${number}}` } })],
    weight: [REQUEST.quantity("-9007199254740991"), (number) => ({ prices: { 1001: `{"price":1,"weight":${number}}` } })],
    "nationwide deliveryFee": [shipped('"scheduleList":[{},{}]'), (number) => ({ rates: { DRY: `{"deliveryFee":${number}}` } })],
    "value of a voucher": [
      withVoucher,
      (number) => ({ vouchers: { V1: `{"ownerId":"malee","isActive":true,"isUsed":false,"value":${number}}` } }),
    ],
    "a voucher's own key": [
      withVoucher,
      (number) => ({ vouchers: { V1: `{"ownerId":"malee","isActive":true,"isUsed":false,"value":1,"own":${number}}` } }),
    ],
    discount: [withCoupon, (number) => discount(`"discount":${number}`)],
    shippingDiscount: [withCoupon, (number) => discount(`"shippingDiscount":${number}`)],
    percentageDiscount: [withCoupon, (number) => discount(`"percentageDiscount":${number}`)],
    "discount of a line": [withCoupon, (number) => discount(`"lines":[{"line":0,"discount":${number}}]`)],
    line: [withCoupon, (number) => discount(`"lines":[{"line":${number},"discount":1}]`)],
  };
  for (const [at, [field, [body, host]]] of Object.entries(ANSWERS).entries()) {
    test(`as ${field}`, async () => {
      for (const number of tried(at)) await assertAsTheModel(body, { host: host(number) }).catch(named(number));
    });
  }

  const named = (number) => (error) => {
    error.message = `${number.slice(0, 40)}: ${error.message}`;
    throw error;
  };
});

describe("names", () => {
  const NAMES = ["__proto__", "constructor", "hasOwnProperty", "toString", "toJSON", "then", "", " ", "length", "0", "\\u0000", "\\ud800"];

  test("in every place for a key", async () => {
    for (const name of NAMES) {
      const member = `"${name}":{"price":-1,"${name}":null}`;
      await assertAsTheModel(order(`${member},"cartDiscountInfo":[{${member}}]`, `{${member},${PRODUCT.slice(1)}`));
      await assertAsTheModel(shipped(`${member},"scheduleList":[{${member},"date_slot":{${member}}}]`));
      await assertAsTheModel(order('"ownerId":"malee","voucherId":["V1"]'), {
        host: { vouchers: { V1: `{${member},${JSON.stringify(VOUCHER).slice(1)}` } },
      });
      await assertAsTheModel(order('"couponCodeList":["A"]'), {
        host: { coupons: `{${member},"discounts":[{${member},"coupon":"A","discount":1}],"error":{${member}}}` },
      });
    }
    assert.equal({}.price, undefined);
  });

  test("as a branch, a voucher, a coupon code and an owner", async () => {
    const tricks = ["..", "../1000", "1000/1000", "1000 ", "1000\\u0000", "１０００", "\\u0301", "x".repeat(600)];
    for (const name of [...NAMES, ...tricks]) {
      await assertAsTheModel(order(`"branchId":"${name}"`), { host: { prices: { "1001/1000": { price: 5 } } } });
      await assertAsTheModel(order(`"ownerId":"${name}","voucherId":["V1"]`), { host: { vouchers: { V1: VOUCHER } } });
      await assertAsTheModel(order(`"ownerId":"malee","voucherId":["${name}"]`), { host: { vouchers: { V1: VOUCHER } } });
      await assertAsTheModel(order(`"couponCodeList":["${name}","${name}"]`));
    }
  });

  const LIKE_V1 = ["v1", " V1", "V1 ", "V1\\u0000", "Ｖ1", "V1\\u200b", "\\ufeffV1", "V\\u0661"];
  test("an id that is almost a voucher's is a different id", async () => {
    for (const id of LIKE_V1) {
      await assertAsTheModel(order(`"ownerId":"malee","voucherId":["V1","${id}"]`), { host: { vouchers: { V1: VOUCHER } } });
      await assertAsTheModel(order(`"ownerId":"malee","voucherId":["V1","${id}"]`), {
        host: { vouchers: { V1: VOUCHER, [JSON.parse(`"${id}"`)]: { ...VOUCHER, isUsed: true } } },
      });
    }
  });

  test("an id that is almost an owner's is a different owner", async () => {
    for (const owner of ["Malee", "malee ", "male\\u0065\\u0301", "malee\\u0000", "ｍalee", "malee\\ud800", ""]) {
      await assertAsTheModel(order(`"ownerId":"${owner}","voucherId":["V1"]`), { host: { vouchers: { V1: VOUCHER } } });
    }
  });

  const codes = Array.from({ length: Math.min(cases(1_000), 5_000) }, (_, index) => index * 2 ** 32);
  abused(
    "keys that a hash would put in one place",
    order(
      "",
      list(codes.length, (index) => `{"cprcode":${codes[index]},"productName":"","quantity":1}`),
    ),
    {
      host: { prices: Object.fromEntries(codes.map((code, index) => [code, { price: index + 0.25 }])) },
    },
  );
  abused(
    "a key said twice: the last one counts, in an order and in a voucher",
    order(
      '"ownerId":"mali","ownerId":"malee","voucherId":["V0"],"voucherId":["V1","V2"]',
      `${PRODUCT.slice(0, -1)},"quantity":-3,"\\u0071uantity":2}`,
    ),
    {
      host: {
        vouchers: {
          V1: '{"isUsed":true,"ownerId":"malee","value":1,"isActive":true,"isUsed":false,"value":2}',
          V2: '{"isUsed":false,"ownerId":"malee","value":1,"isActive":true,"isUsed":true,"note":1,"note":2}',
        },
      },
    },
  );
  abused("an earlier one must be valid all the same", order('"ownerId":0,"ownerId":"malee"'));
});

describe("an attacker's basket", () => {
  const attack = async (edit) => {
    const testCase = { host: { ...FACTS, vouchers: { V1: VOUCHER }, coupons: { discounts: [{ coupon: "A", discount: 1 }] } } };
    const pricer = await createPricer(hostFor(testCase).host);
    const basket = pricer.basket({ ...JSON.parse(order("")), ownerId: "malee", couponCodeList: ["A"], voucherId: ["V1"] });
    const before = await basket.settle();
    const edited = edit(basket) ?? basket.totals;
    const { text } = price({ ...testCase, order: basket.order });
    assertObject({ value: await basket.settle() }, { text }, "settle");
    assert.deepEqual(basket.totals, edited);
    basket.free();
    return { before, after: edited };
  };
  const assertNothingLower = ({ before, after }) => assert.ok(after.grandTotal >= before.grandTotal);

  test("a line with a negative quantity", async () => {
    const { before, after } = await attack((basket) => {
      basket.addProduct(JSON.parse(PRODUCT));
      basket.setQuantity(1, 5);
      return basket.setQuantity(1, -Number.MAX_SAFE_INTEGER);
    });
    assert.equal(after.grandTotal, before.grandTotal);
  });
  test("a coupon fifty times", async () => assertNothingLower(await attack((basket) => basket.setCoupons(Array(50).fill("A")))));
  test("a voucher fifty times", async () => assertNothingLower(await attack((basket) => basket.setVouchers(Array(50).fill("V1")))));
  test("a blank owner, or another one", async () => {
    for (const owner of ["", " malee", "malee\ud800"]) assertNothingLower(await attack((basket) => basket.setOwner(owner)));
  });
  test("a refused edit changes nothing", async () => {
    const { before, after } = await attack((basket) => {
      for (const quantity of [2 ** 53, NaN, -Infinity, 1.5, "1", null]) {
        assert.throws(() => basket.setQuantity(0, quantity), { code: "VALIDATION_ERROR" });
      }
      for (const line of [-1, 1, NaN, 2 ** 32, "0"]) assert.throws(() => basket.setQuantity(line, 0), { code: "VALIDATION_ERROR" });
      assert.throws(() => basket.setCoupons(["A", null]), { code: "VALIDATION_ERROR" });
      assert.throws(() => basket.setVouchers("V1"), { code: "VALIDATION_ERROR" });
    });
    assert.equal(after.grandTotal, before.grandTotal);
  });
});

describe("memory", () => {
  const megabytes = () => initSync().memory.buffer.byteLength / 2 ** 20;
  const LARGE = 64;
  const MANY_SCHEDULES = order(`"shipping":{"scheduleList":[${list(340_000, () => "{}")}]}`);
  /** The limits of an operator who allows this order. */
  const limits = { maxSchedules: 340_000 };

  test("of concurrent orders is released as each one ends; one job is kept for the next order", async (context) => {
    const AT_ONCE = 8;
    const answers = [];
    const pricer = await createPricer({ lookupPrices: () => new Promise((resolve) => answers.push(resolve)) });
    const orders = Array.from({ length: AT_ONCE }, () => pricer.calculateJson(order("")));
    assert.equal(answers.length, AT_ONCE);
    const free = context.mock.method(Job.prototype, "free");
    for (const answer of answers) answer([{ price: 1 }]);
    await Promise.all(orders);
    assert.equal(free.mock.callCount(), AT_ONCE - 1);
  });

  test("of one large order is released", async (context) => {
    const pricer = await createPricer(hostFor({ host: FACTS }).host, { limits });
    const response = await pricer.calculateJson(MANY_SCHEDULES);
    assert.ok(response.length > 2 ** 25);
    context.diagnostic(`${megabytes()} MiB after a response of ${response.length} bytes`);
    assert.ok(megabytes() < LARGE);
    assert.equal((await pricer.calculate(JSON.parse(order("")))).grandTotal, 59.25);
  });

  test("of concurrent orders is released when the last one ends", async () => {
    const { host } = hostFor({ host: FACTS });
    const pricer = await createPricer({ ...host, lookupPrices: async (keys) => host.lookupPrices(keys) }, { limits });
    await Promise.all(Array.from({ length: 2 }, () => pricer.calculateJson(MANY_SCHEDULES)));
    assert.ok(megabytes() < LARGE);
  });

  test("hundreds of zones of 500 vertices, at night thousands of 5,000, are read once, and orders are priced correctly", async (context) => {
    const BRANCHES = allAtNight(5, 50);
    const SQUARES = 100;
    /** The positions of each side. */
    const steps = allAtNight(125, 1250);
    /** One degree wide. */
    const ring = (west) => {
      const side = (position) => list(steps, (index) => `[${position(index / steps).map((degrees) => +degrees.toFixed(4))}]`);
      const sides = [(part) => [west + part, 0], (part) => [west + 1, part], (part) => [west + 1 - part, 1]];
      const last = list(steps - 1, (index) => `[${west},${+(1 - index / steps).toFixed(4)}]`);
      return `[${sides.map(side)},${last},[${west},0]]`;
    };
    const rings = Array.from({ length: SQUARES }, (_, west) => ring(west));
    assert.equal(JSON.parse(rings[7]).length, 4 * steps);
    const feature = (brcode, west) =>
      `{"type":"Feature","properties":{"brcode":${brcode},"deliveryFee":${brcode}.${west + 100}},"geometry":{"type":"Polygon","coordinates":[${rings[west]}]}}`;
    const collection = (features) => `{"type":"FeatureCollection","features":[${features}]}`;
    const zones = collection(list(BRANCHES * SQUARES, (index) => feature(Math.floor(index / SQUARES), index % SQUARES)));
    const pricer = await createPricer(hostFor({ host: FACTS }).host, { deliveryZones: zones });
    const before = megabytes();
    context.diagnostic(`${(zones.length / 1e6).toFixed(0)} MB of zones, ${before.toFixed(0)} MiB of memory`);
    for (const [brcode, lon, lat] of [
      [0, 0.5, 0.5],
      [BRANCHES - 1, 99.9999, 0.0001],
      [3, 42, 1],
      [3, 41.5, 0],
      [3, 100, 0.5],
      [3, 100.0001, 0.5],
      [BRANCHES, 1, 1],
    ]) {
      const body = shipped(`"brcode":${brcode},"shippingLat":${lat},"shippingLon":${lon},"scheduleList":[{"mode":"REGULAR"}]`);
      // The model gets only the zones near the point, because it computes with every digit.
      const near = [Math.floor(lon) - 1, Math.floor(lon)].filter((west) => west >= 0 && west < SQUARES);
      const ofBranch = brcode < BRANCHES ? near.map((west) => feature(brcode, west)) : [];
      const expected = price({ host: FACTS, zones: collection(ofBranch), body });
      const outcome = await caught(pricer.calculateJson(body));
      const text = outcome.value && new TextDecoder().decode(outcome.value);
      assertOutcome({ text, ...(text === undefined && outcome) }, expected, `${brcode} at ${lon}, ${lat}`);
    }
    // A new instance would have to read all zones again, for each order.
    assert.equal(megabytes(), before);
    pricer.setDeliveryZones(ZONES);
  });
});
