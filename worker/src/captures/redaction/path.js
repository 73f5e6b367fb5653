import { ANSWER } from "./tables.js";

/** An index, or a name: whatever stands between dots and brackets. */
const PART = /\[\d{1,6}\]|[^.[\]]+/g;

/** The place of a difference, with `…` for whatever the tables do not have: an old service may write anything there. */
export function shownPath(path) {
  let field = ANSWER;
  return path.replace(PART, (part) => {
    const isIndex = part[0] === "[";
    if (isIndex) field = field?.list;
    else field = field?.table && Object.hasOwn(field.table, part) ? field.table[part] : undefined;
    if (field !== undefined) return part;
    return isIndex ? "[…]" : "…";
  });
}
