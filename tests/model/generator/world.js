import { OWNERS } from "./edits.js";
import { randomFrom } from "./random.js";

/** What the databases of a basket's host hold. The same question has the same answer until the next epoch. */
export class World {
  epoch = 0; // version of the facts; each refresh starts a new one
  isRestocked = false; // products not found before may be found now

  constructor(random, isHuge) {
    this.isHuge = isHuge;
    this.salt = random.integer(0, 1000);
  }

  #amount(key, most) {
    const fixed = randomFrom(this.salt + this.epoch * 7919 + [...key].reduce((hash, one) => (hash * 31 + one.codePointAt(0)) | 0, 7));
    if (this.isHuge) return fixed.integer(1, most);
    return fixed.weighted([
      [3, fixed.integer(0, most)],
      [5, fixed.integer(0, most * 100) / 100],
      [2, fixed.integer(0, most * 10) * 0.1 + 0.2],
    ]);
  }

  price(cprcode, branchId) {
    if (cprcode === 7 || (cprcode === 6 && !this.isRestocked)) return null;
    const key = `${cprcode}/${branchId}`;
    if (cprcode === 8 && this.isHuge) return { price: 7e22 };
    const record = { price: this.#amount(key, 500) };
    if (cprcode % 2) Object.assign(record, { originalPrice: record.price + 5, weight: this.#amount(`w${key}`, 3) });
    if (cprcode % 3 === 0) record.isControlledProduct = true;
    return record;
  }

  rate(mode, postcode) {
    if (mode === "MIX" && postcode === "50000" && !this.isRestocked) throw new Error("No rate for MIX");
    return { deliveryFee: this.#amount(`${mode}/${postcode}`, 150), nationwideConfig: mode === "DRY" ? null : `${mode}/${postcode}` };
  }

  voucher(id) {
    if (id === "V5" && !this.isRestocked) return undefined;
    const ownerId = id === "V4" ? null : OWNERS[1 + (id.codePointAt(1) % 2)];
    return { ownerId, value: this.#amount(id, 80), isActive: id !== "V3", isUsed: false };
  }

  /** Depends on the whole request: another request gets another answer. */
  coupons({ couponCodeList, subTotal, deliveryFee, ownerId, productList }) {
    const lastLine = productList.length - 1;
    const grants = {
      A: { discount: this.#amount(`A${subTotal}`, 30) },
      B: { bogoDiscount: this.#amount(`B${ownerId}${deliveryFee}`, 30), lines: [{ line: lastLine, discount: this.#amount("B", 9) }] },
      LINE: { two4Discount: 3, lines: productList.map((_, line) => ({ line, discount: this.#amount(`L${line}`, 9) })) },
      PCT: this.isHuge ? { discount: 1 } : { percentageDiscount: 0.05, discount: 2 },
      SHIP: { freeshipping: true, shippingDiscount: this.#amount(`S${deliveryFee}`, 60) },
    };
    const discounts = couponCodeList.filter((code) => Object.hasOwn(grants, code)).map((coupon) => ({ coupon, ...grants[coupon] }));
    if (productList.length > 2) discounts.push({ coupon: "AUTO", discount: 1 });
    const lines = couponCodeList.length > 2 ? [{ line: 0, discount: 2 }] : undefined;
    return { discounts, failedCoupons: couponCodeList.filter((code) => !Object.hasOwn(grants, code)), lines };
  }

  answer(name, argument) {
    if (name === "lookupPrices") return argument.map(({ cprcode, branchId }) => this.price(cprcode, branchId));
    if (name === "lookupVouchers") return argument.map((id) => this.voucher(id));
    if (name === "nationwideRate") return this.rate(argument.nationwideMode, argument.shippingPostcode);
    return this.coupons(argument);
  }

  /** A host that answers everything at once and correctly. */
  get host() {
    return Object.fromEntries(LOOKUPS.map((name) => [name, (argument) => this.answer(name, argument)]));
  }
}

export const LOOKUPS = ["lookupPrices", "nationwideRate", "validateCoupons", "lookupVouchers"];

/** Ways to spoil an answer. */
export const MALFORMED = {
  lookupPrices: (answer) => [() => answer.slice(1), () => answer.with(0, { price: -1 }), () => answer.with(-1, "{"), () => ({ ...answer })],
  lookupVouchers: (answer) => [() => [...answer, null], () => answer.with(0, { value: 5 }), () => null],
  nationwideRate: () => [() => null, () => ({ deliveryFee: -1 }), () => "60x"],
  validateCoupons: () => [() => 5, () => ({ discounts: [{ coupon: "A", discount: -1 }] }), () => ({ lines: [{ line: 5000 }] })],
};
