// Who shows a basket may compare: a snapshot and each part of it is the same object until something in it changes, and
// listeners hear exactly the changes. D25, D42.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { basketChanges, customerText } from "order-cost/messages";
import { squareZones } from "../zones.js";
import { answerNext, breakModule, DRY, FULL, open, orderOf, PRICES, product, REGULAR, slowHost, turn } from "./basket-shop.js";
import { errorOf, thrown } from "./errors.js";

suite("nothing changes, and nobody hears of it", () => {
  const order = { ...FULL, branchId: "2000" };
  const bare = orderOf(product());
  const nothings = [
    ["the quantity it has", bare, (basket) => basket.setQuantity(0, 1)],
    ["the quantity it has, by key", bare, (basket) => basket.setQuantity(basket.rows[0].key, 1)],
    ["a patch of nothing", bare, (basket) => basket.updateProduct(0, {})],
    ["a patch of undefined", bare, (basket) => basket.updateProduct(0, { quantity: undefined, remark: undefined })],
    ["a patch of what counts", bare, (basket) => basket.updateProduct(0, product())],
    ["a patch of defaults", bare, (basket) => basket.updateProduct(0, { remark: "", scheduleId: 0, isPreOrder: false })],
    [
      "a patch of null where the default counts",
      bare,
      (basket) => basket.updateProduct(0, { remark: null, scheduleId: null, isPreOrder: null }),
    ],
    ["no shipping", bare, (basket) => basket.setShipping(null)],
    ["no codes", bare, (basket) => basket.setCoupons([])],
    ["no vouchers", bare, (basket) => basket.setVouchers([])],
    ["the default owner", bare, (basket) => basket.setOwner("")],
    ["the default branch", bare, (basket) => basket.setBranch("1000")],
    ["the same order", bare, (basket) => basket.replace(orderOf(product()))],
    [
      "the same order with defaults",
      bare,
      (basket) => basket.replace({ ...bare, ownerId: "", voucherId: null, shipping: null, branchId: "1000" }),
    ],
    ["its own order", order, (basket) => basket.replace(basket.order)],
    ["the shipping it has, with defaults", order, (basket) => basket.setShipping({ ...DRY, shippingPostcode: "10110", shippingLat: 0 })],
    ["the codes it has", order, (basket) => basket.setCoupons(["A"])],
    ["the vouchers it has", order, (basket) => basket.setVouchers(["V1"])],
    ["the owner it has", order, (basket) => basket.setOwner("malee")],
    ["the branch it has", order, (basket) => basket.setBranch("2000")],
    ["a refresh of what is unknown anyway", order, (basket) => basket.refresh()],
  ];
  for (const [what, given, edit] of nothings) {
    test(what, async () => {
      const { basket } = await open({ order: given });
      const { snapshot } = basket;
      const heard = [];
      basket.subscribe((one) => heard.push(one));
      basket.addEventListener("change", () => heard.push("event"));
      assert.equal(edit(basket), basket.totals);
      await turn();
      assert.equal(basket.snapshot, snapshot);
      assert.deepEqual(heard, [snapshot]);
    });
  }

  test("another order of keys in the shipping is the same shipping", async () => {
    const { basket } = await open({ order });
    const { snapshot } = basket;
    basket.setShipping({ scheduleList: [{ nationwideMode: "DRY", mode: "NATIONWIDE" }], shippingType: "DELIVERY" });
    assert.equal(basket.snapshot, snapshot);
  });
});

suite("keys", () => {
  const keysOf = (basket) => basket.rows.map(({ key }) => key);

  test("a row keeps its key through every edit of it and around it", async () => {
    const { basket } = await open({ order: orderOf(product(1001), product(1002)) });
    const [first, second] = keysOf(basket);
    basket.setQuantity(first, 4);
    basket.updateProduct(second, { cprcode: 1003 });
    basket.insertProduct(0, product(1001));
    basket.insertProduct(second, product(1001));
    assert.deepEqual([keysOf(basket)[1], keysOf(basket)[3]], [first, second]);
    await basket.settle();
    basket.removeProduct(0);
    assert.deepEqual([keysOf(basket)[0], keysOf(basket)[2]], [first, second]);
    assert.equal(new Set(keysOf(basket)).size, 3);
  });

  test("a key is never used again", async () => {
    const { basket } = await open({ order: orderOf(product(1001), product(1002)) });
    const seen = new Set(keysOf(basket));
    for (let round = 0; round < 5; round += 1) {
      basket.removeProduct(0);
      basket.addProduct(product(1001));
      const key = keysOf(basket).at(-1);
      assert.equal(seen.has(key), false);
      seen.add(key);
    }
    basket.replace({ productList: [] });
    basket.replace(orderOf(product(1001)));
    assert.equal(seen.has(keysOf(basket)[0]), false);
  });

  test("after replace the n-th row of a cprcode has the key of the n-th before", async () => {
    const { basket } = await open({ order: orderOf(product(1001), product(1002), product(1001, 2)) });
    const [a, b, c] = keysOf(basket);
    basket.replace(orderOf(product(1003), product(1001, 9), product(1002), product(1001), product(1001)));
    const [added, ...kept] = keysOf(basket);
    assert.deepEqual(kept.slice(0, 3), [a, b, c]);
    assert.equal(new Set([a, b, c, added, kept[3]]).size, 5);
  });

  test("equal histories give equal keys", async () => {
    const history = (basket) => {
      basket.addProduct(product(1001));
      basket.insertProduct(0, product(1002));
      basket.removeProduct(1);
      basket.replace(orderOf(product(1002), product(1003)));
      return keysOf(basket);
    };
    const { pricer, basket } = await open();
    assert.deepEqual(history(basket), history(pricer.basket()));
  });
});

suite("listeners", () => {
  const quantity = ({ order }) => order.productList[0].quantity;
  const basketOfOne = async () => (await open({ order: orderOf(product()) })).basket;

  test("subscribe is bound, calls at once, and then before the edit returns; unsubscribing twice is fine", async () => {
    const basket = await basketOfOne();
    const { subscribe } = basket;
    const heard = [];
    const unsubscribe = subscribe((snapshot) => heard.push(snapshot));
    assert.deepEqual(heard, [basket.snapshot]);
    basket.setQuantity(0, 2);
    assert.deepEqual(heard.map(quantity), [1, 2]);
    assert.equal(heard[1], basket.snapshot);
    unsubscribe();
    unsubscribe();
    basket.setQuantity(0, 3);
    assert.equal(heard.length, 2);
  });

  test("two subscriptions of one function are two", async () => {
    const basket = await basketOfOne();
    let calls = 0;
    const listener = () => (calls += 1);
    const [first, second] = [basket.subscribe(listener), basket.subscribe(listener)];
    first();
    basket.setQuantity(0, 2);
    assert.equal(calls, 3);
    second();
    basket.setQuantity(0, 3);
    assert.equal(calls, 3);
  });

  test("one that edits: later ones get the newest at once, earlier ones in the next round", async () => {
    const basket = await basketOfOne();
    const calls = [];
    let depth = 0;
    const listener = (name, then) => (snapshot) => {
      depth += 1;
      calls.push([name, quantity(snapshot), depth]);
      then?.(snapshot);
      depth -= 1;
    };
    basket.subscribe(listener("first"));
    basket.subscribe(listener("second", (snapshot) => quantity(snapshot) === 2 && assert.equal(basket.setQuantity(0, 3), basket.totals)));
    basket.subscribe(listener("third"));
    calls.length = 0;
    basket.setQuantity(0, 2);
    assert.deepEqual(calls, [
      ["first", 2, 1],
      ["second", 2, 1],
      ["third", 3, 1],
      ["first", 3, 1],
      ["second", 3, 1],
    ]);
  });

  test("one that edits when it subscribes hears of its own edit before subscribe returns", async () => {
    const basket = await basketOfOne();
    const heard = [];
    basket.subscribe((snapshot) => {
      heard.push(quantity(snapshot));
      if (quantity(snapshot) < 3) basket.setQuantity(0, quantity(snapshot) + 1);
    });
    assert.deepEqual(heard, [1, 2, 3]);
  });

  test("one that changes it back in the same round: only those who were given another object hear", async () => {
    const basket = await basketOfOne();
    const before = basket.snapshot;
    const heard = { first: [], last: [] };
    basket.subscribe((snapshot) => heard.first.push(snapshot));
    basket.subscribe((snapshot) => quantity(snapshot) === 2 && basket.setQuantity(0, 1));
    basket.subscribe((snapshot) => heard.last.push(snapshot));
    basket.setQuantity(0, 2);
    assert.deepEqual(heard.first.map(quantity), [1, 2, 1]);
    assert.equal(heard.last.at(-1), basket.snapshot);
    assert.deepEqual(heard.last.length, basket.snapshot === before ? 1 : 2);
  });

  test("subscribed within a listener: called at once with the newest, and not again for it", async () => {
    const basket = await basketOfOne();
    const heard = [];
    let isSubscribed = false;
    basket.subscribe((snapshot) => {
      if (quantity(snapshot) !== 2 || isSubscribed) return;
      isSubscribed = true;
      basket.subscribe((inner) => heard.push(quantity(inner)));
      assert.deepEqual(heard, [2]);
    });
    basket.setQuantity(0, 2);
    assert.deepEqual(heard, [2]);
    basket.setQuantity(0, 3);
    assert.deepEqual(heard, [2, 3]);
  });

  test("unsubscribed within a listener: not called any more, not in this round either", async () => {
    const basket = await basketOfOne();
    const heard = [];
    let end;
    basket.subscribe((snapshot) => {
      if (quantity(snapshot) === 2) end();
    });
    end = basket.subscribe((snapshot) => heard.push(quantity(snapshot)));
    const own = basket.subscribe((snapshot) => quantity(snapshot) === 2 && own());
    basket.setQuantity(0, 2);
    basket.setQuantity(0, 3);
    assert.deepEqual(heard, [1]);
  });

  test("a hundred rounds without an end: the edits stand, the outermost edit throws, and the basket goes on", async () => {
    const basket = await basketOfOne();
    let isOn = false;
    const unsubscribe = basket.subscribe((snapshot) => {
      if (isOn) basket.setQuantity(0, quantity(snapshot) + 1);
    });
    isOn = true;
    assert.throws(
      () => basket.setQuantity(0, 2),
      (error) => error instanceof Error && error.message.length > 10,
    );
    assert.ok(quantity(basket) >= 100 && quantity(basket) <= 104, `${quantity(basket)}`);
    isOn = false;
    unsubscribe();
    basket.setQuantity(0, 7);
    assert.equal(quantity(basket), 7);
  });

  test("a hundred rounds that subscribe begins: subscribe throws", async () => {
    const basket = await basketOfOne();
    let isOn = true;
    assert.throws(() => basket.subscribe((snapshot) => isOn && basket.setQuantity(0, quantity(snapshot) + 1)), Error);
    isOn = false;
    assert.ok(quantity(basket) >= 100);
  });

  test("ninety rounds with an end are fine", async () => {
    const basket = await basketOfOne();
    basket.subscribe((snapshot) => quantity(snapshot) < 90 && basket.setQuantity(0, quantity(snapshot) + 1));
    assert.equal(quantity(basket), 90);
  });

  suite("where reportError is there", () => {
    const withReports = async (run) => {
      const reported = [];
      const before = Object.getOwnPropertyDescriptor(globalThis, "reportError");
      globalThis.reportError = (error) => reported.push(error);
      try {
        await run(reported);
      } finally {
        if (before) Object.defineProperty(globalThis, "reportError", before);
        else delete globalThis.reportError;
      }
    };

    test("one that throws is reported and stops no other", () =>
      withReports(async (reported) => {
        const basket = await basketOfOne();
        const heard = [];
        const fault = new RangeError("mine");
        basket.subscribe(() => {
          throw fault;
        });
        basket.subscribe((snapshot) => heard.push(quantity(snapshot)));
        basket.setQuantity(0, 2);
        await turn();
        assert.deepEqual(heard, [1, 2]);
        assert.deepEqual(reported, [fault, fault]);
      }));

    test("a hundred rounds that an answer begins are reported, and the answer counts", () =>
      withReports(async (reported) => {
        const host = slowHost();
        const { basket } = await open({ order: orderOf(product()), host });
        let isOn = false;
        basket.subscribe((snapshot) => {
          if (isOn && snapshot.rows[0].price !== null) basket.setQuantity(0, quantity(snapshot) + 1);
        });
        isOn = true;
        const settled = basket.settle();
        await answerNext(host, "lookupPrices");
        isOn = false;
        assert.equal(reported.length, 1, `${reported}`);
        assert.ok(reported[0] instanceof Error);
        assert.ok(quantity(basket) >= 100);
        assert.equal((await settled).productList[0].price, 100);
      }));
  });

  test("without reportError: an uncaught exception of its own task", () => {
    const program = `
      import { createPricer } from "order-cost";
      delete globalThis.reportError;
      const seen = [];
      process.on("uncaughtException", (error) => seen.push(error.message));
      const basket = (await createPricer({})).basket({ productList: [{ cprcode: 1, productName: "", quantity: 1 }] });
      basket.subscribe(() => { throw new Error("mine"); });
      basket.subscribe((snapshot) => seen.push(snapshot.order.productList[0].quantity));
      basket.setQuantity(0, 2);
      seen.push("returned");
      setTimeout(() => console.log(JSON.stringify(seen)), 20);
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: new URL("..", import.meta.url),
      encoding: "utf8",
    });
    assert.equal(stderr, "");
    assert.deepEqual(JSON.parse(stdout), [1, 2, "returned", "mine", "mine"]);
  });
});

suite('"change"', () => {
  const quantity = (basket) => basket.order.productList[0].quantity;

  test("once in a microtask for all edits of a turn, and not for what changes nothing", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    const seen = [];
    basket.addEventListener("change", () => seen.push(quantity(basket)));
    await turn();
    assert.deepEqual(seen, [], "it begins as it is");
    basket.setQuantity(0, 2);
    basket.setQuantity(0, 3);
    assert.deepEqual(seen, []);
    await Promise.resolve();
    assert.deepEqual(seen, [3]);
    basket.setQuantity(0, 3);
    assert.throws(() => basket.setQuantity(0, 1.5));
    await turn();
    await turn();
    assert.deepEqual(seen, [3]);
  });

  test("a second change of a turn is heard too, in a task of its own", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    const seen = [];
    basket.addEventListener("change", () => seen.push(quantity(basket)));
    basket.setQuantity(0, 2);
    await Promise.resolve();
    basket.setQuantity(0, 3);
    for (let microtask = 0; microtask < 20; microtask += 1) await Promise.resolve();
    assert.deepEqual(seen, [2]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(seen, [2, 3]);
  });

  test("a listener that edits for ever leaves timers and the rest of the loop their turn", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    basket.addEventListener("change", () => basket.setQuantity(0, quantity(basket) + 1));
    basket.setQuantity(0, 2);
    const timers = [];
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      await turn();
      timers.push(quantity(basket));
    }
    basket.free();
    assert.ok(timers.at(-1) > timers[0], `it goes on: ${timers}`);
  });

  test("not after free()", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    let fired = 0;
    basket.addEventListener("change", () => (fired += 1));
    basket.setQuantity(0, 4);
    basket.free();
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(fired, 0);
  });

  test("for new zones", async () => {
    const { basket, pricer } = await open({
      order: {
        ...orderOf(product()),
        shipping: REGULAR,
      },
    });
    let fired = 0;
    basket.addEventListener("change", () => (fired += 1));
    pricer.setDeliveryZones(squareZones(40));
    await turn();
    assert.equal(fired, 1);
    assert.equal(basket.totals.deliveryFee, 40);
    pricer.setDeliveryZones(squareZones(40));
    await turn();
    assert.equal(fired, 1, "the same fees");
  });
});

test("what a snapshot holds cannot be changed, and changes of what was given have no effect", async () => {
  const order = structuredClone(FULL);
  const { basket } = await open({ order });
  await basket.settle();
  const { snapshot } = basket;
  order.productList[0].quantity = 99;
  order.couponCodeList.push("B");
  for (const change of [
    () => (snapshot.order.productList[0].quantity = 5),
    () => snapshot.order.productList.push(product()),
    () => (snapshot.totals.subTotal = 5),
    () => (snapshot.rows[0].price = 5),
    () => snapshot.pending.push("prices"),
    () => (snapshot.shipping.scheduleList[0].deliveryFee = 5),
    () => snapshot.discountResult.discounts.push(1),
    () => snapshot.coupons.push(1),
    () => (snapshot.coupons[0].amount = 5),
    () => (snapshot.validVouchers[0].value = 5),
  ]) {
    assert.throws(change, TypeError);
  }
  assert.equal(basket.order.productList[0].quantity, 1);
  assert.deepEqual(basket.order.couponCodeList, ["A"]);
});

suite("the steps of a snapshot", () => {
  const opened = async () => {
    const { basket } = await open({ order: orderOf(product(), product(1002)) });
    await basket.settle();
    return basket;
  };
  const rows = ({ steps }) => steps.filter(({ rule }) => rule === "row").map(({ amount }) => amount);

  test("they stay those of a snapshot that a new instance of the module makes again, equal", async () => {
    const { basket, pricer } = await open({ order: orderOf(product()) });
    const { snapshot } = basket;
    await breakModule(pricer);
    basket.refresh();
    assert.equal(basket.snapshot, snapshot);
    assert.deepEqual(snapshot.steps, basket.explain().steps);
  });

  test("are those of explain(), frozen, made once", async () => {
    const basket = await opened();
    const { steps } = basket.snapshot;
    assert.deepEqual(steps, basket.explain().steps);
    assert.equal(steps.findLast(({ runningTotal }) => runningTotal !== null).runningTotal, basket.totals.grandTotal);
    assert.equal(basket.snapshot.steps, steps);
    assert.ok([steps, steps[0], steps[0].operands].every(Object.isFrozen));
    assert.throws(() => (basket.snapshot.steps = []), TypeError);
  });

  test("follow each edit; a step that has not changed is the same object", async () => {
    const basket = await opened();
    const before = basket.snapshot;
    assert.deepEqual(rows(before), [100, 30]);
    basket.setQuantity(1, 3);
    assert.deepEqual(
      [rows(basket.snapshot), rows(before)],
      [
        [100, 90],
        [100, 30],
      ],
    );
    assert.equal(basket.snapshot.steps[0], before.steps[0]);
    basket.setCoupons(["A", "A"]);
    await basket.settle();
    assert.equal(basket.snapshot.steps.filter(({ rule }) => rule === "repeated").length, 1);
    basket.setCoupons(["A"]);
    assert.equal(basket.status, "current", "only the order has changed");
    assert.ok(!basket.snapshot.steps.some(({ rule }) => rule === "repeated"));
  });

  test("are none of an older snapshot that was never asked, nor of a freed basket's", async () => {
    const basket = await opened();
    const before = basket.snapshot;
    basket.setQuantity(0, 3);
    assert.deepEqual(before.steps, []);
    const { snapshot } = basket;
    basket.free();
    assert.deepEqual(snapshot.steps, []);
  });

  test("are there in the initial snapshot, though a pause has begun", async () => {
    const { pricer } = await open();
    const facts = pricer.facts({ prices: { "1001/1000": PRICES[1001] } });
    const basket = pricer.basket({ ...orderOf(product()), couponCodeList: ["A"] }, { facts, autoSettle: true });
    assert.notEqual(basket.initialSnapshot, basket.snapshot);
    assert.deepEqual(rows(basket.initialSnapshot), [100]);
    basket.free();
  });

  test("are not compared, copied or written", async () => {
    const basket = await opened();
    const { snapshot } = basket;
    assert.ok(!Object.keys(snapshot).includes("steps"));
    assert.ok(!("steps" in { ...snapshot }) && !("steps" in JSON.parse(JSON.stringify(snapshot))));
    assert.equal(Object.getPrototypeOf(snapshot), Object.prototype);
  });
});

test("an error of a snapshot is frozen, what it was caused by is not", async () => {
  const cause = new RangeError("closed");
  const lookupPrices = () => {
    throw cause;
  };
  const { basket } = await open({ order: orderOf(product()), host: { lookupPrices } });
  await basket.settle().catch(() => {});
  assert.ok(Object.isFrozen(basket.error) && Object.isFrozen(basket.error.subject));
  assert.equal(basket.error.cause, cause);
  assert.equal(Object.isFrozen(cause), false);
});

test("a clone keeps what a program needs of a problem and of an error, by the documented ways", async () => {
  const { basket } = await open({ order: orderOf(product(), product(9999)) });
  const error = await errorOf(basket.settle());
  const { snapshot } = basket;
  const { port1, port2 } = new MessageChannel();
  const received = new Promise((resolve) => (port2.onmessage = ({ data }) => resolve(data)));
  port1.postMessage({ snapshot: JSON.parse(JSON.stringify(snapshot)), error: error.toProblem() });
  const clone = await received;
  port1.close();
  const subject = { line: 1, cprcode: 9999, branchId: "1000" };
  const expected = { code: "PRODUCT_PRICE_NOT_FOUND", message: "No price for 9999/1000", subject, retryable: false };
  for (const problem of [clone.snapshot.error, clone.snapshot.problems[0], clone.snapshot.rows[1].problem])
    assert.deepEqual(problem, expected);
  assert.deepEqual(clone.error, { ...expected, path: undefined });
  assert.deepEqual(basketChanges(snapshot, clone.snapshot), []);
  assert.equal(customerText(clone.error), customerText(error));
  const refusal = thrown(() => basket.setQuantity(0, 1.5));
  assert.deepEqual(structuredClone(refusal.toProblem()), {
    code: refusal.code,
    message: refusal.message,
    path: "productList[0].quantity",
    subject: undefined,
    retryable: false,
  });
  assert.deepEqual(JSON.parse(JSON.stringify(refusal)), { error: refusal.message }, "the body of an answer (D40)");
});
