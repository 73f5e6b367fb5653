// An explained order as a person reads it. Every amount comes from the pricer: nothing is priced here.
import { customerText, explainText } from "order-cost/messages";
import { createColors } from "picocolors";
import { decisionText } from "../../decisions.js";
import { member, numberText, plain, readExact } from "../../exact-json.js";
import { DEFAULT_POLICY } from "../../policies.js";
import { exactAmount, table } from "../table.js";
import { wrap } from "../wrap.js";
import { aligned, hanging, labelled } from "./columns.js";
import { outcome } from "./outcome.js";
import { TEXTS } from "./texts.js";

/**
 * The text of an explained order: what it is, its bill, its steps, the decisions that these follow, and whether the captured
 * answer was the same.
 * @param {{ capture: object, priced: object, comparison: object, software: object }} explained see explain.js
 * @param {{ language: "en" | "th", width: number, color: boolean }} look
 */
export function explainedTable(explained, look) {
  const t = TEXTS[look.language];
  const { capture, priced } = explained;
  const parts = priced.error
    ? [failure(priced.error, capture, t, look)]
    : [bill(readExact(priced.text), t, look), ...ledger(readExact(priced.steps), t, look)];
  return [head(capture, t, look), ...parts, outcome(explained, t, look)].join("\n\n");
}

function head({ requestId, route, dataVersion, policy, ...noted }, t, { width, color }) {
  const { bold } = createColors(color);
  const lines = [
    [t.route, route],
    [t.data, dataVersion],
    [t.priced, t.software({ version: noted.package, module: noted.module })],
    [t.policy, changed(policy)],
  ];
  return [...wrap(`${t.order} ${requestId}`, width).map((line) => bold(line)), ...labelled(lines, width)].join("\n");
}

/** The policy as far as it is not the default. */
function changed(policy = "{}") {
  const chosen = Object.entries(JSON.parse(policy) ?? {}).filter(([name, value]) => value !== DEFAULT_POLICY[name]);
  return chosen.map(([name, value]) => `${name}: ${value}`).join(", ");
}

function bill(order, t, { width, color }) {
  const amountOf = (object, name) => exactAmount(numberText(member(object, name)));
  const products = member(order, "productList").map((row) => ({
    name: nameOf(row),
    cells: [numberText(member(row, "quantity")), amountOf(row, "price"), amountOf(row, "rowTotal")],
  }));
  const sums = ["subTotal", "grandTotal"].map((name) => ({ name: t[name], cells: ["", "", amountOf(order, name)] }));
  const head = [t.product, t.quantity, t.price, t.amount];
  const rows = aligned([...products, { name: "", cells: ["", "", ""] }, ...sums], head, width);
  return table({ head, rows, right: [1, 2, 3], isTotalled: true, color });
}

/** A capture may hide the name of a product: its code stays. */
function nameOf(row) {
  const { productName, cprcode } = plain(row);
  return [productName, cprcode].filter(Boolean).join(" · ");
}

/** The steps, and the decisions that they follow. */
function ledger(steps, t, { language, width, color }) {
  const decisions = new Map();
  let isAnyUncounted = false;
  const rows = steps.map((step) => {
    const { decision, ...shown } = plain(step);
    const known = decisionText(decision, language);
    if (known) decisions.set(decision, known);
    isAnyUncounted ||= shown.runningTotal === null;
    const running = shown.runningTotal === null ? "" : exactAmount(numberText(member(step, "runningTotal")));
    const below = decision === undefined ? [] : [[decision, known?.name].filter(Boolean).join(" ")];
    return { name: explainText(shown, language), below, cells: [exactAmount(numberText(member(step, "amount"))), running] };
  });
  const head = [t.step, t.amount, t.running];
  const shown = table({ head, rows: aligned(rows, head, width), right: [1, 2], color });
  const note = isAnyUncounted ? `\n${wrap(t.uncounted, width).join("\n")}` : "";
  return [`${shown}${note}`, ...(decisions.size > 0 ? [legend(decisions, t, { width, color })] : [])];
}

function legend(decisions, t, { width, color }) {
  const { dim } = createColors(color);
  const entries = [...decisions].sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
  return [dim(t.decisions), ...entries.flatMap(([id, { name, rule }]) => hanging(`${id} ${name}: ${rule}`, width))].join("\n");
}

/** The error, and what the shop tells the customer of it. */
function failure(error, { request }, t, { language, width }) {
  const product = (line) => namesIn(request)[line];
  const lines = [
    [t.code, error.code],
    [t.message, error.message],
    [t.meaning, customerText(error, language, { product })],
  ];
  return [t.failed, ...labelled(lines, width)].join("\n");
}

function namesIn(request) {
  const { productList } = JSON.parse(request) ?? {};
  return Array.isArray(productList) ? productList.map((row) => row?.productName) : [];
}
