// Collects what many comparisons found: how many orders differ, with how much money, and why.
import { absolute } from "../../shared/index.js";
import { Differing, reasonsOf } from "../comparison/index.js";
import { Sum } from "../explain/index.js";
import { BrokenLines } from "../files/index.js";
import { Explanations } from "./explanations.js";
import { FailedOrders } from "./failed-orders.js";
import { Fields } from "./fields.js";
import { SetAside } from "./set-aside.js";

export class Findings {
  #ignoring;
  #accepting;
  #mostExamples;
  #reason;
  #fields;
  #explanations = new Explanations();
  #failed = new FailedOrders();
  #ignored = new SetAside();
  #accepted = new SetAside();
  #atStake = new Sum();
  #net = new Sum();
  #counts = {
    orders: 0,
    same: 0,
    different: 0,
    unmatched: 0,
    onlyLeft: 0,
    onlyRight: 0,
    failedAlike: 0,
    otherKeyOrder: 0,
    otherRows: 0,
    withoutRowField: 0,
    withoutTotal: 0,
  };
  #differing = new Differing();
  /** @type {BrokenLines | undefined} */
  broken;

  /**
   * `ignored` are the differences that do not count, see Ignored, `accepted` those of `--accept`. `reason`: only orders that
   * differ for it are listed.
   * @param {{ ignored: import("../comparison/ignored.js").Ignored, accepted?: import("../comparison/accepted.js").Accepted, examples?: number, reason?: string }} options
   */
  constructor({ ignored, accepted, examples, reason }) {
    this.#ignoring = ignored;
    this.#accepting = accepted;
    this.#mostExamples = examples;
    this.#reason = reason;
    this.#fields = new Fields({ mostOfField: reason === undefined ? undefined : examples });
  }

  /** Whether a difference is for the reason that was asked for. */
  #isFor(difference) {
    return this.#reason === undefined || reasonsOf(difference).includes(this.#reason);
  }

  get orders() {
    return this.#counts.orders;
  }

  /**
   * Adds the comparison of two responses. Returns whether they differ, and whether the order is listed.
   * @param {{ requestId: string, place: string, readonly hash?: string }} one a capture has a hash, which names it
   * @param {import("../comparison/compare-pair.js").Comparison} comparison
   */
  add(one, { differences, delta, movesKeys, isFailed, hasOtherRows, lacksRowField }) {
    if (isFailed) this.#counts.failedAlike += 1;
    if (movesKeys) this.#counts.otherKeyOrder += 1;
    if (hasOtherRows) this.#counts.otherRows += 1;
    if (lacksRowField) this.#counts.withoutRowField += 1;
    const counting = this.#counting(one.requestId, differences, delta);
    if (counting.length === 0) return { isDifferent: false, isListed: false };
    this.#counts.different += 1;
    const listed = counting.filter((difference) => this.#isFor(difference));
    const order = namesOf(one);
    this.#fields.add(order, counting, listed);
    for (const difference of counting.filter(({ kind }) => kind === "failed")) this.#failed.add(difference);
    this.#explanations.add(counting, this.#stake(counting, delta));
    if (listed.length > 0) this.#differing.add(order, listed);
    return { isDifferent: true, isListed: listed.length > 0 };
  }

  /** Adds a response without a partner; `shown` is the error text of each side, see Fields. Returns the same as `add`. */
  addUnmatched(id, where, side, shown) {
    const counting = this.#counting(id, [{ path: "", kind: "unmatched" }]);
    if (counting.length === 0) return { isDifferent: false, isListed: false };
    this.#counts.unmatched += 1;
    this.#counts[side] += 1;
    const isListed = this.#reason === undefined;
    this.#fields.addUnmatched(id, where, shown, isListed);
    return { isDifferent: true, isListed };
  }

  /** What of an order's differences is neither ignored nor accepted. Without a rest the order counts as the same, ignored or accepted. */
  #counting(id, differences, delta) {
    this.#counts.orders += 1;
    const noticed = this.#ignoring.rest(differences);
    const counting = this.#accepting ? this.#accepting.rest(id, noticed, delta) : noticed;
    this.#ignored.addMoney(differences, noticed, delta);
    this.#accepted.addMoney(noticed, counting, delta);
    if (differences.length === 0) this.#counts.same += 1;
    else if (noticed.length === 0) this.#ignored.orders += 1;
    else if (counting.length === 0) this.#accepted.orders += 1;
    return counting;
  }

  /** Adds what the grand totals of an order are apart. Returns it, undefined if that is nothing. */
  #stake(differences, delta) {
    if (!differences.some(({ path }) => path === "grandTotal")) return undefined;
    if (!delta) this.#counts.withoutTotal += 1;
    if (!delta?.digits) return undefined;
    this.#atStake.add(absolute(delta));
    this.#net.add(delta);
    return delta;
  }

  /** All findings, as `--format json` prints them. */
  report() {
    const [ignoredOrders, ignoredAtStake, ignoredWithoutTotal] = this.#ignored.report();
    const [acceptedOrders, acceptedAtStake, acceptedWithoutTotal] = this.#accepted.report();
    return {
      ...this.#counts,
      ...this.#failed.report(),
      atStake: this.#atStake.text(),
      net: this.#net.text(),
      ordersAtStake: this.#atStake.count,
      ordersOfSeveralReasons: this.#explanations.severalReasons,
      ignoredOrders,
      ignoredAtStake,
      ignoredWithoutTotal,
      acceptedOrders,
      acceptedAtStake,
      acceptedWithoutTotal,
      explanations: this.#explanations.list(),
      fields: this.#fields.list(),
      differences: this.#fields.differences,
      examples: this.#fields.examples(this.#mostExamples),
      differing: this.#differing.list(),
      notListed: this.#differing.count - this.#differing.list().length,
      accepted: this.#accepting?.entries() ?? [],
      broken: this.broken,
    };
  }

  /** A sentence for each pattern of --ignore-path that matched nothing. */
  warnings() {
    return this.#ignoring.unusedSentences();
  }

  /** All findings for a tally: what is listed has what its place in the list depends on. */
  data() {
    const { fields, differences, examples, differing, notListed, accepted, broken, ...counts } = this.report();
    return {
      ...counts,
      fields: this.#fields.data(),
      listed: this.#differing.count,
      differing: this.#differing.data(),
      accepted,
      unusedPaths: this.#ignoring.unused(),
    };
  }

  /** Adds those of a tally. */
  merge(other) {
    for (const name of Object.keys(this.#counts)) this.#counts[name] += other[name];
    this.#failed.merge(other);
    this.#ignored.merge(other.ignoredOrders, other.ignoredAtStake, other.ignoredWithoutTotal);
    this.#accepted.merge(other.acceptedOrders, other.acceptedAtStake, other.acceptedWithoutTotal);
    this.#atStake.add(other.atStake, other.ordersAtStake);
    this.#net.add(other.net);
    this.#explanations.merge(other.explanations, other.ordersOfSeveralReasons);
    this.#fields.merge(other.fields);
    this.#differing.merge(other.listed, other.differing);
    this.#accepting?.merge(other.accepted);
    this.#ignoring.merge(other.unusedPaths);
    if (other.broken) (this.broken ??= new BrokenLines()).merge(other.broken);
  }
}

/**
 * How reports name an order. Another machine has another name for the place of its capture.
 * @param {{ requestId: string, place: string, readonly hash?: string }} one
 */
function namesOf({ requestId: id, place, hash }) {
  return hash === undefined ? { id, where: place, tie: [] } : { id, where: hash, tie: [id, hash] };
}
