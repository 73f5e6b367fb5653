import { jsonParts } from "./json-parts.js";

/** How many examples of one field and kind are kept, so that one field does not crowd out the others. */
const EXAMPLES_PER_FIELD = 3;

/** Collects the differences between many pairs of responses, by field and kind. */
export class Differences {
  #ignored;
  #mostExamples;
  #fields = new Map();

  constructor(ignoredKinds, mostExamples) {
    this.#ignored = new Set(ignoredKinds);
    this.#mostExamples = mostExamples;
  }

  /** Adds the differences between two texts. Returns whether any of them counts. */
  add(left, right, differences) {
    const counting = differences.filter(({ kind }) => !this.#ignored.has(kind));
    for (const difference of counting) this.#count(left, right, difference);
    return counting.length > 0;
  }

  #count(left, right, difference) {
    const { path, kind } = difference;
    const field = path.replace(/\[\d+\]/g, "[]");
    const key = `${kind} ${field}`;
    if (!this.#fields.has(key)) this.#fields.set(key, { field, kind, count: 0, largest: null, worst: [] });
    const entry = this.#fields.get(key);
    const size = sizeOf(difference);
    entry.count += 1;
    if (size !== null) entry.largest = Math.max(entry.largest ?? 0, size);
    const weight = weightOf(kind, size);
    const lightest = entry.worst.at(-1);
    if (entry.worst.length === EXAMPLES_PER_FIELD && weight <= lightest.weight) return;
    const values = { left: textAt(left.text, path), right: textAt(right.text, path) };
    entry.worst.push({ weight, example: { where: left.place, path, kind, ...values } });
    entry.worst.sort(byWeight).splice(EXAMPLES_PER_FIELD);
  }

  /** Each field and kind with its count and its largest difference, the most frequent first. */
  fields() {
    return [...this.#fields.values()].map(({ worst, ...entry }) => entry).sort((a, b) => b.count - a.count);
  }

  /** The worst differences, with the original text of both values. */
  examples() {
    return [...this.#fields.values()]
      .flatMap(({ worst }) => worst)
      .sort(byWeight)
      .slice(0, this.#mostExamples)
      .map(({ example }) => example);
  }
}

/** How far two numbers are apart; null if the values are not numbers. */
function sizeOf({ left, right }) {
  if (typeof left !== "number" || typeof right !== "number") return null;
  const size = Number(Math.abs(left - right).toPrecision(6)); // Removes the noise of subtracting doubles.
  return Number.isFinite(size) ? size : null;
}

/** Failures, missing fields and other types weigh most; then numbers, by how far they are apart. */
function weightOf(kind, size) {
  return ["failed", "missing", "type"].includes(kind) ? Infinity : (size ?? 0);
}

function byWeight(a, b) {
  return a.weight === b.weight ? 0 : b.weight - a.weight;
}

/** The original text of the field at `path` in a response; null if the field is missing. */
function textAt(source, path) {
  if (path === "") return source.trim();
  const parts = jsonParts(source).map(([key, text], index) => [key ?? `[${index}]`, text]);
  // D9: of duplicate keys the last one counts.
  for (const [step, text] of parts.reverse()) {
    if (!path.startsWith(step)) continue;
    const rest = path.slice(step.length);
    const found = rest === "" || /^[.[]/.test(rest) ? textAt(text, rest.replace(/^\./, "")) : null;
    if (found !== null) return found;
  }
  return null;
}
