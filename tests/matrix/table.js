// The table of consumers: as measured, and as it stands in works.json, from which the site makes it.
import { readFileSync } from "node:fs";

const STATED = new URL("works.json", import.meta.url);
const ENTRIES = ["order-cost", "order-cost/url", "module"];

/** The rows as aligned text, with the installed versions. */
export function asFound(rows) {
  const cells = rows.map(({ name, browser, version, results }) => [
    name,
    [browser, version].filter(Boolean).join(" ") || "-",
    ...ENTRIES.map((entry) => results[entry] ?? "-"),
  ]);
  const lines = [["consumer", "version", ...ENTRIES], ...cells];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
}

/**
 * The same as cells of text. Versions are shortened to the part that matters; Chromium has none, because the machine
 * provides it.
 */
export function asCells(rows) {
  return rows.map(({ name, browser, version, results }) => [
    name,
    browser ?? major(version),
    ...ENTRIES.map((entry) => results[entry] ?? ""),
  ]);
}

/** 8.3.8 becomes 8, and 0.28.2 becomes 0.28. */
const major = (version = "") => version.match(/^(?:0\.)?\d+/)?.[0] ?? "";

/** Whether a row is one that tests/engines checks. */
export const isOfEngines = ([name, version]) => name === '`<script type="module">`' && /^(Firefox|WebKitGTK) /.test(version);

/** The rows that works.json has. */
export const stated = () => JSON.parse(readFileSync(STATED, "utf8"));

/** Rows as the text of works.json, a line each. */
export const asJson = (rows) => `[\n${rows.map((cells) => `  [${cells.map((cell) => JSON.stringify(cell)).join(", ")}]`).join(",\n")}\n]\n`;

/** The table for the site, in Markdown: the rows of works.json. */
export function whereItWorks() {
  const heading = ["where", "version", ...ENTRIES.map((entry) => `\`${entry}\``)];
  return [heading, heading.map(() => "---"), ...stated()].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
