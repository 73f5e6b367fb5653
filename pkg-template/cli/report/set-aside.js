import { absolute } from "../../shared/index.js";
import { Sum } from "../explain/index.js";

const WITHOUT_TOTAL = ["failed", "unmatched"];

/** The orders that do not count as different, because their differences were ignored or accepted, and the money in them. */
export class SetAside {
  orders = 0;
  #atStake = new Sum();
  #withoutTotal = 0;

  /** An order had the differences `before`, of which `rest` stay. `delta` is what its grand totals are apart, see comparePair. */
  addMoney(before, rest, delta) {
    if (!before.some(isAboutTotal) || rest.some(isAboutTotal)) return;
    if (!delta) this.#withoutTotal += 1;
    else if (delta.digits) this.#atStake.add(absolute(delta));
  }

  merge(orders, atStake, withoutTotal) {
    this.orders += orders;
    this.#atStake.add(atStake);
    this.#withoutTotal += withoutTotal;
  }

  report() {
    return [this.orders, this.#atStake.text(), this.#withoutTotal];
  }
}

const isAboutTotal = ({ path, kind }) => path === "grandTotal" || WITHOUT_TOTAL.includes(kind);
