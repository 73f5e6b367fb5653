import { drawn, element } from "../dom/index.js";

const WIDTH = 1000;
const TOP = 28;
const HEIGHT = 44; // of a row's 100

/**
 * A waterfall chart: one bar per row, each starting where the previous one ended.
 * @typedef {object} Bar
 * @property {"total" | "charge" | "discount" | "told"} kind `told`: shown, but not part of the total
 * @property {string} name of the rule
 * @property {string | Node} [note]
 * @property {number} from
 * @property {number} to
 * @property {number} amount
 * @param {Bar[]} bars
 * @param {string} caption the id of what says what it shows
 * @param {{ money: (amount: number) => string, signed: (amount: number) => string }} format
 */
export function waterfall(bars, caption, format) {
  const highest = Math.max(1, ...bars.flatMap(({ from, to }) => [from, to]));
  const lowest = Math.min(0, ...bars.flatMap(({ from, to }) => [from, to]));
  const x = (amount) => ((amount - lowest) / (highest - lowest)) * WIDTH;
  const rows = bars.map((bar, index) => row(bar, bars[index + 1], x, format));
  return element("table", { class: "waterfall", "aria-labelledby": caption }, element("tbody", {}, ...rows));
}

/**
 * @param {Bar} bar
 * @param {Bar | undefined} next
 * @param {(amount: number) => number} x
 * @param {{ money: (amount: number) => string, signed: (amount: number) => string }} format
 */
function row({ kind, name, note, from, to, amount }, next, x, { money, signed }) {
  const [left, right] = [x(Math.min(from, to)), x(Math.max(from, to))];
  const drawing = drawn(
    "svg",
    { viewBox: `0 0 ${WIDTH} 100`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
    drawn("rect", {
      class: `bar bar-${kind}`,
      x: left,
      y: TOP,
      width: Math.max(right - left, 3),
      height: HEIGHT,
      rx: 0,
    }),
    next && link(x(kind === "told" ? from : to)),
  );
  return element(
    "tr",
    { class: `step-${kind}` },
    element("th", { scope: "row" }, name, note && element("span", { class: "note" }, note)),
    element("td", { class: "chart" }, drawing),
    element("td", { class: "amount" }, kind === "total" || kind === "told" ? money(amount) : signed(amount)),
  );
}

/** A line from the end of a bar to the next row. */
const link = (x) => drawn("path", { class: "bar-link", d: `M${x} ${TOP + HEIGHT}V${100 + TOP}`, "vector-effect": "non-scaling-stroke" });
