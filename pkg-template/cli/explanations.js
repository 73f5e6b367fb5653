import { Sum } from "./sum.js";

const UNEXPLAINED = { decision: null, what: "unexplained", policy: null };

/** Why orders differ: how many for each reason, with the money in them. */
export class Explanations {
  #reasons = new Map();
  /** Orders whose money counts under more than one reason. */
  severalReasons = 0;

  /** Each reason counts an order once, with the money that its grand total is off by for that reason. */
  add(differences, money) {
    const seen = new Map();
    for (const difference of differences) {
      for (const reason of difference.roots.length > 0 ? [UNEXPLAINED] : difference.reasons) {
        seen.set(reason, seen.get(reason) || difference.path === "grandTotal");
        this.#entry(reason).differences += 1;
      }
    }
    const ofTotal = [...seen].filter(([, isOfTotal]) => isOfTotal).map(([reason]) => reason);
    for (const reason of seen.keys()) this.#entry(reason).orders += 1;
    if (!money) return;
    for (const reason of ofTotal) this.#entry(reason).atStake.add(money);
    if (ofTotal.length > 1) this.severalReasons += 1;
  }

  #entry(reason) {
    if (!this.#reasons.has(reason)) this.#reasons.set(reason, { orders: 0, differences: 0, atStake: new Sum() });
    return this.#reasons.get(reason);
  }

  /** What nothing explains comes first. */
  list() {
    return [...this.#reasons]
      .map(([reason, { atStake, ...counts }]) => ({ ...reason, ...counts, atStake: atStake.text() }))
      .sort((a, b) => (b.decision === null) - (a.decision === null) || b.orders - a.orders);
  }
}
