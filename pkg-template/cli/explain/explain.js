// Explains the differences between two responses: by the decision that settled a contested point, or by the field that
// they follow from. The values are checked: a wrong satang has no explanation.
import { DEFAULT_POLICY } from "../../core/index.js";
import { decimal, exactText, member, numberText, typeOf } from "../../shared/index.js";
import { isNear } from "./amounts.js";
import { lastDigits } from "./digits.js";
import { REASONS } from "./reasons.js";
import { deltaOf, isSumOfRoundedRows } from "./rounding.js";
import { shapeReason } from "./shapes.js";
import { Side, Values } from "./side.js";
import { CONTROLLED, STATEMENTS } from "./statements.js";

/**
 * @typedef {Partial<Pick<import("../comparison/failed-answer.js").FailedAnswer, "shown" | "side" | "total">>} OfFailure
 * @typedef {import("../../response/field-differences.js").Difference & OfFailure} Difference
 * @typedef {{ decision: string | null, what: string, policy: string | null }} Reason
 *
 * @typedef {object} Explanation
 * @property {Reason[]} reasons
 * @property {string[]} roots the unexplained fields that the difference follows from, itself or others; none: it is explained
 *
 * @typedef {Difference & { field: string }} Described `field`: its path without indices
 * @typedef {Described & Explanation} Explained
 *
 * @typedef {object} Known
 * @property {(row: unknown) => unknown} [recordOf] the price record of a row
 * @property {boolean} [isRightOurs] the right side is this package, so that a policy is one that makes it answer as the left one
 * @property {boolean} [lacksFacts] the left side failed, and the right side asked for what the facts do not hold
 */

/**
 * Explains differences.
 * @param {Difference[]} differences
 * @param {unknown} left
 * @param {unknown} right
 * @param {Known} [known]
 * @returns {Explained[]}
 */
export function explain(differences, left, right, { recordOf, isRightOurs = false, lacksFacts = false } = {}) {
  const pair = { left: new Side(left, recordOf), right: new Side(right, recordOf), isRightOurs, lacksFacts };
  const all = differences.map(described);
  const explainer = new Explainer(all, pair);
  return all.map((difference) => ({ ...difference, ...explainer.explain(difference) }));
}

/** A path without indices: `productList[3].price` is `productList[].price`. */
export const fieldOf = (path) => path.replace(/\[\d+\]/g, "[]");

/**
 * `moves`: whether it moves what is computed from it.
 * @param {Difference} difference
 */
function described(difference) {
  const named = { ...difference, field: fieldOf(difference.path) };
  return { ...named, moves: !["numberFormat", "order"].includes(named.kind) && !lastDigits(named) };
}

/**
 * @typedef {ReturnType<typeof described>} Moving
 * @typedef {"left" | "right"} SideName
 * @typedef {Record<SideName, Side> & { isRightOurs: boolean, lacksFacts: boolean }} Pair
 * @typedef {{ sides: Record<SideName, Side>, values?: Record<SideName, Values> }} Level
 */

class Explainer {
  /** @type {Pair} */
  #pair;
  /** @type {Level | undefined} */
  #level;
  /** @type {Map<Moving, Explanation>} */
  #known = new Map();
  /** @type {Map<string, Moving>} */
  #byPath = new Map();
  /** @type {Map<string, Moving[]>} */
  #byField = new Map();

  /**
   * @param {Moving[]} differences
   * @param {Pair} pair
   */
  constructor(differences, pair) {
    this.#pair = pair;
    for (const difference of differences) {
      this.#byPath.set(difference.path, difference);
      const same = this.#byField.get(difference.field);
      if (same) same.push(difference);
      else this.#byField.set(difference.field, [difference]);
    }
  }

  /** @param {Moving} difference */
  explain(difference) {
    const known = this.#known.get(difference);
    if (known) return known;
    this.#known.set(difference, unexplained(difference)); // ends a circle of statements
    const found = this.#find(difference);
    this.#known.set(difference, found);
    return found;
  }

  /**
   * @param {Moving} difference
   * @returns {Explanation}
   */
  #find(difference) {
    return (
      this.#byStatement(difference) ??
      this.#byRounding(difference) ??
      this.#byShape(difference) ??
      this.#bySummary(difference) ??
      unexplained(difference)
    );
  }

  #byRounding(difference) {
    const name = this.#roundingOf(difference);
    return name ? { reasons: [this.#reason(name)], roots: [] } : undefined;
  }

  /** A total that is off by what the subtotal is off by was rounded where that was. */
  #roundingOf(difference) {
    const isRounded = lastDigits(difference) === "rounding";
    const field = difference.field.replace(/^summary\./, "");
    if (field === "subTotal") {
      const areRowsSame = !this.#byField.has("productList[].rowTotal");
      if (isRounded && areRowsSame) return "roundedSubTotal";
      return isSumOfRoundedRows(this.#pair) ? "roundedRow" : isRounded && "roundedSubTotal";
    }
    if (!isRounded) return undefined;
    if (field.startsWith("productList[]")) return "roundedRow";
    const subTotal = this.#byPath.get("subTotal");
    const [moved, before] = [difference, subTotal ?? {}].map(deltaOf);
    return (before && isNear(moved, before) && this.#roundingOf(subTotal)) || "roundedTotal";
  }

  #byShape(difference) {
    const name = shapeReason(difference, difference.field, this.#pair);
    return name && { reasons: [this.#reason(name)], roots: [] };
  }

  /** A field of the summary equals the field of the same name, on each side. */
  #bySummary({ path, left, right }) {
    if (!path.startsWith("summary.")) return undefined;
    const same = this.#byPath.get(path.slice("summary.".length));
    return same && isSame(same.left, left) && isSame(same.right, right) ? this.explain(same) : undefined;
  }

  /** Each side follows the first statement that holds there, from inputs that differ, or the sides follow two statements. */
  #byStatement(difference) {
    const statements = STATEMENTS.get(difference.field);
    if (!statements || !["value", "underHalfSatang"].includes(difference.kind)) return undefined;
    const holds = this.#holding(difference);
    const [left, right] = SIDES.map((name) => statements.find((statement) => holds(statement, name)));
    if (!left || !right) return undefined;
    const names = left === right ? [] : unique([left.reason, right.reason]).filter((name) => name !== undefined);
    const inputs = unique([...this.#inputs(left, difference), ...this.#inputs(right, difference)]);
    if (names.length === 0 && inputs.length === 0) return undefined;
    const holdsLevel = this.#holding(difference, this.#levelled());
    if (!holdsLevel(left, "left") || !holdsLevel(right, "right")) return undefined;
    const found = inputs.map((input) => this.explain(input));
    const roots = unique(found.flatMap((one) => one.roots));
    if (left === right) return { reasons: unique(found.flatMap(({ reasons }) => reasons)), roots };
    return { reasons: names.map((name) => this.#reason(this.#seen(name, difference), left.reason === name)), roots };
  }

  /** Where cartDiscount is the same, both sides fold alike: no policy changes how often totalDiscount counts it. */
  #seen(name, { field }) {
    const isTotalAlone = field === "totalDiscount" && !this.#byPath.has("cartDiscount");
    return isTotalAlone && name.startsWith("folded") ? "foldedTotal" : name;
  }

  /**
   * Returns a function that says whether a side follows a statement about the field of a difference.
   * @param {Moving} difference
   * @param {Level} [level]
   */
  #holding({ path, items }, { sides, values } = { sides: this.#pair }) {
    const isInList = path.includes("[");
    const itemOf = (name) => (isInList ? (values?.[name].in(items?.[name]) ?? items?.[name]) : undefined);
    return ({ holds }, name) => holds(sides[name], itemOf(name), items?.[`${name}Index`]);
  }

  /**
   * The sides without the differences of last digits: each with the other one's values there. What a side computes must
   * come out all the same. A price that is half a satang off does not explain what it makes of 100,000 pieces.
   */
  #levelled() {
    this.#level ??= this.#makeLevel();
    return this.#level;
  }

  #makeLevel() {
    const values = { left: new Values(), right: new Values() };
    for (const { path, moves, kind, items, ...difference } of this.#byPath.values()) {
      const [, isInItem, name] = /^(.*\]\.)?([^.[\]]+)$/s.exec(path) ?? [];
      if (moves || kind === "numberFormat" || kind === "order" || name === undefined) continue;
      const owners = isInItem ? items : { left: this.#pair.left.order, right: this.#pair.right.order };
      values.left.put(owners?.left, name, difference.right);
      values.right.put(owners?.right, name, difference.left);
    }
    const { left, right } = this.#pair;
    return { sides: { left: left.with(values.left), right: right.with(values.right) }, values };
  }

  /** The differences that move what a statement computes. */
  #inputs({ inputs }, { path }) {
    const row = path.slice(0, path.lastIndexOf(".") + 1);
    const found = inputs.flatMap((input) => {
      if (input.startsWith(CONTROLLED))
        return (this.#byField.get(`productList[].${input.slice(CONTROLLED.length)}`) ?? []).filter(isControlled);
      if (input.startsWith("row.")) return this.#byPath.get(`${row}${input.slice("row.".length)}`) ?? [];
      return withContainers(input).flatMap((field) => this.#byField.get(field) ?? []);
    });
    return found.filter(({ moves }) => moves);
  }

  /** The policy is one for the right side if that is this package, else the one that is not the default. */
  #reason(name, isLeft = true) {
    return reasonNamed(name, this.#pair.isRightOurs && isLeft === Boolean(REASONS[name].policy?.isOfDefault));
  }
}

/**
 * A reason as a report shows it: with the policy's other value, or with its default.
 * @param {string} name
 * @returns {Reason}
 */
export function reasonNamed(name, isDefault = false) {
  const key = isDefault ? `${name}, default` : name;
  if (!shown.has(key)) {
    const { decision, what, policy } = REASONS[name];
    const value = isDefault ? (DEFAULT_POLICY[policy?.name] ?? policy?.value) : policy?.value;
    shown.set(key, { decision, what, policy: policy ? worded(policy.name, value) : null });
  }
  return shown.get(key);
}

const SIDES = ["left", "right"];

/** A field, and what holds it: an item, its list, its object. One side may have nothing there. */
function withContainers(field) {
  const ends = [...field.matchAll(/\[\]|\./g)].flatMap(({ 0: sign, index }) => (sign === "." ? [index] : [index, index + sign.length]));
  return [field, ...unique(ends.map((end) => field.slice(0, end)))];
}

/** @param {Moving} difference */
const isControlled = ({ items }) => [items?.left, items?.right].some((row) => member(row, "isControlledProduct") === true);

/** Each reason is one object, so that it can be a key. */
const shown = new Map();

const worded = (name, value) => (name === "limits" ? `${name}: ${value}` : `${name}: "${value}"`);

const unexplained = ({ field }) => ({ reasons: [], roots: [field] });

const unique = (list) => [...new Set(list)];

function isSame(a, b) {
  if (a === undefined || b === undefined) return a === b;
  const areNumbers = typeOf(a) === "number" && typeOf(b) === "number";
  return areNumbers ? isNear(decimal(numberText(a)), decimal(numberText(b))) : exactText(a) === exactText(b);
}
