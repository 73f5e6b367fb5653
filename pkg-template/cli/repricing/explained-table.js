// An explained order as a person reads it. Every amount comes from the pricer: nothing is priced here.
import { customerText, explainText } from "order-cost/messages";
import { createColors } from "picocolors";
import { DEFAULT_POLICY } from "../../core/index.js";
import { decisionText } from "../../response/index.js";
import { add, decimal, member, multiply, numberText, plain, readExact, subtract } from "../../shared/index.js";
import { exactAmount, table, wrap } from "../screen/index.js";
import { aligned, hanging, labelled } from "./columns.js";
import { outcome } from "./outcome.js";
import { TEXTS } from "./texts.js";

const NOTHING = decimal("0");

/**
 * @typedef {import("../files/capture-files.js").Capture} Capture
 * @typedef {import("../../shared/decimal.js").Decimal} Decimal
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {{ language: "en" | "th", width: number, color: boolean, all?: boolean }} Look `all`: also the steps of 0 that do not
 *   apply
 */

/**
 * The text of an explained order: what it is, its bill, its steps, the decisions that these follow, and whether the captured
 * answer was the same.
 * @param {import("../explain-captures.js").Explained} explained
 * @param {Look} look
 */
export function explainedTable(explained, look) {
  const t = TEXTS[look.language];
  const { capture, priced } = explained;
  const parts = priced.error
    ? [failure(priced.error, capture, t, look)]
    : [bill(readExact(priced.text), t, look), ...ledger(readExact(priced.steps), t, look)];
  return [head(capture, t, look), ...parts, outcome(explained, t, look)].join("\n\n");
}

/**
 * @param {Capture} capture
 * @param {Texts} t
 * @param {Look} look
 */
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

/**
 * @param {unknown} order
 * @param {Texts} t
 * @param {Look} look
 */
function bill(order, t, { width, color }) {
  const products = chargesOf(order).map(({ row, price, amount }) => ({
    name: nameOf(row),
    cells: [numberText(member(row, "quantity")), exactAmount(price), exactAmount(amount)],
  }));
  const sums = partsOf(order).map(({ name, amount }) => ({ name: t[name], cells: ["", "", exactAmount(amount)] }));
  const head = [t.product, t.quantity, t.price, t.amount];
  const rows = aligned([...products, { name: "", cells: ["", "", ""] }, ...sums], head, width);
  return table({ head, rows, right: [1, 2, 3], isTotalled: true, color });
}

const amountIn = (object, name) => decimal(numberText(member(object, name)));

/** What each row adds to the subtotal, and at which price: not always its rowTotal (D15). */
function chargesOf(order) {
  const rows = member(order, "productList").map((row) => ({ row, price: amountIn(row, "price"), amount: amountIn(row, "rowTotal") }));
  const isSum = isNothing(
    subtract(
      rows.reduce((sum, { amount }) => add(sum, amount), NOTHING),
      amountIn(order, "subTotal"),
    ),
  );
  return rows.map(({ row, price, amount }) => {
    const effective = multiply(price, amountIn(row, "quantity"));
    if (!isSum) return { row, price, amount: effective.digits < 0n ? NOTHING : effective };
    return { row, amount, price: amount.digits === 0n || isNothing(subtract(amount, effective)) ? price : amountIn(row, "originalPrice") };
  });
}

const isNothing = ({ digits }) => digits === 0n;

/**
 * What the grand total is made of, and itself: of the parts between it and the subtotal, those that are not 0.
 * @param {unknown} order
 */
function partsOf(order) {
  const total = (name) => ({ name, amount: amountIn(order, name) });
  const [subTotal, grandTotal] = ["subTotal", "grandTotal"].map(total);
  const between = [
    ...["discountedDeliveryFee", "expressShippingCost"].map(total),
    ...["cartDiscount", "bogoDiscount", "voucherDiscount"]
      .map(total)
      .map(({ name, amount }) => ({ name, amount: subtract(NOTHING, amount) })),
  ];
  const sum = between.reduce((sum, { amount }) => add(sum, amount), subTotal.amount);
  const floor = { name: "floor", amount: subtract(grandTotal.amount, sum) };
  return [subTotal, ...[...between, floor].filter(({ amount }) => !isNothing(amount)), grandTotal];
}

/** A capture may hide the name of a product: its code stays. */
function nameOf(row) {
  const { productName, cprcode } = plain(row);
  return [productName, cprcode].filter(Boolean).join(" · ");
}

/**
 * The steps, and the decisions that they follow.
 * @param {unknown[]} steps
 * @param {Texts} t
 * @param {Look} look
 */
function ledger(steps, t, { language, width, color, all }) {
  const decisions = new Map();
  let isAnyUncounted = false;
  const told = all ? steps : steps.filter((step) => !saysNothing(plain(step)));
  const rows = told.map((step) => {
    const { decision, ...shown } = plain(step);
    const known = decisionText(decision, language);
    if (known) decisions.set(decision, known);
    isAnyUncounted ||= shown.runningTotal === null;
    const running = shown.runningTotal === null ? "" : exactAmount(amountIn(step, "runningTotal"));
    const below = decision === undefined ? [] : [[decision, known?.name].filter(Boolean).join(" ")];
    return { name: explainText(shown, language), below, cells: [exactAmount(amountIn(step, "amount")), running] };
  });
  const head = [t.step, t.amount, t.running];
  const shown = table({ head, rows: aligned(rows, head, width), right: [1, 2], color });
  const notes = [isAnyUncounted && t.uncounted, told.length < steps.length && t.hidden(steps.length - told.length)].filter(Boolean);
  return [
    [shown, ...notes.flatMap((note) => wrap(note, width))].join("\n"),
    ...(decisions.size > 0 ? [legend(decisions, t, { width, color })] : []),
  ];
}

/** Totals that may be nothing in any order. */
const OFTEN_NOTHING = new Set([
  "cartDiscount",
  "bogoDiscount",
  "two4Discount",
  "percentageDiscount",
  "shippingDiscount",
  "voucherDiscount",
  "totalDiscount",
]);

/** Whether a step only says that something does not apply. What was refused, and what costs nothing for a reason, is told. */
function saysNothing({ rule, amount, operands }) {
  if (Number(amount) !== 0) return false;
  if (rule === "zone") return !operands.isChosen;
  return OFTEN_NOTHING.has(rule);
}

function legend(decisions, t, { width, color }) {
  const { dim } = createColors(color);
  const entries = [...decisions].sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
  return [dim(t.decisions), ...entries.flatMap(([id, { name, rule }]) => hanging(`${id} ${name}: ${rule}`, width))].join("\n");
}

/**
 * The error, and what the shop tells the customer of it.
 * @param {import("order-cost").PricingError} error
 * @param {Capture} capture
 * @param {Texts} t
 * @param {Look} look
 */
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
