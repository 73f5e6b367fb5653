import { ANSWER } from "./tables.js";

/** An index, or a name: whatever stands between dots and brackets. */
const PART = /\[\d{1,6}\]|[^.[\]]+/g;

/** The place of a difference, with `…` for each name that the tables do not have: an old service may write anything there. */
export function shownPath(path) {
  let field = ANSWER;
  return path.replace(PART, (part) => {
    if (part[0] === "[") {
      field = field?.list;
      return part;
    }
    field = field?.table && Object.hasOwn(field.table, part) ? field.table[part] : undefined;
    return field === undefined ? "…" : part;
  });
}
