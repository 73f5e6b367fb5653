// Charts of a report as SVG. The words beside the bars are HTML, so that they keep their size on a telephone.
import { figure } from "../../screen/index.js";
import { CAUSE_NAMES, signedThb } from "./words.js";

const WIDTH = 1000;
const HEIGHT = 20;

/** How many orders go up, stay, go down and would fail, as parts of one bar. */
export function orderChart({ up, down, same, wouldFail, captured }) {
  const parts = [
    ["up", "cost more", up.orders],
    ["same", "the same", same],
    ["down", "cost less", down.orders],
    ["fail", "would fail", wouldFail.orders],
  ].filter(([, , count]) => count > 0);
  let x = 0;
  const bars = parts.map(([kind, , count]) => {
    const width = (count / captured.orders) * WIDTH;
    const bar = rect(kind, x, width);
    x += width;
    return bar;
  });
  const legend = parts.map(([kind, name, count]) => `<li><span class="key ${kind}"></span>${figure(count)} ${name}</li>`);
  const label = parts.map(([, name, count]) => `${figure(count)} ${name}`).join(", ");
  return `<figure>${svg(bars, `Orders: ${label}`)}<figcaption><ul class="legend">${legend.join("")}</ul></figcaption></figure>`;
}

/** The money of each cause: what it raises to the right of the line, what it lowers to the left. */
export function causeChart({ causes }) {
  // Lengths of bars, no amounts: a float is near enough.
  const largest = Math.max(...causes.flatMap(({ up, down }) => [Number(up.baht), Number(down.baht)]));
  if (largest === 0) return "";
  const rows = causes.map(({ cause, up, down, net }) => {
    const [left, right] = [down, up].map(({ baht }) => (Number(baht) / largest) * (WIDTH / 2));
    const bars = [rect("down", WIDTH / 2 - left, left), rect("up", WIDTH / 2, right), '<path class="axis" d="M500 0v20"/>'];
    return `<li><span class="name">${CAUSE_NAMES[cause]}</span>${svg(bars)}<span class="value">${signedThb(net)}</span></li>`;
  });
  return `<figure><figcaption class="sides"><span><span class="key down"></span>down</span><span>THB by cause, net at the right</span><span><span class="key up"></span>up</span></figcaption><ul class="bars">${rows.join("")}</ul></figure>`;
}

const rect = (kind, x, width) =>
  width > 0 ? `<rect class="${kind}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="${HEIGHT}"/>` : "";

/** Without a label it says nothing that the words beside it do not say. */
function svg(parts, label) {
  const role = label === undefined ? 'aria-hidden="true"' : `role="img" aria-label="${label}"`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" ${role}>${parts.join("")}</svg>`;
}
