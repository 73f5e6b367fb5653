// Explains the differences between two responses: by the decision that settled a contested point, or by the field that
// they follow from. The values are checked: a wrong satang has no explanation.
import { decimal } from "../../decimal.js";
import { exactText, member, numberText, typeOf } from "../../exact-json.js";
import { isNear } from "./amounts.js";
import { REASONS } from "./reasons.js";
import { shapeReason } from "./shapes.js";
import { CONTROLLED_ROW_TOTAL, STATEMENTS, Side } from "./statements.js";

/**
 * Adds to each difference `field`, its path without indices, `reasons`, each `{ decision, what, policy }`, and `roots`,
 * the unexplained fields that it follows from, itself or others. Without roots it is explained.
 *
 * @param {{ recordOf?: (row: object) => object, isRightOurs?: boolean, lacksFacts?: boolean }} [known] the price record
 *   of a row; whether the right side is this package, so that a policy is one that makes it answer as the left one;
 *   whether the left side failed and the right side asked for what the facts do not hold
 */
export function explain(differences, left, right, { recordOf, isRightOurs = false, lacksFacts = false } = {}) {
  const pair = { left: new Side(left, recordOf), right: new Side(right, recordOf), isRightOurs, lacksFacts };
  const all = differences.map((difference) => ({ ...difference, field: fieldOf(difference.path) }));
  const explainer = new Explainer(all, pair);
  return all.map((difference) => ({ ...difference, ...explainer.explain(difference) }));
}

/** A path without indices: `productList[3].price` is `productList[].price`. */
const fieldOf = (path) => path.replace(/\[\d+\]/g, "[]");

class Explainer {
  #pair;
  #known = new Map();
  #byPath = new Map();
  #byField = new Map();

  constructor(differences, pair) {
    this.#pair = pair;
    for (const difference of differences) {
      this.#byPath.set(difference.path, difference);
      const { field } = difference;
      if (!this.#byField.has(field)) this.#byField.set(field, []);
      this.#byField.get(field).push(difference);
    }
  }

  explain(difference) {
    if (!this.#known.has(difference)) {
      this.#known.set(difference, unexplained(difference)); // ends a circle of statements
      this.#known.set(difference, this.#find(difference));
    }
    return this.#known.get(difference);
  }

  #find(difference) {
    return this.#byStatement(difference) ?? this.#byShape(difference) ?? this.#bySummary(difference) ?? unexplained(difference);
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

  /** Each side follows the first statement that holds there. */
  #byStatement(difference) {
    const statements = STATEMENTS[difference.field];
    if (!statements || !["value", "underHalfSatang"].includes(difference.kind)) return undefined;
    const { items } = difference;
    const isInList = difference.path.includes("[");
    const followed = (side, item, index) => statements.find(({ holds }) => holds(side, isInList ? item : undefined, index));
    const left = followed(this.#pair.left, items?.left, items?.leftIndex);
    const right = followed(this.#pair.right, items?.right, items?.rightIndex);
    if (!left || !right) return undefined;
    if (left !== right) return this.#contested(left, right, difference);
    const inputs = this.#inputs(left, difference);
    return inputs.length > 0 ? this.#followed(inputs) : undefined;
  }

  /** Both sides follow the same statement from inputs that differ. */
  #followed(inputs) {
    const found = inputs.map((input) => this.explain(input));
    return { reasons: unique(found.flatMap(({ reasons }) => reasons)), roots: unique(found.flatMap(({ roots }) => roots)) };
  }

  /** The sides follow two statements. */
  #contested(left, right, difference) {
    const names = unique([left.reason, right.reason]).filter((name) => name !== undefined);
    if (names.length === 0) return undefined;
    const inputs = [...this.#inputs(left, difference), ...this.#inputs(right, difference)];
    const { roots } = this.#followed(unique(inputs));
    return { reasons: names.map((name) => this.#reason(name, left.reason === name)), roots };
  }

  /** Another notation of the same number has no effect on what follows from it. */
  #inputs(statement, difference) {
    return this.#differing(statement, difference).filter(({ kind }) => kind !== "numberFormat");
  }

  #differing({ inputs }, { path }) {
    const row = path.slice(0, path.lastIndexOf(".") + 1);
    return inputs.flatMap((input) => {
      if (input === CONTROLLED_ROW_TOTAL) return (this.#byField.get("productList[].rowTotal") ?? []).filter(isControlled);
      if (!input.startsWith("row.")) return this.#byField.get(input) ?? [];
      return this.#byPath.get(`${row}${input.slice("row.".length)}`) ?? [];
    });
  }

  /** The policy is one for the right side if that is this package, else the one that is not the default. */
  #reason(name, isLeft = true) {
    return reasonNamed(name, !isLeft && this.#pair.isRightOurs);
  }
}

/** A reason as a report shows it: with the policy's other value, or with its default. */
export function reasonNamed(name, isDefault = false) {
  const key = isDefault ? `${name}, default` : name;
  if (!shown.has(key)) {
    const { decision, what, policy } = REASONS[name];
    const value = isDefault ? policy?.otherwise : policy?.value;
    shown.set(key, { decision, what, policy: policy ? worded(policy.name, value) : null });
  }
  return shown.get(key);
}

const isControlled = ({ items }) => [items.left, items.right].some((row) => member(row, "isControlledProduct") === true);

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
