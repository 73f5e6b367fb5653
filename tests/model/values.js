import { parseAmount, parseInteger } from "./decimal.js";
import { readList, readRecord } from "./record.js";

/**
 * Readers of JSON values for one kind of text (an order, zones, an answer). `fail(path, what)` throws that kind's
 * fault. Values that pass through keep their JSON text (D6).
 */
export function readers(fail) {
  const text = (node, path) => {
    if (node.type !== "string") fail(path, "expected a string");
    return { raw: node.raw, value: node.value };
  };
  const boolean = (node, path) => {
    if (node.type !== "boolean") fail(path, "expected true or false");
    return node.value;
  };
  const integer = (node, path) => {
    const value = node.type === "number" ? parseInteger(node.raw) : undefined;
    if (value === undefined) fail(path, "expected an integer");
    return value;
  };
  const number = (node, path) => {
    if (node.type !== "number") fail(path, "expected a number");
    return node.raw;
  };
  const finite = (node, path) => {
    if (node.type !== "number" || !Number.isFinite(Number(node.raw))) fail(path, "expected a number");
    return node.raw;
  };
  const amount = (node, path) => {
    const value = node.type === "number" ? parseAmount(node.raw) : undefined;
    if (value === undefined) fail(path, "expected an amount of 0 or more");
    return value;
  };
  const oneOf = (names) => (node, path) => {
    if (node.type !== "string" || !names.includes(node.value)) fail(path, `expected one of ${names.join(", ")}`);
    return node.value;
  };
  const any = (node) => node.raw;
  const list = (readItem) => (node, path) => readList(node, path, readItem, fail);
  const object = (fields) => (node, path) => readRecord(node, path, fields, fail);
  return { text, boolean, integer, number, finite, amount, oneOf, any, list, object };
}

export const optional = (read) => ({ read });
export const required = (read, phrase = "required") => ({ read, required: phrase });
