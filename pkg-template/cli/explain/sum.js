import { add, decimalText } from "../../shared/index.js";
import { ZERO } from "./amounts.js";

/** A sum of exact amounts, and how many they are. */
export class Sum {
  count = 0;
  total = ZERO;

  /**
   * @param {import("../../shared/decimal.js").Decimal} amount
   * @param {number} [count] of how many it is the sum
   */
  add(amount, count = 1) {
    this.count += count;
    this.total = add(this.total, amount);
  }

  text() {
    return decimalText(this.total);
  }
}
