// Drops the values of unknown keys (D2), even values that JSON cannot express.
import { jsonText } from "./json.js";
import { knownKeys } from "./wasm/order_cost.js";

/** Codes of refusals that an unknown key's value may have caused: by a cycle, more than 128 levels, a megabyte. */
const DOUBTFUL = ["INVALID_JSON", "LIMIT_EXCEEDED"];

/**
 * Runs `take` with `written`, the JSON text of `value`. If `take` refuses the text, `written` becomes the text of the
 * known keys only, and `take` runs again. The first try takes the whole text, because picking out the known keys costs as much as writing.
 *
 * @template T
 * @param {{ text: string, unwritable: boolean }} written
 * @param {unknown} value an order
 * @param {(written: { text: string, unwritable: boolean }) => T} take
 * @returns {T}
 */
export function withoutUnknown(written, value, take) {
  try {
    return take(written);
  } catch (refusal) {
    if (!DOUBTFUL.includes(refusal?.code)) throw refusal;
    delete written.thrown;
    delete written.nulled;
    Object.assign(written, readText(value));
    return take(written);
  }
}

function readText(value) {
  try {
    return jsonText(knownPart(value));
  } catch (thrown) {
    return { text: "", unwritable: false, thrown };
  }
}

/** The known fields of an order. */
export function knownPart(order) {
  const shipping = { ...shape(2), scheduleList: [shape(3)] };
  return pick(order, "", { ...shape(0), productList: [shape(1)], shipping });
}

/**
 * The shape of an object whose keys are in this line of `knownKeys`: for each key the shape of its value. `true`: all of
 * the value is read.
 */
function shape(place) {
  const keys = knownKeys().split("\n")[place].split(",");
  return Object.fromEntries(keys.map((key) => [key, true]));
}

/** The part of a value that is read. Calls `toJSON` with the value's key, as JSON.stringify does. */
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
