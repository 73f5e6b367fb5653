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
