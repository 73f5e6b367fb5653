// The report as one HTML file for people who use no terminal: no script, nothing from elsewhere, on paper too.
import packageJson from "../../../package.json" with { type: "json" };
import { brokenSentences, figure, printable, thb } from "../../screen/index.js";
import { causeChart, orderChart } from "./chart.js";
import { STYLE } from "./style.js";
import { apart, CAUSE_NAMES, headline, limitSentence, NETS_ADD_UP, orders, signedThb } from "./words.js";

const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text of data as text of a page: it is no markup, and turns nothing round. */
const text = (value) => printable(value).replace(/[&<>"']/g, (sign) => SIGNS[sign]);

/**
 * @param {import("./show.js").Report} report
 * @param {Date} [at] the time that it names
 */
export function impactPage(report, at) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(headline(report))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="kicker">Impact on captured orders</p>
<h1>${text(`${signedThb(report.net)} THB: ${headline(report)}`)}.</h1>
${verdict(report)}
${figures(report)}
${orderSection(report)}
${causeSection(report)}
${failureSection(report)}
${productSection(report)}
${largestSection(report)}
</main>
<footer>
<p>Made by order-cost ${text(packageJson.version)}${at ? ` on ${time(at.toISOString())}` : ""}
from ${captures(report)}. Amounts are exact, and shown to the satang.</p>
</footer>
</body>
</html>
`;
}

const time = (iso) => `<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;

const captures = ({ orders: count }) => `${figure(count)} ${count === 1 ? "capture" : "captures"}`;

function verdict(report) {
  const { limit, passed } = report;
  const [kind, word] = limit === null ? ["none", "Measured"] : passed ? ["passed", "Passed"] : ["stopped", "Stopped"];
  return `<p class="verdict ${kind}"><strong>${word}</strong> <span>${text(limitSentence(report).replace(/ \(--max-impact\).*/, ""))}.</span></p>`;
}

function figures({ net, up, down, captured, wouldFail }) {
  const entries = [
    ["Net", signedThb(net), wouldFail.orders === 0 ? "of all orders" : "without the orders that would fail"],
    ["Up", thb(up.baht), `in ${orders(up.orders)}`],
    ["Down", thb(down.baht), `in ${orders(down.orders)}`],
    ["Captured", thb(captured.baht), `in ${orders(captured.orders)}`],
  ];
  const shown = entries.map(([name, value, note]) => `<div><dt>${name}</dt><dd>${value} <small>THB ${note}</small></dd></div>`);
  return `<dl class="figures">${shown.join("")}</dl>`;
}

function orderSection(report) {
  const sentences = apart(report).map((sentence) => `<li>${text(sentence)}.</li>`);
  const list = sentences.length > 0 ? `<ul>${sentences.join("")}</ul>` : "";
  return section("Orders", `${orderChart(report)}${list}${brokenLines(report)}`);
}

function brokenLines({ broken }) {
  const [sentence, ...first] = brokenSentences(broken);
  return sentence === undefined ? "" : `<p>${text(sentence)}</p><ul>${first.map((one) => `<li>${text(one)}</li>`).join("")}</ul>`;
}

function causeSection(report) {
  const rows = report.causes.map(({ cause, kind, up, down, net }) => [
    `${titled(cause)} <small>${kind}</small>`,
    moves(up),
    moves(down),
    signedThb(net),
  ]);
  const total = ["All causes", "", "", signedThb(report.net)];
  const head = ["Cause", "THB up", "THB down", "Net THB"];
  return section("Causes", `${causeChart(report)}${table(head, rows, { total })}<p class="note">${NETS_ADD_UP}</p>`);
}

const moves = ({ orders: count, baht }) => `${thb(baht)} <small>${orders(count)}</small>`;

function failureSection({ wouldFail: { codes } }) {
  if (codes.length === 0) return "";
  const rows = codes.map(({ code, cause, orders, baht, first }) => [
    `<code>${text(code)}</code> <small>because of ${CAUSE_NAMES[cause]}</small>`,
    figure(orders),
    thb(baht),
    `${text(first.message)} <small>${text(first.requestId)}</small>`,
  ]);
  return section("Orders that would fail", table(["Code", "Orders", "THB captured", "The first"], rows, { texts: [3] }));
}

function productSection({ products, otherProducts }) {
  if (products.length === 0) return "";
  const rows = products.map(({ cprcode, orders, up, down, net }) => [text(cprcode), figure(orders), thb(up), thb(down), signedThb(net)]);
  const rest = otherProducts > 0 ? `<p class="note">${figure(otherProducts)} more ${otherProducts === 1 ? "moves" : "move"} less.</p>` : "";
  return section("Products that move most", `${table(["Product", "Orders", "THB up", "THB down", "Net THB"], rows)}${rest}`);
}

function largestSection({ largest }) {
  if (largest.length === 0) return "";
  const rows = largest.map(({ requestId, before, after, change }) => [text(requestId), thb(before), thb(after), signedThb(change)]);
  return section("Orders that move most", table(["Order", "THB before", "THB after", "Change"], rows));
}

const titled = (cause) => CAUSE_NAMES[cause].replace(/^./, (letter) => letter.toUpperCase());

const section = (title, content) => `<section><h2>${title}</h2>${content}</section>`;

/**
 * Cells are HTML. All but the first and those of `texts` are numbers.
 * @param {string[]} head
 * @param {string[][]} rows
 * @param {{ texts?: number[], total?: string[] }} [options]
 */
function table(head, rows, { texts = [], total } = {}) {
  const isText = (index) => index === 0 || texts.includes(index);
  const cell = (tag, html, index) =>
    `<${tag}${isText(index) ? "" : ' class="number"'}${tag === "th" ? ' scope="col"' : ""}>${html}</${tag}>`;
  const row = (cells) =>
    `<tr><th scope="row">${cells[0]}</th>${cells
      .slice(1)
      .map((html, index) => cell("td", html, index + 1))
      .join("")}</tr>`;
  const foot = total ? `<tfoot>${row(total)}</tfoot>` : "";
  return `<table><thead><tr>${head.map((html, index) => cell("th", html, index)).join("")}</tr></thead><tbody>${rows.map(row).join("")}</tbody>${foot}</table>`;
}
