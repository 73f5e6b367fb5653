import { absolute } from "../../shared/index.js";
import { Sum } from "../explain/index.js";
import { moneyByReason, NO_REASON, SEVERAL } from "./money-split.js";

/** Why orders differ: how many for each reason, with the money that it moves. */
export class Explanations {
  #reasons = new Map();
  /** Orders whose money is that of several reasons. */
  severalReasons = 0;

  /** Each reason counts an order once. `delta`: what its grand totals are apart, if anything. */
  add(differences, delta) {
    const seen = new Set();
    for (const difference of differences) {
      for (const reason of difference.roots.length > 0 ? [NO_REASON] : difference.reasons) {
        seen.add(reason);
        this.#entry(reason).differences += 1;
      }
    }
    const money = delta ? moneyByReason(differences, delta) : new Map();
    for (const reason of new Set([...seen, ...money.keys()])) this.#entry(reason).orders += 1;
    for (const [reason, amount] of money) {
      this.#entry(reason).atStake.add(absolute(amount));
      this.#entry(reason).net.add(amount);
    }
    if (money.size > 1 || money.has(SEVERAL)) this.severalReasons += 1;
  }

  #entry(reason) {
    if (!this.#reasons.has(reason)) this.#reasons.set(reason, { orders: 0, differences: 0, atStake: new Sum(), net: new Sum() });
    return this.#reasons.get(reason);
  }

  /** What nothing explains comes first, what cannot be split last. */
  list() {
    const rank = (reason) => Number(reason === SEVERAL) - Number(reason === NO_REASON);
    return [...this.#reasons]
      .sort(([a, one], [b, other]) => rank(a) - rank(b) || other.orders - one.orders)
      .map(([reason, { atStake, net, ...counts }]) => ({ ...reason, ...counts, atStake: atStake.text(), net: net.text() }));
  }
}
