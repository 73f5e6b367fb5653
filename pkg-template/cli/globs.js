/**
 * A test for paths. `*` is any text without a dot, `**` any text; `[]` and `[*]` are any index. A pattern that names an
 * object or a list covers all in it.
 */
export function glob(pattern) {
  const source = pattern
    .replace(/\[\*?\]|\.\*(?=\.|$)/g, (index) => (index.startsWith("[") ? "\0" : "\x01"))
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**", "\x02")
    .replaceAll("*", "[^.]*")
    .replaceAll("\0", "\\[\\d+\\]")
    .replaceAll("\x01", "(?:\\.[^.]*|\\[\\d+\\])")
    .replaceAll("\x02", ".*");
  const expression = new RegExp(`^(?:${source})(?:[.[].*)?$`, "s");
  return (path) => expression.test(path);
}

/**
 * Which differences `--ignore` and `--ignore-path` leave out. A failure and a missing order always count. No kind leaves
 * out a total that is missing or no number: only a path that names it.
 */
export function ignoring(kinds = [], patterns = []) {
  const matchers = patterns.map(glob);
  const isKind = ({ kind, path }) => kinds.includes(kind) && !(path === "grandTotal" && ["missing", "type"].includes(kind));
  return (difference) => !ALWAYS.includes(difference.kind) && (isKind(difference) || matchers.some((matches) => matches(difference.path)));
}

const ALWAYS = ["failed", "unmatched"];
