// What a shop tells its customers: a sentence for every problem that the types name, in both languages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { customerText } from "order-cost/messages";

const TYPES = readFileSync(new URL("../../pkg/index.d.ts", import.meta.url), "utf8");
const CODES = membersOf(TYPES.match(/export type PricingErrorCode =([\s\S]*?);\n/)[1]);
const REASONS = [...TYPES.matchAll(/\breasons: (.+);/g)].flatMap(([, type]) => membersOf(type));

const NAME = "ข้าว Jasmine 5 kg";
const names = { product: (line) => (line === 2 ? NAME : "another product") };
const SUBJECTS = [
  undefined,
  { line: 2, cprcode: 1003, branchId: "1000" },
  { line: 2, cprcode: 1003, branchId: "1000", lookup: "lookupPrices" },
  { voucherId: "V-77" },
  { voucherId: "V-77", lookup: "lookupVouchers" },
  { schedule: 1, brcode: 1000 },
  { lookup: "nationwideRate", schedule: 1 },
  { lookup: "validateCoupons" },
];
/** What these codes are about is named wherever it is known. */
const NAMED = {
  PRODUCT_PRICE_NOT_FOUND: [NAME, "line"],
  PRICE_LOOKUP_FAILED: [NAME, "line"],
  OVERFLOW: [NAME, "line"],
  VOUCHER_NOT_FOUND: ["V-77", "voucherId"],
  VOUCHER_LOOKUP_FAILED: ["V-77", "voucherId"],
};
/** Look-ups: a customer who can try again is told so, others what to do instead. */
const LOOKUPS = CODES.filter((code) => code.endsWith("_FAILED"));

test("the types name the codes and the reasons", () => {
  assert.ok(CODES.length >= 15 && LOOKUPS.length >= 4, CODES.join());
  assert.deepEqual([...new Set(REASONS)].sort(), ["inactive", "ownerMismatch", "used"]);
});

for (const language of ["en", "th"]) {
  describe(`in ${language}`, () => {
    for (const code of CODES) test(code, () => allOf(code).forEach((problem) => checkError(problem, language)));

    test("reasons and refused coupons", () => {
      for (const reason of REASONS) checkText(customerText(reason, language), language);
      checkText(customerText({ failedCoupon: "SAVE10" }, language), language, "SAVE10");
    });

    test("every problem has a text of its own", () => {
      const problems = [...CODES.map((code) => ({ code, retryable: false })), ...new Set(REASONS), { failedCoupon: "A" }];
      const texts = problems.map((problem) => customerText(problem, language));
      assert.equal(new Set(texts).size, problems.length, texts.join("\n"));
    });

    test("a look-up that can be tried again has another text", () => {
      for (const code of LOOKUPS) {
        for (const subject of SUBJECTS) {
          const [again, never] = [true, false].map((retryable) => customerText({ code, subject, retryable }, language, names));
          assert.notEqual(again, never);
          assert.match(again, language === "th" ? /กรุณาลองใหม่ในอีกสักครู่$/ : /Please try again in a moment\.$/);
        }
      }
    });

    test("a code of a newer version has the text of INTERNAL", () => {
      for (const retryable of [true, false]) {
        const internal = customerText({ code: "INTERNAL", retryable }, language);
        for (const code of ["SHOP_CLOSED", "constructor", "__proto__"]) {
          assert.equal(customerText({ code, retryable }, language), internal);
        }
      }
    });
  });
}

test("some sentences, exactly", () => {
  const missing = { code: "PRODUCT_PRICE_NOT_FOUND", subject: SUBJECTS[1], retryable: false };
  const prices = (facts) => ({ code: "PRICE_LOOKUP_FAILED", ...facts });
  const wrong = prices({ subject: SUBJECTS[2], retryable: false });
  const voucher = { code: "VOUCHER_NOT_FOUND", subject: { voucherId: "V-77" }, retryable: false };
  const fish = { product: () => "น้ำปลา" };
  assert.deepEqual(
    [
      customerText(missing, "en", fish),
      customerText(missing, "en"),
      customerText(missing, "en", { product: () => undefined }),
      customerText(missing, "th", fish),
      customerText(wrong, "en", fish),
      customerText(wrong, "th"),
      customerText(prices({ subject: { lookup: "lookupPrices" }, retryable: true }), "en", fish),
      customerText(voucher, "en"),
      customerText(voucher, "th"),
      customerText({ failedCoupon: "SAVE10" }, "en"),
      customerText({ failedCoupon: "SAVE10" }, "th"),
      customerText("used", "en"),
      customerText("used", "th"),
    ],
    [
      "น้ำปลา is not available at this branch. Please remove it, or choose another branch.",
      "A product in your basket is not available at this branch. Please remove it, or choose another branch.",
      "A product in your basket is not available at this branch. Please remove it, or choose another branch.",
      "น้ำปลา ไม่มีขายที่สาขานี้ กรุณานำออกจากตะกร้า หรือเลือกสาขาอื่น",
      "น้ำปลา has no correct price at the moment. We are sorry: the mistake is ours. Please remove it, or try again later.",
      "สินค้าบางรายการในตะกร้า ยังไม่มีราคาที่ถูกต้องในขณะนี้ ขออภัยในความผิดพลาดของทางร้าน กรุณานำออกจากตะกร้า หรือลองใหม่ภายหลัง",
      "We could not load the prices. Please try again in a moment.",
      "There is no voucher V-77. Please check its number, or remove it.",
      "ไม่พบบัตรกำนัล V-77 กรุณาตรวจสอบหมายเลข หรือนำออก",
      "The coupon SAVE10 cannot be used with this basket. Please check the code and its conditions.",
      "คูปอง SAVE10 ใช้กับตะกร้านี้ไม่ได้ กรุณาตรวจสอบรหัสและเงื่อนไขของคูปอง",
      "This voucher has already been used. Please choose another one.",
      "บัตรกำนัลนี้ถูกใช้ไปแล้ว กรุณาเลือกใบอื่น",
    ],
  );
});

function allOf(code) {
  return SUBJECTS.flatMap((subject) => [true, false].map((retryable) => ({ code, subject, retryable })));
}

function checkError(problem, language) {
  const [name, where] = NAMED[problem.code] ?? [];
  const isKnown = problem.subject?.[where] !== undefined;
  checkText(customerText(problem, language, names), language, isKnown ? name : "");
  checkText(customerText(problem, language), language, isKnown && where === "voucherId" ? name : "");
}

/** One or more sentences in that language alone, apart from the name: no code, no missing value, no technical word. */
function checkText(text, language, name = "") {
  assert.ok(text.includes(name), text);
  const words = text.replace(name, "");
  assert.ok(words.length > 20, text);
  assert.doesNotMatch(words, /undefined|null|NaN|object|[{}<>$_\d]|\b[A-Z]{2,}\b/, text);
  assert.doesNotMatch(words, /error|invalid|service|server|look-?up|fail|host/i, text);
  assert.equal(/\p{Script=Thai}/u.test(words), language === "th", text);
  assert.equal(/[A-Za-z]/.test(words), language === "en", text);
  assert.match(text, language === "th" ? /\p{Script=Thai}$/u : /\.$/, text);
  assert.doesNotMatch(text, / {2}/, text);
}

function membersOf(type) {
  return [...type.matchAll(/"(\w+)"/g)].map(([, name]) => name);
}
