// What stands under keys that nobody reads is dropped (D2), also where JSON could not hold it.
import { jsonText } from "./json.js";
import { knownKeys } from "./wasm/order_cost.js";

/** Refusals that may be about what stands under an unknown key: a cycle, more than 128 levels, a megabyte. */
const DOUBTFUL = ["INVALID_JSON", "LIMIT_EXCEEDED"];

/**
 * Runs `take` with `written`, the JSON text of `value`. Where that is refused, `written` becomes the text of what is read
 * of the value, and `take` runs once more. Not at once: to pick out what is read takes as long as to write it.
 *
 * @template T
 * @param {{ text: string, unwritable: boolean }} written
 * @param {unknown} value
 * @param {keyof typeof SHAPES | undefined} kind `undefined`: all of the value is read
 * @param {(written: { text: string, unwritable: boolean }) => T} take
 * @returns {T}
 */
export function withoutUnknown(written, value, kind, take) {
  try {
    return take(written);
  } catch (refusal) {
    if (kind === undefined || !DOUBTFUL.includes(codeOf(refusal))) throw refusal;
    delete written.thrown;
    Object.assign(written, readText(value, kind));
    return take(written);
  }
}

/** Of a refusal, or of the PricingError that it has become. */
const codeOf = (thrown) => (thrown?.facts ?? thrown)?.code;

function readText(value, kind) {
  try {
    return jsonText(pick(value, "", SHAPES[kind]()));
  } catch (thrown) {
    return { text: "", unwritable: false, thrown };
  }
}

/** By the name of a key, the shape of its value; `true` where all of that is read. */
const SHAPES = {
  order: () => ({ ...shape(0), productList: [shape(1)], shipping: SHAPES.shipping() }),
  product: () => shape(1),
  shipping: () => ({ ...shape(2), scheduleList: [shape(3)] }),
};

/** Of the list at this place of `knownKeys`. */
function shape(place) {
  const keys = knownKeys().split("\n")[place].split(",");
  return Object.fromEntries(keys.map((key) => [key, true]));
}

/** What is read of a value, which stands under `key`; as JSON.stringify would look at it. */
function pick(value, key, shape) {
  const plain = typeof value?.toJSON === "function" ? value.toJSON(key) : value;
  if (shape === true || typeof plain !== "object" || plain === null) return plain;
  if (Array.isArray(shape)) {
    return Array.isArray(plain) ? Array.from(plain, (item, index) => pick(item, `${index}`, shape[0])) : plain;
  }
  if (Array.isArray(plain)) return plain;
  const read = Object.keys(plain).filter((name) => Object.hasOwn(shape, name));
  return Object.fromEntries(read.map((name) => [name, pick(plain[name], name, shape[name])]));
}
