// Over many orders full of secrets: none is in a capture or in the log, whatever both sides answer, and each capture gives
// the same answer when it is priced again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { comparisonOf } from "../../worker/migration/src/comparison.js";
import { shadowLine } from "../../worker/migration/src/line.js";
import { cases } from "../effort.js";
import { randomFrom } from "../model/generator/random.js";
import { HABITS, Raw, writeJson } from "../model/generator/text.js";
import { captured, openCapture, priced } from "./exchange.js";
import { ZONES } from "./shop.js";

const ORDERS = cases(200);
const PRICED_BY = { dataVersion: null, package: "0.1.0", module: "0badc0de" };

/** Draws secrets, and keeps them. */
function secretsFrom(random) {
  const drawn = [];
  const keep = (secret) => drawn[drawn.push(secret) - 1];
  return {
    drawn,
    text: () =>
      keep(`${random.pick(["s", "ลับ", "081-", "a@b.c ", "😀"])}${random.digits(12)}${random.pick(["", " ถนนพระราม 1", '"\\/', "\n"])}`),
    // Text around it may change with the words of a message.
    word: () => keep(`s${random.digits(12)}`),
    number: () => new Raw(keep(`8${random.digits(11)}`) + random.pick(["", ".50", "e2"])),
  };
}

/** Any JSON, with secrets at every place. */
function anything(random, secret, depth = 0) {
  return random.pick([
    () => secret.text(),
    () => secret.number(),
    () => null,
    () => (depth > 2 ? true : [anything(random, secret, depth + 1), secret.text()]),
    () => (depth > 2 ? false : { [secret.text()]: anything(random, secret, depth + 1), __proto__: null }),
  ])();
}

function draw(seed) {
  const random = randomFrom(seed);
  const secret = secretsFrom(random);
  const ownerId = random.chance(0.8) ? secret.text() : "";
  const [own, foreign, nobodys] = [secret.word(), secret.word(), secret.word()];
  const voucher = (owner) => ({
    ownerId: owner,
    value: 100,
    isActive: random.chance(0.8),
    isUsed: false,
    [secret.text()]: anything(random, secret),
    note: secret.text(),
  });
  const vouchers = { [own]: voucher(ownerId), [foreign]: { ...voucher(secret.text()), value: secret.number() }, [nobodys]: voucher(null) };
  const texts = (...names) => Object.fromEntries(names.map((name) => [name, secret.text()]));
  const coupon = secret.text();
  const order = {
    productList: random.times(random.integer(1, 3), (index) => ({
      cprcode: 1 + index,
      quantity: 2,
      ...texts("productName", "remark"),
      [secret.text()]: anything(random, secret),
    })),
    ownerId,
    ...texts("basketName", "basketId", "orderId", "specialComment"),
    voucherId: random.shuffle([own, foreign, nobodys]),
    couponCodeList: [coupon, secret.text()],
    cartDiscountInfo: [anything(random, secret), anything(random, secret)],
    shipping: {
      shippingType: "DELIVERY",
      scheduleList: [
        {
          mode: "REGULAR",
          nationwideConfig: secret.text(),
          dateTime: secret.text(),
          pickingStatus: anything(random, secret),
          date_slot: anything(random, secret),
          deliveryFee: anything(random, secret),
        },
        { mode: "NATIONWIDE", nationwideConfig: secret.text() },
      ],
      ...texts(
        "shippingFirstName",
        "shippingLastName",
        "shippingAddress",
        "shippingSubDistrict",
        "shippingProvince",
        "shippingPhone",
        "shippingEmail",
      ),
      ...(random.chance(0.5) && { shippingPostcode: secret.text() }),
      shippingLat: new Raw(`13.${random.integer(1, 9)}${random.digits(9)}`),
      shippingLon: new Raw(`100.${random.integer(1, 9)}${random.digits(9)}`),
      [secret.text()]: anything(random, secret),
    },
    [secret.text()]: anything(random, secret),
  };
  secret.drawn.push(order.shipping.shippingLat.text, order.shipping.shippingLon.text);
  spoil(random, secret, order);
  const text = writeJson(
    order,
    random,
    HABITS.filter((habit) => habit !== "number forms" && random.chance(0.4)),
  );
  const json = (value) => writeJson(value, random, []);
  const isServed = random.chance(0.9);
  const host = {
    lookupPrices: (keys) =>
      keys.map(({ cprcode, branchId }) => (cprcode === 9 || branchId !== "1000" ? null : json({ price: cprcode, note: secret.text() }))),
    lookupVouchers: (ids) => ids.map((id) => (Object.hasOwn(vouchers, id) ? json(vouchers[id]) : null)),
    nationwideRate: () => (isServed ? json({ deliveryFee: 70, nationwideConfig: secret.text(), note: secret.text() }) : null),
    validateCoupons: () =>
      json({
        discounts: [{ coupon: secret.text(), discount: 5, note: secret.text() }],
        failedCoupons: [coupon],
        error: anything(random, secret),
        note: secret.text(),
      }),
  };
  return { random, secret, text, host };
}

/** What makes orders fail, with secrets in it. */
function spoil(random, secret, order) {
  random.pick([
    () => {},
    () => {},
    () => {},
    () => order.voucherId.push(secret.text()),
    () => (order.productList[0].cprcode = 9) && (order.branchId = secret.text()),
    () => (order.productList[0].quantity = secret.text()),
    () => (order.ownerId = secret.number()),
    () => (order.shipping.scheduleList = secret.text()),
    () => (order.shipping.scheduleList[0].mode = secret.text()),
    () => (order.branchId = `${secret.text()}`.padEnd(200, "x")),
  ])();
}

/** What an old service may answer: the new one's answer, a part of it, or anything else. */
function legacyAnswer(random, secret, text) {
  const nonsense = () => writeJson(anything(random, secret), random, []);
  return random.pick([
    { status: 200, text: text.replace(/^\{/, () => `{${JSON.stringify(secret.text())}:${nonsense()},`) },
    {
      status: 200,
      text: text.replaceAll(
        /"(subTotal|ownerId|mode|isActive|productName)":("[^"\\]*"|[\w.]+)/g,
        (_, name) => `"${name}":${JSON.stringify(secret.text())}`,
      ),
    },
    { status: 200, text: nonsense() },
    { status: 200, text: secret.text() },
    { status: 500, text: JSON.stringify({ error: `No price: ${secret.text()}` }) },
    { status: 500, text: JSON.stringify({ error: `Voucher ${secret.word()} not found` }) },
    { status: 500, text: `${text.slice(0, 40)}${secret.text()}` },
    { status: null, text: undefined },
  ]);
}

test(`${ORDERS} orders full of secrets, captured beside an old service's answer and for the decision log`, async () => {
  const codes = new Map();
  for (let seed = 1; seed <= ORDERS; seed += 1) {
    const { random, secret, text, host } = draw(seed);
    const limits = { maxBodyBytes: 1_048_576 };
    const { answer, facts, isRepeatable } = await priced(text, host, { limits, deliveryZones: ZONES });
    assert.ok(isRepeatable, `seed ${seed}: ${answer.text}`);
    const legacy = legacyAnswer(random, secret, answer.text);
    const capture = await captured({ order: text, answer, facts, legacy, limits, zones: ZONES });
    const decision = await captured({
      order: text,
      answer,
      facts,
      limits,
      zones: ZONES,
      pricedBy: PRICED_BY,
      requestId: secret.word(),
      hidesRequestId: true,
    });
    const line = JSON.stringify(
      shadowLine({ requestId: "r", route: "calculatecost4" }, "legacy", comparisonOf(legacy, answer), {
        legacy: { status: legacy.status, ms: 1 },
        new: { status: answer.status, ms: 1 },
      }),
    );
    for (const found of secret.drawn) {
      const spelled = JSON.stringify(found).slice(1, -1);
      for (const text of [capture, decision]) assert.ok(!text.includes(spelled), `seed ${seed}: ${found} in ${text}`);
      assert.ok(!line.includes(spelled), `seed ${seed}: ${found} in ${line}`);
    }
    for (const opened of [openCapture(capture, ZONES), openCapture(decision, ZONES)]) {
      assert.equal((await opened.pricedAgain()).text, opened.part("new", "body"), `seed ${seed}`);
    }
    codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
  }
  assert.ok(
    ["VOUCHER_NOT_FOUND", "PRODUCT_PRICE_NOT_FOUND", "VALIDATION_ERROR", "LIMIT_EXCEEDED", undefined].every((code) => codes.get(code) > 5),
    JSON.stringify([...codes]),
  );
});

test("opaque numbers that are close show no digits, neither in the order nor in a coupon's error", async () => {
  const order = {
    productList: [{ cprcode: 1, productName: "x", quantity: 1 }],
    couponCodeList: ["C"],
    cartDiscountInfo: [0, new Raw("0.000812345678")],
  };
  const text = writeJson(order, randomFrom(1), []);
  const host = { lookupPrices: () => [{ price: 10.000812345678 }], validateCoupons: () => ({ error: [3, 3.000812345678, "x"] }) };
  const { answer, facts } = await priced(text, host, {});
  const opened = openCapture(await captured({ order: text, answer, facts, limits: { maxBodyBytes: 1_048_576 } }));
  assert.equal(opened.part("request", "cartDiscountInfo"), "[1001,1001.000001]");
  assert.equal(opened.part("facts", "coupons", "error"), '[1002,1002.000001,"text1"]');
  assert.match(opened.part("facts", "prices"), /10\.000812345678/, "an amount keeps its digits");
  assert.equal((await opened.pricedAgain()).text, opened.part("new", "body"));
});

test("ids have keyed hashes, and the same one everywhere in a capture", async () => {
  const order = {
    productList: [{ cprcode: 1, productName: "x", quantity: 1 }],
    ownerId: "malee",
    orderId: "malee",
    voucherId: ["V"],
    couponCodeList: ["C"],
  };
  const host = {
    lookupPrices: () => ['{"price":10}'],
    lookupVouchers: () => ['{"ownerId":"malee","value":1,"isActive":true,"isUsed":false}'],
    validateCoupons: () => '{"discounts":[{"coupon":"C","discount":1}]}',
  };
  const limits = { maxBodyBytes: 10_000 };
  const { answer, facts } = await priced(JSON.stringify(order), host, { limits });
  const {
    request,
    facts: shown,
    legacy,
    new: fresh,
  } = JSON.parse(await captured({ order: JSON.stringify(order), answer, facts, legacy: answer, limits }));
  const [owner, voucher, coupon] = [request.ownerId, request.voucherId[0], request.couponCodeList[0]];
  for (const id of [owner, voucher, coupon]) assert.match(id, /^id-[0-9a-f]{16}$/);
  assert.equal(new Set([owner, voucher, coupon]).size, 3);
  assert.equal(request.orderId, owner);
  assert.deepEqual(shown.vouchers, { [voucher]: { ownerId: owner, value: 1, isActive: true, isUsed: false } });
  assert.deepEqual(shown.coupons, { discounts: [{ coupon, discount: 1 }] });
  for (const { body } of [legacy, fresh]) {
    assert.deepEqual([body.ownerId, body.orderId, body.voucherId, body.couponCodeList], [owner, owner, [voucher], [coupon]]);
    assert.deepEqual([body.validVouchers[0].ownerId, body.discountResult.discounts[0].coupon], [owner, coupon]);
  }
});

test("booking_hour shows an hour of the day, and no telephone number in its place", async () => {
  const limits = { maxBodyBytes: 10_000 };
  const host = { lookupPrices: () => ['{"price":10}'], nationwideRate: () => '{"deliveryFee":70}' };
  const hours = ["9", "23.0", "771817359", "771817359.0", "-771817359"];
  const schedules = (list) => list.map((hour) => `{"mode":"NATIONWIDE","booking_hour":${hour}}`).join();
  const orderOf = (list) =>
    `{"productList":[{"cprcode":1,"productName":"x","quantity":1}],"shipping":{"shippingType":"DELIVERY","scheduleList":[${schedules(list)}]}}`;
  const capture = async (order) => {
    const { answer, facts } = await priced(order, host, { limits });
    const text = await captured({ order, answer, facts, legacy: answer, limits });
    assert.ok(!text.includes("771817359"), text);
    const opened = openCapture(text);
    assert.equal((await opened.pricedAgain()).text, opened.part("new", "body"));
    return JSON.parse(text);
  };
  const { request, legacy, new: fresh } = await capture(orderOf(hours));
  const hoursOf = ({ shipping }) => shipping.scheduleList.map(({ booking_hour: hour }) => hour);
  const [first, second, third, same, negative] = hoursOf(request);
  assert.deepEqual([first, second, same], [9, 23, third]);
  assert.equal(new Set([first, second, third, negative]).size, 4);
  assert.deepEqual([hoursOf(legacy.body), hoursOf(fresh.body)], [hoursOf(request), hoursOf(request)]);
  assert.match((await capture(orderOf(["771817359.5"]))).new.body.error, /booking_hour: expected an integer/);
});
