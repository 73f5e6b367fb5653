import { visit } from "jsonc-parser";

/**
 * The members of a JSON object or the items of a JSON array as [key, text]. The text is copied from the source, so that
 * every number keeps its digits. The source must be JSON.
 */
export function jsonParts(source) {
  const parts = [];
  let depth = 0;
  let key;
  let start;
  const begin = (offset) => {
    depth += 1;
    if (depth === 2) start = offset;
    return depth === 1;
  };
  const end = (offset) => {
    if (depth === 2) parts.push([key, source.slice(start, offset + 1)]);
    depth -= 1;
  };
  visit(source, {
    onObjectBegin: begin,
    onObjectEnd: end,
    onArrayBegin: begin,
    onArrayEnd: end,
    onObjectProperty: (name) => (key = name),
    onLiteralValue: (_value, offset, length) => depth === 1 && parts.push([key, source.slice(offset, offset + length)]),
  });
  return parts;
}

export function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
