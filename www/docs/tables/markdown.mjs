// Markdown of tables. A link is relative to a page that is one folder deep, as `reference/errors.md` is.

const DECISIONS = "../../../DECISIONS.md";

/** A table: its columns' names and its rows of cells. */
export function table(columns, rows) {
  const line = (cells) => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A `|` would end the cell, also inside code. */
const escaped = (cell) => cell.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

export const code = (text) => `\`${text}\``;

/** Text as a block of its own. */
export const block = (text) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

/** The sentence with a full stop and a capital at its beginning. */
export const sentence = (text) => text?.replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(/[^.]$/, "$&.");

/** The text with a link for each decision that it names in brackets: `(D10)`, `(rule 10, D41)`. `document`: from the page. */
export const withDecisions = (text, document = DECISIONS) =>
  text.replace(/\((?:rules? \d+, )?D\d+(?:, D\d+)*\)/g, (list) =>
    list.replace(/D\d+/g, (id) => `[${id}](${document}#${id.toLowerCase()})`),
  );
