// The live basket of the built package: one test for each behaviour in API.md.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { suite, test } from "node:test";
import { inspect } from "node:util";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { initSync } from "../../pkg/wasm/order_cost.js";
import { allAtNight, cases } from "../effort.js";
import { squareZones } from "../zones.js";
import {
  answerNext,
  assertCurrent,
  callsOf,
  DRY,
  FACTS,
  FULL,
  NOTHING,
  open,
  orderOf,
  PRICES,
  product,
  REGULAR,
  slowHost,
  turn,
} from "./basket-shop.js";
import { meaning, said } from "./basket-shown.js";
import { errorOf, thrown } from "./errors.js";

suite("known facts", () => {
  test("an empty basket is current and 0; settle() fails as calculate does", async () => {
    const { basket, pricer, host } = await open();
    assert.deepEqual([basket.totals, basket.rows, basket.status, basket.pending, basket.error], [NOTHING, [], "current", [], null]);
    assert.deepEqual(meaning(basket.order), meaning({ productList: [] }));
    const order = { productList: [] };
    for (const settled of [basket.settle(), pricer.calculate(order)]) {
      const { message, code, path } = await errorOf(settled);
      assert.deepEqual(
        [message, code, path],
        ["Invalid order: productList: expected at least one product", "VALIDATION_ERROR", "productList"],
      );
    }
    assert.deepEqual([basket.status, basket.totals, basket.snapshot.problems], ["current", NOTHING, []]);
    assert.deepEqual(callsOf(host), []);
  });

  test("an emptied basket costs nothing, whatever else it has", async () => {
    const { basket, pricer } = await open({
      order: { ...orderOf(product()), shipping: DRY, couponCodeList: ["A"], voucherId: ["V1"], ownerId: "malee" },
    });
    await basket.settle();
    assert.equal(basket.totals.grandTotal, 100);
    assert.deepEqual(basket.removeProduct(0), NOTHING);
    assert.deepEqual([basket.status, basket.pending, basket.snapshot.problems], ["current", [], []]);
    basket.addProduct(product(1001));
    assert.equal(basket.status, "current", "the same request as before");
    await assertCurrent(basket, pricer);
  });

  test("half known: a price that is not known yet is null and counts 0", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(1001, 2)) });
    assert.equal(basket.rows[0].price, null);
    assert.deepEqual(basket.totals, NOTHING);
    assert.deepEqual([basket.status, basket.pending], ["pending", ["prices"]]);
    await basket.settle();
    assert.equal(basket.addProduct(product(1002, 3)).subTotal, 200);
    const [known, unknown] = basket.rows;
    assert.equal(known.rowTotal, 200);
    assert.deepEqual(unknown, {
      key: unknown.key,
      problem: null,
      ...product(1002, 3),
      scheduleId: 0,
      isPreOrder: false,
      remark: "",
      branchId: "1000",
      originalPrice: null,
      price: null,
      rowTotal: 0,
      discountedRowTotal: 0,
      settlementPrice: 0,
      weight: 0,
      isControlledProduct: false,
    });
    assert.deepEqual(basket.pending, ["prices"]);
    await basket.settle();
    assert.equal(basket.totals.subTotal, 290);
    await assertCurrent(basket, pricer);
  });

  test("no price at the branch: settle() fails as calculate does, and the totals of the rest go on", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(1001, 2), product(9999)) });
    for (const settled of [basket.settle(), pricer.calculate(basket.order)]) {
      const { message, code } = await errorOf(settled);
      assert.deepEqual([message, code], ["No price for 9999/1000", "PRODUCT_PRICE_NOT_FOUND"]);
    }
    const { problem, price, rowTotal } = basket.rows[1];
    assert.deepEqual([problem, price, rowTotal], [basket.error, null, 0]);
    assert.deepEqual([basket.status, basket.pending, basket.totals.subTotal], ["failed", [], 200]);
    assert.equal(basket.setQuantity(0, 3).subTotal, 300);
    assert.deepEqual([basket.status, basket.error], ["failed", problem]);
    basket.removeProduct(1);
    await assertCurrent(basket, pricer);
  });

  test("known facts are not asked again, nor what was not found, and after refresh() everything is", async () => {
    const { basket, host } = await open({ order: FULL });
    await basket.settle();
    assert.equal(callsOf(host).length, 4);
    await basket.settle();
    assert.deepEqual(callsOf(host), [], "nothing is unknown");
    basket.addProduct(product(9999));
    await errorOf(basket.settle());
    await errorOf(basket.settle());
    assert.deepEqual(callsOf(host), [["lookupPrices", [{ cprcode: 9999, branchId: "1000" }]]]);
    basket.removeProduct(1);
    basket.addProduct(product(1002));
    basket.setShipping({ ...DRY, scheduleList: [{ nationwideMode: "DRY" }, { nationwideMode: "FRESH" }] });
    basket.setVouchers(["V1", "V2", "V2"]);
    await basket.settle();
    assert.deepEqual(callsOf(host), [
      ["lookupPrices", [{ cprcode: 1002, branchId: "1000" }]],
      ["nationwideRate", { shippingPostcode: "10110", nationwideMode: "FRESH" }],
      ["lookupVouchers", ["V2"]],
      ["validateCoupons", ["A"]],
    ]);
    basket.refresh();
    assert.deepEqual(basket.pending, ["prices", "delivery", "coupons", "vouchers"]);
    await basket.settle();
    assert.equal(callsOf(host).length, 5);
  });

  test("refresh(): until it is answered the old values count", async () => {
    const facts = { ...FACTS, prices: { 1001: { price: 100 }, 1002: { price: 30 } } };
    const { basket, pricer, host } = await open({
      order: { ...FULL, productList: [product(), product(1002)] },
      host: hostFromFacts(facts),
    });
    await basket.settle();
    callsOf(host);
    facts.prices[1001] = { price: 80 };
    facts.prices[1002] = { price: 25 };
    const before = basket.snapshot;
    assert.equal(basket.refresh(basket.rows[1].key), before.totals);
    assert.deepEqual([basket.status, basket.rows, basket.pending.includes("prices")], ["pending", before.rows, true]);
    await basket.settle();
    assert.deepEqual(
      callsOf(host).filter(([name]) => name !== "validateCoupons"),
      [["lookupPrices", [{ cprcode: 1002, branchId: "1000" }]]],
    );
    assert.deepEqual(
      basket.rows.map(({ price }) => price),
      [100, 25],
    );
    basket.refresh();
    assert.deepEqual(
      [
        basket.totals.subTotal,
        basket.totals.voucherDiscount,
        basket.totals.cartDiscount,
        basket.snapshot.shipping.scheduleList[0].deliveryFee,
      ],
      [125, 50, 10, 60],
    );
    await basket.settle();
    assert.equal(basket.totals.subTotal, 105);
    await assertCurrent(basket, pricer);
  });

  test("refresh(): what was not found and failed look-ups become pending", async () => {
    const nothing = hostFromFacts({ prices: {}, vouchers: {} });
    const host = { ...nothing, nationwideRate: () => Promise.reject(new Error("closed")) };
    const { basket } = await open({ order: { ...FULL, productList: [product(), product(1002)] }, host });
    await errorOf(basket.settle());
    assert.deepEqual([basket.problems.length, basket.pending, basket.snapshot.blocked], [4, [], ["coupons"]]);
    basket.refresh(0);
    assert.deepEqual([basket.problems.length, basket.pending, basket.snapshot.blocked], [3, ["prices"], ["coupons"]]);
    assert.equal(basket.rows[0].problem, null);
    basket.refresh();
    assert.deepEqual(basket.snapshot.blocked, []);
    assert.deepEqual(
      [basket.status, basket.snapshot.problems, basket.pending],
      ["pending", [], ["prices", "delivery", "coupons", "vouchers"]],
    );
  });

  test("facts belong to their branch, postcode and mode", async () => {
    const prices = { "1001/1000": { price: 1 }, "1001/2000": { price: 2 } };
    const { basket, pricer, host } = await open({
      order: { ...orderOf(product()), shipping: DRY },
      host: hostFromFacts({ ...FACTS, prices }),
    });
    await basket.settle();
    assert.equal(basket.setBranch("2000").subTotal, 0);
    assert.deepEqual(basket.pending, ["prices"]);
    await basket.settle();
    assert.equal(basket.totals.subTotal, 2);
    assert.equal(basket.setBranch("1000").subTotal, 1);
    await assertCurrent(basket, pricer);
    basket.setShipping({ ...DRY, shippingPostcode: "50000" });
    assert.deepEqual(basket.pending, ["delivery"]);
    callsOf(host);
    await basket.settle();
    assert.deepEqual(callsOf(host), [["nationwideRate", { shippingPostcode: "50000", nationwideMode: "DRY" }]]);
  });

  test("only settle() calls the host", async () => {
    const { basket, host } = await open();
    basket.addProduct(product());
    basket.setQuantity(0, 2);
    basket.setShipping(DRY);
    basket.setCoupons(["A"]);
    basket.setVouchers(["V1"]);
    basket.setOwner("malee");
    basket.setBranch("2000");
    basket.insertProduct(0, product(1002));
    basket.updateProduct(1, { cprcode: 1003 });
    basket.replace(FULL);
    basket.refresh();
    void [basket.snapshot, basket.order, basket.totals, basket.rows, basket.status, basket.pending, basket.error];
    assert.deepEqual(callsOf(host), []);
  });
});

suite("vouchers", () => {
  test("a new owner is checked without a look-up", async () => {
    const { basket, pricer, host } = await open({ order: { ...orderOf(product()), voucherId: ["V1", "V1", "V2"], ownerId: "malee" } });
    await basket.settle();
    assert.equal(basket.totals.voucherDiscount, 50);
    callsOf(host);
    assert.equal(basket.setOwner("somchai").voucherDiscount, 20);
    await assertCurrent(basket, pricer);
    assert.equal(basket.setOwner("").voucherDiscount, 0);
    assert.equal(basket.setVouchers(["V2"]).voucherDiscount, 0);
    assert.equal(basket.setOwner("somchai").voucherDiscount, 20);
    await assertCurrent(basket, pricer);
  });

  test("not found fails settle() as calculate does", async () => {
    const { basket, pricer } = await open({ order: { ...orderOf(product()), voucherId: ["V9"] } });
    assert.equal((await errorOf(basket.settle())).message, "Voucher V9 not found");
    assert.equal((await errorOf(pricer.calculate(basket.order))).message, "Voucher V9 not found");
    assert.deepEqual([basket.status, basket.pending, basket.totals.subTotal], ["failed", [], 100]);
  });
});

suite("D25: coupons count for the request that they answered", () => {
  const couponOrder = { ...orderOf(product(1001, 2), product(1002)), couponCodeList: ["A", "B"] };

  test("the amounts of listed codes still count, those of removed codes do not", async () => {
    const { basket, pricer } = await open({ order: couponOrder });
    await basket.settle();
    assert.deepEqual([basket.totals.cartDiscount, basket.rows[0].discountedRowTotal], [15, 195]);
    await assertCurrent(basket, pricer);
    assert.equal(basket.setQuantity(0, 3).cartDiscount, 15);
    assert.equal(basket.rows[0].discountedRowTotal, 295);
    assert.deepEqual([basket.status, basket.pending], ["pending", ["coupons"]]);
    assert.equal(basket.setCoupons(["A", "NEW"]).cartDiscount, 10);
    assert.equal(basket.rows[0].discountedRowTotal, 300);
    assert.equal(basket.setCoupons(["B"]).cartDiscount, 5);
    assert.equal(basket.setCoupons([]).cartDiscount, 0);
    await assertCurrent(basket, pricer);
    assert.equal(basket.setCoupons(["B", "A"]).cartDiscount, 15);
    assert.deepEqual(basket.pending, ["coupons"], "another order of the codes is another request");
  });

  test("a request that is changed back is current without a call", async () => {
    const { basket, pricer, host } = await open({ order: couponOrder });
    await basket.settle();
    callsOf(host);
    for (const [change, back] of [
      [() => basket.setQuantity(0, 9), () => basket.setQuantity(0, 2)],
      [() => basket.setCoupons([]), () => basket.setCoupons(["A", "B", "A"])],
      [() => basket.setOwner("malee"), () => basket.setOwner("")],
      [() => basket.setBranch("1015"), () => basket.setBranch("1000")],
      [() => basket.addProduct(product(1002)), () => basket.removeProduct(2)],
    ]) {
      change();
      assert.equal(basket.status, basket.order.couponCodeList.length ? "pending" : "current");
      back();
      await assertCurrent(basket, pricer);
      callsOf(host);
    }
    await basket.settle();
    assert.deepEqual(callsOf(host), []);
  });

  test("a product that was removed and added again matches the request", async () => {
    const { basket, pricer, host } = await open({ order: couponOrder });
    await basket.settle();
    for (const again of [
      () => [basket.removeProduct(1), basket.removeProduct(0), basket.addProduct(product(1001, 2)), basket.addProduct(product(1002))],
      () => [
        basket.addProduct(product(1001, 1)),
        basket.addProduct(product(1002)),
        basket.removeProduct(0),
        basket.removeProduct(0),
        basket.setQuantity(0, 2),
      ],
    ]) {
      again();
      assert.equal(basket.rows[0].discountedRowTotal, 195);
      await assertCurrent(basket, pricer);
    }
    callsOf(host);
    await basket.settle();
    assert.deepEqual(callsOf(host), []);
  });

  test("vouchers are not part of the request", async () => {
    const { basket } = await open({ order: couponOrder });
    await basket.settle();
    basket.setVouchers(["V1"]);
    assert.deepEqual(basket.pending, ["vouchers"]);
  });

  test("lines follow their products, and go with them", async () => {
    const coupons = { discounts: [{ coupon: "A", discount: 12, lines: [{ line: 1, discount: 12 }] }], lines: [{ line: 2, discount: 1 }] };
    const order = { ...orderOf(product(1001), product(1002), product(1003)), couponCodeList: ["A"] };
    const { basket } = await open({ order, host: hostFromFacts({ ...FACTS, coupons }) });
    await basket.settle();
    const discounted = () => basket.rows.map((row) => row.discountedRowTotal);
    assert.deepEqual(discounted(), [100, 18, 6.25]);
    basket.removeProduct(0);
    assert.deepEqual(discounted(), [18, 6.25]);
    basket.addProduct(product(1001));
    assert.deepEqual(discounted(), [18, 6.25, 100]);
    basket.removeProduct(0);
    assert.deepEqual(discounted(), [6.25, 100]);
    assert.equal(basket.totals.cartDiscount, 12, "its code is still listed");
    basket.addProduct(product(1002));
    assert.deepEqual(discounted(), [6.25, 100, 30], "another product, though of the same code");
  });

  test("an inserted row moves no line's amounts, and replace keeps them with their rows", async () => {
    const coupons = { discounts: [{ coupon: "A", discount: 12, lines: [{ line: 1, discount: 12 }] }] };
    const order = { ...orderOf(product(1001), product(1002)), couponCodeList: ["A"] };
    const { basket } = await open({ order, host: hostFromFacts({ ...FACTS, coupons }) });
    await basket.settle();
    const discounted = () => basket.rows.map((row) => row.discountedRowTotal);
    basket.insertProduct(0, product(1001));
    assert.deepEqual(discounted(), [100, 100, 18]);
    basket.replace({ ...basket.order, productList: [product(1002), product(1001)] });
    assert.deepEqual(discounted(), [18, 100]);
  });

  test("an answer to an older request is dropped", async () => {
    const host = slowHost({ ...FACTS, coupons: { discounts: [{ coupon: "A", discount: 12, lines: [{ line: 1, discount: 12 }] }] } });
    const { basket } = await open({ order: { ...orderOf(product(1001), product(1002)), couponCodeList: ["A"] }, host });
    const settled = basket.settle();
    await answerNext(host, "lookupPrices");
    const [first] = host.asked.validateCoupons;
    basket.removeProduct(0);
    basket.addProduct(product(1001));
    assert.equal(first.context.signal.aborted, true);
    await answerNext(host, "validateCoupons");
    assert.deepEqual(
      basket.rows.map((row) => row.discountedRowTotal),
      [30, 100],
    );
    assert.deepEqual([basket.status, basket.pending], ["pending", ["coupons"]]);
    await answerNext(host, "validateCoupons");
    assert.deepEqual(
      (await settled).productList.map((row) => row.discountedRowTotal),
      [30, 88],
      "its word on the new order",
    );
  });

  test("discountResult is the newest answer, as far as its amounts still count", async () => {
    const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A", "B", "NONE"] } });
    assert.deepEqual(basket.snapshot.discountResult, { discounts: [], failedCoupons: [], error: {} });
    await basket.settle();
    const shown = () => basket.snapshot.discountResult.discounts.map(({ coupon, discount }) => [coupon, discount]);
    assert.deepEqual(
      [shown(), basket.snapshot.discountResult.failedCoupons],
      [
        [
          ["A", 10],
          ["B", 5],
        ],
        ["NONE"],
      ],
    );
    basket.setCoupons(["B"]);
    assert.deepEqual(shown(), [["B", 5]]);
    basket.setCoupons([]);
    assert.deepEqual(basket.snapshot.discountResult, { discounts: [], failedCoupons: [], error: {} });
  });

  test("discounts that the service renamed or added end with the first removed code", async () => {
    const coupons = {
      discounts: [
        { coupon: "auto", discount: 3 },
        { coupon: "a", discount: 4 },
        { coupon: "B", discount: 5 },
      ],
    };
    const { basket } = await open({
      order: { ...orderOf(product()), couponCodeList: ["A", "B"] },
      host: hostFromFacts({ ...FACTS, coupons }),
    });
    await basket.settle();
    assert.equal(basket.setCoupons(["A", "B", "C"]).cartDiscount, 12, "one more takes nothing out");
    assert.equal(basket.setCoupons(["B"]).cartDiscount, 5, "a may be what the service calls A");
    assert.equal(basket.setCoupons(["B", "a"]).cartDiscount, 5, "a was never asked");
    assert.equal(basket.setCoupons(["a"]).cartDiscount, 0);
    assert.equal(basket.setCoupons([]).cartDiscount, 0);
    assert.equal(basket.setCoupons(["B", "A"]).cartDiscount, 12, "both are listed again");
  });

  test("a code that the service had added ends when it is listed and removed, until the next answer", async () => {
    const coupons = {
      discounts: [
        { coupon: "A", discount: 3 },
        { coupon: "EXTRA", discount: 4 },
      ],
      failedCoupons: ["OLD"],
    };
    const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] }, host: hostFromFacts({ ...FACTS, coupons }) });
    await basket.settle();
    basket.setQuantity(0, 2);
    assert.equal(basket.setCoupons(["A", "EXTRA", "OLD"]).cartDiscount, 7);
    assert.equal(basket.setCoupons(["A"]).cartDiscount, 3, "as of any code that is removed");
    assert.deepEqual(basket.snapshot.discountResult.failedCoupons, []);
    assert.equal(basket.setCoupons(["A", "EXTRA"]).cartDiscount, 7, "it is listed again");
    basket.setCoupons(["A"]);
    assert.equal(basket.setQuantity(0, 1).cartDiscount, 7, "the service's word on this very basket");
    assert.equal(basket.status, "current");
    basket.setQuantity(0, 2);
    basket.setCoupons(["A", "EXTRA"]);
    basket.setCoupons(["A"]);
    assert.equal((await basket.settle()).cartDiscount, 7, "its next word");
  });

  test("the answer's own lines end with the last of its codes", async () => {
    const host = hostFromFacts({ ...FACTS, coupons: { discounts: [], lines: [{ line: 0, discount: 7 }] } });
    const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A", "B"] }, host });
    await basket.settle();
    const discounted = () => basket.rows[0].discountedRowTotal;
    basket.setCoupons(["B", "C"]);
    assert.equal(discounted(), 93);
    basket.setCoupons(["C"]);
    assert.equal(discounted(), 100);
    basket.setCoupons([]);
    basket.setCoupons(["D"]);
    assert.equal(discounted(), 100);
  });

  test("coupons wait for prices and delivery", async () => {
    const { basket } = await open({ order: { ...couponOrder, shipping: DRY } });
    assert.deepEqual(basket.pending, ["prices", "delivery", "coupons"]);
    await basket.settle();
    basket.addProduct(product(1003));
    assert.deepEqual(basket.pending, ["prices", "coupons"]);
  });
});

suite("answers and edits at once", () => {
  test("an answer to an older basket is kept for its key and not applied to the wrong line", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product(1001), product(1002)), host });
    const settled = basket.settle();
    basket.removeProduct(0);
    basket.addProduct(product(1003));
    await answerNext(host, "lookupPrices");
    assert.deepEqual(
      basket.rows.map(({ cprcode, price }) => [cprcode, price]),
      [
        [1002, 30],
        [1003, null],
      ],
    );
    assert.deepEqual(host.asked.lookupPrices[0].argument, [{ cprcode: 1003, branchId: "1000" }]);
    await answerNext(host, "lookupPrices");
    assert.equal((await settled).subTotal, 37.25);
    basket.addProduct(product(1001));
    assert.equal(basket.totals.subTotal, 137.25, "the answer for a line that had gone");
    await assertCurrent(basket, await createPricer(hostFromFacts(FACTS)));
  });

  test("the price of the other branch arrives late: its call was of no use and is aborted", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host });
    const settled = basket.settle();
    basket.setBranch("1015");
    const late = host.asked.lookupPrices.shift();
    assert.equal(late.context.signal.aborted, true);
    late.resolve([{ price: 1 }]);
    await turn();
    assert.equal(basket.totals.subTotal, 0);
    host.asked.lookupPrices.shift().resolve([{ price: 15 }]);
    assert.equal((await settled).subTotal, 15);
    assert.equal(basket.setBranch("1000").subTotal, 0);
  });

  test("nothing is asked twice at the same time", async () => {
    const host = slowHost();
    const { basket } = await open({ order: { ...orderOf(product(1001)), shipping: DRY, voucherId: ["V1"] }, host });
    const settled = basket.settle();
    basket.addProduct(product(1002));
    basket.addProduct(product(1001));
    basket.setVouchers(["V2", "V1"]);
    const again = basket.settle();
    await turn();
    for (let round = 0; round < 4; round += 1) {
      for (const name of ["lookupPrices", "nationwideRate", "lookupVouchers"])
        if (host.asked[name].length > 0) await answerNext(host, name);
    }
    assert.deepEqual((await settled).productList.length, 3);
    assert.deepEqual(await again, await settled);
    assert.deepEqual(
      callsOf(host)
        .map(([, asked]) => asked.shippingPostcode ?? asked.map((one) => one.cprcode ?? one))
        .sort(),
      [[1001], [1002], "10110", ["V1"], ["V2"]].sort(),
    );
  });

  test("a change during settle() makes another round, and every waiting promise gives the newest basket", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host });
    const first = basket.settle();
    basket.addProduct(product(1002));
    const second = basket.settle();
    await answerNext(host, "lookupPrices");
    basket.setQuantity(0, 4);
    const third = basket.settle();
    await answerNext(host, "lookupPrices");
    const all = await Promise.all([first, second, third]);
    assert.deepEqual(
      all.map(({ subTotal }) => subTotal),
      [430, 430, 430],
    );
    assert.equal(host.asked.lookupPrices.length, 0);
  });

  test("a failure of an older basket is not a failure of the newer one", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product(9999)), host });
    const settled = basket.settle();
    basket.removeProduct(0);
    basket.addProduct(product(1001));
    await answerNext(host, "lookupPrices");
    assert.equal(basket.error, null);
    await answerNext(host, "lookupPrices");
    assert.equal((await settled).subTotal, 100);
  });

  test("a listener can fix the basket after a failure and settle it again", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(1001), product(9999)) });
    let again;
    basket.subscribe(({ error }) => {
      if (error === null) return;
      basket.removeProduct(error.subject.line);
      again = basket.settle();
    });
    await basket.settle().catch(() => {});
    await turn();
    assert.equal((await again).productList.length, 1);
    await assertCurrent(basket, pricer);
  });

  test("zones are replaced while a basket is open", async () => {
    const host = slowHost();
    const { basket, pricer } = await open({
      order: { ...orderOf(product()), shipping: REGULAR, couponCodeList: ["A"] },
      host,
      deliveryZones: squareZones(40),
    });
    const settled = basket.settle();
    assert.equal(basket.totals.deliveryFee, 40);
    pricer.setDeliveryZones(squareZones(55));
    assert.equal(basket.totals.deliveryFee, 55);
    await answerNext(host, "lookupPrices");
    pricer.setDeliveryZones(squareZones(70));
    await answerNext(host, "validateCoupons");
    await answerNext(host, "validateCoupons");
    assert.equal((await settled).deliveryFee, 70);
    assert.equal(thrown(() => pricer.setDeliveryZones(squareZones(-1))).code, "VALIDATION_ERROR");
    assert.equal(basket.totals.deliveryFee, 70);
    assert.equal(basket.status, "current");
    pricer.setDeliveryZones(squareZones(70, 7));
    assert.deepEqual([basket.totals.deliveryFee, basket.pending, basket.snapshot.blocked, basket.status], [0, [], ["coupons"], "failed"]);
    assert.deepEqual([basket.error.code, basket.error.subject], ["BRANCH_NOT_AVAILABLE", { schedule: 0, brcode: 1000 }]);
    assert.equal((await errorOf(basket.settle())).message, "Branch 1000 is not available");
  });
});

suite("failures", () => {
  for (const [what, fail] of Object.entries({
    throws: () => {
      throw new RangeError("closed");
    },
    rejects: async () => {
      throw new RangeError("closed");
    },
  })) {
    test(`a look-up that ${what}: the totals stay, and the next settle() tries again`, async () => {
      const known = hostFromFacts(FACTS);
      const host = { ...known };
      const { basket, pricer } = await open({ order: { ...orderOf(product()), shipping: DRY }, host });
      await basket.settle();
      host.nationwideRate = fail;
      basket.setShipping({ ...DRY, shippingPostcode: "1" });
      const error = await errorOf(basket.settle());
      assert.deepEqual(
        [error.message, error.code, error.retryable, error.cause instanceof RangeError],
        ["closed", "NATIONWIDE_RATE_FAILED", true, true],
      );
      assert.deepEqual(said(basket.error), said(error));
      assert.notEqual(basket.error, error, "whoever catches it may change it");
      assert.deepEqual([basket.status, basket.totals.subTotal, basket.totals.deliveryFee], ["failed", 100, 0]);
      host.nationwideRate = known.nationwideRate;
      const settled = basket.settle();
      assert.equal((await settled).deliveryFee, 60);
      await assertCurrent(basket, pricer);
    });
  }

  test("late: each round has its own deadline", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host, deadlineMs: 20 });
    const late = errorOf(basket.settle());
    await turn();
    t.mock.timers.tick(20);
    const error = await late;
    assert.deepEqual([error.code, error.message], ["PRICE_LOOKUP_FAILED", "lookupPrices did not answer within 20 ms"]);
    await answerNext(host, "lookupPrices");
    assert.deepEqual([basket.status, basket.totals.subTotal], ["failed", 0], "a late answer is dropped");
    const settled = basket.settle();
    await answerNext(host, "lookupPrices");
    assert.equal((await settled).subTotal, 100);
  });

  test("a coupon answer that is refused is not kept", async () => {
    let answer = { discounts: [{ coupon: "A", discount: -1 }] };
    const { basket } = await open({
      order: { ...orderOf(product()), couponCodeList: ["A"] },
      host: hostFromFacts({ ...FACTS, coupons: () => answer }),
    });
    assert.equal((await errorOf(basket.settle())).code, "COUPON_SERVICE_FAILED");
    assert.deepEqual([basket.pending, basket.totals.cartDiscount, basket.totals.subTotal], [[], 0, 100]);
    answer = { discounts: [{ coupon: "A", discount: 1 }] };
    assert.equal((await basket.settle()).cartDiscount, 1);
  });

  test("a malformed record is not kept, the good ones beside it are", async () => {
    const prices = { 1001: { price: 100 }, 1002: { price: -1 } };
    const { basket, host } = await open({ order: orderOf(product(1001), product(1002)), host: hostFromFacts({ prices }) });
    const error = await errorOf(basket.settle());
    assert.equal(error.message, "Invalid answer from lookupPrices: 1002/1000: price: expected an amount of 0 or more");
    assert.deepEqual([basket.totals.subTotal, basket.rows[1].problem, basket.pending], [100, basket.error, []]);
    callsOf(host);
    prices[1002] = { price: 2 };
    assert.equal((await basket.settle()).subTotal, 102);
    assert.deepEqual(callsOf(host), [["lookupPrices", [{ cprcode: 1002, branchId: "1000" }]]]);
  });

  test("D19: a row that overflows counts 0, and the rest goes on", async () => {
    const { basket, pricer } = await open({
      order: orderOf(product(1), product(1001)),
      host: hostFromFacts({ prices: { ...PRICES, 1: { price: 7e27 } } }),
    });
    await basket.settle();
    const message = "Overflow: productList[0].rowTotal is too large";
    assert.equal(basket.setQuantity(0, 1000).subTotal, 100);
    assert.deepEqual([basket.status, basket.pending, basket.error.code, basket.error.message], ["failed", [], "OVERFLOW", message]);
    assert.deepEqual([basket.rows[0].problem, basket.rows[0].rowTotal, basket.rows[0].price], [basket.error, 0, 7e27]);
    assert.equal((await errorOf(basket.settle())).message, message);
    assert.equal((await errorOf(pricer.calculate(basket.order))).message, message);
    assert.equal(basket.setQuantity(1, 5).subTotal, 500);
    assert.equal(basket.error.message, message);
    assert.equal(basket.setQuantity(0, 0).subTotal, 500);
    await assertCurrent(basket, pricer);
    basket.setQuantity(0, 12);
    assert.equal(basket.error.message, message);
    basket.removeProduct(0);
    await assertCurrent(basket, pricer);
  });

  test("D19: a total that overflows shows 0", async () => {
    const { basket, pricer } = await open({
      order: orderOf(product(1, 10), product(1, 10), product(1001)),
      host: hostFromFacts({ prices: { ...PRICES, 1: { price: 7e27 } } }),
    });
    const { message, code } = await errorOf(basket.settle());
    assert.deepEqual([message, code], ["Overflow: subTotal is too large", "OVERFLOW"]);
    assert.equal((await errorOf(pricer.calculate(basket.order))).message, message);
    assert.deepEqual([basket.status, basket.error.message, basket.totals.subTotal], ["failed", message, 0]);
    assert.deepEqual(
      basket.rows.map(({ rowTotal, problem }) => [rowTotal, problem]),
      [
        [7e28, null],
        [7e28, null],
        [100, null],
      ],
    );
    basket.removeProduct(0);
    await assertCurrent(basket, pricer);
  });

  test("D19: an overflow that an answer brings is never current, and coupons are not asked", async () => {
    for (const couponCodeList of [[], ["A"]]) {
      const host = slowHost({ ...FACTS, prices: { 1: { price: 7e27 } } });
      const { basket } = await open({ order: { ...orderOf(product(1, 1000)), couponCodeList }, host });
      const seen = [];
      basket.subscribe(({ status }) => seen.push(status));
      const settled = errorOf(basket.settle());
      await answerNext(host, "lookupPrices");
      assert.equal((await settled).code, "OVERFLOW");
      assert.deepEqual([basket.status, basket.error.code], ["failed", "OVERFLOW"]);
      assert.equal(seen.includes("current"), false, `${seen}`);
      assert.equal(host.asked.validateCoupons.length, 0);
    }
  });

  test("D42: all that is wrong, in this order; what is right counts", async () => {
    const known = hostFromFacts({ ...FACTS, prices: { ...PRICES, 4: { price: -1 }, 5: { price: 7e27 } } });
    const host = {
      ...known,
      nationwideRate: ({ nationwideMode }) =>
        nationwideMode === "FRESH" ? Promise.reject(new Error("closed")) : known.nationwideRate({ nationwideMode }),
    };
    const scheduleList = [{ nationwideMode: "DRY" }, { nationwideMode: "FRESH" }, { mode: "REGULAR" }, { nationwideMode: "FRESH" }];
    const order = {
      ...FULL,
      productList: [product(5, 1000), product(9999), product(), product(4), product(9999)],
      shipping: { shippingType: "DELIVERY", scheduleList },
      voucherId: ["V9", "V1"],
    };
    const { basket, pricer } = await open({ order, host });
    const error = await errorOf(basket.settle());
    assert.deepEqual(
      basket.snapshot.problems.map((one) => [one.code, one.subject]),
      [
        ["PRODUCT_PRICE_NOT_FOUND", { line: 1, cprcode: 9999, branchId: "1000" }],
        ["PRICE_LOOKUP_FAILED", { line: 3, cprcode: 4, branchId: "1000", lookup: "lookupPrices" }],
        ["PRODUCT_PRICE_NOT_FOUND", { line: 4, cprcode: 9999, branchId: "1000" }],
        ["NATIONWIDE_RATE_FAILED", { lookup: "nationwideRate", schedule: 1 }],
        ["BRANCH_NOT_AVAILABLE", { schedule: 2, brcode: 1000 }],
        ["VOUCHER_NOT_FOUND", { voucherId: "V9" }],
        ["OVERFLOW", basket.rows[0].problem.subject],
      ],
    );
    assert.equal(basket.rows[0].problem.subject.line, 0);
    assert.deepEqual(said(error), said(basket.error));
    assert.deepEqual(said(await errorOf(pricer.calculate(basket.order))), said(error));
    const { subTotal, deliveryFee, voucherDiscount } = basket.totals;
    assert.deepEqual([subTotal, deliveryFee, voucherDiscount], [100, 60, 50]);
    assert.deepEqual(
      basket.snapshot.shipping.scheduleList.map((one) => one.deliveryFee),
      [60, null, null, null],
    );
    assert.deepEqual(
      basket.snapshot.validVouchers.map(({ voucherId }) => voucherId),
      ["V1"],
    );
    assert.deepEqual([basket.pending, basket.snapshot.blocked], [[], ["coupons"]]);
  });
});

suite("D42: settle() rejects as calculate does", () => {
  const HUGE = 7e28;
  const huge = { ...FACTS, prices: { 1001: { price: HUGE } }, vouchers: { V1: { ...FACTS.vouchers.V1, value: HUGE } } };
  const order = { ...orderOf(product()), couponCodeList: ["A"], voucherId: ["V1"], ownerId: "malee" };

  test("an overflow that follows the coupons hides no failure of theirs", async () => {
    const host = hostFromFacts({ ...huge, coupons: () => ({ discounts: [{ coupon: "A", discount: HUGE }] }) });
    const { basket, pricer } = await open({ order, host });
    const assertSame = async (message, ...others) => {
      const [settled, calculated] = [await errorOf(basket.settle()), await errorOf(pricer.calculate(basket.order))];
      assert.deepEqual(said(settled), said(calculated));
      assert.equal(settled.message, message);
      assert.deepEqual(
        basket.snapshot.problems.map((problem) => problem.message),
        [message, ...others],
      );
    };
    await assertSame("Overflow: totalDiscount is too large");
    const { validateCoupons } = host;
    host.validateCoupons = () => Promise.reject(new Error("closed"));
    // A total that shows 0 has a problem, also while the service has yet to answer.
    basket.setQuantity(0, 0);
    assert.deepEqual(
      [basket.status, basket.error.message, basket.pending],
      ["failed", "Overflow: totalDiscount is too large", ["coupons"]],
    );
    await assertSame("closed", "Overflow: totalDiscount is too large");
    assert.equal(basket.error.retryable, true);
    host.validateCoupons = validateCoupons;
    await assertSame("Overflow: totalDiscount is too large");
  });

  test("a total that is too large has its problem before the coupons are known, which may still mend it", async () => {
    const host = slowHost({
      ...FACTS,
      prices: { 1: { price: HUGE }, 2: { price: 1e28 } },
      coupons: { discounts: [{ coupon: "A", discount: HUGE }] },
    });
    const { basket } = await open({
      order: { ...orderOf(product(1)), couponCodeList: ["A"], shipping: REGULAR },
      host,
      deliveryZones: squareZones(2e28),
    });
    const seen = [];
    basket.subscribe(({ totals, error }) => seen.push([totals.grandTotal, error?.message]));
    const settled = basket.settle();
    await answerNext(host, "lookupPrices");
    assert.deepEqual(seen.at(-1), [0, "Overflow: grandTotal is too large"]);
    await answerNext(host, "validateCoupons");
    assert.equal((await settled).grandTotal, 2e28);
    assert.deepEqual([basket.status, basket.error], ["current", null]);
  });

  test("where a total is too large, what is to pay shows 0: not the fee less the coupon", async () => {
    const facts = { ...FACTS, prices: { 1: { price: HUGE }, 2: { price: HUGE } }, coupons: { discounts: [{ coupon: "A", discount: 5 }] } };
    const order = { ...orderOf(product(1), product(2)), couponCodeList: ["A"], shipping: REGULAR };
    const { basket } = await open({ order, host: hostFromFacts(facts), deliveryZones: squareZones(40) });
    assert.equal((await errorOf(basket.settle())).message, "Overflow: subTotal is too large");
    const { subTotal, deliveryFee, grandTotal, totalExcludeControlledProducts } = basket.totals;
    assert.deepEqual([subTotal, deliveryFee, grandTotal, totalExcludeControlledProducts], [0, 40, 0, 0]);
  });

  test("an overflow before the coupons comes first, and asks for none", async () => {
    const host = hostFromFacts(huge);
    const { basket, pricer } = await open({ order: { ...order, productList: [product(1001, 2)] }, host });
    const [settled, calculated] = [await errorOf(basket.settle()), await errorOf(pricer.calculate(basket.order))];
    assert.deepEqual(said(settled), said(calculated));
    assert.equal(settled.message, "Overflow: productList[0].rowTotal is too large");
    assert.ok(host.calls.every(({ name }) => name !== "validateCoupons"));
  });
});

suite("subjects", () => {
  const SUBJECTS = [
    ["a price that was not found", { order: orderOf(product(), product(9999)) }, { line: 1, cprcode: 9999, branchId: "1000" }],
    [
      "a wrong price",
      { order: orderOf(product(), product(4)), facts: { prices: { ...PRICES, 4: { price: -1 } } } },
      { line: 1, cprcode: 4, branchId: "1000", lookup: "lookupPrices" },
    ],
    [
      "a price look-up that failed",
      { order: orderOf(product()), host: { lookupPrices: () => Promise.reject(new Error("closed")) } },
      { lookup: "lookupPrices" },
    ],
    ["a price look-up that answered nonsense", { order: orderOf(product()), host: { lookupPrices: () => 5 } }, { lookup: "lookupPrices" }],
    ["a price look-up that the host lacks", { order: orderOf(product()), host: { lookupPrices: undefined } }, { lookup: "lookupPrices" }],
    [
      "a rate that failed",
      { order: { ...orderOf(product()), shipping: { ...DRY, scheduleList: [{ mode: "PICKUP" }, { nationwideMode: "MIX" }] } } },
      { schedule: 1, lookup: "nationwideRate" },
    ],
    ["a branch without zones", { order: { ...orderOf(product()), shipping: { ...REGULAR, brcode: 7 } } }, { schedule: 0, brcode: 7 }],
    [
      "an address outside every zone",
      {
        order: { ...orderOf(product()), shipping: { ...REGULAR, shippingLat: 1, scheduleList: [{ mode: "PICKUP" }, { mode: "EXPRESS" }] } },
        deliveryZones: squareZones(40),
      },
      { schedule: 1, brcode: 1000 },
    ],
    ["a voucher that was not found", { order: { ...orderOf(product()), voucherId: ["V1", "V9"] } }, { voucherId: "V9" }],
    [
      "a wrong voucher",
      { order: { ...orderOf(product()), voucherId: ["V1", "V3"] }, facts: { ...FACTS, vouchers: { ...FACTS.vouchers, V3: { value: 5 } } } },
      { voucherId: "V3", lookup: "lookupVouchers" },
    ],
    [
      "a voucher look-up that failed",
      { order: { ...orderOf(product()), voucherId: ["V1"] }, host: { lookupVouchers: () => Promise.reject(new Error("closed")) } },
      { lookup: "lookupVouchers" },
    ],
    [
      "a coupon service that failed",
      { order: { ...orderOf(product()), couponCodeList: ["A"] }, host: { validateCoupons: () => Promise.reject(new Error("closed")) } },
      { lookup: "validateCoupons" },
    ],
    [
      "a wrong word of the coupon service",
      { order: { ...orderOf(product()), couponCodeList: ["A"] }, host: { validateCoupons: () => 5 } },
      { lookup: "validateCoupons" },
    ],
  ];
  for (const [what, { order, facts = FACTS, host, deliveryZones }, subject] of SUBJECTS) {
    test(`${what}, of a basket and of calculate`, async () => {
      const { basket, pricer } = await open({ order, host: { ...hostFromFacts(facts), ...host }, ...(deliveryZones && { deliveryZones }) });
      const error = await errorOf(basket.settle());
      assert.deepEqual(error.subject, subject);
      assert.deepEqual(
        [basket.snapshot.problems.length, basket.pending.filter((part) => part !== "coupons"), basket.status],
        [1, [], "failed"],
      );
      const expected = await errorOf(pricer.calculate(order));
      assert.deepEqual(said(basket.error), said(expected));
      assert.ok(error.requestId && basket.error.requestId);
      const isOfRow = subject.line !== undefined;
      assert.deepEqual(
        basket.rows.map(({ problem }) => problem),
        order.productList.map((_, line) => (isOfRow && line === subject.line ? basket.error : null)),
      );
    });
  }

  test("a malformed rate names its schedule and look-up", async () => {
    const { basket, pricer } = await open({
      order: { ...orderOf(product()), shipping: DRY },
      host: { ...hostFromFacts(FACTS), nationwideRate: () => ({ deliveryFee: -1 }) },
    });
    for (const error of [await errorOf(basket.settle()), await errorOf(pricer.calculate(basket.order)), basket.error]) {
      assert.deepEqual([error.code, error.subject.schedule, error.subject.lookup], ["NATIONWIDE_RATE_FAILED", 0, "nationwideRate"]);
    }
  });

  test("D46: a rate that was not found names its schedules, and is not asked again", async () => {
    const host = hostFromFacts({ ...FACTS, rates: { ...FACTS.rates, MIX: null } });
    const shipping = { ...DRY, scheduleList: [{ nationwideMode: "DRY" }, { nationwideMode: "MIX" }, { nationwideMode: "MIX" }] };
    const { basket, pricer } = await open({ order: { ...orderOf(product()), shipping }, host });
    const error = await errorOf(basket.settle());
    assert.deepEqual(said(error), said(await errorOf(pricer.calculate(basket.order))));
    const { problems } = basket.snapshot;
    assert.deepEqual(
      problems.map(({ code, message, retryable, subject }) => [code, message, retryable, subject]),
      [1, 2].map((schedule) => ["NATIONWIDE_RATE_NOT_FOUND", "No nationwide rate for 10110/MIX", false, { schedule }]),
    );
    assert.deepEqual(
      basket.snapshot.shipping.scheduleList.map(({ deliveryFee }) => deliveryFee),
      [60, null, null],
    );
    host.calls.length = 0;
    await errorOf(basket.settle());
    assert.deepEqual(host.calls, []);
    basket.setShipping({ ...shipping, shippingPostcode: "50000", scheduleList: [{ nationwideMode: "DRY" }] });
    await basket.settle();
    await assertCurrent(basket, pricer);
  });

  test("subject.line follows insertions and removals", async () => {
    const { basket } = await open({ order: orderOf(product(), product(9999), product(1002)) });
    await errorOf(basket.settle());
    const line = () => basket.error.subject.line;
    basket.insertProduct(0, product(1003));
    assert.equal(line(), 2);
    assert.equal(basket.rows[2].problem, basket.error);
    basket.removeProduct(0);
    basket.removeProduct(0);
    assert.equal(line(), 0);
    basket.replace(orderOf(product(1002), product(9999)));
    assert.equal(line(), 1);
    basket.updateProduct(1, { cprcode: 1002 });
    assert.equal(basket.error, null);
  });

  test("a wrong order has a path and no subject", async () => {
    const { pricer } = await open();
    const { path, subject } = await errorOf(pricer.calculate({ productList: [{}] }));
    assert.deepEqual([path, subject], ["productList[0].cprcode", undefined]);
  });
});

suite("edits of lines", () => {
  test("by key as by index", async () => {
    const { basket } = await open({ order: orderOf(product(1001), product(1002), product(1003)) });
    await basket.settle();
    const [first, second, third] = basket.rows.map(({ key }) => key);
    assert.equal(basket.setQuantity(second, 2).subTotal, 167.25);
    basket.removeProduct(first);
    basket.insertProduct(third, product(1001, 5));
    basket.updateProduct(third, { quantity: 4, remark: "x" });
    assert.deepEqual(basket.order.productList, [product(1002, 2), product(1001, 5), product(1003, 4, { remark: "x" })]);
    assert.deepEqual([thrown(() => basket.setQuantity(first, 1)).path, basket.rows.length], ["line", 3]);
  });

  test("insertProduct before a line; the row count appends", async () => {
    const { basket } = await open();
    for (const [line, cprcode] of [
      [0, 1001],
      [1, 1002],
      [0, 1003],
      [3, 1001],
    ])
      basket.insertProduct(line, product(cprcode));
    assert.deepEqual(
      basket.rows.map(({ cprcode }) => cprcode),
      [1003, 1001, 1002, 1001],
    );
  });

  test("updateProduct: undefined leaves, null resets, another cprcode is priced anew and keeps its key", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(1001, 2, { remark: "cold", scheduleId: 3 }), product(1002)) });
    await basket.settle();
    const { key } = basket.rows[0];
    basket.updateProduct(0, { quantity: undefined, remark: null, isPreOrder: true });
    const [row] = basket.rows;
    assert.deepEqual([row.quantity, row.remark, row.isPreOrder, row.scheduleId, row.key], [2, "", true, 3, key]);
    assert.equal(basket.status, "current");
    assert.equal(basket.updateProduct(key, { cprcode: 1002 }).subTotal, 90, "a price that is known");
    basket.updateProduct(key, { cprcode: 1003, productName: "tea" });
    assert.deepEqual([basket.rows[0].price, basket.pending, basket.rows[0].key], [null, ["prices"], key]);
    await basket.settle();
    assert.deepEqual([basket.rows[0].price, basket.rows[0].productName], [7.25, "tea"]);
    await assertCurrent(basket, pricer);
  });

  test("replace: another order, the same facts", async () => {
    const { basket, pricer, host } = await open({ order: FULL });
    await basket.settle();
    callsOf(host);
    assert.deepEqual(basket.replace({ productList: [product(1001, 3), product(1002)] }).subTotal, 300);
    assert.deepEqual(meaning(basket.order), meaning({ productList: [product(1001, 3), product(1002)] }));
    await basket.settle();
    assert.deepEqual(callsOf(host), [["lookupPrices", [{ cprcode: 1002, branchId: "1000" }]]]);
    await assertCurrent(basket, pricer);
    callsOf(host);
    assert.deepEqual(basket.replace({ productList: [] }), NOTHING);
    assert.equal(basket.status, "current");
    basket.replace(FULL);
    await basket.settle();
    assert.deepEqual(callsOf(host), []);
    await assertCurrent(basket, pricer);
  });

  test("products that change places take their rows and keys with them", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(1001), product(1002), product(1003)) });
    await basket.settle();
    const [first, second, third] = basket.rows;
    basket.replace(orderOf(product(1002), product(1001), product(1003)));
    assert.deepEqual(basket.rows, [second, first, third]);
    basket.replace(orderOf(product(1003), product(1001), product(1002, 2)));
    assert.deepEqual([basket.rows[0], basket.rows[1], basket.rows[2].key, basket.rows[2].quantity], [third, first, second.key, 2]);
    await assertCurrent(basket, pricer);
  });

  test("products that move are the same objects, however many there are", async () => {
    const { basket } = await open({ order: orderOf(...Array.from({ length: 150 }, (_, index) => product(1001 + index))) });
    const products = basket.order.productList;
    basket.removeProduct(0);
    basket.order.productList.forEach((one, index) => assert.equal(one, products[index + 1]));
  });

  test("a problem stays the same object while others come and go", async () => {
    const host = { ...hostFromFacts(FACTS), lookupPrices: () => assert.fail("closed"), lookupVouchers: () => assert.fail("closed") };
    const { basket } = await open({ order: FULL, host });
    await errorOf(basket.settle());
    const { error } = basket;
    assert.deepEqual([basket.snapshot.problems.length, error.code], [2, "PRICE_LOOKUP_FAILED"]);
    basket.setVouchers([]);
    assert.equal(basket.snapshot.problems.length, 1);
    assert.equal(basket.error, error);
  });

  test("a failure whose place in the order moves keeps its cause", async () => {
    const cause = new Error("closed");
    const { basket } = await open({
      order: { ...orderOf(product()), shipping: DRY },
      host: { ...hostFromFacts(FACTS), nationwideRate: () => Promise.reject(cause) },
    });
    await errorOf(basket.settle());
    const { requestId } = basket.error;
    for (const schedule of [1, 2]) {
      basket.setShipping({ ...DRY, scheduleList: [...Array(schedule).fill({ mode: "PICKUP" }), ...DRY.scheduleList] });
      assert.deepEqual([basket.error.subject.schedule, basket.error.cause, basket.error.requestId], [schedule, cause, requestId]);
    }
  });

  test("replace by an order that is wrong changes nothing", async () => {
    const { basket } = await open({ order: FULL });
    const { snapshot } = basket;
    for (const productList of [[null], [product(), 5], [undefined], [{}], "products"]) {
      assert.equal(thrown(() => basket.replace({ productList })).code, "VALIDATION_ERROR", inspect(productList));
    }
    assert.equal(basket.snapshot, snapshot);
  });

  test("the order as JSON and back", async () => {
    const { basket, pricer, host } = await open({ order: { ...FULL, orderDate: 1767225600, cartDiscountInfo: [{ a: 1 }] } });
    await basket.settle();
    const text = JSON.stringify(basket.order);
    const { snapshot } = basket;
    basket.replace(JSON.parse(text));
    assert.equal(basket.snapshot, snapshot);
    basket.removeProduct(0);
    basket.replace(JSON.parse(text));
    await assertCurrent(basket, pricer);
    callsOf(host);
    const other = pricer.basket(JSON.parse(text));
    assert.equal(JSON.stringify(other.order), text);
    other.free();
    basket.refresh();
    assert.equal(JSON.stringify(basket.order), text, "a refresh is no part of it");
  });

  test("undo by replace: no look-up, the same keys", async () => {
    const { basket, pricer, host } = await open({ order: { ...FULL, productList: [product(1001), product(1002), product(1001, 3)] } });
    await basket.settle();
    callsOf(host);
    const { order, totals, rows } = basket.snapshot;
    basket.setQuantity(0, 9);
    basket.setCoupons([]);
    basket.setShipping(null);
    basket.replace(order);
    assert.deepEqual([basket.totals, basket.rows, basket.status], [totals, rows, "current"]);
    await basket.settle();
    assert.deepEqual(callsOf(host), []);
    await assertCurrent(basket, pricer);
  });
});

suite("what a basket is made with", () => {
  test("initialSnapshot stays as it was made", async () => {
    const { basket } = await open({ order: FULL });
    const { initialSnapshot } = basket;
    assert.equal(initialSnapshot, basket.snapshot);
    basket.setQuantity(0, 3);
    await basket.settle();
    assert.equal(basket.initialSnapshot, initialSnapshot);
    assert.deepEqual([initialSnapshot.status, initialSnapshot.rows[0].price, initialSnapshot.isSettling], ["pending", null, false]);
  });

  test("its context is every call's, and each call has a signal and a request id", async () => {
    const known = hostFromFacts(FACTS);
    const contexts = [];
    const host = Object.fromEntries(
      ["lookupPrices", "nationwideRate", "lookupVouchers", "validateCoupons"].map((name) => [
        name,
        (argument, ctx) => (contexts.push(ctx), known[name](argument)),
      ]),
    );
    const context = { tenant: 7 };
    const { basket, pricer } = await open({ order: FULL, host, context });
    await basket.settle();
    assert.equal(contexts.length, 4);
    const ids = contexts.map(({ requestId }) => requestId);
    assert.deepEqual([new Set(ids.slice(0, 3)).size, new Set(ids).size], [1, 2], "one for each round");
    for (const ctx of contexts.splice(0)) {
      assert.equal(ctx.context, context);
      assert.ok(ctx.signal instanceof AbortSignal && typeof ctx.requestId === "string");
    }
    await pricer.basket(FULL).settle();
    assert.deepEqual(
      contexts.map((ctx) => ctx.context),
      [undefined, undefined, undefined, undefined],
    );
  });

  for (const [what, answer] of [
    ["throws", () => assert.fail("closed")],
    ["rejects", async () => assert.fail("closed")],
    ["is late", () => new Promise(() => {})],
  ]) {
    test(`a look-up that ${what}: its error has the request id of its call, and the cause`, async () => {
      let requestId;
      const { basket } = await open({
        order: orderOf(product()),
        host: { lookupPrices: (_, ctx) => (({ requestId } = ctx), answer()) },
        deadlineMs: 20,
      });
      const error = await errorOf(basket.settle());
      assert.equal(error.requestId, requestId);
      assert.equal(error.cause?.message, what === "is late" ? undefined : "closed");
    });
  }

  test("pricer and basket are not extensible, so that Vue does not wrap them", async () => {
    const { basket, pricer } = await open();
    assert.deepEqual([Object.isExtensible(basket), Object.isExtensible(pricer)], [false, false]);
    assert.ok(basket instanceof EventTarget);
  });

  test("a listener that is no function is refused", async () => {
    const { basket } = await open();
    for (const listener of [undefined, null, {}, "render"]) {
      const { code, path } = thrown(() => basket.subscribe(listener));
      assert.deepEqual([code, path], ["VALIDATION_ERROR", "listener"]);
    }
  });

  test("settle() may be called as often as one likes, and leaves no listener on its signal", async () => {
    const { signal } = new AbortController();
    const { basket } = await open({ order: orderOf(product()), host: { lookupPrices: () => assert.fail("closed") } });
    for (let count = 0; count < 101; count += 1) assert.equal((await errorOf(basket.settle({ signal }))).code, "PRICE_LOOKUP_FAILED");
    assert.deepEqual(getEventListeners(signal, "abort"), []);
  });

  test("a customer may edit as often as they like while settle() waits", async () => {
    const host = slowHost();
    const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] }, host });
    const settled = basket.settle();
    await answerNext(host, "lookupPrices");
    for (let quantity = 2; quantity <= 151; quantity += 1) {
      basket.setQuantity(0, quantity);
      await turn();
    }
    host.asked.validateCoupons.splice(0, 150);
    await answerNext(host, "validateCoupons");
    assert.equal((await settled).productList[0].quantity, 151);
  });

  test("wrong options are refused", async () => {
    const { pricer } = await open();
    for (const options of [
      { autoSettle: { debounceMs: -1 } },
      { autoSettle: { debounceMs: NaN } },
      { autoSettle: { debounceMs: 2 ** 31 } },
      { autoSettle: { debounceMs: "150" } },
    ]) {
      assert.equal(thrown(() => pricer.basket(orderOf(product()), options)).code, "VALIDATION_ERROR", inspect(options));
    }
    const basket = pricer.basket(orderOf(product()));
    for (const [call, path] of [
      [{ singal: new AbortController().signal }, "singal"],
      [{ signal: {} }, "signal"],
    ]) {
      const error = await errorOf(basket.settle(call));
      assert.deepEqual([error.code, error.path], ["VALIDATION_ERROR", path]);
    }
  });
});

/** What a wait rejects with when its basket is freed: API.md names no code. */
const WAIT_ENDED = /^(ABORTED|VALIDATION_ERROR)$/;

suite("freed", () => {
  const edits = {
    setQuantity: [0, 1],
    addProduct: [product()],
    insertProduct: [0, product()],
    updateProduct: [0, {}],
    removeProduct: [0],
    setShipping: [null],
    setCoupons: [[]],
    setVouchers: [[]],
    setOwner: [""],
    setBranch: ["1000"],
    replace: [orderOf(product())],
    refresh: [],
  };

  test("edits throw and settle() rejects; another free() does nothing, and the pricer goes on", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(9999)) });
    await errorOf(basket.settle());
    basket.free();
    basket.free();
    const freed = (error) => assert.deepEqual([error.code, error.path], ["VALIDATION_ERROR", "basket"]);
    for (const [name, argument] of Object.entries(edits)) freed(thrown(() => basket[name](...argument)));
    freed(await errorOf(basket.settle()));
    pricer.setDeliveryZones(squareZones(1));
    assert.equal((await pricer.calculate(orderOf(product()))).subTotal, 100);
  });

  test("reading gives the last snapshot, subscribe calls once, and unsubscribing works", async () => {
    const { basket, pricer } = await open({ order: { ...FULL, shipping: REGULAR }, deliveryZones: squareZones(40) });
    await basket.settle();
    const { snapshot } = basket;
    const heard = [];
    const unsubscribe = basket.subscribe((one) => heard.push(one));
    basket.free();
    pricer.setDeliveryZones(squareZones(1));
    basket.subscribe((one) => heard.push(one))();
    unsubscribe();
    await turn();
    assert.deepEqual(heard, [snapshot, snapshot]);
    for (const name of ["order", "totals", "rows", "status", "pending", "error"]) assert.equal(basket[name], snapshot[name], name);
    assert.equal(basket.initialSnapshot.status, "pending");
  });

  test("using", async () => {
    const { basket } = await open();
    basket[Symbol.dispose]();
    assert.equal(thrown(() => basket.refresh()).path, "basket");
  });

  test("during settle(): every wait rejects, the host gets the abort, and nothing is unhandled", async () => {
    const unhandled = [];
    const listener = (reason) => unhandled.push(reason);
    process.on("unhandledRejection", listener);
    const host = slowHost();
    const { basket } = await open({ order: { ...orderOf(product()), shipping: DRY, voucherId: ["V1"] }, host });
    const waits = [basket.settle(), basket.settle(), basket.settle({ signal: new AbortController().signal })].map(errorOf);
    const { signal } = host.asked.lookupPrices[0].context;
    basket.free();
    for (const error of await Promise.all(waits)) assert.match(error.code, WAIT_ENDED);
    assert.equal(signal.aborted, true);
    host.asked.lookupPrices[0].reject(new Error("late"));
    host.asked.nationwideRate[0].answer();
    host.asked.lookupVouchers[0].reject(new Error("late"));
    await turn();
    await turn();
    process.off("unhandledRejection", listener);
    assert.deepEqual(unhandled, []);
  });

  for (const name of ["lookupPrices", "nationwideRate", "lookupVouchers", "validateCoupons"]) {
    test(`from inside ${name}`, async () => {
      let basket;
      const known = hostFromFacts(FACTS);
      const host = { ...known, [name]: (argument) => (basket.free(), known[name](argument)) };
      ({ basket } = await open({ order: { ...orderOf(product()), shipping: DRY, voucherId: ["V1"], couponCodeList: ["A"] }, host }));
      assert.match((await errorOf(basket.settle())).code, WAIT_ENDED);
    });
  }

  test("from a listener of the signal, and from a change listener", async () => {
    let basket;
    const lookupPrices = (_keys, { signal }) => {
      signal.addEventListener("abort", () => basket.free());
      return new Promise(() => {});
    };
    ({ basket } = await open({ order: orderOf(product()), host: { lookupPrices } }));
    const settled = basket.settle();
    basket.free();
    assert.match((await errorOf(settled)).code, WAIT_ENDED);

    const { basket: other } = await open({ order: orderOf(product()), host: slowHost() });
    other.addEventListener("change", () => other.free());
    const waiting = other.settle();
    other.setQuantity(0, 2);
    assert.match((await errorOf(waiting)).code, WAIT_ENDED);

    const { basket: third } = await open({ order: orderOf(product()), host: slowHost() });
    third.subscribe((snapshot) => snapshot !== third.initialSnapshot && third.free());
    const last = third.settle();
    assert.match((await errorOf(last)).code, WAIT_ENDED);
  });
});

suite("used from inside its own callbacks", () => {
  // What an edit is given may run code of its own while it is read: what that code does to the basket counts, too.
  const given = (basket, value) => ({ toJSON: () => (basket.setQuantity(0, 7), basket.setOwner("malee"), value) });
  const EDITS_WITH_CODE = {
    addProduct: (basket) => basket.addProduct(given(basket, product(1002))),
    "insertProduct, a getter": (basket) =>
      basket.insertProduct(1, {
        ...product(1002),
        get remark() {
          basket.setQuantity(0, 7);
          basket.setOwner("malee");
          return "";
        },
      }),
    updateProduct: (basket) => basket.updateProduct(1, { remark: given(basket, "soon") }),
    "updateProduct, the patch itself": (basket) => basket.updateProduct(1, given(basket, { remark: "soon" })),
    setShipping: (basket) => basket.setShipping(given(basket, DRY)),
    "setShipping, opaque JSON": (basket) =>
      basket.setShipping({ ...DRY, scheduleList: [{ nationwideMode: "DRY", pickingStatus: given(basket, 1) }] }),
    "setShipping, beside a cycle": (basket) => {
      const cycle = {};
      cycle.self = cycle;
      basket.setShipping({ ...DRY, cycle, scheduleList: given(basket, DRY.scheduleList) });
    },
    setCoupons: (basket) => basket.setCoupons([given(basket, "A")]),
    setVouchers: (basket) => basket.setVouchers(given(basket, ["V1"])),
  };
  for (const [name, edit] of Object.entries(EDITS_WITH_CODE)) {
    test(`an edit inside what ${name} is given is not lost`, async () => {
      const { basket, pricer } = await open({ order: orderOf(product(1001), product(1003)) });
      await basket.settle();
      const before = basket.order;
      edit(basket);
      assert.notEqual(basket.order, before);
      assert.equal(basket.order.productList[0].quantity, 7);
      assert.equal(basket.order.ownerId, "malee");
      assert.ok(
        basket.order.productList.length === 3 ||
          basket.order.shipping ||
          basket.order.couponCodeList ||
          basket.order.voucherId ||
          basket.order.productList[1].remark,
      );
      await basket.settle();
      await assertCurrent(basket, pricer);
    });
  }

  test("replace replaces what its argument's code did", async () => {
    const { basket } = await open({ order: orderOf(product(1001), product(1003)) });
    basket.replace(given(basket, orderOf(product(1002))));
    assert.deepEqual(basket.order, orderOf(product(1002)));
  });

  test("setQuantity in lookupPrices", async () => {
    let basket;
    const host = { ...hostFromFacts(FACTS), lookupPrices: (keys) => (basket.setQuantity(0, 5), keys.map(() => ({ price: 2 }))) };
    const opened = await open({ order: orderOf(product()), host });
    basket = opened.basket;
    assert.equal((await basket.settle()).subTotal, 10);
    host.lookupPrices = (keys) => keys.map(() => ({ price: 2 }));
    await assertCurrent(basket, opened.pricer);
  });

  test("an edit and settle in lookupPrices: what is new is asked after the call, not inside it", async () => {
    let basket;
    let [depth, deepest] = [0, 0];
    const asked = [];
    const known = hostFromFacts(FACTS);
    const lookupPrices = (keys) => {
      deepest = Math.max(deepest, (depth += 1));
      asked.push(keys.map(({ cprcode }) => cprcode));
      if (asked.length === 1) {
        basket.addProduct(product(1002));
        basket.settle();
      }
      depth -= 1;
      return known.lookupPrices(keys);
    };
    ({ basket } = await open({ order: orderOf(product()), host: { ...known, lookupPrices } }));
    assert.equal((await basket.settle()).subTotal, 130);
    assert.deepEqual([asked, deepest], [[[1001], [1002]], 1]);
  });

  test("the basket is settling while it asks, also for the listener of a call that its own edit has ended", async () => {
    let basket;
    const seen = [];
    const lookupPrices = (keys, { signal }) => {
      if (seen.length > 0) return keys.map(() => ({ price: 2 }));
      signal.addEventListener("abort", () => {
        basket.setOwner("malee");
        seen.push(basket.snapshot.isSettling);
      });
      basket.setBranch("2000");
      return new Promise(() => {});
    };
    ({ basket } = await open({ order: orderOf(product()), host: { lookupPrices } }));
    assert.equal((await basket.settle()).subTotal, 2);
    assert.deepEqual(seen, [true]);
  });

  for (const [what, edit, left] of [
    ["frees the basket", (basket) => basket.free(), []],
    ["makes another call useless", (basket) => basket.setVouchers([]), ["nationwideRate"]],
  ]) {
    test(`a function that ${what}: the rest of its round is not called for that`, async () => {
      let basket;
      const called = [];
      const known = hostFromFacts(FACTS);
      const host = Object.fromEntries(
        Object.entries(known).map(([name, answer]) => [name, (argument) => (called.push(name), answer(argument))]),
      );
      const lookupPrices = (keys) => (edit(basket), known.lookupPrices(keys));
      ({ basket } = await open({ order: { ...FULL, couponCodeList: [] }, host: { ...host, lookupPrices } }));
      await basket.settle().catch(({ code }) => assert.equal(code, "ABORTED"));
      assert.deepEqual(called, left);
    });
  }

  for (const [how, answer] of [
    ["at once", (records) => records],
    ["later", async (records) => records],
  ]) {
    test(`an answer that comes ${how} and makes a call useless ends that call`, async () => {
      let price = { price: 100 };
      const signals = [];
      const host = {
        lookupPrices: () => answer([price]),
        validateCoupons: (_, { signal }) => (signals.push(signal), new Promise(() => {})),
      };
      const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] }, host, deadlineMs: 0 });
      const settled = errorOf(basket.settle());
      await turn();
      price = null;
      basket.refresh();
      assert.equal((await settled).code, "PRODUCT_PRICE_NOT_FOUND");
      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [true],
      );
    });
  }

  test("free inside an answer that comes later: the wait ends, and nothing else happens", async () => {
    let basket;
    const lookupPrices = async () => [{ toJSON: () => (basket.free(), { price: 1 }) }];
    ({ basket } = await open({ order: orderOf(product()), host: { lookupPrices } }));
    const { snapshot } = basket;
    assert.equal((await errorOf(basket.settle())).code, "ABORTED");
    await turn();
    assert.equal(basket.snapshot.totals, snapshot.totals);
  });

  for (const name of ["lookupPrices", "validateCoupons"]) {
    test(`settle in ${name}: nothing is asked again`, async () => {
      let basket;
      let calls = 0;
      const promises = new Set();
      const known = hostFromFacts(FACTS);
      const host = {
        ...known,
        [name]: (argument) => {
          calls += 1;
          promises.add(basket.settle());
          return known[name](argument);
        },
      };
      ({ basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] }, host }));
      promises.add(basket.settle());
      for (const one of promises) assert.equal((await one).grandTotal, 90);
      assert.equal((await basket.settle()).grandTotal, 90);
      assert.deepEqual([calls, promises.size], [1, 2]);
    });
  }

  test("refresh, zones and another product in validateCoupons", async () => {
    let [basket, pricer, round] = [undefined, undefined, 0];
    const known = hostFromFacts(FACTS);
    const acts = [
      () => basket.refresh(),
      () => pricer.setDeliveryZones(squareZones(33)),
      () => basket.addProduct(product(1003)),
      () => basket.setCoupons(["B"]),
    ];
    const validateCoupons = (request) => {
      acts[round++]?.();
      return known.validateCoupons(request);
    };
    ({ basket, pricer } = await open({
      order: { ...orderOf(product()), shipping: REGULAR, couponCodeList: ["A"] },
      host: { ...known, validateCoupons },
      deliveryZones: squareZones(40),
    }));
    const priced = await basket.settle();
    assert.deepEqual([priced.deliveryFee, priced.subTotal, priced.cartDiscount], [33, 107.25, 5]);
    await assertCurrent(basket, pricer);
  });
});

test("change and subscribe tell of answers, failures and their end", async () => {
  const host = slowHost();
  const { basket } = await open({ order: { ...orderOf(product(1001), product(9999)), couponCodeList: ["A"] }, host });
  const seen = [];
  const heard = [];
  basket.addEventListener("change", () => seen.push([basket.status, basket.totals.subTotal, basket.totals.cartDiscount]));
  basket.subscribe(({ status, isSettling, totals }) => heard.push([status, isSettling, totals.subTotal, totals.cartDiscount]));
  const failed = errorOf(basket.settle());
  assert.deepEqual(heard.splice(0), [
    ["pending", false, 0, 0],
    ["pending", true, 0, 0],
  ]);
  await answerNext(host, "lookupPrices");
  await failed;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(seen.splice(0).at(-1), ["failed", 100, 0]);
  assert.deepEqual(heard.splice(0).at(-1), ["failed", false, 100, 0]);
  basket.removeProduct(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(seen.splice(0), [["pending", 100, 0]]);
  const settled = basket.settle();
  await answerNext(host, "validateCoupons");
  await settled;
  await new Promise((resolve) => setTimeout(resolve, 20)); // further events of a turn come in tasks of their own
  assert.deepEqual(seen.at(-1), ["current", 100, 10]);
  assert.deepEqual(heard.at(-1), ["current", false, 100, 10]);
});

suite("a wrong argument throws and changes nothing", () => {
  for (const order of [{}, { productList: null }, { orderId: "o" }, { productlist: [] }, { toJSON: () => ({}) }]) {
    test(`replace(${JSON.stringify(order)}): a forgotten productList must not empty the basket`, async () => {
      const { basket } = await open({ order: orderOf(product()) });
      const { snapshot } = basket;
      const { code, path, message } = thrown(() => basket.replace(order));
      assert.deepEqual([code, path, message], ["VALIDATION_ERROR", "productList", "Invalid order: productList: expected an array"]);
      assert.equal(basket.snapshot, snapshot);
    });
  }

  /** Cycles in known fields of an order, a product and a shipping. */
  const cycle = product();
  Object.assign(cycle, { cartDiscountInfo: [cycle], remark: cycle, shippingFirstName: cycle });
  const refuse = () => {
    throw new RangeError("no");
  };
  const getter = Object.defineProperties(product(), {
    remark: { get: refuse, enumerable: true },
    shippingFirstName: { get: refuse, enumerable: true },
  });
  const wrong = [
    ["setQuantity", [0, 1.5], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0, NaN], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0, 2 ** 53], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0, 2n], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0, "2"], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0], "productList[0].quantity: expected an integer"],
    ["setQuantity", [-1, 2], "line: expected a line of the order"],
    ["setQuantity", [1, 2], "line: expected a line of the order"],
    ["setQuantity", [0.5, 2], "line: expected a line of the order"],
    ["setQuantity", [NaN, 2], "line: expected a line of the order"],
    ["setQuantity", ["no such key", 2], "line: expected a line of the order"],
    ["setQuantity", ["", 2], "line: expected a line of the order"],
    ["setQuantity", [], "line: expected a line of the order"],
    ["removeProduct", [1], "line: expected a line of the order"],
    ["removeProduct", [null], "line: expected a line of the order"],
    ["removeProduct", [Infinity], "line: expected a line of the order"],
    ["addProduct", [undefined], "productList[1]: expected an object"],
    ["addProduct", [null], "productList[1]: expected an object"],
    ["addProduct", [NaN], "productList[1]: expected an object"],
    ["addProduct", [[]], "productList[1]: expected an object"],
    ["addProduct", [{}], "productList[1].cprcode: required"],
    ["addProduct", [product(NaN)], "productList[1].cprcode: expected an integer"],
    ["addProduct", [product(1n)], "productList[1].cprcode: expected an integer"],
    ["addProduct", [{ cprcode: 1, productName: "x" }], "productList[1].quantity: required"],
    ["addProduct", [product(1, 1, { remark: 5 })], "productList[1].remark: expected a string"],
    ["insertProduct", [2, product()], "line: expected a line of the order"],
    ["insertProduct", [-1, product()], "line: expected a line of the order"],
    ["insertProduct", ["no such key", product()], "line: expected a line of the order"],
    ["insertProduct", [undefined, product()], "line: expected a line of the order"],
    ["insertProduct", [0, undefined], "productList[0]: expected an object"],
    ["insertProduct", [1, {}], "productList[1].cprcode: required"],
    ["insertProduct", [0, product(1, 1.5)], "productList[0].quantity: expected an integer"],
    ["updateProduct", [1, {}], "line: expected a line of the order"],
    ["updateProduct", ["no such key", {}], "line: expected a line of the order"],
    ["updateProduct", [0, null], "productList[0]: expected an object"],
    ["updateProduct", [0, undefined], "productList[0]: expected an object"],
    ["updateProduct", [0, []], "productList[0]: expected an object"],
    ["updateProduct", [0, { quantity: 1.5 }], "productList[0].quantity: expected an integer"],
    ["updateProduct", [0, { quantity: null }], "productList[0].quantity: required"],
    ["updateProduct", [0, { cprcode: null }], "productList[0].cprcode: required"],
    ["updateProduct", [0, { productName: 5 }], "productList[0].productName: expected a string"],
    ["updateProduct", [0, { quantity: 7, remark: [] }], "productList[0].remark: expected a string"],
    ["refresh", [1], "line: expected a line of the order"],
    ["refresh", ["no such key"], "line: expected a line of the order"],
    ["replace", [orderOf(product(), { cprcode: 1 })], "productList[1].productName: required"],
    ["replace", [{ ...orderOf(product()), ownerId: 5 }], "ownerId: expected a string"],
    ["replace", [{ productList: {} }], "productList: expected an array"],
    ["setShipping", [undefined], "shipping: expected an object"],
    ["setShipping", [5n], "shipping: expected an object"],
    ["setShipping", [{ shippingLat: NaN }], "shipping.shippingLat: expected a number"],
    [
      "setShipping",
      [{ scheduleList: [{ mode: "FAST" }] }],
      "shipping.scheduleList[0].mode: expected one of REGULAR, EXPRESS, NATIONWIDE, PICKUP",
    ],
    ["setShipping", [{ scheduleList: [{ pickingStatus: [NaN] }] }], "shipping.scheduleList[0].pickingStatus[0]: expected a number"],
    ["setCoupons", ["A"], "couponCodeList: expected an array"],
    ["setCoupons", [undefined], "couponCodeList: expected an array"],
    ["setCoupons", [null], "couponCodeList: expected an array"],
    ["setCoupons", [["A", null]], "couponCodeList[1]: expected a string"],
    ["setCoupons", [["A", NaN]], "couponCodeList[1]: expected a string"],
    ["setVouchers", [{ 0: "V1" }], "voucherId: expected an array"],
    ["setVouchers", [undefined], "voucherId: expected an array"],
    ["setVouchers", [null], "voucherId: expected an array"],
    ["setVouchers", [[1]], "voucherId[0]: expected a string"],
    ["setOwner", [undefined], "ownerId: expected a string"],
    ["setOwner", [null], "ownerId: expected a string"],
    ["setOwner", [5], "ownerId: expected a string"],
    ["setOwner", [NaN], "ownerId: expected a string"],
    ["setBranch", [undefined], "branchId: expected a string"],
    ["setBranch", [null], "branchId: expected a string"],
    ["setBranch", [1000], "branchId: expected a string"],
  ];
  for (const [name, argument, message] of wrong) {
    test(`${name}(${argument.map((one) => inspect(one, { breakLength: Infinity }))}): ${message}`, async () => {
      const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] } });
      await basket.settle();
      const { snapshot } = basket;
      const error = thrown(() => basket[name](...argument));
      assert.deepEqual([error.code, error.message, error.path], ["VALIDATION_ERROR", `Invalid order: ${message}`, message.split(": ")[0]]);
      assert.equal(basket.snapshot, snapshot);
      assert.equal(basket.error, null);
    });
  }

  for (const [what, argument] of [
    ["a cycle", cycle],
    ["a getter that throws", getter],
  ]) {
    test(`what cannot be written as JSON at all: ${what}`, async () => {
      for (const order of [{ productList: [] }, orderOf(product())]) {
        const { basket } = await open({ order });
        const { snapshot } = basket;
        for (const name of ["addProduct", "setShipping", "setCoupons", "setOwner"]) {
          const { code, cause } = thrown(() => basket[name](argument));
          assert.deepEqual([name, code, cause instanceof Error], [name, "INVALID_JSON", true]);
        }
        assert.equal(basket.snapshot, snapshot);
        basket.addProduct(product());
        assert.equal(basket.order.productList.length, order.productList.length + 1);
      }
    });
  }

  test("an invalid order makes no basket", async () => {
    const { pricer } = await open();
    for (const order of [null, 5, NaN, [], "{}", { productList: [{}] }, { productList: {} }, { orderDate: NaN }]) {
      const { code } = thrown(() => pricer.basket(order));
      assert.equal(code, "VALIDATION_ERROR");
    }
    assert.equal(thrown(() => pricer.basket(cycle)).code, "INVALID_JSON");
  });

  test("limits: products and bytes, also the digits of a quantity", async () => {
    const order = { branchId: "1000", ...orderOf(product(1001, 9), product(1002)) };
    const maxBodyBytes = JSON.stringify(order).length;
    const { basket, pricer } = await open({ order, limits: { maxProducts: 2, maxBodyBytes } });
    const { snapshot } = basket;
    for (const change of [
      () => basket.setQuantity(0, 10),
      () => basket.setQuantity(0, -9),
      () => basket.setBranch("10000"),
      () => basket.updateProduct(0, { productName: "longer" }),
    ]) {
      const { code, message } = thrown(change);
      assert.deepEqual([code, message], ["LIMIT_EXCEEDED", `Request body is larger than ${maxBodyBytes} bytes`]);
      assert.equal(basket.snapshot, snapshot);
    }
    basket.setQuantity(0, 1);
    basket.setBranch("1");
    basket.setQuantity(0, 1000);
    await basket.settle();
    await assertCurrent(basket, pricer);
    const { basket: full } = await open({ order, limits: { maxProducts: 2 } });
    const { code, message } = thrown(() => full.addProduct(product(1003)));
    assert.deepEqual([code, message], ["LIMIT_EXCEEDED", "Invalid order: productList: expected at most 2 products"]);
    for (const change of [() => full.insertProduct(0, product()), () => full.replace(orderOf(product(), product(), product()))]) {
      assert.equal(thrown(change).code, "LIMIT_EXCEEDED");
    }
    full.removeProduct(0);
    assert.equal(full.addProduct(product(1003)).subTotal, 0);
  });
});

suite("values under unknown keys are dropped, even those that JSON cannot hold", () => {
  const odd = {
    get late() {
      throw new Error("nobody reads it");
    },
  };
  odd.self = odd;
  let deep = {};
  for (let level = 0; level < 200; level += 1) deep = { deep };

  for (const [what, unknown] of [
    ["a cycle and a getter that throws", odd],
    ["200 levels", deep],
    ["2 MB", "x".repeat(2 ** 21)],
  ]) {
    test(what, async () => {
      const order = { ...orderOf(product(1001, 2, { unknown })), unknown, shipping: { ...DRY, unknown } };
      const { basket, pricer } = await open({ order });
      basket.addProduct(product(1002, 1, { unknown }));
      basket.setShipping({ ...DRY, shippingPostcode: "50000", unknown, scheduleList: [{ unknown, mode: "NATIONWIDE" }] });
      await basket.settle();
      await assertCurrent(basket, pricer);
      assert.equal(basket.rows.length, 2);
      assert.equal(basket.order.shipping.shippingPostcode, "50000");
    });
  }
});

suite("the order", () => {
  test("no copy, and what is NaN under unknown keys harms nothing", async () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    const order = {
      foo: NaN,
      bar: [1n],
      ...orderOf(product(1001, 2, { price: NaN, x: { y: [Infinity, "NaN"] } })),
      cartDiscountInfo: [odd],
    };
    const { basket, pricer } = await open({ order });
    assert.equal(basket.order, basket.order);
    assert.deepEqual(basket.order.cartDiscountInfo, [odd]);
    basket.setQuantity(0, 3);
    basket.addProduct(product(1002, 1, { note: -Infinity }));
    basket.setShipping({ ...DRY, foo: NaN });
    await basket.settle();
    await assertCurrent(basket, pricer);
    assert.deepEqual(meaning(basket.order).productList, meaning(orderOf(product(1001, 3), product(1002, 1))).productList);
    const again = pricer.basket(basket.order);
    assert.deepEqual(again.order, basket.order);
    assert.deepEqual(await again.settle(), await basket.settle());
  });

  test("an unknown key that changes is in the order, and nothing else changes", async () => {
    const { basket, host } = await open({ order: { ...orderOf(product(1001, 2, { note: 1 })), note: 1 } });
    await basket.settle();
    callsOf(host);
    const { snapshot } = basket;
    basket.replace({ ...orderOf(product(1001, 2, { note: 1 })), note: 1 });
    assert.equal(basket.snapshot, snapshot);
    for (const order of [
      { ...orderOf(product(1001, 2, { note: 2 })), note: 1 },
      { ...orderOf(product(1001, 2, { note: 2 })), note: { a: 1 } },
      orderOf(product(1001, 2)),
    ]) {
      basket.replace(order);
      assert.deepEqual(basket.order, order);
      assert.deepEqual([basket.rows, basket.totals, basket.status], [snapshot.rows, snapshot.totals, "current"]);
    }
    assert.deepEqual(callsOf(host), []);
  });

  test("a quantity of -0 is 0, as in JSON", async () => {
    const { basket } = await open({ order: orderOf(product(1001, 2)) });
    basket.setQuantity(0, -0);
    assert.ok(Object.is(basket.order.productList[0].quantity, 0));
    assert.ok(Object.is(basket.rows[0].quantity, 0));
  });

  test("duplicate codes and ids are echoed and count once", async () => {
    const { basket, pricer, host } = await open({ order: orderOf(product(), product()) });
    basket.setCoupons(["A", "A", "B"]);
    basket.setVouchers(["V1", "V1"]);
    basket.setOwner("malee");
    const priced = await basket.settle();
    assert.deepEqual(
      [priced.couponCodeList, priced.voucherId, priced.cartDiscount, priced.voucherDiscount],
      [["A", "A", "B"], ["V1", "V1"], 15, 50],
    );
    assert.deepEqual(
      callsOf(host).map(([, argument]) => argument.length),
      [1, 1, 2],
    );
    await assertCurrent(basket, pricer);
  });

  test("D10: lone surrogates come back, and work in keys of facts", async () => {
    const half = "\ud83d";
    const vouchers = { "\ufffd": { value: 5, isActive: true, isUsed: false, ownerId: "\ufffd" } };
    const { basket, pricer, host } = await open({
      order: orderOf(product(1001, 1, { productName: half, remark: "\udc00x" })),
      host: hostFromFacts({ ...FACTS, vouchers }),
    });
    basket.setVouchers([half, "\udc00"]);
    basket.setOwner(half);
    basket.setBranch(half);
    basket.setCoupons([half]);
    await basket.settle();
    const { productList } = await assertCurrent(basket, pricer);
    assert.deepEqual([productList[0].productName, productList[0].remark, productList[0].branchId], [half, "\udc00x", half]);
    callsOf(host);
    await basket.settle();
    assert.deepEqual(callsOf(host), []);
    assert.deepEqual([basket.order.branchId, basket.order.ownerId], [half, half]);
  });

  test("exact, after any additions and removals", async () => {
    const prices = { 1: { price: 0.1 + 0.2, weight: 1e-9 }, 2: '{"price":0.123456789012345678,"weight":3}', 3: { price: 1e7 } };
    const { basket, pricer } = await open({ order: orderOf(product(1)), host: hostFromFacts({ prices }) });
    for (let round = 0; round < 20; round += 1) {
      basket.addProduct(product(2, round));
      basket.addProduct(product(3, 7));
      await basket.settle();
      basket.setQuantity(1, round - 3);
      basket.setQuantity(0, round);
      await assertCurrent(basket, pricer);
      basket.removeProduct(2);
      basket.removeProduct(1);
      await assertCurrent(basket, pricer);
    }
  });
});

suite("over its lifetime", () => {
  const memory = () => initSync().memory.buffer.byteLength;
  const [BASKETS, SETTLED] = allAtNight([700, 700], [cases(2_000), 2_000]);

  test("many baskets made, edited and freed do not grow the module's memory", async (context) => {
    const { pricer } = await open();
    const round = () => {
      const basket = pricer.basket(orderOf(product(), product(1002)));
      basket.setQuantity(1, 3);
      basket.setCoupons(["A"]);
      basket.removeProduct(0);
      basket.free();
    };
    for (let index = 0; index < 200; index += 1) round();
    const before = memory();
    for (let index = 0; index < BASKETS; index += 1) round();
    context.diagnostic(`module memory: ${before} bytes before, ${memory()} after ${BASKETS} baskets`);
    assert.equal(memory(), before);
  });

  test("nor do settled ones, some of them freed meanwhile", async (context) => {
    const { pricer } = await open();
    const order = { ...orderOf(product(), product(1002)), shipping: DRY, couponCodeList: ["A"], voucherId: ["V1"] };
    const round = async (index) => {
      const basket = pricer.basket(order);
      const settled = basket.settle();
      if (index % 3 === 0) basket.free();
      await settled.catch(() => {});
      basket.free();
    };
    for (let index = 0; index < 200; index += 1) await round(index);
    const before = memory();
    for (let index = 0; index < SETTLED; index += 1) await round(index);
    context.diagnostic(`module memory: ${before} bytes before, ${memory()} after ${SETTLED} settled baskets`);
    assert.equal(memory(), before);
  });
});
