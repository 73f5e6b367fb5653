// `--suggest`: the policies under which the fewest orders differ from an old service's answers.
import { DEFAULT_POLICY, POLICY_NAMES } from "../../policies.js";
import { differencesFrom } from "../compare-pair.js";
import { progress } from "../progress.js";
import { chosenIn, combinations, decisive } from "./policies.js";
import { PolicyPricers } from "./pricers.js";
import { isPriced, rebuilt } from "./rebuild.js";
import { Sample } from "./sample.js";

/** So many orders choose, of those that differ and of those that do not: a policy may spoil these. */
const MOST_DIFFERENT = 150;
const MOST_SAME = 50;

/** So many of the best sets are tried on all orders. */
const MOST_FINALISTS = 3;

export class Suggester {
  #pricers;
  #terminal;
  #counterFrom;
  #different = new Sample(MOST_DIFFERENT);
  #same = new Sample(MOST_SAME);
  #ofOthers = 0;

  /** `ignored` and `matchRows`: as in verify. */
  constructor(orderCost, { ignored, matchRows, terminal }) {
    this.#terminal = terminal;
    this.#pricers = new PolicyPricers(orderCost);
    this.#counterFrom = (left) => {
      const differencesOf = differencesFrom(left, matchRows);
      return remembered((right) => ignored.rest(differencesOf(right)).length);
    };
  }

  /** Takes a pair, whose right side this package has priced by a policy. */
  async add(left, right, isDifferent, policy = DEFAULT_POLICY) {
    const order = await this.#rebuilt(right, policy);
    if (!order) this.#ofOthers += 1;
    else (isDifferent ? this.#different : this.#same).add({ left, order });
  }

  /** The order of an answer, if it gives that answer again. */
  async #rebuilt(right, policy) {
    try {
      if (!isPriced(right)) return undefined;
      const order = rebuilt(right);
      return differencesFrom(right)(await this.#pricers.answer(order, policy)).length === 0 ? order : undefined;
    } catch {
      return undefined; // a field that a priced order has is missing, or of another type
    }
  }

  /**
   * The best policy: `{ policy, different, before, orders, cannotTell, notOurs }`. `cannotTell`: the policies that no order
   * decides. `notOurs`: how many answers cannot be rebuilt.
   * @param {(visit: (left: string, right: string, policy?: object) => Promise<void>) => Promise<void>} eachPair visits all
   *   pairs once more
   */
  async suggest(eachPair) {
    const sample = [...this.#different.entries, ...this.#same.entries];
    const judged = await this.#judged(sample);
    const ranked = combinations().map((policy) => ({ policy, ...scoreOf(judged, policy) })).sort(better);
    const decided = new Set(judged.flatMap(({ names }) => names));
    const finalists = ranked.slice(0, MOST_FINALISTS).map(({ policy }) => policy);
    const { orders, before, different } = await this.#confirmed(finalists, eachPair);
    const best = different.indexOf(Math.min(...different));
    const cannotTell = POLICY_NAMES.filter((name) => !decided.has(name));
    return { policy: finalists[best], different: different[best], before, orders, cannotTell, notOurs: this.#ofOthers };
  }

  /** For each order of the sample, the policies that decide its answer, and the count of differences by their values. */
  async #judged(sample) {
    const bar = progress({ size: sample.length, get bytesRead() { return judged.length; } }, this.#terminal);
    const judged = [];
    try {
      for (const { left, order } of sample) {
        judged.push(await this.#judge(left, order));
        bar.update(judged.length);
      }
    } finally {
      bar.stop();
    }
    return judged;
  }

  async #judge(left, order) {
    const countOf = this.#counterFrom(left);
    const answerOf = remembered((policy) => this.#pricers.answer(order, policy), JSON.stringify);
    const names = await decisive(answerOf);
    const byValues = new Map();
    for (const policy of combinations(names)) byValues.set(valuesOf(names, policy), countOf(await answerOf(policy)));
    return { names, byValues };
  }

  /** How many orders differ as they are, and by each of these policies. An answer that cannot be rebuilt stays as it is. */
  async #confirmed(policies, eachPair) {
    const found = { orders: 0, before: 0, different: policies.map(() => 0) };
    await eachPair(async (left, right, own) => {
      found.orders += 1;
      const order = await this.#rebuilt(right, own ?? DEFAULT_POLICY);
      const countOf = this.#counterFrom(left);
      const isDifferent = async (answer) => (countOf(await answer) > 0 ? 1 : 0);
      found.before += await isDifferent(right);
      for (const [at, policy] of policies.entries()) found.different[at] += await isDifferent(order ? this.#pricers.answer(order, policy) : right);
    });
    return found;
  }
}

/** A function that does nothing twice. */
function remembered(compute, keyOf = (value) => value) {
  const known = new Map();
  return (value) => {
    const key = keyOf(value);
    if (!known.has(key)) known.set(key, compute(value));
    return known.get(key);
  };
}

const valuesOf = (names, policy) => names.map((name) => policy[name]).join();

function scoreOf(judged, policy) {
  const counts = judged.map(({ names, byValues }) => byValues.get(valuesOf(names, policy)));
  return { orders: counts.filter(Boolean).length, fields: counts.reduce((sum, count) => sum + count, 0) };
}

/** Fewer orders, then fewer fields, then fewer policies: nobody sets one that changes nothing. */
const better = (a, b) => a.orders - b.orders || a.fields - b.fields || chosenIn(a.policy).length - chosenIn(b.policy).length;
