// What a basket can do without asking again: explain(), responseJson(), quote(), addProducts(), and what a UI shows
// meanwhile. API.md, "Facts".
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createPricer, PricingError } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { deliveredBy, squareZones } from "../zones.js";
import { assertCurrent, callsOf, DRY, FACTS, FULL, open, orderOf, product, REGULAR, slowHost, turn } from "./basket-shop.js";
import { assertExplained } from "./basket-shown.js";
import { errorOf, thrown } from "./errors.js";

const slot = (nationwideMode) => ({ shippingType: "DELIVERY", scheduleList: [{ nationwideMode }] });

suite("explain()", () => {
  test("a current basket's steps are those of pricer.explain, and nothing is asked", async () => {
    const { basket, pricer, host } = await open({
      order: {
        ...FULL,
        productList: [product(1001, 2), product(1002)],
        voucherId: ["V1", "V2", "V1"],
        couponCodeList: ["A", "B", "X", "A"],
      },
    });
    await basket.settle();
    const { steps } = await pricer.explain(basket.order);
    host.calls.length = 0;
    assert.deepEqual(basket.explain(), { steps });
    assert.deepEqual(host.calls, []);
  });

  test("zones too", async () => {
    const { basket, pricer } = await open({ order: { ...orderOf(product()), shipping: REGULAR }, deliveryZones: squareZones(40) });
    await basket.settle();
    assert.deepEqual(basket.explain(), { steps: (await pricer.explain(basket.order)).steps });
  });

  test("it never rejects: of what is unknown or wrong there are no steps", async () => {
    const { basket } = await open({ order: { ...FULL, productList: [product(), product(9)] } });
    assertExplained(basket);
    assert.deepEqual(
      basket.explain().steps.filter(({ rule }) => rule === "row" || rule === "voucher" || rule === "ignoredCoupon"),
      [],
    );
    await errorOf(basket.settle());
    assertExplained(basket);
    assert.deepEqual(
      basket
        .explain()
        .steps.filter(({ rule }) => rule === "row")
        .map(({ path }) => path),
      ["productList[0]"],
    );
    assert.deepEqual((await open()).basket.explain(), { steps: [] });
  });

  test("an old coupon result counts, and codes that wait for an answer are not called ignored", async () => {
    const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] } });
    await basket.settle();
    basket.setCoupons(["A", "B"]);
    const rules = basket.explain().steps.map(({ rule }) => rule);
    assert.deepEqual([rules.includes("coupon"), rules.includes("ignoredCoupon"), basket.totals.cartDiscount], [true, false, 10]);
    assertExplained(basket);
  });

  test("not of a freed basket", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    basket.free();
    for (const run of [() => basket.explain(), () => basket.responseJson()])
      assert.deepEqual([thrown(run).code, thrown(run).path], ["VALIDATION_ERROR", "basket"]);
    const error = await errorOf(basket.quote({}));
    assert.deepEqual([error.code, error.path], ["VALIDATION_ERROR", "basket"]);
  });
});

suite("responseJson()", () => {
  test("the exact bytes of calculateJson", async () => {
    const { basket, pricer } = await open({ order: FULL });
    await basket.settle();
    assert.deepEqual(Buffer.from(basket.responseJson()), Buffer.from(await pricer.calculateJson(JSON.stringify(FULL))));
  });

  test("else the first problem, or that it is not settled", async () => {
    const { basket } = await open({ order: orderOf(product(), product(9)) });
    const open1 = thrown(() => basket.responseJson());
    assert.deepEqual([open1.code, open1.path, open1.message], ["VALIDATION_ERROR", "basket", "The basket is not settled"]);
    await errorOf(basket.settle());
    const error = thrown(() => basket.responseJson());
    assert.deepEqual([error.code, error.message], [basket.error.code, basket.error.message]);
    assert.notEqual(error, basket.error);
    const empty = thrown(() => pricerOf(basket, []));
    assert.deepEqual([empty.code, empty.path], ["VALIDATION_ERROR", "productList"]);
  });

  function pricerOf(basket, productList) {
    basket.replace({ productList });
    return basket.responseJson();
  }
});

suite("quote()", () => {
  test("what another slot would cost: no edit, no question about what is known, any number at once", async () => {
    const { basket, pricer, host } = await open({ order: { ...orderOf(product()), shipping: DRY } });
    await basket.settle();
    await basket.quote({ shipping: slot("FRESH") });
    host.calls.length = 0;
    const { snapshot } = basket;
    const quotes = await Promise.all([slot("DRY"), slot("FRESH"), null, undefined].map((shipping) => basket.quote({ shipping })));
    assert.deepEqual(
      quotes.map(({ grandTotal }) => grandTotal),
      [160, 190, 100, 160],
    );
    assert.deepEqual([host.calls, basket.snapshot === snapshot], [[], true]);
    assert.deepEqual(quotes[1], await pricer.calculate({ ...basket.order, shipping: slot("FRESH") }));
  });

  test("it asks for the rest, and the basket knows the answers", async () => {
    const { basket, host } = await open({ order: orderOf(product()) });
    await basket.settle();
    host.calls.length = 0;
    await basket.quote({ productList: [product(), product(1002)], voucherId: ["V1"], ownerId: "malee" });
    assert.deepEqual(callsOf(host), [
      ["lookupPrices", [{ cprcode: 1002, branchId: "1000" }]],
      ["lookupVouchers", ["V1"]],
    ]);
    basket.addProduct(product(1002));
    basket.setVouchers(["V1"]);
    assert.deepEqual([basket.status, basket.totals.grandTotal], ["current", 130]);
  });

  test("coupons are asked for each quote, and no other quote or basket has their results", async () => {
    const { basket, host } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] } });
    await basket.settle();
    host.calls.length = 0;
    assert.equal((await basket.quote({ couponCodeList: ["A", "B"] })).grandTotal, 85);
    assert.equal((await basket.quote({})).grandTotal, 90);
    assert.deepEqual(callsOf(host), [
      ["validateCoupons", ["A", "B"]],
      ["validateCoupons", ["A"]],
    ]);
    assert.equal(basket.totals.grandTotal, 90);
  });

  test("quotes of one moment share a call, with one of the basket's that is out", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host });
    const slots = ["DRY", "FRESH", "DRY", "FRESH", "DRY"].map((mode) => ({ shipping: slot(mode) }));
    const quotes = slots.map((patch) => basket.quote(patch));
    const settled = basket.settle();
    const { lookupPrices, nationwideRate } = host.asked;
    assert.deepEqual([lookupPrices.length, nationwideRate.length], [1, 2]);
    for (const call of [...lookupPrices, ...nationwideRate]) call.answer();
    const totals = (await Promise.all([...quotes, settled])).map(({ grandTotal }) => grandTotal);
    assert.deepEqual([totals, host.calls.length], [[160, 190, 160, 190, 160, 100], 3]);
    basket.addProduct(product(1002));
    const again = [basket.settle(), ...slots.map((patch) => basket.quote(patch))];
    assert.equal(lookupPrices.length, 2);
    lookupPrices[1].answer();
    assert.deepEqual((await Promise.all(again)).length, 6);
    assert.equal(host.calls.length, 4);
  });

  test("a call that fails is the error of each quote that waits for it, with its own id", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host });
    const errors = ["r1", "r2"].map((requestId) => errorOf(basket.quote({}, { requestId })));
    assert.deepEqual([host.asked.lookupPrices.length, host.asked.lookupPrices[0].context.requestId], [1, "r1"]);
    host.asked.lookupPrices[0].reject(new Error("closed"));
    for (const [index, { code, cause, requestId }] of (await Promise.all(errors)).entries())
      assert.deepEqual([code, cause.message, requestId], ["PRICE_LOOKUP_FAILED", "closed", `r${index + 1}`]);
    const later = basket.quote({});
    host.asked.lookupPrices[1].answer();
    assert.equal((await later).grandTotal, 100);
  });

  test("a quote whose caller aborts leaves the call to the others, and the last one drops it", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host });
    const controllers = [new AbortController(), new AbortController()];
    const other = orderOf(product(1002)); // the basket itself has no use for its price
    const errors = controllers.map(({ signal }) => errorOf(basket.quote(other, { signal })));
    const { signal } = host.asked.lookupPrices[0].context;
    controllers[0].abort("enough");
    const { code, cause } = await errors[0];
    assert.deepEqual([code, cause, signal.aborted], ["ABORTED", "enough", false]);
    controllers[1].abort("enough");
    assert.equal((await errors[1]).code, "ABORTED");
    assert.deepEqual([signal.aborted, host.asked.lookupPrices.length, basket.isSettling], [true, 1, false]);
  });

  test("a quote waits for zones that nobody knows yet", async () => {
    let calls = 0;
    const deliveryZones = async () => ((calls += 1), squareZones(30));
    const { basket } = await open({ order: orderOf(product()), deliveryZones });
    const shipping = deliveredBy("REGULAR");
    const quotes = await Promise.all([basket.quote({ shipping }), basket.quote({ shipping })]);
    assert.deepEqual([quotes.map(({ grandTotal }) => grandTotal), calls], [[130, 130], 1]);
  });

  test("it rejects as calculate does, with the basket's context for the host", async () => {
    const seen = [];
    const known = hostFromFacts(FACTS);
    const host = { lookupPrices: (keys, { context, requestId }) => (seen.push([context, requestId]), known.lookupPrices(keys)) };
    const { basket } = await open({ order: orderOf(product()), host, context: "who" });
    assert.equal((await errorOf(basket.quote({ productList: [product(9)] }, { requestId: "r1" }))).code, "PRODUCT_PRICE_NOT_FOUND");
    assert.deepEqual(seen, [["who", "r1"]]);
    for (const patch of [null, 7, []]) assert.equal((await errorOf(basket.quote(patch))).code, "VALIDATION_ERROR");
    assert.equal((await errorOf(basket.quote({ productList: null }))).path, "productList");
    assert.equal((await errorOf(basket.quote({}, { facts: 1 }))).path, "facts");
    const signal = AbortSignal.abort();
    assert.equal((await errorOf(basket.quote({}, { signal }))).code, "ABORTED");
  });

  test("a basket that is freed meanwhile leaves its quotes alone", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host });
    const quoted = basket.quote({});
    basket.free();
    host.asked.lookupPrices[0].answer();
    assert.equal((await quoted).grandTotal, 100);
  });
});

suite("addProducts()", () => {
  test("one edit for all of them, or none", async () => {
    const { basket, pricer } = await open({ order: orderOf(product()) });
    let told = 0;
    basket.subscribe(() => (told += 1));
    assert.equal(basket.addProducts([product(1002), product(1003)]), basket.totals);
    assert.deepEqual([basket.rows.map(({ cprcode }) => cprcode), told], [[1001, 1002, 1003], 2]);
    await basket.settle();
    await assertCurrent(basket, pricer);
    const { snapshot } = basket;
    assert.equal(thrown(() => basket.addProducts([product(), product(1, 0.5)])).path, "productList[4].quantity");
    for (const wrong of [undefined, null, {}, "products"])
      assert.deepEqual(
        [thrown(() => basket.addProducts(wrong)).code, thrown(() => basket.addProducts(wrong)).path],
        ["VALIDATION_ERROR", "productList"],
      );
    assert.equal(thrown(() => basket.addProducts([null])).path, "productList[3]");
    basket.addProducts([]);
    assert.equal(basket.snapshot, snapshot);
  });

  test("D45: beyond the limit none is added", async () => {
    const { basket } = await open({ order: orderOf(product()), limits: { maxProducts: 3 } });
    assert.equal(thrown(() => basket.addProducts([product(), product(), product()])).code, "LIMIT_EXCEEDED");
    basket.addProducts([product(), product()]);
    assert.equal(thrown(() => basket.addProduct(product())).message, "Invalid order: productList: expected at most 3 products");
    assert.equal(basket.rows.length, 3);
  });
});

suite("what a UI shows meanwhile", () => {
  test("settledTotals are those of the last current snapshot", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    assert.equal(basket.snapshot.settledTotals, null);
    await basket.settle();
    const { totals } = basket;
    assert.equal(basket.snapshot.settledTotals, totals);
    basket.addProduct(product(1002));
    assert.deepEqual([basket.status, basket.snapshot.settledTotals === totals], ["pending", true]);
    basket.setQuantity(0, 2);
    assert.equal(basket.snapshot.settledTotals, totals);
    await basket.settle();
    assert.equal(basket.snapshot.settledTotals, basket.totals);
  });

  test("blocked: coupons wait until a price or a fee is right", async () => {
    const { basket } = await open({ order: { ...orderOf(product(), product(9)), couponCodeList: ["A"] } });
    assert.deepEqual([basket.pending, basket.snapshot.blocked], [["prices", "coupons"], []]);
    await errorOf(basket.settle());
    assert.deepEqual([basket.pending, basket.snapshot.blocked, basket.status], [[], ["coupons"], "failed"]);
    basket.removeProduct(1);
    assert.deepEqual([basket.pending, basket.snapshot.blocked, basket.status], [["coupons"], [], "pending"]);
  });

  test("the mirrors are the snapshot's own", async () => {
    const { basket } = await open({ order: FULL });
    await basket.settle();
    const { snapshot } = basket;
    for (const name of [
      "order",
      "totals",
      "rows",
      "status",
      "pending",
      "problems",
      "error",
      "isSettling",
      "shipping",
      "validVouchers",
      "invalidVouchers",
      "discountResult",
    ]) {
      assert.equal(basket[name], snapshot[name], name);
    }
  });

  test("errors of a snapshot survive JSON; one that a caller caught stays the HTTP body", async () => {
    const { basket } = await open({ order: { ...orderOf(product(), product(9)), voucherId: ["V9"] } });
    const caught = await errorOf(basket.settle());
    assert.deepEqual(JSON.parse(JSON.stringify(basket.snapshot)).problems, [
      {
        code: "PRODUCT_PRICE_NOT_FOUND",
        message: "No price for 9/1000",
        subject: { line: 1, cprcode: 9, branchId: "1000" },
        retryable: false,
      },
      { code: "VOUCHER_NOT_FOUND", message: "Voucher V9 not found", subject: { voucherId: "V9" }, retryable: false },
    ]);
    assert.equal(JSON.stringify(caught), '{"error":"No price for 9/1000"}');
    assert.ok(basket.error instanceof PricingError && Object.isFrozen(basket.error) && !Object.isFrozen(caught));
    caught.subject.line = 7;
    assert.equal(basket.error.subject.line, 1);
  });

  test("each of several waits gets an error of its own", async () => {
    const { basket } = await open({ order: orderOf(product(9)) });
    const [first, second] = await Promise.all([errorOf(basket.settle()), errorOf(basket.settle())]);
    assert.notEqual(first, second);
  });

  test("a listener hears once of an answer that another basket of the store brought", async () => {
    const pricer = await createPricer(hostFromFacts(FACTS));
    const facts = pricer.facts();
    const [first, second] = [1, 2].map(() => pricer.basket(orderOf(product()), { facts }));
    const told = [];
    second.subscribe(({ status }) => told.push(status));
    await first.settle();
    await turn();
    assert.deepEqual(told, ["pending", "current"]);
  });
});
