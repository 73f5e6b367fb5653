// The table of consumers: as it was found, and as the package's README has it.
import { readFileSync } from "node:fs";

const README = new URL("../../pkg-template/README.md", import.meta.url);
const ENTRIES = ["order-cost", "order-cost/url"];

/** The rows as lines of columns, with the versions that were installed. */
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

/** The same in Markdown; of a version the part that tells it from others. A browser is what the machine has. */
export function inMarkdown(rows) {
  const heading = ["where", "version", ...ENTRIES.map((entry) => `\`${entry}\``)];
  const cells = rows.map(({ name, browser, version, results }) => [
    name,
    browser ?? major(version),
    ...ENTRIES.map((entry) => results[entry] ?? ""),
  ]);
  return [heading, heading.map(() => "---"), ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** 8.3.8 is 8, and 0.28.2 is 0.28. */
const major = (version = "") => version.match(/^(?:0\.)?\d+/)?.[0] ?? "";

/** The table that the README has under "Where it works". */
export function ofReadme() {
  const [, section = ""] = readFileSync(README, "utf8").split("\n## Where it works\n");
  const [text] = section.split("\n## ");
  return text.split("\n").filter((line) => line.startsWith("|")).join("\n");
}
