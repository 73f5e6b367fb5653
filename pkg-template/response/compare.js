import { plain, readExact } from "../shared/index.js";
import { fieldDifferences } from "./field-differences.js";

/** Compares two responses, field by field. See compare.d.ts. */
export function compareOrders(left, right) {
  const hasFormats = typeof left === "string" && typeof right === "string";
  const differences = fieldDifferences(read(left), read(right), { hasFormats });
  return differences.map(({ path, left, right, kind }) => ({ path, left: plain(left), right: plain(right), kind }));
}

const read = (order) => readExact(typeof order === "string" ? order : JSON.stringify(order));
