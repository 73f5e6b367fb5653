// What a shop tells its customers, in both languages, from `order-cost/messages`. The page is in Thai.
import { english, thai } from "order-cost/messages";
import { code, table } from "./markdown.mjs";

const PRODUCT = "น้ำปลา";
const [VOUCHER, COUPON] = ["V1", "SAVE10"];

/** What a text may depend on, with a word for each value. */
const FACTS = {
  product: { ระบุสินค้า: PRODUCT, ไม่ระบุสินค้า: undefined },
  voucherId: { ระบุบัตรกำนัล: VOUCHER, ไม่ระบุบัตรกำนัล: undefined },
  retryable: { ลองใหม่ได้: true, ลองใหม่ทันทีไม่ได้: false },
};

const CHANGES = {
  price: { productName: PRODUCT, before: 37.25, after: 39 },
  unavailable: { productName: PRODUCT },
  available: { productName: PRODUCT },
  deliveryFee: { before: 30, after: 45 },
  voucherRefused: { voucherId: VOUCHER },
  couponFailed: { coupon: COUPON },
};

/** An example of each step: the number of its product, delivery, coupon or voucher, its amount and its operands. */
const STEPS = {
  zone: [0, 30, { name: "สีลม", deliveryFee: 30, covers: true, isChosen: true }],
  row: [1, 111.75, { quantity: 3, price: 37.25 }],
  rowTotal: [1, 120, { quantity: 3, originalPrice: 40 }],
  nationwideRate: [0, 60, { shippingPostcode: "50200", nationwideMode: "DRY" }],
  deliveryFee: [1, 30, { mode: "REGULAR", fee: 30 }],
  expressFee: [1, 50, { shippingType: "DELIVERY", expressSurcharge: "firstSchedule" }],
  voucher: [1, 50, { voucherId: VOUCHER, inactive: false, used: false, ownerMismatch: false }],
  repeated: [2, 0, { coupon: COUPON }],
  coupon: [1, 10, { coupon: COUPON, freeshipping: false }],
  failedCoupon: [1, 0, { coupon: COUPON }],
  ignoredCoupon: [1, 0, { coupon: COUPON }],
  discountedRowTotal: [1, 101.75, { row: 111.75, discountFromCoupon: 10 }],
  two4Discount: [0, 20, {}],
  percentageDiscount: [0, 11.175, { percentage: 0.1, subTotal: 111.75 }],
  shippingDiscount: [0, -30, {}],
  freeShipping: [0, -30, {}],
  cartDiscount: [0, -10, {}],
  bogoDiscount: [0, -37.25, {}],
  voucherDiscount: [0, -50, {}],
  floor: [0, 8.5, {}, "grandTotal"],
  totalDiscount: [0, 60, {}],
  totalExcludeControlledProducts: [0, 101.75, {}],
};

/** The tables of all texts. */
export async function messages() {
  const both = (textOf) => [thai, english].map(textOf);
  /** A row for each name, with the text that `textOf` knows of it. */
  const rowsOf = (texts, textOf) => Object.keys(texts).map((name) => [code(name), ...both(textOf(name))]);
  const tables = [
    ["ปัญหาของตะกร้า", "รหัส", Object.keys(english.errors).flatMap((name) => errorRows(name, both))],
    [
      "บัตรกำนัลที่ใช้ไม่ได้",
      "เหตุผล",
      rowsOf(
        english.reasons,
        (name) =>
          ({ reasons }) =>
            reasons[name],
      ),
    ],
    ["คูปองที่ใช้ไม่ได้", "รหัส", rowsOf({ failedCoupon: "" }, (name) => (texts) => texts[name](COUPON))],
    ["สิ่งที่เปลี่ยนไปในตะกร้า", "ชนิด", rowsOf(english.changes, changeText)],
    ["ที่มาของยอด", "กฎ", rowsOf(english.steps, stepText)],
  ];
  return tables.map(([title, first, rows]) => `## ${title}\n\n${table([first, "ภาษาไทย", "ภาษาอังกฤษ"], rows)}`).join("\n\n");
}

/** A row for each value of the facts on which the text of that error depends. */
function errorRows(name, both) {
  const textsOf = (facts) => both(({ errors }) => errors[name](facts));
  const differ = (one, other) => String(textsOf(one)) !== String(textsOf(other));
  const all = combinations(Object.keys(FACTS));
  const relevant = Object.keys(FACTS).filter((fact) => all.some(({ facts }) => differ(facts, { ...facts, [fact]: undefined })));
  return combinations(relevant).map(({ words, facts }) => [[code(name), ...words].join(" "), ...textsOf(facts)]);
}

/** All values of these facts with each other. */
function combinations(facts) {
  const withEach = (known, fact) =>
    known.flatMap((one) =>
      Object.entries(FACTS[fact]).map(([word, value]) => ({
        words: [...one.words, word],
        facts: { ...one.facts, [fact]: value },
      })),
    );
  return facts.reduce(withEach, [{ words: [], facts: {} }]);
}

const changeText =
  (kind) =>
  ({ changes, money }) =>
    changes[kind]({ kind, ...CHANGES[kind], money });

const stepText =
  (rule) =>
  ({ steps, money }) => {
    const [number, amount, operands, path] = STEPS[rule];
    return steps[rule]({ rule, number, amount, operands, path, money });
  };
