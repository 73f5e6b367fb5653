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
