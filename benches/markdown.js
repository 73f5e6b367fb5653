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

/** Writes figures between the marks of a document. */
export function writeFigures(file, figures) {
  const text = readFileSync(file, "utf8");
  const between = /(?<=<!-- figures -->\n)[^]*(?=<!-- \/figures -->)/;
  if (!between.test(text)) throw new Error(`${file} has no <!-- figures --> … <!-- /figures -->`);
  writeFileSync(
    file,
    text.replace(between, () => `\n${figures}\n\n`),
  );
}
