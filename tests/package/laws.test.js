// Laws that hold for every order, whatever its total. They are checked over generated orders with exact decimals. No
// figure comes from the model; it only says which generated orders can be priced.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { DEFAULT_POLICY, POLICIES } from "../../pkg/core/policies.js";
import { allAtNight, cases, SEED } from "../effort.js";
import { hostFor, optionsFor } from "../golden/host.js";
import { bodyBytes } from "../model/body.js";
import {
  add,
  decimalText,
  equals,
  fits,
  integer,
  isNegative,
  max,
  multiply,
  parseDecimal,
  roundToFit,
  subtract,
  sum,
  ZERO,
} from "../model/decimal.js";
import { overflow } from "../model/fault.js";
import { generate } from "../model/generate.js";
import { randomFrom } from "../model/generator/random.js";
import { Raw, writeJson } from "../model/generator/text.js";
import { member, readJson } from "../model/json.js";
import { price } from "../model/price.js";
import { deliveredBy, squareZones } from "../zones.js";
import { failure } from "./replay.js";

const ORDERS = allAtNight(15, cases(40));

const MONEY = [
  ...["subTotal", "grandTotal", "totalExcludeControlledProducts", "deliveryFee", "discountedDeliveryFee"],
  ...["expressShippingCost", "shippingFee", "shippingPrice", "cartDiscount", "bogoDiscount", "two4Discount"],
  ...["percentageDiscount", "shippingDiscount", "voucherDiscount", "totalDiscount"],
];
const TOTALS = [...MONEY, "totalWeight"];

/** A law must hold for ORDERS generated orders. `check` returns false for an order to which the law does not apply. */
function law(name, check, orders = pricedOrders) {
  test(name, async (context) => {
    let count = 0;
    for (const order of orders()) {
      try {
        if ((await check(order, randomFrom(order.seed))) !== false) count += 1;
      } catch (error) {
        if (error.code === "OVERFLOW") continue; // D19: an overflow is not a wrong answer
        error.message = `seed ${order.seed}: ${error.message}`;
        throw error;
      }
      if (count === ORDERS) break;
    }
    context.diagnostic(`${String(count).padStart(6)} orders: ${name}`);
    assert.equal(count, ORDERS);
  });
}

function* allOrders() {
  for (let seed = SEED; seed < SEED + 100 * ORDERS; seed += 1) yield generate(seed);
}

/** The golden cases cover D45. Here an order may be as large as a law makes it. */
const WIDE = { maxVouchers: 10_000, maxCoupons: 10_000, maxSchedules: 10_000 };

const known = [];

/** The orders that can be priced, as `{ seed, order, host, options }`; each order is an object. */
function* pricedOrders() {
  yield* known;
  const from = known.at(-1)?.seed ?? SEED - 1;
  for (let seed = from + 1; seed < SEED + 100 * ORDERS; seed += 1) {
    const testCase = generate(seed);
    if (price(testCase).text === undefined) continue;
    const order = testCase.order ?? JSON.parse(new TextDecoder().decode(bodyBytes(testCase)));
    const { host, zones, options: { policy, input } = {} } = testCase;
    if (input === "lenient") continue; // the same order once it is read
    known.push({ seed, order: asJson(order), host, zones, options: { policy, limits: WIDE } });
    yield known.at(-1);
  }
}

/** Numbers that JSON cannot write are already null here. */
const asJson = (order) => JSON.parse(JSON.stringify(order));

async function textOf(one, order = one.order) {
  const pricer = await createPricer(hostFor(one).host, optionsFor(one));
  const body = typeof order === "string" ? order : JSON.stringify(order);
  return new TextDecoder().decode(await pricer.calculateJson(body));
}

async function errorOf(promise) {
  return promise.then((text) => assert.fail(`it was priced: ${text}`), failure);
}

const amount = (node, name) => parseDecimal(member(node, name).raw);
const items = (node, name) => member(node, name).items;
const flag = (node, name) => member(node, name).value;

function totalsOf(text, names = TOTALS) {
  const root = readJson(text);
  return Object.fromEntries(names.map((name) => [name, amount(root, name)]));
}

const floor = (value) => max(value, ZERO);
const isLess = (left, right) => isNegative(subtract(left, right));

/** D19: rounds only what does not fit. What still does not fit is negative and becomes 0 (D13). */
const product = (left, right) => roundToFit(multiply(left, right)) ?? ZERO;
const isExact = (left, right) => equals(product(left, right), multiply(left, right));

const rowsOf = (root) =>
  items(root, "productList").map((row) => ({
    ...Object.fromEntries(
      ["price", "originalPrice", "quantity", "weight", "rowTotal", "discountedRowTotal"].map((name) => [name, amount(row, name)]),
    ),
    isControlledProduct: flag(row, "isControlledProduct"),
  }));

/** Whether nothing in this order had to be rounded. */
function isUnrounded(text) {
  const root = readJson(text);
  const percentages = items(member(root, "discountResult"), "discounts").map((one) => amount(one, "percentageDiscount"));
  return (
    rowsOf(root).every(
      (row) => isExact(row.price, row.quantity) && isExact(row.originalPrice, row.quantity) && isExact(row.weight, row.quantity),
    ) && percentages.every((one) => isExact(one, amount(root, "subTotal")))
  );
}

const DISCOUNTS = ["cartDiscount", "bogoDiscount", "two4Discount", "voucherDiscount", "percentageDiscount"];

/** What `foldedDiscounts` adds to cartDiscount. */
const FOLDED = { none: [], percentage: ["percentageDiscount"], two4: ["two4Discount"], both: ["two4Discount", "percentageDiscount"] };

function assertParts(text, policy = {}) {
  const root = readJson(text);
  const whole = totalsOf(text);
  const rows = rowsOf(root);
  const shipping = member(root, "shipping");
  const schedules = shipping.type === "null" ? [] : items(shipping, "scheduleList");
  const discounts = items(member(root, "discountResult"), "discounts");
  const controlled = rows.filter((row) => row.isControlledProduct);
  const percentage = discounts.map((one) => amount(one, "percentageDiscount")).reduce(max, ZERO);
  const sumOf = (list, name) => sum(list.map((one) => amount(one, name)));
  const isChosen = (name) => policy[name] !== undefined && policy[name] !== DEFAULT_POLICY[name];
  const folded = FOLDED[policy.foldedDiscounts ?? "none"];
  const charged = (row) => floor(product(row.price, row.quantity));
  const rowTotal = policy.rowTotal === "list" ? (row) => floor(product(row.originalPrice, row.quantity)) : charged;
  const hasExpress =
    schedules.some((one) => member(one, "mode").value === "EXPRESS") && member(shipping, "shippingType").value === "DELIVERY";
  const waives = policy.freeShipping === "waivesDelivery" && discounts.some((one) => flag(one, "freeshipping"));
  const granted = sumOf(discounts, "shippingDiscount");
  const parts = {
    subTotal: sum(rows.map(isChosen("subTotal") ? rowTotal : charged)),
    grandTotal: floor(
      subtract(
        sum([whole.subTotal, whole.discountedDeliveryFee, whole.expressShippingCost]),
        sum([whole.cartDiscount, whole.bogoDiscount, whole.voucherDiscount]),
      ),
    ),
    totalExcludeControlledProducts: subtract(whole.grandTotal, sum(controlled.map(isChosen("excludeControlled") ? rowTotal : charged))),
    deliveryFee: sumOf(schedules, "deliveryFee"),
    discountedDeliveryFee: floor(subtract(whole.deliveryFee, whole.shippingDiscount)),
    expressShippingCost: policy.expressSurcharge === "anyExpress" ? integer(hasExpress ? 50 : 0) : sumOf(schedules, "expressFee"),
    shippingFee: whole.deliveryFee,
    shippingPrice: whole.deliveryFee,
    cartDiscount: sum([sumOf(discounts, "discount"), ...folded.map((name) => whole[name])]),
    bogoDiscount: sumOf(discounts, "bogoDiscount"),
    two4Discount: sumOf(discounts, "two4Discount"),
    percentageDiscount: product(percentage, whole.subTotal),
    shippingDiscount: waives ? max(granted, whole.deliveryFee) : granted,
    voucherDiscount: sumOf(items(root, "validVouchers"), "value"),
    totalDiscount: sum(DISCOUNTS.filter((name) => !folded.includes(name)).map((name) => whole[name])),
    totalWeight: sum(rows.map((row) => product(row.weight, row.quantity))),
  };
  assert.deepEqual(whole, parts);
  for (const row of rows) assert.deepEqual(row.rowTotal, rowTotal(row));
  const summary = member(root, "summary");
  for (const { name, value } of summary.members) assert.equal(value.raw, member(root, name).raw, `summary.${name}`);
}

describe("the parts and the whole", () => {
  law("the parts sum to the whole", async (one) => assertParts(await textOf(one), one.options.policy));

  law("…at any number of lines", async (one, random) => {
    const lines = random.weighted([
      [100, random.integer(21, 200)],
      [4, random.integer(1_000, 2_000)],
      [1, 5_000],
    ]);
    const { productList } = one.order;
    const many = Array.from({ length: lines }, (_, index) => productList[index % productList.length]);
    assertParts(await textOf(one, { ...one.order, productList: many }), one.options.policy);
  });

  const FLOORED = ["subTotal", "grandTotal", "discountedDeliveryFee"];
  law("amounts with a floor are never negative, whatever the discounts", async (one, random) => {
    const much = new Raw(random.pick(["1e9", "79228162514264337593543", "0.01", "123456.789"]));
    const coupons = writeJson(
      { discounts: [{ coupon: "A", discount: much, bogoDiscount: much, shippingDiscount: much, lines: [{ line: 0, discount: much }] }] },
      random,
    );
    const vouchers = { V: writeJson({ ownerId: "malee", value: much, isActive: true, isUsed: false }, random) };
    const order = { ...one.order, couponCodeList: ["A"], voucherId: ["V"], ownerId: "malee" };
    const text = await textOf({ ...one, host: { ...one.host, coupons, vouchers } }, order);
    const totals = totalsOf(text, FLOORED);
    for (const name of FLOORED) assert.ok(!isNegative(totals[name]), name);
    for (const row of rowsOf(readJson(text))) assert.ok(!isNegative(row.rowTotal) && !isNegative(row.discountedRowTotal));
  });
});

describe("things that do not matter", () => {
  law(
    "the order in time of the host's answers, of those of a failing host too (D42)",
    async (testCase, random) => {
      const fails = Object.values(testCase.host?.fails ?? {});
      if (fails.some(({ late }) => late)) return false;
      const { host } = hostFor(testCase);
      const outcome = (asked) => outcomeOf(asked, testCase);
      assert.deepEqual(await outcome(shuffledInTime(host, random)), await outcome(host));
    },
    allOrders,
  );

  law("the order of keys", async (one, random) => assertSame(one, random, ["shuffled keys"]));
  law("unknown keys", async (one, random) => assertSame(one, random, ["unknown keys"]));
  law("white space", async (one, random) => assertSame(one, random, ["white space"]));

  async function assertSame(one, random, habits) {
    const written = writeJson(withOpaqueTexts(one.order), random, habits);
    if (written === JSON.stringify(one.order)) return false;
    assert.equal(await textOf(one, written), await textOf(one));
  }
});

/** Wraps opaque values, which are echoed verbatim, as text. */
function withOpaqueTexts(value, name) {
  if (["cartDiscountInfo", "pickingStatus", "date_slot"].includes(name)) return new Raw(JSON.stringify(value));
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => withOpaqueTexts(item));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withOpaqueTexts(inner, key)]));
}

async function outcomeOf(host, testCase) {
  try {
    const pricer = await createPricer(host, optionsFor(testCase));
    return { text: new TextDecoder().decode(await pricer.calculateJson(bodyBytes(testCase))) };
  } catch (error) {
    return failure(error);
  }
}

/** A host that answers in a shuffled sequence, each answer in its own turn of the event loop. */
function shuffledInTime(host, random) {
  const asked = [];
  const answer = async () => {
    for (const one of random.shuffle(asked.splice(0))) {
      one();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const later = (callback) => (argument, context) =>
    new Promise((resolve, reject) => {
      asked.push(() => new Promise((settle) => settle(callback(argument, context))).then(resolve, reject));
      if (asked.length === 1) setImmediate(answer);
    });
  return Object.fromEntries(Object.entries(host).map(([name, callback]) => [name, later(callback)]));
}

describe("changes", () => {
  law("a line split into two positive parts changes no total", async (one, random) => {
    const { productList } = one.order;
    const at = productList.findIndex(({ quantity }) => quantity >= 2);
    if (at < 0) return false;
    const before = await textOf(one);
    if (!isUnrounded(before)) return false; // D19: parts of a rounded product are rounded separately
    const line = productList[at];
    const part = random.integer(1, line.quantity - 1);
    const parts = [
      { ...line, quantity: part },
      { ...line, quantity: line.quantity - part },
    ];
    const rest = productList.filter((_, index) => index !== at);
    const split = random.chance(0.5) ? [...rest, ...parts] : productList.toSpliced(at, 1, ...parts);
    // D16: the line of a discount does not matter for the totals.
    assert.deepEqual(totalsOf(await textOf(one, { ...one.order, productList: split })), totalsOf(before));
  });

  law("one more product with a positive quantity never lowers subTotal", async (one, random) => {
    const before = totalsOf(await textOf(one));
    const added = { ...random.pick(one.order.productList), quantity: random.pick([1, 2, 7, 100_000]) };
    const productList = random.chance(0.5) ? [...one.order.productList, added] : [added, ...one.order.productList];
    const after = totalsOf(await textOf(one, { ...one.order, productList }));
    assert.ok(!isLess(after.subTotal, before.subTotal));
  });

  for (const [what, name] of [
    ["coupon", "couponCodeList"],
    ["voucher", "voucherId"],
  ]) {
    for (const [word, times] of [
      ["twice", 2],
      ["fifty times", 50],
    ]) {
      law(`a ${what} sent ${word} counts once`, async (one, random) => {
        const sent = one.order[name] ?? [];
        if (sent.length === 0) return false;
        const before = await textOf(one);
        const again = Array.from({ length: (times - 1) * sent.length }, (_, index) => sent[index % sent.length]);
        const repeated = [...sent, ...random.shuffle(again)];
        const after = await textOf(one, { ...one.order, [name]: repeated });
        // D24, D29: the responses differ only in the echoed list.
        const isEcho = `"${name}":${JSON.stringify(sent)},`;
        assert.ok(before.includes(isEcho));
        assert.equal(
          after,
          before.replace(isEcho, () => `"${name}":${JSON.stringify(repeated)},`),
        );
      });
    }
  }

  law("every amount times ten, with the same multipliers: every total times ten", async (one) => {
    const order = asJson(one.order);
    for (const schedule of order.shipping?.scheduleList ?? []) if (schedule.mode === "EXPRESS") schedule.mode = "REGULAR";
    const before = await textOf(one, order);
    if (!isUnrounded(before)) return false; // D19
    const after = totalsOf(await textOf(tenTimes(one), order));
    const { totalWeight, ...money } = totalsOf(before);
    const ten = Object.fromEntries(Object.entries(money).map(([name, value]) => [name, multiply(value, integer(10))]));
    assert.deepEqual(after, { ...ten, totalWeight });
  });
});

const AMOUNTS = [
  ...["price", "originalPrice", "settlementPrice", "deliveryFee", "value"],
  ...["discount", "bogoDiscount", "two4Discount", "shippingDiscount"],
];

function tenTimes({ host: { prices, rates, vouchers, coupons, ...script }, zones, ...one }) {
  const all = (table) => Object.fromEntries(Object.entries(table).map(([key, record]) => [key, scaled(record)]));
  const host = { prices: all(prices), rates: all(rates), vouchers: all(vouchers), ...script };
  return { ...one, zones: JSON.parse(scaled(zones)), host: coupons === undefined ? host : { ...host, coupons: scaled(coupons) } };
}

/** A fact or its text, with every amount multiplied by ten. */
function scaled(fact) {
  const write = ({ type, raw, members, items: list }) => {
    if (type === "array") return `[${list.map(write).join()}]`;
    if (type !== "object") return raw;
    return `{${members.map(({ name, rawName, value }) => `${rawName}:${isAmount(name, value) ? tenfold(value.raw) : write(value)}`).join()}}`;
  };
  const isAmount = (name, { type }) => AMOUNTS.includes(name) && type === "number";
  const tenfold = (raw) => {
    const amount = multiply(parseDecimal(raw), integer(10));
    if (!fits(amount)) throw overflow("an amount");
    return decimalText(amount);
  };
  return write(readJson(typeof fact === "string" ? fact : JSON.stringify(fact)));
}

describe("one order by several ways", () => {
  law("calculate equals calculateJson, and so do the steps' order and a basket that has settled", async (one) => {
    const text = JSON.parse(await textOf(one));
    const pricer = await createPricer(hostFor(one).host, optionsFor(one));
    assert.deepEqual(await pricer.calculate(one.order), text);
    assert.deepEqual((await pricer.explain(one.order)).order, text);
    const basket = pricer.basket(one.order);
    assert.deepEqual(await basket.settle(), text);
    for (const [name, value] of Object.entries(basket.totals)) assert.equal(value, text[name], name);
    basket.free();
  });

  law("pricing the request rebuilt from a response gives the same response", async (one) => {
    const response = await textOf(one);
    assert.equal(await textOf(one, response), response);
  });
});

describe("sending more lowers no total", () => {
  const GRANTED = ["cartDiscount", "bogoDiscount", "voucherDiscount", "shippingDiscount"];
  const CHARGES = ["subTotal", "deliveryFee", "expressShippingCost"];

  /** Additional elements that can be priced. */
  const MORE = {
    productList: (one, random) => ({
      ...random.pick(one.order.productList),
      quantity: random.pick([-7, 0, 1, 3, Number.MIN_SAFE_INTEGER]),
    }),
    voucherId: (one, random) => random.pick(Object.keys(VOUCHERS)),
    couponCodeList: (one, random) => random.pick(Object.keys(COUPONS)),
    cartDiscountInfo: (one, random) => random.pick([null, { coupon: "A", discount: 1e9 }, -1]),
    scheduleList: (one, random) => ({
      mode: random.pick(["REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"]),
      scheduleId: random.integer(0, 3),
    }),
  };
  const VOUCHERS = { OWN: { ownerId: "malee", value: 7.25 }, OTHERS: { ownerId: "mali", value: 1e6 }, NOBODYS: { value: 1e6 } };
  const COUPONS = {
    TEN: { discount: 10 },
    BOGO: { bogoDiscount: 3.5 },
    SHIP: { shippingDiscount: 20, freeshipping: true },
    TOLD: { two4Discount: 5, percentageDiscount: 0.5 },
  };
  const WAYS = {
    prepend: (list, more) => [more, ...list],
    append: (list, more) => [...list, more],
    insert: (list, more, random) => list.toSpliced(random.integer(0, list.length), 0, more),
    repeat: (list, _, random) => (list.length === 0 ? list : [...list, random.pick(list)]),
    "repeat all": (list) => [...list, ...list],
    permute: (list, _, random) => random.shuffle(list),
  };

  /** A shop that can price all of these: its host fixes the value of the coupons and vouchers. */
  function shopOf(one, random, policy) {
    const vouchers = Object.fromEntries(Object.entries(VOUCHERS).map(([id, record]) => [id, { ...record, isActive: true, isUsed: false }]));
    const coupons = ({ couponCodeList }) => ({ discounts: couponCodeList.map((coupon) => ({ coupon, ...COUPONS[coupon] })) });
    const rates = { DRY: { deliveryFee: 60 }, FRESH: { deliveryFee: 75.5 }, MIX: { deliveryFee: 0 } };
    const schedules = random.times(random.integer(0, 3), () => MORE.scheduleList(one, random));
    const order = {
      ...one.order,
      ownerId: random.pick(["malee", "malee", ""]),
      voucherId: random.times(random.integer(0, 2), () => MORE.voucherId(one, random)),
      couponCodeList: random.times(random.integer(0, 2), () => MORE.couponCodeList(one, random)),
      shipping: {
        shippingType: random.pick(["DELIVERY", "DELIVERY", "PICKUP"]),
        brcode: 1000,
        shippingLon: 100.5,
        shippingLat: 13.6,
        scheduleList: schedules,
      },
    };
    return {
      one: { ...one, host: { ...one.host, vouchers, coupons, rates, fails: {}, missing: [] }, options: { policy, limits: WIDE } },
      order,
    };
  }

  /** Prices an order, then the same order with a longer list. `check` gets the totals of both. */
  async function assertSendingMore(one, random, policy, check) {
    const { one: shop, order } = shopOf(one, random, policy);
    const before = totalsOf(await textOf(shop, order));
    for (const [list, more] of Object.entries(MORE)) {
      for (const [way, change] of Object.entries(WAYS)) {
        const owner = list === "scheduleList" ? order.shipping : order;
        const changed = { ...owner, [list]: change(owner[list] ?? [], more(one, random), random) };
        const after = await textOf(shop, list === "scheduleList" ? { ...order, shipping: changed } : changed).catch(failure);
        // An amount that is too large is refused, even a negative weight.
        if (after.code) assert.equal(after.code, "OVERFLOW", after.error);
        else check({ what: `${list}, ${way}`, list, way, before, after: totalsOf(after) });
      }
    }
  }

  /** The additional grants. A total may fall by this amount and no more. */
  const grantedMore = ({ before, after }) => sum(GRANTED.map((name) => max(subtract(after[name], before[name]), ZERO)));

  function assertNoLower({ what, before, after }, exception = ZERO) {
    for (const name of CHARGES) {
      const least = name === "expressShippingCost" ? subtract(before[name], exception) : before[name];
      assert.ok(!isLess(after[name], least), `${what}: ${name} fell`);
    }
    const least = subtract(before.grandTotal, add(grantedMore({ before, after }), exception));
    assert.ok(!isLess(after.grandTotal, least), `${what}: grandTotal fell by more than what was granted`);
  }

  // D38: the one exception, which the specification itself makes: by its rule the surcharge is due if the first schedule is
  // EXPRESS, and another may come first.
  const SURCHARGE = integer(50);
  const CHANGES_THE_FIRST = ["prepend", "insert", "permute"];
  const COMBINATIONS = Object.entries(POLICIES)
    .reduce((all, [name, { values }]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))), [{}])
    .filter((_, index) => allAtNight(index % 57 === SEED % 57, true));
  let tried = 0;
  law(
    `by prepending, appending, repeating or permuting a list, with each of ${COMBINATIONS.length} combinations of policies (D48)`,
    async (one, random) => {
      for (let share = Math.ceil(COMBINATIONS.length / ORDERS); share > 0; share -= 1) {
        const policy = COMBINATIONS[tried % COMBINATIONS.length];
        await assertSendingMore(one, random, policy, (outcome) => {
          const mayFall =
            policy.expressSurcharge === "firstSchedule" && outcome.list === "scheduleList" && CHANGES_THE_FIRST.includes(outcome.way);
          assertNoLower(outcome, mayFall ? SURCHARGE : ZERO);
        });
        tried += 1; // not where an amount was too large
      }
    },
  );

  test("D38: the exception, and the policies that close it", async () => {
    const host = { prices: { 1: { price: 462 } } };
    const order = (...modes) => ({
      productList: [{ cprcode: 1, productName: "", quantity: 1 }],
      shipping: deliveredBy(...modes),
    });
    const zones = squareZones(30);
    for (const [expressSurcharge, alone, behind, twice] of [
      ["firstSchedule", 542, 522, 572],
      ["firstExpress", 542, 572, 572],
      ["anyExpress", 542, 572, 572],
    ]) {
      const total = async (...modes) =>
        Number(decimalText(totalsOf(await textOf({ host, zones, options: { policy: { expressSurcharge } } }, order(...modes))).grandTotal));
      assert.deepEqual(
        [await total("EXPRESS"), await total("REGULAR", "EXPRESS"), await total("EXPRESS", "EXPRESS")],
        [alone, behind, twice],
      );
    }
  });
});

describe("an attacker lowers no total", () => {
  const LOWERED = ["subTotal", "grandTotal", "discountedDeliveryFee", "expressShippingCost"];

  function assertNotLower(attacked, honest, names = LOWERED) {
    const [after, before] = [totalsOf(attacked), totalsOf(honest)];
    for (const name of names) assert.ok(!isLess(after[name], before[name]), `${name} was lowered`);
  }

  law("by a voucher whose owner is blank, or an order without owner (D31)", async (one, random) => {
    const { ownerId, voucherId, ...rest } = one.order;
    const honest = await textOf(one, rest);
    const blank = () => random.pick([{}, { ownerId: "" }, { ownerId: null }]);
    const voucher = (owner) => ({ ...owner, value: random.integer(1, 9_999), isActive: true, isUsed: false });
    const vouchers = { A: voucher(blank()), B: voucher(blank()), C: voucher({ ownerId: "malee" }) };
    const order = { ...rest, ...blank(), voucherId: ["A", "B", "C"] };
    const text = await textOf({ ...one, host: { ...one.host, vouchers } }, order);
    assertNotLower(text, honest);
    const invalid = items(readJson(text), "invalidVouchers");
    assert.deepEqual(
      invalid.map((one) => member(one, "reasons").raw),
      Array(3).fill('["ownerMismatch"]'),
    );
    const owned = { ...order, ownerId: "malee", voucherId: ["A", "B"] };
    assertNotLower(await textOf({ ...one, host: { ...one.host, vouchers } }, owned), honest);
  });

  law("by a line with a negative quantity (D13)", async (one, random) => {
    const line = { ...random.pick(one.order.productList), quantity: -random.pick([1, 3, 100_000, Number.MAX_SAFE_INTEGER]) };
    const honest = await textOf(one);
    const attacked = await textOf(one, { ...one.order, productList: [...one.order.productList, line] }).catch(failure);
    // A weight that is too large is an error, even a negative one.
    if (attacked.code) return assert.match(attacked.error, /^Overflow: totalWeight is too large$/);
    assert.deepEqual(totalsOf(attacked, MONEY), totalsOf(honest, MONEY));
  });

  law("by prices, fees and totals in the order itself (D2)", async (one, random) => {
    const lie = () => random.pick([-1, -1e9, 0, "0", null]);
    const order = asJson(one.order);
    for (const name of [...TOTALS, "summary", "validVouchers", "discountResult"]) order[name] = lie();
    for (const line of order.productList) {
      for (const name of ["price", "originalPrice", "rowTotal", "discountedRowTotal", "weight"]) line[name] = lie();
    }
    for (const schedule of order.shipping?.scheduleList ?? []) schedule.deliveryFee = schedule.expressFee = lie();
    assert.equal(await textOf(one, order), await textOf(one));
  });

  const RECORDS = {
    prices: { fields: ["price", "originalPrice", "settlementPrice", "weight"], good: { price: 1 }, code: "PRICE_LOOKUP_FAILED" },
    rates: { fields: ["deliveryFee"], good: {}, code: "NATIONWIDE_RATE_FAILED" },
    vouchers: { fields: ["value"], good: { isActive: false, isUsed: true }, code: "VOUCHER_LOOKUP_FAILED" },
    discounts: {
      fields: ["discount", "bogoDiscount", "two4Discount", "percentageDiscount", "shippingDiscount"],
      good: { coupon: "A" },
      code: "COUPON_SERVICE_FAILED",
    },
  };
  law("by a negative amount in a price record, a rate, a voucher or a discount (D26, D30, D44)", async (one, random) => {
    const [table, { fields, good, code }] = random.pick(Object.entries(RECORDS));
    const field = random.pick(fields);
    const below = new Raw(random.pick(["-1", "-0.01", "-1e-28", "-1e-400", "-1e400", "-79228162514264337593543950335"]));
    const record = writeJson({ ...good, [field]: below }, random);
    const host = { ...asJson(one.host), fails: {} };
    const order = { ...one.order };
    if (table === "prices") host.prices = { [order.productList[0].cprcode]: record };
    if (table === "rates") {
      host.rates = { DRY: record };
      order.shipping = { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE", nationwideMode: "DRY" }] };
    }
    if (table === "vouchers") [host.vouchers, order.voucherId] = [{ V: record }, ["V"]];
    if (table === "discounts") [host.coupons, order.couponCodeList] = [`{"discounts":[${record}]}`, ["A"]];
    if (table === "prices") order.productList = [order.productList[0]];
    const error = await errorOf(textOf({ ...one, host }, order));
    assert.equal(error.code, code);
    assert.ok(error.error.endsWith(`${field}: expected an amount of 0 or more`), error.error);
    assert.equal(error.retryable, false);
  });

  law("by a negative amount on a line of a discount (D26)", async (one) => {
    const host = { ...one.host, fails: {}, coupons: { discounts: [{ coupon: "A", lines: [{ line: 0, discount: -1 }] }] } };
    const error = await errorOf(textOf({ ...one, host }, { ...one.order, couponCodeList: ["A"] }));
    assert.equal(error.error, "Invalid answer from validateCoupons: discounts[0].lines[0].discount: expected an amount of 0 or more");
  });
});
