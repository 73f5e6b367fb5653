import { absolute } from "../../shared/index.js";
import { byTie } from "../comparison/index.js";
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
        const entry = this.#entry(reason);
        seen.add(entry);
        entry.differences += 1;
      }
    }
    const money = delta ? moneyByReason(differences, delta) : new Map();
    for (const [reason, amount] of money) {
      const entry = this.#entry(reason);
      seen.add(entry);
      entry.atStake.add(absolute(amount));
      entry.net.add(amount);
    }
    for (const entry of seen) entry.orders += 1;
    if (money.size > 1 || money.has(SEVERAL)) this.severalReasons += 1;
  }

  /** By what it says: that is what a tally has. */
  #entry({ decision, what, policy }) {
    const key = `${decision} ${what} ${policy}`;
    if (!this.#reasons.has(key)) {
      const reason = { decision, what, policy };
      this.#reasons.set(key, { reason, orders: 0, differences: 0, atStake: new Sum(), net: new Sum() });
    }
    return this.#reasons.get(key);
  }

  /** What nothing explains comes first, what cannot be split last. */
  list() {
    return [...this.#reasons.values()]
      .sort((a, b) => rankOf(a) - rankOf(b) || b.orders - a.orders || byTie(tieOf(a), tieOf(b)))
      .map(({ reason, atStake, net, ...counts }) => ({ ...reason, ...counts, atStake: atStake.text(), net: net.text() }));
  }

  /** Adds the lists of a tally, and how many of its orders have several reasons. */
  merge(explanations, severalReasons) {
    this.severalReasons += severalReasons;
    for (const { orders, differences, atStake, net, ...reason } of explanations) {
      const entry = this.#entry(reason);
      entry.orders += orders;
      entry.differences += differences;
      entry.atStake.add(atStake);
      entry.net.add(net);
    }
  }
}

const rankOf = ({ reason: { what } }) => Number(what === SEVERAL.what) - Number(what === NO_REASON.what);

/** D5 comes before D15. */
const tieOf = ({ reason: { decision, what, policy } }) => [
  Number.parseInt(decision?.slice(1) ?? "0", 10),
  `${decision}`,
  what,
  `${policy}`,
];
