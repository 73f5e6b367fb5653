const TOKEN = /"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Indents JSON text and changes nothing else.
 * @param {string} text
 */
export function indentJson(text) {
  let depth = 0;
  let indented = "";
  const tokens = text.match(TOKEN) ?? [];
  tokens.forEach((token, i) => {
    const isEmpty = OPENS.has(token) && CLOSES.has(tokens[i + 1]);
    const endsEmpty = CLOSES.has(token) && OPENS.has(tokens[i - 1]);
    if (OPENS.has(token) && !isEmpty) depth += 1;
    if (CLOSES.has(token) && !endsEmpty) depth -= 1;

    const newline = `\n${"  ".repeat(depth)}`;
    if (CLOSES.has(token) && !endsEmpty) indented += newline;
    indented += token;
    if (token === ":") indented += " ";
    if (token === "," || (OPENS.has(token) && !isEmpty)) indented += newline;
  });
  return indented;
}

const OPENS = new Set("{[");
const CLOSES = new Set("}]");

/**
 * The members of a JSON object as `[name, text]`, or the items of a list: every number keeps its digits. The text must be JSON.
 * @param {string} text
 */
export function partsOf(text) {
  const isList = text.trimStart().startsWith("[");
  /** @type {[string, string][]} */
  const parts = [];
  let depth = 0;
  let name, start, before;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (CLOSES.has(token)) depth -= 1;
    const isEnd = depth === 0 || (depth === 1 && token === ",");
    if (isEnd && start !== undefined) {
      const part = text.slice(start, index).trim();
      if (part !== "") parts.push([name, part]);
      start = undefined;
    }
    if (depth === 1 && token === ":") [name, start] = [JSON.parse(before), index + 1];
    if (isList && ((depth === 0 && token === "[") || (depth === 1 && token === ","))) start = index + 1;
    if (OPENS.has(token)) depth += 1;
    before = token;
  }
  return parts;
}
