import { add, decimalText } from "../../shared/index.js";
import { ZERO } from "./amounts.js";

/** A sum of exact amounts, and how many they are. */
export class Sum {
  count = 0;
  total = ZERO;

  /** @param {import("../../shared/decimal.js").Decimal} amount */
  add(amount) {
    this.count += 1;
    this.total = add(this.total, amount);
  }

  text() {
    return decimalText(this.total);
  }
}
