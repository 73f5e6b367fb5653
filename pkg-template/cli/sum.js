import { add, decimalText } from "../decimal.js";

/** A sum of exact amounts, and how many they are. */
export class Sum {
  count = 0;
  total = { digits: 0n, scale: 0n };

  add(amount) {
    this.count += 1;
    this.total = add(this.total, amount);
  }

  text() {
    return decimalText(this.total);
  }
}
