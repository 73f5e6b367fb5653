// What a shop tells its customers about a calculation: a sentence for every rule that the types name, in both languages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { createPricer } from "order-cost";
import { english, explainText, explainTexts, thai } from "order-cost/messages";
import { hostFromFacts } from "order-cost/testing";
import { readCorpus } from "../golden/corpus.mjs";
import { hostFor, optionsFor } from "../golden/host.js";
import { deliveredBy, squareZones } from "../zones.js";

const TYPES = readFileSync(new URL("../../pkg/index.d.ts", import.meta.url), "utf8");
const RULES = [...TYPES.match(/export type ExplainRule =([\s\S]*?);\n\n/)[1].matchAll(/^ {2}\| "(\w+)"/gm)].map(([, rule]) => rule);
/** Operands that a shop named; they may stand in a text as they are. */
const NAMES = ["name", "voucherId", "coupon", "shippingPostcode"];

const steps = [];
before(async () => {
  for (const { testCase } of readCorpus()) {
    if (testCase.expect.steps) steps.push(...testCase.expect.steps);
    else if (testCase.order && testCase.expect.response) steps.push(...(await stepsOf(testCase)));
  }
});

async function stepsOf(testCase) {
  const pricer = await createPricer(hostFor(testCase).host, optionsFor(testCase));
  return (await pricer.explain(testCase.order)).steps;
}

test("every rule occurs in the corpus", () => {
  assert.ok(RULES.length >= 22, RULES.join());
  const seen = new Set(steps.map(({ rule }) => rule));
  assert.deepEqual([...seen].sort(), [...RULES].sort());
});

for (const [language, texts] of Object.entries({ en: english, th: thai })) {
  describe(`in ${language}`, () => {
    test("there is a text for each rule of the types, and no other", () => {
      assert.deepEqual(Object.keys(texts.steps).sort(), [...RULES].sort());
    });

    test("every step of the corpus", () => {
      for (const step of steps) checkText(explainText(step, language), step, language);
    });

    test("a language and its texts are the same", () => {
      for (const step of steps) assert.equal(explainText(step, texts), explainText(step, language));
    });

    test("a rule of a newer version has a text, too", () => {
      for (const rule of ["giftWrap", "constructor", "__proto__"]) {
        const step = { rule, operands: {}, amount: 12.5, runningTotal: null };
        checkText(explainText(step, language), step, language);
        assert.match(explainText(step, language), /12\.50/);
      }
    });
  });
}

/** A sentence in that language alone: no field's name, no missing value, no word of the code. */
function checkText(text, { operands }, language) {
  const names = NAMES.map((name) => operands[name]).filter((name) => name !== undefined && name !== "");
  const words = names.reduce((rest, name) => rest.replaceAll(name, ""), text);
  assert.ok(words.length > 5, text);
  assert.doesNotMatch(words, /undefined|null|NaN|object|true|false|[{}<>$_]|[a-z][A-Z]|\b[A-Z]{2,}\b/, text);
  assert.equal(/\p{Script=Thai}/u.test(words), language === "th", text);
  assert.equal(/[A-Za-z]/.test(words), language === "en", text);
  if (language === "en") assert.match(text, /^[A-Z].*\.$/, text);
}

test("some sentences, exactly", () => {
  const step = (rule, path, operands, amount) => ({ rule, path, operands, amount, runningTotal: null });
  const row = step("row", "productList[3]", { price: 1037.25, quantity: 3 }, 3111.75);
  const zone = (facts) => step("zone", "shipping", { feature: 0, deliveryFee: 30, covers: true, isChosen: true, ...facts }, 30);
  const nowhere = zone({ covers: false, isChosen: false });
  const express = { shippingType: "DELIVERY", mode: "EXPRESS", surcharge: 50, isFirst: false, expressSurcharge: "firstSchedule" };
  const voucher = { voucherId: "V1", value: 50, inactive: true, used: true, ownerMismatch: false };
  const percentage = step("percentageDiscount", "percentageDiscount", { percentage: 0.07, subTotal: 100 }, 7);
  const sentences = [
    [row, "Product 4: 3 × ฿1,037.25 = ฿3,111.75.", "สินค้ารายการที่ 4: 3 × 1,037.25 บาท = 3,111.75 บาท"],
    [
      zone({ name: "Silom" }),
      "Your address is in the delivery area Silom, where delivery costs ฿30.00.",
      "ที่อยู่นี้อยู่ในเขตจัดส่ง Silom ค่าจัดส่ง 30.00 บาท",
    ],
    [nowhere, "Your address is not in the delivery area 1.", "ที่อยู่นี้ไม่ได้อยู่ในเขตจัดส่ง 1"],
    [
      step("expressFee", "shipping.scheduleList[1]", express, 0),
      "Delivery 2 has no express surcharge: only the first delivery pays it.",
      "การจัดส่งรอบที่ 2 ไม่มีค่าส่งด่วน เพราะคิดเฉพาะรอบแรก",
    ],
    [
      step("voucher", "voucherId[0]", voucher, 0),
      "The voucher V1 does not count: it is not active, and it has been used.",
      "ไม่นับบัตรกำนัล V1 เพราะยังใช้ไม่ได้ และถูกใช้ไปแล้ว",
    ],
    [
      percentage,
      "The largest percentage of your coupons: 7% of ฿100.00 is ฿7.00. On its own this changes no total.",
      "ส่วนลดเปอร์เซ็นต์สูงสุดจากคูปอง 7% ของ 100.00 บาท คือ 7.00 บาท แสดงไว้โดยไม่ได้หักจากยอดในขั้นนี้",
    ],
    [
      step("floor", "productList[1].rowTotal", { value: -2.5 }, 2.5),
      "Product 2 cannot be less than zero: ฿2.50 is added back.",
      "สินค้ารายการที่ 2 ต้องไม่ต่ำกว่าศูนย์ จึงบวกกลับ 2.50 บาท",
    ],
    [
      step("totalExcludeControlledProducts", "totalExcludeControlledProducts", { grandTotal: 1 }, -0.0625),
      "Your total without controlled products is −฿0.0625.",
      "ยอดรวมโดยไม่รวมสินค้าควบคุม −0.0625 บาท",
    ],
    [
      step("row", "productList[0]", { price: 5, quantity: -2 }, -10),
      "Product 1: −2 × ฿5.00 = −฿10.00.",
      "สินค้ารายการที่ 1: −2 × 5.00 บาท = −10.00 บาท",
    ],
    [
      step("rowTotal", "productList[0].rowTotal", { originalPrice: 5, quantity: -2 }, -10),
      "Product 1 at its list price: −2 × ฿5.00 = −฿10.00.",
      "สินค้ารายการที่ 1 ตามราคาปกติ: −2 × 5.00 บาท = −10.00 บาท",
    ],
  ];
  for (const [explained, ...expected] of sentences) {
    assert.deepEqual(
      ["en", "th"].map((language) => explainText(explained, language)),
      expected,
    );
  }
});

test("free delivery: what is still charged is said", () => {
  const coupon = (freeshipping, shippingDiscount, amount) => ({
    rule: "coupon",
    path: "discountResult.discounts[0]",
    operands: { coupon: "FREE", freeshipping, shippingDiscount },
    amount,
    runningTotal: null,
  });
  const free = (deliveryFee, shippingDiscount, amount) => ({
    rule: "freeShipping",
    path: "isFreeShipping",
    operands: { deliveryFee, shippingDiscount },
    amount,
    runningTotal: 0,
  });
  for (const [step, text, inThai] of [
    [
      coupon(true, 0, 0),
      "The coupon FREE is accepted. It is for free delivery, but names no amount.",
      "คูปอง FREE ใช้ได้ เป็นคูปองส่งฟรี แต่ไม่ได้ระบุจำนวนเงิน",
    ],
    [coupon(true, 30, 30), "The coupon FREE is worth ฿30.00. It is for free delivery.", "คูปอง FREE มีมูลค่า 30.00 บาท เป็นคูปองส่งฟรี"],
    [coupon(false, 0, 10), "The coupon FREE is worth ฿10.00.", "คูปอง FREE มีมูลค่า 10.00 บาท"],
    [
      free(30, 0, 0),
      "A coupon is for free delivery, but takes nothing off: delivery still costs ฿30.00.",
      "เป็นคูปองส่งฟรี แต่ไม่ได้ลดค่าจัดส่ง ยังคิดค่าจัดส่ง 30.00 บาท",
    ],
    [
      free(30, 10, 0),
      "A coupon is for free delivery, but coupons take only ฿10.00 off ฿30.00: you still pay the rest of the delivery.",
      "เป็นคูปองส่งฟรี แต่คูปองลดค่าจัดส่งเพียง 10.00 บาท จาก 30.00 บาท ยังคิดค่าจัดส่งส่วนที่เหลือ",
    ],
    [free(30, 30, 0), "A coupon is for free delivery, and no delivery fee is left to take off.", "เป็นคูปองส่งฟรี และไม่มีค่าจัดส่งเหลือให้ลดแล้ว"],
    [free(0, 0, 0), "A coupon is for free delivery, and no delivery fee is left to take off.", "เป็นคูปองส่งฟรี และไม่มีค่าจัดส่งเหลือให้ลดแล้ว"],
    [free(30, 0, -30), "A coupon grants free delivery, which takes ฿30.00 off.", "คูปองให้ส่งฟรี ลดค่าจัดส่ง 30.00 บาท"],
    [free(30, 10, -20), "A coupon grants free delivery, which takes another ฿20.00 off.", "คูปองให้ส่งฟรี ลดค่าจัดส่งเพิ่มอีก 20.00 บาท"],
  ]) {
    assert.deepEqual([explainText(step, "en"), explainText(step, "th")], [text, inThai]);
  }
});

test("free delivery under the default policy, of a real order", async () => {
  const order = {
    productList: [{ cprcode: 1, productName: "a", quantity: 1 }],
    couponCodeList: ["FREE"],
    shipping: deliveredBy("REGULAR"),
  };
  const host = hostFromFacts({ prices: { 1: { price: 10 } }, coupons: { discounts: [{ coupon: "FREE", freeshipping: true }] } });
  for (const [freeShipping, total, text] of [
    ["asStated", 40, "A coupon is for free delivery, but takes nothing off: delivery still costs ฿30.00."],
    ["waivesDelivery", 10, "A coupon grants free delivery, which takes ฿30.00 off."],
  ]) {
    const pricer = await createPricer(host, { deliveryZones: squareZones(30), policy: { freeShipping } });
    const { order: priced, steps } = await pricer.explain(order);
    assert.equal(priced.grandTotal, total);
    assert.ok(explainTexts(steps, "en", undefined, { withoutZeros: true }).includes(text), freeShipping);
  }
});

describe("with the names of products", () => {
  const names = { product: (line) => ["น้ำปลา", ""][line] };
  const step = (rule, path, operands, amount) => ({ rule, path, operands, amount, runningTotal: null });

  test("a product is called by its name, in every sentence about one", () => {
    for (const [explained, ...expected] of [
      [step("row", "productList[0]", { price: 5, quantity: 2 }, 10), "น้ำปลา: 2 × ฿5.00 = ฿10.00.", "น้ำปลา: 2 × 5.00 บาท = 10.00 บาท"],
      [
        step("rowTotal", "productList[0].rowTotal", { originalPrice: 5, quantity: 2 }, 10),
        "น้ำปลา at its list price: 2 × ฿5.00 = ฿10.00.",
        "น้ำปลา ตามราคาปกติ: 2 × 5.00 บาท = 10.00 บาท",
      ],
      [
        step("discountedRowTotal", "productList[0].discountedRowTotal", { row: 10, discountFromCoupon: 4 }, 6),
        "น้ำปลา after coupons: ฿10.00 - ฿4.00 = ฿6.00.",
        "น้ำปลา หลังหักคูปอง: 10.00 บาท - 4.00 บาท = 6.00 บาท",
      ],
      [
        step("discountedRowTotal", "productList[0].discountedRowTotal", { row: 10, discountFromCoupon: 0 }, 10),
        "น้ำปลา has no discount of its own: ฿10.00.",
        "น้ำปลา ไม่มีส่วนลดเฉพาะรายการ: 10.00 บาท",
      ],
      [
        step("floor", "productList[0].rowTotal", { value: -2 }, 2),
        "น้ำปลา cannot be less than zero: ฿2.00 is added back.",
        "น้ำปลา ต้องไม่ต่ำกว่าศูนย์ จึงบวกกลับ 2.00 บาท",
      ],
    ]) {
      assert.deepEqual(
        ["en", "th"].map((language) => explainText(explained, language, names)),
        expected,
      );
    }
  });

  test("a product without one, and what is no product, has its place", () => {
    const row = { price: 5, quantity: 1 };
    assert.equal(explainText(step("row", "productList[1]", row, 5), "en", names), "Product 2: 1 × ฿5.00 = ฿5.00.");
    assert.equal(explainText(step("row", "productList[2]", row, 5), "en", {}), "Product 3: 1 × ฿5.00 = ฿5.00.");
    const pickup = step("deliveryFee", "shipping.scheduleList[0]", { mode: "PICKUP" }, 0);
    assert.equal(explainText(pickup, "en", names), "Delivery 1 costs nothing: you collect it yourself.");
    assert.equal(
      explainText(step("floor", "grandTotal", { value: -1 }, 1), "en", names),
      "Your total cannot be less than zero: ฿1.00 is added back.",
    );
  });

  test("explainTexts says all steps, or leaves out those of 0 that tell nothing", async () => {
    const host = hostFromFacts({
      prices: { 1: { price: 10 } },
      vouchers: { V: { ownerId: "malee", value: 5, isActive: true, isUsed: true } },
      coupons: { discounts: [{ coupon: "A" }], failedCoupons: ["OLD"] },
    });
    const pricer = await createPricer(host);
    const order = {
      productList: [{ cprcode: 1, productName: "", quantity: 1 }],
      ownerId: "malee",
      voucherId: ["V"],
      couponCodeList: ["A", "A", "OLD", "B"],
    };
    const { steps } = await pricer.explain(order);
    assert.deepEqual(
      explainTexts(steps, "en", names),
      steps.map((one) => explainText(one, "en", names)),
    );
    assert.deepEqual(explainTexts(steps, "en", names, { withoutZeros: true }), [
      "น้ำปลา: 1 × ฿10.00 = ฿10.00.",
      "The voucher V does not count: it has already been used.",
      "The coupon A is accepted.",
      "The coupon OLD does not apply to this basket.",
      "The coupon A is listed more than once, and counts once.",
      "The coupon B has no effect on this basket.",
      "Your total without controlled products is ฿10.00.",
    ]);
  });
});

test("a shop's own texts", () => {
  const money = (amount) => `${amount} THB`;
  const row = ({ number, operands: { quantity } }) => `${number}. ${quantity} pieces`;
  const ours = { ...english, money, steps: { ...english.steps, row } };
  const operands = { price: 5, quantity: 2 };
  assert.equal(explainText({ rule: "row", path: "productList[0]", operands, amount: 10, runningTotal: 10 }, ours), "1. 2 pieces");
  assert.equal(
    explainText({ rule: "totalDiscount", operands: {}, amount: 3, runningTotal: null }, ours),
    "All discounts together come to 3 THB.",
  );
});
