// What is to be reached, and what was measured. `lower` and `higher` say which direction is better; `minimum` and `target`
// have the unit of `measured`, a figure or an object of figures by engine.
import { fraction, table } from "./markdown.js";

export const lower = (measure, minimum, target, figures, unit = "") => judge({ measure, unit, minimum, target, ...figures }, 1);
export const higher = (measure, minimum, target, figures, unit = "") => judge({ measure, unit, minimum, target, ...figures }, -1);

/** Without a measurement there is no verdict. */
function judge(row, direction) {
  if (row.measured === undefined) return { ...row, verdict: "–" };
  const reaches = (limit) => direction * row.measured <= direction * limit;
  return { ...row, verdict: reaches(row.target) ? "target" : reaches(row.minimum) ? "minimum" : "missed" };
}

/** How many rows reach what, and those that miss their minimum. */
export function missedTable(rows) {
  const count = (word) => rows.filter(({ verdict }) => verdict === word).length;
  const missed = rows.filter(({ verdict }) => verdict === "missed");
  const counts = `Of ${rows.length} measures ${count("target")} reach the target, ${count("minimum")} the minimum; ${missed.length} miss it`;
  return missed.length === 0 ? `${counts}.` : `${counts}:\n\n${targetTable(missed)}`;
}

/** Those below their minimum, in one sentence. */
export function missedText(rows) {
  const missed = rows.filter(({ verdict }) => verdict === "missed");
  const said = missed.map(
    ({ measure, minimum, measured, unit }) => `${measure}: ${fraction(measured)}${unit} (minimum ${fraction(minimum)}${unit})`,
  );
  return `Missed of ${rows.length} minimums: ${said.join("; ") || "none"}.`;
}

/** The rows as a table; `inChromium`: with the figures of Chromium beside those of Node. */
export function targetTable(rows, { what = "measure", inChromium = false } = {}) {
  const columns = ["minimum", "target", "measured", ...(inChromium ? ["chromium"] : [])];
  const shown = (value, unit) => (value === undefined ? "–" : `${value === 0 ? "0" : fraction(value)}${unit}`);
  const cells = rows.map((row) => [row.measure, ...columns.map((column) => shown(row[column], row.unit)), row.verdict]);
  return table([what, ...columns.map((column) => column.replace("chromium", "in Chromium")), "reached"], cells);
}
