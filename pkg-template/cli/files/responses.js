import { Failure } from "./failure.js";
import { bytesFault, faultSentence } from "./json-fault.js";
import { recordBlocks } from "./records.js";

/**
 * @typedef {import("./records.js").InputRecord} InputRecord
 * @typedef {{ text: string, place: string }} Response
 */

/**
 * Yields the responses of an input one by one, as records with their `text` and their `value`.
 * @param {import("./input.js").Input} input
 */
export async function* responses(input) {
  for await (const block of recordBlocks(input)) {
    for (const record of block) yield { ...record, ...readResponse(record) };
  }
}

/** @param {InputRecord} record */
function readResponse({ bytes, ...record }) {
  const fault = bytesFault(bytes);
  if (fault) throw new Failure(faultSentence(record, fault, "expected a response as JSON"));
  const text = `${bytes}`;
  return { text, value: JSON.parse(text) };
}

/** The key of a response as text: the field at a path such as `orderId`; undefined if it has none. */
export function keyOf(response, path) {
  let value = response;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return ["string", "number", "boolean"].includes(typeof value) ? `${value}` : undefined;
}
