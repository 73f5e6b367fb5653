// The keys that the module reads. The values of all other keys of an order are dropped (D2), even those that JSON cannot express.
import { jsonCopy, jsonText } from "../shared/index.js";
import { knownKeys } from "../wasm/order_cost.js";
import { hides, notPlain, pathOf } from "./plain.js";

/** In the order of the lines of `knownKeys`. */
const KINDS = /** @type {const} */ (["order", "product", "shipping", "schedule", "options", "policy", "limits"]);

/**
 * The known keys of a kind of object.
 * @param {(typeof KINDS)[number]} kind
 */
export const keysOf = (kind) => knownKeys().split("\n")[KINDS.indexOf(kind)].split(",");

/** Codes of refusals that an unknown key's value may have caused: by a cycle, more than 128 levels, a megabyte. */
const DOUBTFUL = ["INVALID_JSON", "LIMIT_EXCEEDED"];

/**
 * Runs `take` with `written`, what `jsonText` has returned for the order `value`. If `take` refuses the text, `written`
 * becomes that of the known keys only, and `take` runs again. The first try takes the whole text, because picking out the
 * known keys costs as much as writing.
 */
export function withoutUnknown(written, value, take) {
  refuseHiding(value);
  try {
    return take(written);
  } catch (thrown) {
    const refusal = /** @type {import("./error.js").Refusal | undefined} */ (thrown);
    if (!refusal || !DOUBTFUL.includes(refusal.code)) throw refusal;
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

/**
 * A part of an order as JSON has it, with NaN for what JSON cannot hold. The part's own code (`toJSON`, getters) runs
 * here, before an edit begins: it may edit the same basket.
 */
export function asJson(part) {
  refuseHiding(part);
  try {
    return jsonCopy(part);
  } catch {
    // Perhaps because of an unknown key.
  }
  try {
    return jsonCopy(knownPart(part));
  } catch {
    return part; // the edit is refused for the same reason, and says so
  }
}

/** Throws if a part of an order has fields that JSON.stringify does not write. */
export function refuseHiding(order) {
  const keys = hidingPart(order);
  if (keys) throw notPlain("order", pathOf(keys));
}

/** The keys of such a part; undefined if there is none. */
export function hidingPart(order) {
  try {
    if (typeof order?.toJSON === "function") return undefined;
    if (isHiding(order, "order")) return [];
    const { productList, shipping } = Object(order);
    const product = hidingPlace(productList, "product");
    if (product >= 0) return ["productList", product];
    if (isHiding(shipping, "shipping")) return ["shipping"];
    const schedule = hidingPlace(shipping?.scheduleList, "schedule");
    return schedule >= 0 ? ["shipping", "scheduleList", schedule] : undefined;
  } catch {
    return undefined; // JSON.stringify throws the same
  }
}

const hidingPlace = (list, kind) => (Array.isArray(list) ? list.findIndex((part) => isHiding(part, kind)) : -1);

const isHiding = (part, kind) => hides(part, () => keysOf(kind));

/** The known fields of an order. */
export const knownPart = (order) => pick(order, "", orderShape());

/**
 * An order with its values as `read`, the same order as the module has read it (D49). What was sent as `null`, and unknown
 * keys, stay.
 */
export const asRead = (order, read) => merged(order, read, orderShape());

function merged(sent, read, shape) {
  if (sent === null) return null;
  if (shape === true) return read;
  if (Array.isArray(sent)) return sent.map((item, index) => merged(item, read[index], shape[0]));
  const fields = Object.entries(sent).map(([name, value]) => {
    return [name, Object.hasOwn(shape, name) ? merged(value, read[name], shape[name]) : value];
  });
  return Object.fromEntries(fields);
}

const orderShape = () => ({
  ...shape("order"),
  productList: [shape("product")],
  shipping: { ...shape("shipping"), scheduleList: [shape("schedule")] },
});

/** The shape of an object of this kind: for each key the shape of its value. `true`: all of the value is read. */
const shape = (kind) => Object.fromEntries(keysOf(kind).map((key) => [key, true]));

/** The part of a value that is read. Calls `toJSON` with the value's key, as JSON.stringify does. */
function pick(value, key, shape) {
  const plain = typeof value?.toJSON === "function" ? value.toJSON(key) : value;
  if (shape === true || typeof plain !== "object" || plain === null) return plain;
  if (Array.isArray(plain) !== Array.isArray(shape)) return plain;
  if (Array.isArray(plain)) return Array.from(plain, (item, index) => pick(item, `${index}`, shape[0]));
  const read = Object.keys(plain).filter((name) => Object.hasOwn(shape, name));
  return Object.fromEntries(read.map((name) => [name, pick(plain[name], name, shape[name])]));
}
