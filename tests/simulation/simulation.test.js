// A short simulation for each change, and the sequences that once failed. `cargo xtask test --night simulation` looks for more.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allAtNight, cases, SEED } from "../effort.js";
import { inWords, runSequence } from "./run.js";
import { Shop } from "./shop.js";

const SEQUENCES = allAtNight(16, cases(40));

test(`${SEQUENCES} random sequences from seed ${SEED}`, async (context) => {
  const counts = {};
  for (let seed = SEED; seed < SEED + SEQUENCES; seed += 1) {
    const failure = await runSequence(seed, counts);
    assert.equal(failure, undefined, failure && inWords(seed, failure));
  }
  for (const [kind, count] of Object.entries(counts).sort()) context.diagnostic(`${String(count).padStart(6)} ${kind}`);
});

const GIVEN = { hasDeadline: false, asksZones: false };
const PRODUCT = { cprcode: 1, productName: "p1", quantity: 1 };
const PLAIN = { productList: [PRODUCT] };
const REGULAR = { shippingType: "DELIVERY", brcode: 1000, shippingLon: 100.55, shippingLat: 13.55, scheduleList: [{ mode: "REGULAR" }] };
const VOUCHER = { ...PLAIN, voucherId: ["V1"] };
const ZONED = { ...PLAIN, shipping: REGULAR };

/** Each is a pricer's setting and the actions: functions of the shop, or the milliseconds that pass. */
const ONCE_FAILED = {
  "a settle() ends if the module breaks in what it shows": [
    GIVEN,
    (shop) => (shop.mode = "answers"),
    (shop) => shop.openBasket(PLAIN),
    (shop) => shop.baskets[0].settle(),
    (shop) => shop.faults.arm("BasketHandle.changes", "a trap"),
    (shop) => shop.baskets[0].settle(),
  ],
  "a settle() goes on if an edit of nothing notices that the facts are lost": [
    GIVEN,
    (shop) => shop.openBasket(PLAIN),
    (shop) => shop.baskets[0].settle(),
    (shop) => shop.break(),
    (shop) => shop.baskets[0].edit("setVouchers", [[]]),
  ],
  "a settle() during a retry waits for the coupons of an edit after it": [
    GIVEN,
    (shop) => shop.openBasket({ ...PLAIN, couponCodeList: ["A"] }, 150),
    150,
    (shop) => shop.answer(shop.unanswered[0], "failed"),
    1_001,
    (shop) => shop.baskets[0].settle(),
    (shop) => shop.baskets[0].edit("setQuantity", [0, 2]),
    (shop) => shop.answer(shop.unanswered[0], "well"),
  ],
  "what failed rests for its pause after a settle() of an empty basket, which needs nothing": [
    GIVEN,
    (shop) => shop.openBasket(VOUCHER, 0),
    2,
    (shop) => shop.answer(shop.unanswered[1], "failed"),
    (shop) => shop.baskets[0].edit("removeProduct", [0]),
    (shop) => shop.baskets[0].settle(),
    (shop) => shop.baskets[0].edit("addProduct", [PRODUCT]),
    2,
  ],
  "all who wait hear the same if the module breaks in the response": [
    GIVEN,
    (shop) => shop.openBasket(PLAIN),
    (shop) => shop.baskets[0].settle(),
    (shop) => shop.baskets[0].settle(),
    (shop) => shop.faults.arm("BasketHandle.response", "a trap"),
    (shop) => shop.baskets[0].edit("removeProduct", [0]),
  ],
  "an edit stands if the module breaks after it": [
    GIVEN,
    (shop) => shop.openBasket(PLAIN),
    (shop) => shop.faults.arm("BasketHandle.changes", "a trap"),
    (shop) => shop.baskets[0].edit("addProduct", [PRODUCT]),
    (shop) => shop.baskets[0].edit("setShipping", [null]),
  ],
  "a basket shows at once that its facts are lost if the module breaks when a call ends": [
    { hasDeadline: true, asksZones: false },
    (shop) => shop.openBasket({ ...PLAIN, couponCodeList: ["A"] }),
    (shop) => shop.baskets[0].settle(),
    (shop) => shop.answer(shop.unanswered[0], "well"),
    (shop) => shop.faults.arm("FactsHandle.late", "a trap"),
    1_000,
  ],
  "a basket is freed though the module breaks: its calls end": [
    { hasDeadline: true, asksZones: false },
    (shop) => shop.openBasket(PLAIN),
    (shop) => shop.baskets[0].settle(),
    (shop) => shop.faults.arm("FactsHandle.useless", "a trap"),
    (shop) => shop.baskets[0].free(),
  ],
  "a host frees the basket that asks it by itself": [
    GIVEN,
    (shop) => shop.openBasket(PLAIN, 150),
    (shop) => (shop.inside = (life) => life.free()),
    200,
  ],
  "an order that fails at once leaves the call for the zones": [
    { hasDeadline: false, asksZones: true },
    (shop) => shop.price(ZONED),
    (shop) => (shop.mode = "throws"),
    (shop) => shop.price(ZONED),
  ],
  "a basket whose module breaks at once leaves the call for the zones": [
    { hasDeadline: false, asksZones: true },
    (shop) => (shop.mode = "answers"),
    (shop) => shop.price(ZONED),
    (shop) => shop.openBasket(ZONED),
    (shop) => shop.faults.arm("FactsHandle.answer", "a trap"),
    (shop) => shop.baskets[0].settle(),
  ],
  "a basket that lost its calls before it asked for the zones asks for them, and joins nobody": [
    { hasDeadline: false, asksZones: true },
    (shop) => shop.openBasket({ ...ZONED, voucherId: ["V1"] }, 400),
    (shop) => shop.faults.arm("FactsHandle.useless", "a trap"),
    (shop) =>
      (shop.inside = (life) => {
        life.edit?.("addProduct", [{ ...PRODUCT, cprcode: 3 }]);
        life.settle?.();
      }),
    4_999,
  ],
  "a basket whose module broke while it asked for zones joins its own call": [
    { hasDeadline: false, asksZones: true },
    (shop) => shop.openBasket(ZONED),
    (shop) => (shop.inside = () => shop.break()),
    (shop) => shop.baskets[0].settle(),
  ],
  "a setSlots() of the same slots notices that the facts are lost": [
    GIVEN,
    (shop) => shop.faults.arm("Job.fail", "a trap"),
    (shop) => shop.openBasket(ZONED, 0),
    (shop) => shop.price(ZONED),
    1,
    (shop) => shop.answer(shop.unanswered[0], "failed"),
    (shop) => shop.baskets[0].edit("setSlots", [[]]),
  ],
  "a basket without problems has none when the module is replaced: its snapshot stays the same": [
    GIVEN,
    (shop) => shop.openBasket(PLAIN, 400),
    (shop) => (shop.mode = "throws"),
    (shop) => shop.baskets[0].watch(),
    (shop) => shop.faults.arm("BasketHandle.edit", "a trap"),
    (shop) => shop.baskets[0].settle(),
    (shop) => shop.baskets[0].edit("refresh", []),
    (shop) => shop.baskets[0].edit("setOwner", [""]),
    (shop) => shop.baskets[0].watch(),
  ],
  "only the basket breaks that was edited, though another's zones have made it again": [
    { hasDeadline: false, asksZones: true },
    (shop) => shop.faults.arm("Job.answer", "a trap"),
    (shop) => shop.openBasket({ productList: [] }, 0),
    (shop) => shop.openBasket({ productList: [] }),
    (shop) => shop.baskets[0].edit("setSlots", [[REGULAR]]),
    1,
    (shop) => shop.price({ ...PLAIN, couponCodeList: ["A"] }),
    (shop) => shop.answer(shop.unanswered[0], "well"),
    (shop) => shop.answerZones(shop.zoneCalls[0], "well"),
    (shop) => shop.faults.arm("BasketHandle.changes", "a trap"),
    (shop) => shop.baskets[1].edit("addProduct", [PRODUCT]),
  ],
  ...Object.fromEntries(
    Object.entries({ Job: (shop) => shop.price(VOUCHER), FactsHandle: (shop) => shop.baskets[0].settle() }).map(([type, begin]) => [
      `a promise is handled although the module breaks in an answer before it: ${type}`,
      [
        GIVEN,
        (shop) => shop.openBasket(VOUCHER),
        (shop) => (shop.mode = "answers prices"),
        (shop) => shop.faults.arm(`${type}.answer`, "a trap"),
        begin,
        (shop) => shop.answer(shop.unanswered[0], "failed"),
      ],
    ]),
  ),
};

/** Runs actions in a shop. */
async function inShop(setting, actions) {
  const shop = await Shop.open(setting);
  try {
    for (const action of actions) await (typeof action === "number" ? shop.pass(action) : shop.act(() => action(shop)));
    await shop.end();
  } finally {
    shop.close();
  }
}

const countOf = (shop, lookup) => shop.baskets[0].calls.filter(({ name }) => name === lookup).length;

test("one click on Retry while the service fails: four calls in 7 s", () => {
  let before;
  return inShop(GIVEN, [
    (shop) => (shop.mode = "throws"),
    (shop) => shop.openBasket(PLAIN, 150),
    20_000,
    (shop) => (before = countOf(shop, "lookupPrices")),
    (shop) => shop.baskets[0].settle(),
    7_100,
    (shop) => shop.check(() => assert.equal(countOf(shop, "lookupPrices") - before, 4)),
  ]);
});

test("ten edits 100 ms apart: one coupon call", () => {
  let before;
  return inShop(GIVEN, [
    (shop) => (shop.mode = "answers"),
    (shop) => shop.openBasket({ ...PLAIN, couponCodeList: ["A"] }, 150),
    600,
    (shop) => (before = countOf(shop, "validateCoupons")),
    ...Array.from({ length: 10 }, (_, place) => [(shop) => shop.baskets[0].edit("setQuantity", [0, 2 + place]), 100]).flat(),
    1_000,
    (shop) => shop.check(() => assert.equal(countOf(shop, "validateCoupons") - before, 1)),
  ]);
});

test("an answer to a retry that comes while a customer edits asks for no coupons", () =>
  inShop(GIVEN, [
    (shop) => shop.openBasket({ ...PLAIN, couponCodeList: ["A"] }, 150),
    150,
    (shop) => shop.answer(shop.unanswered[0], "failed"),
    1_001,
    (shop) => shop.baskets[0].edit("setQuantity", [0, 2]),
    (shop) => shop.answer(shop.unanswered[0], "well"),
    100,
    (shop) => shop.check(() => assert.equal(countOf(shop, "validateCoupons"), 0)),
    100,
    (shop) => shop.check(() => assert.equal(countOf(shop, "validateCoupons"), 1)),
  ]));

for (const [what, [setting, ...actions]] of Object.entries(ONCE_FAILED)) {
  test(what, () => inShop(setting, actions));
}
