import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareOrders } from "order-cost/compare";
import { DIFFERENCES } from "./double/differences.js";
import { legacyAnswer } from "./double/legacy.js";
import { WrongList, chosen, readWanted } from "./double/wanted.js";
import { bodyBytes } from "../model/body.js";
import { replay } from "../package/replay.js";
import { shopCase, shopOrder } from "./shop-orders.js";

const NAMES = Object.keys(DIFFERENCES);

/** Two rows, two schedules and a coupon: every difference of a priced order shows in it. */
const CASE = {
  order: {
    orderId: "order-1",
    couponCodeList: ["FREE"],
    productList: [
      { cprcode: 1, productName: "Rice", quantity: 1 },
      { cprcode: 2, productName: "Beer", quantity: 1 },
    ],
    shipping: {
      shippingType: "DELIVERY",
      scheduleList: [{ mode: "NATIONWIDE" }, { mode: "EXPRESS" }],
      brcode: 1,
      shippingLat: 0.5,
      shippingLon: 0.5,
    },
  },
  zones: {
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        properties: { brcode: 1, deliveryFee: 30 },
        geometry: { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] },
      },
    ],
  },
  host: {
    prices: {
      1: { price: 0.1, originalPrice: 0.15, settlementPrice: 0.05, weight: 1 },
      2: { price: 0.2, weight: 2, isControlledProduct: true },
    },
    rates: { DRY: { deliveryFee: 40 } },
    coupons: { discounts: [{ coupon: "FREE", discount: 0.05, freeshipping: true, lines: [{ line: 1, discount: 0.05 }] }] },
  },
};
const UNPRICED = { ...CASE, host: { ...CASE.host, prices: {} } };

/** What each difference changes in that order, and to which value. */
const CHANGES = {
  rowTotal: { "productList[0].rowTotal": 0.15 },
  subTotal: inSummary({ subTotal: 0.35, grandTotal: 70.3, totalExcludeControlledProducts: 70.1 }),
  discountedRowTotal: { "productList[1].discountedRowTotal": 0.2 },
  settlementPrice: { "productList[0].settlementPrice": 0.1 },
  keys28: { isFreeShipping: undefined },
  expressSurcharge: {
    ...inSummary({ expressShippingCost: 50, grandTotal: 120.25, totalExcludeControlledProducts: 120.05 }),
    "shipping.scheduleList[1].expressFee": 50,
  },
  freeShipping: inSummary({ shippingDiscount: 70, discountedDeliveryFee: 0, grandTotal: 0.25, totalExcludeControlledProducts: 0.05 }),
  floats: inSummary({ subTotal: 0.30000000000000004 }),
  halfSatang: inSummary({ grandTotal: 70.255 }),
  satang: inSummary({ grandTotal: 70.26 }),
  missingField: { "summary.totalWeight": undefined },
  keyOrder: {},
};

function inSummary(totals) {
  return Object.fromEntries(Object.entries(totals).flatMap(([name, value]) => [[name, value], [`summary.${name}`, value]]));
}

const changes = (left, right) => Object.fromEntries(compareOrders(left, right).map(({ path, right: value }) => [path, value]));

describe("the legacy double", () => {
  it("answers 300 orders of the shop with the package's bytes", async () => {
    for (let number = 1; number <= 300; number += 1) {
      const testCase = shopCase(shopOrder(number));
      const { text, error } = await replay(testCase, bodyBytes(testCase));
      const expected = text === undefined ? { status: 500, body: JSON.stringify({ error }) } : { status: 200, body: text };
      assert.deepEqual(legacyAnswer(testCase), { ...expected, made: [] }, testCase.order.orderId);
    }
  });

  for (const [name, expected] of Object.entries(CHANGES)) {
    it(`${name}: ${DIFFERENCES[name].what}, and nothing else`, () => {
      const [plain, changed] = [legacyAnswer(CASE), legacyAnswer(CASE, [name])];
      assert.deepEqual(changes(plain.body, changed.body), expected);
      assert.notEqual(changed.body, plain.body);
      assert.deepEqual([changed.status, changed.made], [200, [name]]);
      assert.deepEqual(legacyAnswer(UNPRICED, [name]), legacyAnswer(UNPRICED), "a failure is not changed");
    });
  }

  it("numberFormat: whole amounts are written as 100.0, and nothing else", () => {
    const { body, made } = legacyAnswer(CASE, ["numberFormat"]);
    const differences = compareOrders(legacyAnswer(CASE).body, body);
    assert.deepEqual(made, ["numberFormat"]);
    assert.deepEqual([...new Set(differences.map(({ kind }) => kind))], ["numberFormat"]);
    assert.match(body, /"deliveryFee":70\.0,"discountedDeliveryFee":70\.0,"expressShippingCost":0\.0/);
    assert.match(body, /"price":0\.1,.*"weight":1\.0/);
    assert.match(body, /"quantity":1,"scheduleId":0,/);
  });

  it("reorderedRows: productList is turned round, and nothing else", () => {
    const [plain, turned] = [legacyAnswer(CASE), legacyAnswer(CASE, ["reorderedRows"])].map(({ body }) => JSON.parse(body));
    assert.deepEqual({ ...turned, productList: turned.productList.toReversed() }, plain);
    assert.equal(turned.productList[0].cprcode, 2);
    const [onlyRow] = CASE.order.productList;
    const oneRow = { ...CASE, order: { productList: [onlyRow] } };
    assert.deepEqual(legacyAnswer(oneRow, ["reorderedRows"]).made, []);
  });

  it("keyOrder: the keys of the order and its objects are sorted by name", () => {
    const order = JSON.parse(legacyAnswer(CASE, ["keyOrder"]).body);
    for (const object of [order, order.productList[0], order.shipping.scheduleList[0], order.summary]) {
      assert.deepEqual(Object.keys(object), Object.keys(object).toSorted());
    }
  });

  it("errorTexts: failures have texts and statuses of their own, priced orders do not change", () => {
    const { status, body, made } = legacyAnswer(UNPRICED, ["errorTexts"]);
    assert.deepEqual([status, JSON.parse(body), made], [404, { error: "Price missing: 1/1000." }, ["errorTexts"]]);
    assert.deepEqual(legacyAnswer({ body: "{" }, ["errorTexts"]).status, 400);
    const late = { ...CASE, host: { ...CASE.host, fails: { lookupPrices: { throws: "gone" } } } };
    assert.deepEqual(legacyAnswer(late, ["errorTexts"]), { status: 502, body: '{"error":"Downstream failure: gone"}', made: ["errorTexts"] });
    assert.deepEqual(legacyAnswer(CASE, ["errorTexts"]), legacyAnswer(CASE));
  });

  it("makes several differences at once, and names those that show", () => {
    const { body, made } = legacyAnswer(CASE, NAMES);
    assert.deepEqual(made, NAMES.filter((name) => name !== "errorTexts"));
    const order = JSON.parse(body);
    // 0.35, 50 for EXPRESS, 70 for delivery and waived, 0.05 off, half a satang and a satang more, and a double's noise
    assert.equal(order.grandTotal, 50.315000000000005);
    assert.equal(order.productList[1].rowTotal, 0.15);
  });
});

describe("a list of differences", () => {
  it("names them, each with a share, in the sequence in which they are made", () => {
    assert.deepEqual(readWanted(" floats:0.25, rowTotal ,"), [
      { name: "rowTotal", share: 1 },
      { name: "floats", share: 0.25 },
    ]);
    assert.deepEqual(readWanted(undefined), []);
  });

  it("is refused with a reason", () => {
    const refused = (list, message) => assert.throws(() => readWanted(list), (error) => error instanceof WrongList && message.test(error.message));
    refused("rowtotal", /^unknown difference "rowtotal": expected rowTotal, /);
    refused("constructor", /^unknown difference/);
    refused("floats:1.5", /^floats: expected a share from 0 to 1, got "1.5"$/);
    refused("floats:", /^floats: expected a share from 0 to 1, got ""$/);
  });

  it("changes its share of the orders, always the same ones, and each difference other ones", () => {
    const bodies = Array.from({ length: 2000 }, (_, number) => `{"orderId":"order-${number}"}`);
    const wanted = readWanted("rowTotal:0.3,floats:0.3");
    const names = bodies.map((body) => chosen(wanted, body));
    for (const name of ["rowTotal", "floats"]) {
      const share = names.filter((list) => list.includes(name)).length / bodies.length;
      assert.ok(Math.abs(share - 0.3) < 0.04, `${name}: ${share}`);
    }
    const both = names.filter((list) => list.length === 2).length / bodies.length;
    assert.ok(Math.abs(both - 0.09) < 0.03, `both: ${both}`);
    assert.deepEqual(bodies.map((body) => chosen(wanted, body)), names);
    assert.deepEqual(chosen(readWanted("floats:0"), "{}"), []);
  });
});
