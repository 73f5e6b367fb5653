import { parseAmount, parseInteger } from "./decimal.js";
import { readList, readRecord } from "./record.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** D49: a value as a lenient reader takes it where this type is expected. */
const AS = {
  string: (node) => (node.type === "number" ? { type: "string", raw: `"${node.raw}"`, value: node.raw } : node),
  number: (node) => (node.type === "string" && NUMBER.test(node.value) ? { type: "number", raw: node.value } : node),
  boolean: (node) => (["true", "false"].includes(node.value) ? { type: "boolean", value: node.value === "true" } : node),
};

/**
 * Readers of JSON values for one kind of text (an order, zones, an answer). `fail(path, what)` throws that kind's
 * fault. Values that pass through keep their JSON text (D6).
 */
export function readers(fail, isLenient = false) {
  const as = (type, read) => (node, path) => read(isLenient ? AS[type](node) : node, path);
  const text = as("string", (node, path) => {
    if (node.type !== "string") fail(path, "expected a string");
    return { raw: node.raw, value: node.value };
  });
  const boolean = as("boolean", (node, path) => {
    if (node.type !== "boolean") fail(path, "expected true or false");
    return node.value;
  });
  const integer = as("number", (node, path) => {
    const value = node.type === "number" ? parseInteger(node.raw) : undefined;
    if (value === undefined) fail(path, "expected an integer");
    return value;
  });
  const number = as("number", (node, path) => {
    if (node.type !== "number") fail(path, "expected a number");
    return node.raw;
  });
  const finite = as("number", (node, path) => {
    if (node.type !== "number" || !Number.isFinite(Number(node.raw))) fail(path, "expected a number");
    return node.raw;
  });
  const amount = (node, path) => {
    if (node.type !== "number") fail(path, "expected an amount as a JSON number, such as 12.5");
    const value = parseAmount(node.raw);
    if (value !== undefined) return value;
    return fail(path, `expected an amount of ${node.raw.startsWith("-") ? "0 or more" : "at most 28 digits and 28 decimal places"}`);
  };
  const oneOf = (names) => (node, path) => {
    const name = node.type !== "string" ? undefined : names.find((one) => one === (isLenient ? upper(node.value) : node.value));
    return name ?? fail(path, `expected one of ${names.join(", ")}`);
  };
  const any = (node) => node.raw;
  const list = (readItem) => (node, path) => readList(node, path, readItem, fail);
  /**
   * @template {Record<string, import("./record.js").Field>} Fields
   * @param {Fields} fields
   */
  const object = (fields) => (node, path) => readRecord(node, path, fields, fail);
  return { text, boolean, integer, number, finite, amount, oneOf, any, list, object };
}

/** In upper case, as the specification writes words. Only ASCII letters change. */
const upper = (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

export const optional = (read) => ({ read });
export const required = (read, phrase = "required") => ({ read, required: phrase });
