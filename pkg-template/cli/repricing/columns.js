// Columns that fit a screen.
import { columnsOf, wrap } from "../screen/index.js";

const GAP = 3; // between two columns, as in table.js
const INDENT = "  ";
/** Very long amounts leave no room: then a table is wider than the screen. */
const LEAST_COLUMNS = 24;

/**
 * Rows of a table whose first cell, `name`, is wrapped, so that the table is as wide as the screen at most. Sentences in
 * `below` stand under it.
 */
export function aligned(rows, [, ...head], width) {
  const widths = head.map((title, index) => Math.max(...[title, ...rows.map(({ cells }) => cells[index])].map((text) => columnsOf(text))));
  const left = Math.max(LEAST_COLUMNS, width - widths.reduce((sum, one) => sum + one + GAP, 0));
  return rows.flatMap(({ name, below = [], cells }) => {
    const lines = [...wrap(name, left), ...below.flatMap((text) => wrap(text, left - INDENT.length).map((line) => INDENT + line))];
    return lines.map((line, index) => [line, ...(index === 0 ? cells : cells.map(() => ""))]);
  });
}

/** A line for each label that has a text, the texts one below the other. */
export function labelled(entries, width) {
  const shown = entries.filter(([, text]) => text);
  const widest = Math.max(...shown.map(([label]) => columnsOf(label)));
  return shown.flatMap(([label, text]) => {
    const lines = wrap(text, width - widest - GAP);
    return lines.map((line, index) => `${index === 0 ? filled(label, widest) : " ".repeat(widest)}${" ".repeat(GAP)}${line}`);
  });
}

const filled = (text, width) => text + " ".repeat(width - columnsOf(text));

/** A paragraph whose lines after the first are indented. */
export function hanging(text, width) {
  return wrap(text, width - INDENT.length).map((line, index) => (index === 0 ? line : INDENT + line));
}
