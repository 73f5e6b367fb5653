import { plain, readExact } from "./exact-json.js";
import { fieldDifferences } from "./field-differences.js";

/** Compares two responses, field by field. See compare.d.ts. */
export function compareOrders(left, right) {
  const hasFormats = typeof left === "string" && typeof right === "string";
  return fieldDifferences(read(left), read(right), { hasFormats }).map(({ path, kind, ...values }) => ({
    path,
    left: plain(values.left),
    right: plain(values.right),
    kind,
  }));
}

const read = (order) => readExact(typeof order === "string" ? order : JSON.stringify(order));
