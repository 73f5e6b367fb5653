// The times at 200 lines as bars, in greys and a blue that work on light and dark backgrounds.
import { median } from "../measure/index.js";

const BARS = ["native", "calculateJson", "V8 floor", "floats", "safe integers", "dinero.js", "decimal.js"];
const OURS = new Set(["native", "calculateJson"]);
const [LEFT, WIDTH, ROW, BAR, TOP] = [130, 480, 28, 18, 34];

/** @param {Record<string, number[]>} samples microseconds per order, by entrant */
export function chart(samples) {
  const times = BARS.map((name) => ({ name, time: median(samples[name]) }));
  const longest = Math.max(...times.map(({ time }) => time));
  const bars = times.map(({ name, time }, row) => bar(name, time, (time / longest) * WIDTH, TOP + row * ROW));
  const [width, height] = [LEFT + WIDTH + 80, TOP + BARS.length * ROW + 6];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#7d8590">
<title>Microseconds an order of 200 lines, bytes in and bytes out, in Node</title>
<text x="0" y="16">Microseconds an order of 200 lines, bytes in and bytes out, in Node: shorter is faster</text>
${bars.join("\n")}
</svg>
`;
}

function bar(name, time, width, y) {
  const fill = OURS.has(name) ? "#3b82f6" : "#9ca3af";
  const middle = y + BAR / 2;
  return [
    `<text x="${LEFT - 8}" y="${middle}" text-anchor="end" dominant-baseline="central">${name}</text>`,
    `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2" fill="${fill}"/>`,
    `<text x="${(LEFT + width + 6).toFixed(1)}" y="${middle}" dominant-baseline="central">${Math.round(time)}</text>`,
  ].join("");
}
