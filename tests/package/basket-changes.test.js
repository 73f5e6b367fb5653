// What became different in a basket without the customer's doing, and what a shop says about it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { basketChanges, changeText, customerText, english } from "order-cost/messages";
import { hostFromFacts } from "order-cost/testing";
import fc, { cases } from "../property.js";
import { box, collection, squareZones, zone } from "../zones.js";
import { DRY, orderOf, product, REGULAR } from "./basket-shop.js";

const KINDS = ["price", "unavailable", "available", "deliveryFee", "voucherRefused", "couponFailed"];
const VOUCHER = { ownerId: "malee", value: 50, isActive: true, isUsed: false };

/** A shop whose facts the test changes, and a settled basket. `refreshed()` asks again for all, and gives the changes. */
async function shop(order) {
  const facts = {
    prices: { 1001: { price: 100 }, 1002: { price: 30 } },
    rates: { DRY: { deliveryFee: 60 } },
    vouchers: { V1: { ...VOUCHER }, V2: { ...VOUCHER } },
    refused: [],
  };
  const { refused, ...known } = facts;
  const coupons = ({ couponCodeList }) => ({ failedCoupons: couponCodeList.filter((code) => refused.includes(code)) });
  const pricer = await createPricer(hostFromFacts({ ...known, coupons }), { deliveryZones: squareZones(40) });
  const basket = pricer.basket(order);
  const settled = async () => {
    await basket.settle().catch(() => {}); // the snapshot says what is wrong
    return basket.snapshot;
  };
  const before = await settled();
  const changesAfter = async (edit = () => {}) => {
    edit(basket, pricer);
    basket.refresh();
    return basketChanges(before, await settled());
  };
  return { basket, pricer, facts, before, settled, changesAfter };
}

const FULL = {
  ...orderOf(product(1001, 1), product(1002, 2), product(1003, 3)),
  shipping: DRY,
  ownerId: "malee",
  voucherId: ["V1", "V2"],
  couponCodeList: ["A", "B"],
};

test("a whole basket: rows in their sequence, then the delivery fee, vouchers and coupons", async () => {
  const { basket, facts, before, settled } = await shop({ ...FULL, productList: FULL.productList.slice(0, 2) });
  const [fish, rice] = before.rows.map(({ key }) => key);
  facts.prices[1001] = { price: 112.5 };
  facts.prices[1002] = null;
  facts.rates.DRY = { deliveryFee: 75 };
  facts.vouchers.V2.isUsed = true;
  basket.refresh();
  const failed = await settled();
  // No coupon is asked for while a price is missing.
  assert.deepEqual(basketChanges(before, failed), [
    { kind: "price", key: fish, productName: "p1001", before: 100, after: 112.5 },
    { kind: "unavailable", key: rice, productName: "p1002" },
    { kind: "deliveryFee", before: 60, after: 75 },
    { kind: "voucherRefused", voucherId: "V2" },
  ]);
  facts.prices[1002] = { price: 31 };
  facts.refused.push("B");
  basket.refresh();
  assert.deepEqual(basketChanges(failed, await settled()), [
    { kind: "available", key: rice, productName: "p1002" },
    { kind: "couponFailed", coupon: "B" },
  ]);
  assert.deepEqual(basketChanges(before, basket.snapshot)[1], { kind: "price", key: rice, productName: "p1002", before: 30, after: 31 });
});

test("while an answer is out, nothing is a change", async () => {
  const { basket, facts, before } = await shop(FULL);
  facts.prices[1001] = { price: 1 };
  basket.refresh();
  assert.equal(before.rows[2].problem.code, "PRODUCT_PRICE_NOT_FOUND");
  assert.equal(basket.rows[2].problem, null, "asked for again");
  assert.deepEqual(basketChanges(before, basket.snapshot), []);
});

test("a new zone's fee is a change; an unknown fee is not", async () => {
  const { pricer, basket, before } = await shop({ ...orderOf(product()), shipping: REGULAR });
  pricer.setDeliveryZones(squareZones(45));
  assert.deepEqual(basketChanges(before, basket.snapshot), [{ kind: "deliveryFee", before: 40, after: 45 }]);
  pricer.setDeliveryZones(squareZones(45, 2000));
  assert.equal(basket.error.code, "BRANCH_NOT_AVAILABLE");
  assert.deepEqual(basketChanges(before, basket.snapshot), []);
});

describe("another delivery is the customer's choice, and so is its fee", () => {
  const zones = (here, there) => {
    const near = squareZones(here).features;
    const beside = zone({ brcode: 1000, deliveryFee: there }, box(102, 15));
    return collection(...near, beside, ...squareZones(there, 2000).features);
  };
  const choices = {
    "another place": { shippingLon: 102.5, shippingLat: 15.5 },
    "another branch that delivers": { brcode: 2000 },
    "one more slot": { scheduleList: [{ mode: "REGULAR" }, { mode: "EXPRESS" }] },
    "another way": { scheduleList: [{ mode: "PICKUP" }] },
    "all collected": { shippingType: "PICKUP" },
  };
  for (const [name, choice] of Object.entries(choices)) {
    test(name, async () => {
      const { pricer, basket } = await shop({ ...orderOf(product()), shipping: REGULAR });
      pricer.setDeliveryZones(zones(40, 70));
      const before = basket.snapshot;
      basket.setShipping({ ...REGULAR, ...choice });
      assert.notEqual(basket.totals.deliveryFee, before.totals.deliveryFee);
      assert.deepEqual(basketChanges(before, basket.snapshot), []);
    });
  }
});

describe("what the customer does is no change", () => {
  const edits = {
    "another quantity": (basket) => basket.setQuantity(0, 7),
    "no row": (basket) => basket.removeProduct(0),
    "another row": (basket) => basket.insertProduct(0, product(1002)),
    "another product in a row": (basket) => basket.updateProduct(0, { cprcode: 1002, productName: "p1002" }),
    "another branch": (basket, facts) => {
      facts.prices["1001/2000"] = { price: 5 };
      facts.prices["1002/2000"] = null;
      facts.rates.DRY = { deliveryFee: 5 };
      basket.setBranch("2000");
    },
    "another way of delivery": (basket) => basket.setShipping(REGULAR),
    "another postcode": (basket, facts) => {
      facts.rates["50000/DRY"] = { deliveryFee: 90 };
      basket.setShipping({ ...DRY, shippingPostcode: "50000" });
    },
    "no delivery": (basket) => basket.setShipping(null),
    "another owner": (basket) => basket.setOwner("somchai"),
    "a new voucher, which is refused": (basket, facts) => {
      facts.vouchers.V3 = { ...VOUCHER, isUsed: true };
      basket.setVouchers(["V1", "V2", "V3"]);
    },
    "a new coupon, which fails": (basket, facts) => {
      facts.refused.push("C");
      basket.setCoupons(["A", "B", "C"]);
    },
    "no coupons, one of which would fail": (basket, facts) => {
      facts.refused.push("B");
      basket.setCoupons(["A"]);
    },
  };
  for (const [name, edit] of Object.entries(edits)) {
    test(name, async () => {
      const { facts, changesAfter } = await shop({ ...FULL, productList: FULL.productList.slice(0, 2) });
      assert.deepEqual(await changesAfter((basket) => edit(basket, facts)), []);
    });
  }

  test("but it hides no other change", async () => {
    const { facts, changesAfter, before } = await shop({ ...FULL, productList: FULL.productList.slice(0, 2) });
    facts.prices[1002] = { price: 33 };
    facts.rates.DRY = { deliveryFee: 70 };
    const changes = await changesAfter((basket) => {
      basket.insertProduct(0, product(1001, 9));
      basket.setQuantity(1, 4);
      basket.setShipping({ ...DRY, shippingFirstName: "Malee", shippingPhone: "0812345678" });
    });
    assert.deepEqual(changes, [
      { kind: "price", key: before.rows[1].key, productName: "p1002", before: 30, after: 33 },
      { kind: "deliveryFee", before: 60, after: 70 },
    ]);
  });
});

// Snapshots with only what the function reads. Small sets of values, so that two snapshots often agree.
const row = fc
  .record({
    key: fc.constantFrom("a", "b", "c", "d"),
    cprcode: fc.constantFrom(1, 1, 1, 2),
    branchId: fc.constant("1000"),
    productName: fc.constantFrom("x", "y"),
    price: fc.constantFrom(null, 1, 2),
    quantity: fc.integer({ min: -2, max: 9 }),
  })
  .chain((priced) =>
    fc.constantFrom(null, "PRODUCT_PRICE_NOT_FOUND", "PRICE_LOOKUP_FAILED").map((code) => {
      const problem = priced.price === null && code !== null ? { code } : null;
      return { ...priced, problem };
    }),
  );
const fee = fc.constantFrom(null, 0, 30, 30, 60);
const shipping = fc.option(
  fc.record({
    shippingType: fc.constantFrom("DELIVERY", "DELIVERY", "DELIVERY", "PICKUP"),
    shippingPostcode: fc.constantFrom("10110", "10110", "10110", "50000"),
    scheduleList: fc.array(fc.record({ mode: fc.constant("NATIONWIDE"), nationwideMode: fc.constant("DRY"), deliveryFee: fee }), {
      maxLength: 2,
    }),
  }),
);
const some = (...values) => fc.uniqueArray(fc.constantFrom(...values));
const snapshot = fc
  .record({
    rows: fc.uniqueArray(row, { selector: ({ key }) => key }),
    shipping,
    ownerId: fc.constantFrom("malee", "malee", "somchai"),
    voucherId: some("V1", "V2", "V3"),
    invalid: some("V1", "V2", "V3"),
    couponCodeList: some("A", "B", "C"),
    failedCoupons: fc.array(fc.constantFrom("A", "B", "C", "D"), { maxLength: 5 }), // as the service lists them
  })
  .map(({ rows, shipping, ownerId, voucherId, invalid, couponCodeList, failedCoupons }) => ({
    rows,
    shipping,
    order: { branchId: "1000", ownerId, voucherId, couponCodeList },
    totals: { deliveryFee: shipping?.scheduleList.reduce((sum, { deliveryFee }) => sum + deliveryFee, 0) ?? 0 },
    invalidVouchers: invalid.filter((id) => voucherId.includes(id)).map((id) => ({ voucherId: id })),
    discountResult: { failedCoupons },
  }));

const check = (property) => fc.assert(property, { numRuns: cases(2_000) });

test("equal snapshots have no changes", () => {
  check(fc.property(snapshot, (one) => assert.deepEqual(basketChanges(one, structuredClone(one)), [])));
});

test("each change is true of both snapshots, and none is told twice", () => {
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  check(
    fc.property(snapshot, snapshot, (before, after) => {
      const changes = basketChanges(before, after);
      for (const change of changes) {
        counts[change.kind] += 1;
        assertTrue(change, before, after);
        for (const language of ["en", "th"]) assert.doesNotMatch(changeText(change, language), /undefined|null|NaN|object/);
      }
      const texts = changes.map((change) => JSON.stringify(change));
      assert.equal(new Set(texts).size, texts.length);
      const places = changes.map(({ kind, key }) =>
        key === undefined ? 10 + KINDS.indexOf(kind) : after.rows.findIndex((row) => row.key === key),
      );
      assert.deepEqual(
        places,
        places.toSorted((left, right) => left - right),
        "in their sequence",
      );
    }),
  );
  for (const [kind, count] of Object.entries(counts)) assert.ok(count > 10, `${kind}: ${count}`);
});

function assertTrue(change, before, after) {
  const [then, now] = [before, after].map(({ rows }) => rows.find(({ key }) => key === change.key));
  const isMissing = ({ problem }) => problem?.code === "PRODUCT_PRICE_NOT_FOUND";
  if (change.key !== undefined) {
    assert.equal(then.cprcode, now.cprcode);
    assert.equal(change.productName, now.productName);
  }
  const [lost, found] = [before, after].map(({ discountResult }) => discountResult.failedCoupons.includes(change.coupon));
  const refused = [before, after].map(({ invalidVouchers }) => invalidVouchers.some(({ voucherId }) => voucherId === change.voucherId));
  const checks = {
    price: () => {
      assert.deepEqual([change.before, change.after], [then.price, now.price]);
      assert.ok(then.price !== null && now.price !== null && then.price !== now.price);
    },
    unavailable: () => assert.deepEqual([isMissing(then), isMissing(now)], [false, true]),
    available: () => assert.deepEqual([isMissing(then), isMissing(now), now.price === null], [true, false, false]),
    deliveryFee: () => {
      assert.deepEqual([change.before, change.after], [before.totals.deliveryFee, after.totals.deliveryFee]);
      assert.notEqual(change.before, change.after);
      const fees = [before, after].flatMap(({ shipping }) => shipping?.scheduleList ?? []);
      assert.ok(fees.every(({ deliveryFee }) => deliveryFee !== null));
    },
    voucherRefused: () => assert.deepEqual([refused, before.order.voucherId.includes(change.voucherId)], [[false, true], true]),
    couponFailed: () => {
      assert.deepEqual([lost, found], [false, true]);
      assert.ok([before, after].every(({ order }) => order.couponCodeList.includes(change.coupon)));
    },
  };
  checks[change.kind]();
}

test("quantities and names change nothing", () => {
  const edited = fc.tuple(snapshot, fc.integer(), fc.string());
  check(
    fc.property(edited, ([before, quantity, productName]) => {
      const rows = before.rows.map((row) => ({ ...row, quantity, productName }));
      assert.deepEqual(basketChanges(before, { ...before, rows }), []);
    }),
  );
});

test("back again: what was unavailable is available, and amounts change places", () => {
  check(
    fc.property(snapshot, snapshot, (before, after) => {
      const known = (one) => ({
        ...one,
        rows: one.rows.filter(({ price, problem }) => price !== null || problem?.code === "PRODUCT_PRICE_NOT_FOUND"),
      });
      const [then, now] = [known(before), known(after)];
      const ofRowsAndFee = ({ kind }) => KINDS.indexOf(kind) < 4;
      const there = basketChanges(then, now).filter(ofRowsAndFee);
      const back = basketChanges(now, then).filter(ofRowsAndFee);
      const sorted = (changes) => changes.map(({ productName, ...change }) => JSON.stringify(change)).sort();
      assert.deepEqual(sorted(back), sorted(there.map(reversed)));
    }),
  );
});

function reversed({ kind, key, before, after }) {
  if (kind === "unavailable") return { kind: "available", key };
  if (kind === "available") return { kind: "unavailable", key };
  return key === undefined ? { kind, before: after, after: before } : { kind, key, before: after, after: before };
}

const CHANGES = [
  [
    { kind: "price", key: "1", productName: "น้ำปลา", before: 37.25, after: 1039 },
    "น้ำปลา now costs ฿1,039.00 instead of ฿37.25.",
    "น้ำปลา เปลี่ยนราคาจาก 37.25 บาท เป็น 1,039.00 บาท",
  ],
  [{ kind: "unavailable", key: "1", productName: "Rice" }, "Rice is not available at this branch.", "Rice ไม่มีขายที่สาขานี้"],
  [{ kind: "available", key: "1", productName: "Rice" }, "Rice is available now.", "Rice มีขายแล้วในขณะนี้"],
  [{ kind: "deliveryFee", before: 0, after: 30.5 }, "Delivery now costs ฿30.50 instead of ฿0.00.", "ค่าจัดส่งเปลี่ยนจาก 0.00 บาท เป็น 30.50 บาท"],
  [{ kind: "voucherRefused", voucherId: "V1" }, "The voucher V1 cannot be used for this order.", "บัตรกำนัล V1 ใช้กับคำสั่งซื้อนี้ไม่ได้"],
  [{ kind: "couponFailed", coupon: "SAVE10" }, "The coupon SAVE10 does not apply to this basket.", "คูปอง SAVE10 ใช้กับตะกร้านี้ไม่ได้"],
];

test("each kind of change has its text", () => {
  assert.deepEqual(Object.keys(english.changes).sort(), [...KINDS].sort());
  for (const [change, ...expected] of CHANGES) {
    assert.deepEqual(
      ["en", "th"].map((language) => changeText(change, language)),
      expected,
    );
  }
});

test("prices that differ look different; a product without a name has a word", () => {
  const change = { kind: "price", key: "1", productName: "", before: 33.2625, after: 33.2626 };
  assert.equal(changeText(change, "en"), "A product in your basket now costs ฿33.2626 instead of ฿33.2625.");
});

test("a shop's own texts", () => {
  const ours = { ...english, money: (amount) => `${amount.toFixed()} baht`, reasons: { ...english.reasons, used: "Used up." } };
  assert.equal(changeText(CHANGES[0][0], ours), "น้ำปลา now costs 1039 baht instead of 37 baht.");
  assert.equal(customerText("used", ours), "Used up.");
  assert.equal(customerText("inactive", ours), customerText("inactive", "en"));
});
