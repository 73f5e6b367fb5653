// Figures as Markdown.
import { readFileSync, writeFileSync } from "node:fs";

export const heading = (title, text) => `### ${title}\n\n${text}`;

/** A Markdown table. */
export function table(headers, rows) {
  const widths = headers.map((header, column) => Math.max(header.length, ...rows.map((row) => row[column].length)));
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]));
  const line = (cells) => `| ${cells.map(pad).join(" | ")} |`;
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(headers), line(rule), ...rows.map(line)].join("\n");
}

/** Three significant digits. */
export function figure(value) {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** Writes a small ratio as a fraction, which is easier to read. */
export const fraction = (value) => (value <= 1 / 8 ? `1/${(1 / value).toFixed(1).replace(/\.0$/, "")}` : figure(value));

/**
 * Writes figures between the marks of a document.
 * @param {string} file
 * @param {string} figures
 * @param {string} [name] of the marks, if the document has several
 */
export function writeFigures(file, figures, name) {
  const [open, close] = [`<!-- figures${name ? `: ${name}` : ""} -->\n`, "<!-- /figures -->"];
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(open) + open.length;
  const end = text.indexOf(close, start);
  if (start < open.length || end < 0) throw new Error(`${file} has no ${open.trim()} … ${close}`);
  writeFileSync(file, `${text.slice(0, start)}\n${figures}\n\n${text.slice(end)}`);
}
