import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareOrders } from "order-cost/compare";
import { deliveredBy, squareZones } from "../zones.js";
import { DIFFERENCES } from "./double/differences.js";
import { legacyAnswer } from "./double/legacy.js";
import { chosen, readWanted, WrongList } from "./double/wanted.js";

const NAMES = Object.keys(DIFFERENCES);

/** Two rows, two schedules and a coupon: every difference of a priced order shows in it. */
const CASE = {
  order: {
    orderId: "order-1",
    couponCodeList: ["FREE"],
    productList: [
      { cprcode: 1, productName: "Rice", quantity: 1 },
      { cprcode: 2, productName: "Beer", quantity: 2 },
    ],
    shipping: { ...deliveredBy("NATIONWIDE", "EXPRESS"), brcode: 1 },
  },
  zones: squareZones(30, 1),
  host: {
    prices: {
      1: { price: 0.1, originalPrice: 0.15, settlementPrice: 0.05, weight: 1 },
      2: { price: 0.2, originalPrice: 0.3, weight: 2, isControlledProduct: true },
    },
    rates: { DRY: { deliveryFee: 40 } },
    coupons: {
      discounts: [
        {
          coupon: "FREE",
          discount: 0.05,
          two4Discount: 0.01,
          percentageDiscount: 0.1,
          freeshipping: true,
          lines: [{ line: 1, discount: 0.05 }],
        },
      ],
    },
  },
};
const UNPRICED = { ...CASE, host: { ...CASE.host, prices: {} } };

const LISTED = { "productList[0].rowTotal": 0.15, "productList[1].rowTotal": 0.6, "productList[1].settlementPrice": 0.6 };

/** What each difference changes in that order, and to which value. */
const CHANGES = {
  rowTotal: LISTED,
  subTotal: {
    ...LISTED,
    ...inSummary({ subTotal: 0.75, percentageDiscount: 0.075, grandTotal: 70.7, totalExcludeControlledProducts: 70.3 }),
    totalDiscount: 0.135,
  },
  discountedRowTotal: { ...LISTED, "productList[0].discountedRowTotal": 0.15, "productList[1].discountedRowTotal": 0.55 },
  settlementPrice: { "productList[0].settlementPrice": 0.1 },
  settlementRecord: { "productList[1].settlementPrice": 0.2 },
  excludeControlled: { ...LISTED, ...inSummary({ totalExcludeControlledProducts: 69.85 }) },
  foldedPercentage: inSummary({ cartDiscount: 0.1, grandTotal: 70.4, totalExcludeControlledProducts: 70 }),
  foldedTwo4: inSummary({ cartDiscount: 0.06, grandTotal: 70.44, totalExcludeControlledProducts: 70.04 }),
  folded: inSummary({ cartDiscount: 0.11, grandTotal: 70.39, totalExcludeControlledProducts: 69.99 }),
  keys28: { isFreeShipping: undefined },
  expressSurcharge: {
    ...inSummary({ expressShippingCost: 50, grandTotal: 120.45, totalExcludeControlledProducts: 120.05 }),
    "shipping.scheduleList[1].expressFee": 50,
  },
  anyExpress: inSummary({ expressShippingCost: 50, grandTotal: 120.45, totalExcludeControlledProducts: 120.05 }),
  freeShipping: inSummary({ shippingDiscount: 70, discountedDeliveryFee: 0, grandTotal: 0.45, totalExcludeControlledProducts: 0.05 }),
  floats: { totalDiscount: 0.11000000000000001 },
  halfSatang: inSummary({ grandTotal: 70.455 }),
  satang: inSummary({ grandTotal: 70.46 }),
  missingField: { "summary.totalWeight": undefined },
  keyOrder: {},
};

function inSummary(totals) {
  return Object.fromEntries(
    Object.entries(totals).flatMap(([name, value]) => [
      [name, value],
      [`summary.${name}`, value],
    ]),
  );
}

const changes = (left, right) => Object.fromEntries(compareOrders(left, right).map(({ path, right: value }) => [path, value]));

describe("the legacy double", () => {
  for (const [name, expected] of Object.entries(CHANGES)) {
    it(`${name}: ${DIFFERENCES[name].what}, and nothing else`, () => {
      const [plain, changed] = [legacyAnswer(CASE), legacyAnswer(CASE, [name])];
      assert.deepEqual(changes(plain.body, changed.body), expected);
      assert.notEqual(changed.body, plain.body);
      assert.deepEqual([changed.status, changed.made], [200, [DIFFERENCES[name].after, name].filter(Boolean)]);
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
    assert.deepEqual(legacyAnswer(late, ["errorTexts"]), {
      status: 502,
      body: '{"error":"Downstream failure: gone"}',
      made: ["errorTexts"],
    });
    assert.deepEqual(legacyAnswer(CASE, ["errorTexts"]), legacyAnswer(CASE));
  });

  it("makes several differences at once, and names those that show", () => {
    const { body, made } = legacyAnswer(CASE, NAMES);
    assert.deepEqual(
      made,
      NAMES.filter((name) => name !== "errorTexts"),
    );
    const order = JSON.parse(body);
    // 0.75, 50 for EXPRESS, 70 for delivery and waived, 0.05, 0.075 and 0.01 off, half a satang and a satang more
    assert.equal(order.grandTotal, 50.63);
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
    const refused = (list, message) =>
      assert.throws(
        () => readWanted(list),
        (error) => error instanceof WrongList && message.test(error.message),
      );
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
    assert.deepEqual(
      bodies.map((body) => chosen(wanted, body)),
      names,
    );
    assert.deepEqual(chosen(readWanted("floats:0"), "{}"), []);
  });
});
