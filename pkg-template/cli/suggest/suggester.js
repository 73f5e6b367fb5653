// `--suggest`: the policies under which the fewest orders differ from an old service's answers.
import { DEFAULT_POLICY, POLICY_NAMES } from "../../core/index.js";
import { beginsAsFailure, differencesFrom } from "../comparison/index.js";
import { fieldOf } from "../explain/index.js";
import { progress } from "../screen/index.js";
import { changedFrom, combinations, decisive } from "./policies.js";
import { PolicyPricers } from "./pricers.js";
import { remembered } from "./remembered.js";
import { Sample } from "./sample.js";

/** So many orders choose, of those that differ and of those that do not: a policy may spoil these. */
const MOST_DIFFERENT = 150;
const MOST_SAME = 50;

/** So many of the best sets are tried on all orders. */
const MOST_FINALISTS = 3;

/**
 * @typedef {object} Pair
 * @property {string} right an answer of this package
 * @property {(right: string) => { path: string }[]} differencesOf those of an answer that count
 * @property {(differences: { path: string }[]) => { path: string }[]} counting those that count
 */

class Suggester {
  #pricers;
  #origin;
  #terminal;
  #different = new Sample(MOST_DIFFERENT);
  #same = new Sample(MOST_SAME);

  /** `origin`: see origins.js. */
  constructor({ pricers, origin, terminal }) {
    this.#pricers = pricers;
    this.#origin = origin;
    this.#terminal = terminal;
  }

  /** @param {Pair & import("./origins.js").Pair} pair */
  add(pair, isDifferent) {
    this.#origin.see(pair);
    (isDifferent ? this.#different : this.#same).add(pair);
  }

  /**
   * The best policy: `{ policy, start, different, before, orders, cannotTell, notOurs, notJudged }`. `start`: that of the right
   * side; null if the answers do not tell it, and so is `policy` if none is better. `cannotTell`: the policies that no order
   * decides. `notOurs`: how many orders cannot be priced again; failures stay what they are. `notJudged`: how many sets of
   * policies use amounts that the answers hide.
   * @param {(visit: (pair: Pair) => Promise<void>) => Promise<void>} eachPair visits all pairs once more
   */
  async suggest(eachPair) {
    const sample = [...this.#different.entries, ...this.#same.entries];
    const starts = await this.#origin.policies(sample);
    const judged = await this.#judged(sample);
    const start = starts.find((policy) => scoreOf(judged, policy).hidden === 0) ?? null;
    const scored = combinations().map((policy) => ({
      policy,
      changes: changedFrom(start ?? DEFAULT_POLICY, policy).length,
      ...scoreOf(judged, policy),
    }));
    const sure = scored.filter(({ hidden }) => hidden === 0);
    // If the right side was made with several policies, even the best one may be worse than what is.
    const asItIs = starts.length === 0 ? { orders: Infinity } : { ...total(judged.map(({ asItIs }) => asItIs)), changes: 0 };
    const finalists = sure
      .filter((one) => better(one, asItIs) < 0)
      .sort(better)
      .slice(0, MOST_FINALISTS);
    const { orders, before, different, hidden, notOurs } = await this.#confirmed(
      finalists.map(({ policy }) => policy),
      eachPair,
    );
    const most = starts.length === 0 ? Infinity : before;
    const counts = different.map((count, at) => (hidden[at] > 0 || count > most ? Infinity : count));
    const least = Math.min(...counts);
    const best =
      least === Infinity ? { policy: start, different: before } : { policy: finalists[counts.indexOf(least)].policy, different: least };
    const decided = new Set(judged.flatMap(({ names }) => names));
    const cannotTell = POLICY_NAMES.filter((name) => !decided.has(name));
    return { ...best, start, before, orders, cannotTell, notOurs, notJudged: scored.length - sure.length };
  }

  /** For each order of the sample that can be priced again, the policies that decide its answer, and the outcomes by their values. */
  async #judged(sample) {
    let done = 0;
    const bar = progress(
      {
        size: sample.length,
        get bytesRead() {
          return done;
        },
      },
      this.#terminal,
    );
    const judged = [];
    try {
      for (const pair of sample) {
        const orders = await this.#origin.orders(pair);
        if (orders.length > 0) judged.push(await this.#judge(pair, orders));
        bar.update((done += 1));
      }
    } finally {
      bar.stop();
    }
    return judged;
  }

  async #judge(pair, orders) {
    const answersBy = remembered((policy) => Promise.all(orders.map((order) => this.#pricers.answer(order, policy))), JSON.stringify);
    const outcomeOf = outcomes(pair);
    const names = await decisive(async (policy) => JSON.stringify(await answersBy(policy)));
    const byValues = new Map();
    for (const policy of combinations(names)) byValues.set(valuesOf(names, policy), outcomeOf(await answersBy(policy)));
    return { names, byValues, asItIs: outcomeOf([pair.right]) };
  }

  /** How many orders differ as they are, and by each of these policies. An answer that cannot be priced again stays as it is. */
  async #confirmed(policies, eachPair) {
    const found = { orders: 0, before: 0, notOurs: 0, different: policies.map(() => 0), hidden: policies.map(() => 0) };
    await eachPair(async (pair) => {
      const outcomeOf = outcomes(pair);
      const before = outcomeOf([pair.right]);
      const orders = await this.#origin.orders(pair);
      found.orders += 1;
      found.before += before.isDifferent;
      if (orders.length === 0 && !beginsAsFailure(pair.right)) found.notOurs += 1;
      for (const [at, policy] of policies.entries()) {
        const answers = orders.length === 0 ? [pair.right] : await Promise.all(orders.map((order) => this.#pricers.answer(order, policy)));
        const { isDifferent, isHidden } = outcomeOf(answers);
        found.different[at] += isDifferent;
        found.hidden[at] += isHidden;
      }
    });
    return found;
  }
}

/** A suggester for orders of one origin. */
export async function suggesterOf(Origin, terminal) {
  const pricers = new PolicyPricers(await import("order-cost"));
  return new Suggester({ pricers, origin: new Origin(pricers), terminal });
}

/**
 * A function that judges the answers that an order may have by a policy: `isDifferent`, whether they differ, as 0 or 1; `fields`,
 * how many fields do; `isHidden`, whether that depends on which of them it has.
 */
function outcomes({ differencesOf, counting }) {
  const counted = remembered(differencesOf);
  return remembered(([answer, ...others]) => {
    const found = counted(answer);
    const between = differencesFrom(answer);
    const unsure = new Set(others.flatMap((other) => counting(between(other)).map(({ path }) => fieldOf(path))));
    const isSure = unsure.size === 0 || found.some(({ path }) => !unsure.has(fieldOf(path)));
    return { isDifferent: Number(found.length > 0), fields: found.length, isHidden: Number(!isSure) };
  }, JSON.stringify);
}

const valuesOf = (names, policy) => names.map((name) => policy[name]).join();

const scoreOf = (judged, policy) => total(judged.map(({ names, byValues }) => byValues.get(valuesOf(names, policy))));

function total(outcomes) {
  const sum = (name) => outcomes.reduce((sum, outcome) => sum + outcome[name], 0);
  return { orders: sum("isDifferent"), fields: sum("fields"), hidden: sum("isHidden") };
}

/** Fewer orders, then fewer fields, then fewer changes: nobody changes a policy that changes nothing. */
const better = (a, b) => a.orders - b.orders || a.fields - b.fields || a.changes - b.changes;
