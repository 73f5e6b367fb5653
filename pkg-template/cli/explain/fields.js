// The fields of a response, made of the tables in the sources.
import { FIELDS } from "../../order-fields.js";

/** By their paths. */
const LINES = new Map(linesIn("Order"));

function linesIn(object, place = "") {
  const { read, response } = FIELDS[object];
  // D30: a voucher is shown as its record.
  return Object.entries(object === "Voucher" ? read : response).flatMap(([key, line]) => {
    const path = place + key;
    return [[path, line], ...(line.class === "nested" ? linesIn(line.of, `${placeOf(path, line)}.`) : [])];
  });
}

function placeOf(path, { kind }) {
  return kind === "objects" ? `${path}[]` : path;
}

/** The keys of objects by the field that holds them. What the summary repeats has the reason of what it repeats. */
const KEYS = new Map([["", Object.keys(FIELDS.Order.response)]]);
for (const [path, line] of LINES) {
  const isObject = line.class === "nested" && line.of !== "Voucher" && !path.startsWith("summary.");
  if (isObject) KEYS.set(placeOf(path, line), Object.keys(FIELDS[line.of].response));
}

/** D6: nothing calculates with these kinds, nor with what else a voucher's record has. */
const KINDS_PASSED_ON = ["time", "degrees", "array", "any"];
const PASSED_ON = [...LINES].filter(([, { kind }]) => KINDS_PASSED_ON.includes(kind)).map(([path]) => path.replace(/[.[\]]/g, "\\$&"));
const OPAQUE = new RegExp(`^(${PASSED_ON.join("|")})\\b|^(in)?validVouchers\\[\\]\\.(?!value$)`);

/** Whether it is an amount in THB. A rate, a weight and a quantity are none. */
export const isMoney = (field) => LINES.get(field)?.kind === "baht";
export const isOpaque = (field) => OPAQUE.test(field);

/** The keys of an object of the answer, by its field; undefined if the specification has no such object. */
export const keysOf = (field) => KEYS.get(field);

/** Whether the specification has the field. */
export const isSpecified = (field) => LINES.has(field.replace(/\[\]$/, ""));

/** D1: whether a response of the 28 flat fields lacks the key. */
export const isNotFlat = (key) => key === "isFreeShipping" || LINES.get(key)?.class === "nested";
