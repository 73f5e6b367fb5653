// The table of consumers: as measured, and as it stands in the package's README.
import { readFileSync } from "node:fs";

const README = new URL("../../pkg-template/README.md", import.meta.url);
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
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd());
}

/**
 * The same in Markdown. Versions are shortened to the part that matters; Chromium has none, because the machine provides
 * it.
 */
export function inMarkdown(rows) {
  const heading = ["where", "version", ...ENTRIES.map((entry) => `\`${entry}\``)];
  const cells = rows.map(({ name, browser, version, results }) => [
    name,
    browser ?? major(version),
    ...ENTRIES.map((entry) => results[entry] ?? ""),
  ]);
  return [heading, heading.map(() => "---"), ...cells].map((line) => `| ${line.join(" | ")} |`);
}

/** 8.3.8 becomes 8, and 0.28.2 becomes 0.28. */
const major = (version = "") => version.match(/^(?:0\.)?\d+/)?.[0] ?? "";

/** Whether a line of the table is a row that tests/engines checks. */
export const isOfEngines = (line) => /^\| `<script type="module">` \| (Firefox|WebKitGTK) /.test(line);

/** The lines of the table under "Where it works" in the README. */
export function ofReadme() {
  const [, section = ""] = readFileSync(README, "utf8").split("\n## Where it works\n");
  const [text] = section.split("\n## ");
  return text.split("\n").filter((line) => line.startsWith("|"));
}
