// Collects what many comparisons found: by field, by explanation, and the worst of all.
import { absolute, decimal, decimalText, order, subtract } from "../decimal.js";
import { exactText, numberText, typeOf } from "../exact-json.js";
import { Sum } from "./sum.js";

/** How many examples of one field and kind are kept, so that one field does not crowd out the others. */
const EXAMPLES_PER_FIELD = 3;
/** How many of the orders that differ are listed. `--ids` writes all. */
const MOST_LISTED = 100;
const ZERO = { digits: 0n, scale: 0n };
const UNEXPLAINED = { decision: null, what: "unexplained", policy: null };

export class Findings {
  #isIgnored;
  #accepted;
  #mostExamples;
  #fields = new Map();
  #explanations = new Map();
  #atStake = new Sum();
  #acceptedAtStake = new Sum();
  #counts = { orders: 0, same: 0, acceptedOrders: 0, different: 0, unmatched: 0, onlyLeft: 0, onlyRight: 0, otherKeyOrder: 0, otherRows: 0, withoutRowField: 0, withoutTotal: 0 };
  #differing = [];

  /** `isIgnored` says which differences do not count, `accepted` are those of `--accept`. */
  constructor({ isIgnored = () => false, accepted, examples }) {
    this.#isIgnored = isIgnored;
    this.#accepted = accepted;
    this.#mostExamples = examples;
  }

  get orders() {
    return this.#counts.orders;
  }

  /** Adds the comparison of two responses, see comparePair. Returns whether they differ. */
  add(id, where, { differences, delta, movesKeys, hasOtherRows, lacksRowField }) {
    this.#counts.orders += 1;
    if (movesKeys) this.#counts.otherKeyOrder += 1;
    if (hasOtherRows) this.#counts.otherRows += 1;
    if (lacksRowField) this.#counts.withoutRowField += 1;
    const counting = this.#counting(id, differences, "different", delta?.digits ? delta : undefined);
    if (counting.length === 0) return false;
    const money = hasOtherTotal(counting) && delta?.digits ? delta : undefined;
    if (money) this.#atStake.add(money);
    if (hasOtherTotal(counting) && !delta) this.#counts.withoutTotal += 1;
    for (const difference of counting) this.#count(id, where, difference);
    this.#explain(counting, money);
    this.#list(id, counting);
    return true;
  }

  /** Adds a response without a partner. Returns whether it counts. */
  addUnmatched(id, where, side) {
    this.#counts.orders += 1;
    const counting = this.#counting(id, [{ path: "", kind: "unmatched" }], "unmatched");
    if (counting.length === 0) return false;
    this.#counts[side] += 1;
    this.#keep({ id, where, path: "", kind: "unmatched", why: "", left: null, right: null }, "unmatched", [4, ZERO]);
    return true;
  }

  /** What of the differences is neither ignored nor accepted. Counts the order: the same, accepted, or as `otherwise`. */
  #counting(id, differences, otherwise, money) {
    const noticed = differences.filter((difference) => !this.#isIgnored(difference));
    const counting = this.#accepted ? this.#accepted.rest(id, noticed, money) : noticed;
    if (money && hasOtherTotal(noticed) && !hasOtherTotal(counting)) this.#acceptedAtStake.add(money);
    this.#counts[counting.length > 0 ? otherwise : noticed.length > 0 ? "acceptedOrders" : "same"] += 1;
    return counting;
  }

  #count(id, where, difference) {
    const { path, field, kind } = difference;
    const why = whyOf(difference);
    const size = sizeOf(difference);
    const rank = rankOf(difference);
    const entry = this.#entry(`${kind} ${why} ${field}`, { field, kind, why, rank });
    entry.count += 1;
    if (size && (!entry.largest || order(size, entry.largest) > 0)) entry.largest = size;
    const [left, right] = ["left", "right"].map((side, index) => shownText(difference[side], difference.statuses?.[index]));
    const example = { id, where, path, kind, why, left, right };
    keepWorst(entry.worst, { weight: [rank, size ?? ZERO], example });
  }

  #entry(key, values) {
    if (!this.#fields.has(key)) this.#fields.set(key, { ...values, count: 0, largest: null, worst: [] });
    return this.#fields.get(key);
  }

  #keep(example, key, weight) {
    keepWorst(this.#entry(key, { kind: example.kind }).worst, { weight, example });
  }

  /** Each reason counts an order once, with what its grand total is off by for that reason. */
  #explain(differences, money) {
    const seen = new Map();
    for (const difference of differences) {
      for (const reason of difference.roots.length > 0 ? [UNEXPLAINED] : difference.reasons) {
        const isMoney = seen.get(reason) || difference.path === "grandTotal";
        seen.set(reason, isMoney);
        this.#explanation(reason).differences += 1;
      }
    }
    for (const [reason, isMoney] of seen) {
      this.#explanation(reason).orders += 1;
      if (isMoney && money) this.#explanation(reason).atStake.add(money);
    }
  }

  #explanation(reason) {
    if (!this.#explanations.has(reason)) this.#explanations.set(reason, { orders: 0, differences: 0, atStake: new Sum() });
    return this.#explanations.get(reason);
  }

  #list(id, differences) {
    if (this.#differing.length === MOST_LISTED) return;
    const worst = differences.toSorted((a, b) => rankOf(b) - rankOf(a));
    this.#differing.push({ id, differences: differences.length, worst: worst[0].path || "(all)", why: whyOf(worst[0]) });
  }

  /** All findings, as `--format json` prints them. */
  report() {
    return {
      ...this.#counts,
      atStake: this.#atStake.text(),
      ordersAtStake: this.#atStake.count,
      acceptedAtStake: this.#acceptedAtStake.text(),
      explanations: this.#explanationList(),
      fields: this.#fieldList(),
      examples: this.#examples(),
      differing: this.#differing,
      accepted: this.#accepted?.entries() ?? [],
    };
  }

  #explanationList() {
    return [...this.#explanations]
      .map(([reason, { atStake, ...counts }]) => ({ ...reason, ...counts, atStake: atStake.text() }))
      .sort((a, b) => (b.decision === null) - (a.decision === null) || b.orders - a.orders);
  }

  #fieldList() {
    return [...this.#fields.values()]
      .filter(({ field }) => field !== undefined)
      .sort((a, b) => b.rank - a.rank || b.count - a.count)
      .map(({ field, kind, why, count, largest }) => ({ field, kind, why, count, largest: largest && decimalText(largest) }));
  }

  #examples() {
    return [...this.#fields.values()]
      .flatMap(({ worst }) => worst)
      .sort(byWeight)
      .slice(0, this.#mostExamples)
      .map(({ example }) => example);
  }
}

const hasOtherTotal = (differences) => differences.some(({ path }) => path === "grandTotal");

function keepWorst(worst, found) {
  worst.push(found);
  worst.sort(byWeight).splice(EXAMPLES_PER_FIELD);
}

/** The decision that explains a difference, or the field that it follows from, or that nothing explains it. */
function whyOf({ field, reasons, roots }) {
  if (roots.length === 0) return [...new Set(reasons.map(({ decision }) => decision))].join(", ");
  if (roots.includes(field)) return "unexplained";
  return `follows from ${roots[0]}${roots.length > 1 ? ` and ${roots.length - 1} more` : ""}`;
}

const HARD_KINDS = ["failed", "missing", "type"];

/** The unexplained come first, of them failures, missing fields and other types; then what follows from them. */
function rankOf({ field, kind, roots }) {
  if (roots.length === 0) return 0;
  if (!roots.includes(field)) return 1;
  return HARD_KINDS.includes(kind) ? 3 : 2;
}

function byWeight({ weight: [rank, size] }, { weight: [otherRank, otherSize] }) {
  return otherRank - rank || order(otherSize, size);
}

/** Numbers that measure nothing. */
const NAMES = /^(status|orderDate)$|\.(cprcode|scheduleId|booking_hour|brcode|shippingDate)$/;

/** How far two numbers are apart; undefined if the values are not numbers, or name something. */
function sizeOf({ left, right, field }) {
  if (NAMES.test(field) || typeOf(left) !== "number" || typeOf(right) !== "number") return undefined;
  const [a, b] = [left, right].map((value) => decimal(numberText(value)));
  return a && b && absolute(subtract(a, b));
}

/** A value as text, after the status of a failure; null if there is neither. */
function shownText(value, status) {
  if (status === null) return "no answer";
  const parts = [status, value === undefined ? undefined : exactText(value)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(" ") : null;
}
