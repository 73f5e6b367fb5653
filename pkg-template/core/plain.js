// JSON.stringify writes an object's own keys. A Map has none, and a class may have getters in their place.
import { Refusal } from "./error.js";

/** What is wrong with an object that {@link hides} something. */
export const NOT_PLAIN = "expected a plain object, not a Map or a class with getters";

/**
 * Whether JSON.stringify leaves out what an object has: one of these keys, or everything.
 * @param {unknown} value
 * @param {() => readonly string[]} [keysOf]
 */
export function hides(value, keysOf = () => []) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  if (
    prototype === null ||
    Object.getPrototypeOf(prototype) === null ||
    typeof (/** @type {{ toJSON?: unknown }} */ (value).toJSON) === "function"
  )
    return false;
  const written = Object.keys(value);
  return written.length === 0 || keysOf().some((key) => key in value && !written.includes(key));
}

/**
 * The refusal of such an object: of the `order`, or a part of it.
 * @param {string} whole
 * @param {string} [path]
 */
export const notPlain = (whole, path = "") =>
  new Refusal({ code: "VALIDATION_ERROR", message: `Invalid ${whole}: ${path && `${path}: `}${NOT_PLAIN}`, path, retryable: false });

/**
 * A path as the module writes it: `productList[3].quantity`.
 * @param {(string | number)[]} keys
 */
export const pathOf = (keys) =>
  keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
