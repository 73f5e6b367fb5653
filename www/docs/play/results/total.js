// The total, what it is made of in a few figures, or why there is none.
import { customerText, explainText } from "order-cost/messages";
import { element } from "../../../dom/index.js";
import { count, money, signed } from "../parts/index.js";
import { missingIn } from "./missing.js";

/** @typedef {import("../run/run.js").Run} Run */

/** @type {[name: string, of: (order: import("order-cost").PricedOrder) => number][]} */
const FIGURES = [
  ["Subtotal", ({ subTotal }) => subTotal],
  ["Delivery", ({ discountedDeliveryFee, expressShippingCost }) => discountedDeliveryFee + expressShippingCost],
  ["Coupons", ({ cartDiscount, bogoDiscount }) => -(cartDiscount + bogoDiscount)],
  ["Vouchers", ({ voucherDiscount }) => -voucherDiscount],
];

/** How many missing facts are named. */
const MOST_NAMED = 3;

/** @param {(side: number, missing: import("./missing.js").Missing[]) => void} onAdd adds what the facts do not have */
export function createTotal(onAdd) {
  const amounts = element("div", { class: "play-amounts" });
  const status = element("p", { class: "play-status", role: "status" }, "Loading the pricer …");
  const figures = element("dl", { class: "play-figures" });
  const node = element("section", { class: "play-total", "aria-label": "Total" }, amounts, figures, status);
  amounts.append(amountOf("Total", "…"));

  /**
   * @param {Run[]} runs of A, and of B if there is one
   * @param {string} order its text
   */
  function show(runs, order) {
    const [one, other] = runs;
    const totals = runs.map(({ priced }) => priced?.order?.grandTotal);
    const arePriced = totals.every((total) => total !== undefined);
    amounts.replaceChildren(
      ...totals.map((total, side) => amountOf(other ? `Total ${"AB"[side]}` : "Total", text(total))),
      ...(other && arePriced ? [amountOf("B − A", signed(rounded(totals[1] - totals[0])), "is-difference")] : []),
    );
    node.classList.toggle("is-failed", !arePriced);
    const shown = other ? undefined : one.priced?.order;
    figures.replaceChildren(...(shown ? FIGURES.map(([name, of]) => figure(name, of(shown))) : []));
    if (other && arePriced) return status.replaceChildren("Both are priced in this page, from the same order.");
    const said = runs.map((run, side) => [...sentences(run, order, other ? `${"AB"[side]}: ` : ""), ...offer(run, order, side)]);
    status.replaceChildren(...said.flat());
  }

  /**
   * @param {Run} run
   * @param {string} order
   * @param {number} side
   */
  function offer({ priced }, order, side) {
    const missing = missingIn(priced?.questions ?? [], order);
    if (missing.length === 0) return [];
    const named = missing.slice(0, MOST_NAMED).map(({ word, key }) => `${word} ${key}`);
    const rest = missing.length - named.length;
    const add = element(
      "button",
      { type: "button", class: "play-button", click: () => onAdd(side, missing) },
      `Add ${missing.length === 1 ? "it" : "them"} with invented amounts`,
    );
    const sentence = `Not in the facts: ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}. `;
    return [element("span", { class: "play-missing" }, sentence, add)];
  }

  return { node, show };
}

/** @param {number | undefined} total */
const text = (total) => (total === undefined ? "No price" : money(total));
/**
 * Two doubles of satang, subtracted.
 * @param {number} difference
 */
const rounded = (difference) => Number(difference.toFixed(10));

/**
 * @param {string} label
 * @param {string} amount
 */
const amountOf = (label, amount, kind = "") =>
  element("p", { class: `play-amount ${kind}` }, element("span", {}, label), element("b", {}, amount));

/**
 * @param {string} name
 * @param {number} amount
 */
const figure = (name, amount) =>
  element("div", {}, element("dt", {}, name), element("dd", {}, amount < 0 ? signed(amount) : money(Math.abs(amount))));

/**
 * @param {Run} run
 * @param {string} order
 * @param {string} side what stands before the first sentence
 */
function sentences({ priced, refusal, faults }, order, side) {
  if (!priced) return [element("span", { class: "is-error" }, `${side}${refusal}`)];
  const { error, questions, ms, steps } = priced;
  if (!error)
    return [`${side}Priced in this page${timeOf(ms)}, with ${count(questions.length, "question")} to the host. `, ...refused(steps)];
  const wrong = faults.order.filter(({ severity }) => severity === "error").length;
  const more = wrong > 1 ? ` ${count(wrong - 1, "more fault")}.` : "";
  return [
    element("span", { class: "is-error" }, `${side}${error.message}. `, element("code", {}, error.code), more),
    element(
      "span",
      { class: "play-customer" },
      " A shop tells its customer: “",
      customerText(error, "en", { product: (line) => productName(order, line) }),
      "”",
    ),
  ];
}

/**
 * Vouchers that take nothing off say why.
 * @param {import("order-cost").ExplainStep[]} steps
 */
const refused = (steps) =>
  steps
    .filter(({ rule, operands }) => rule === "voucher" && (operands.inactive || operands.used || operands.ownerMismatch))
    .map((step) => element("span", { class: "play-customer" }, explainText(step, "en")));

/** @param {number | undefined} ms */
const timeOf = (ms) => (ms === undefined ? "" : ` in ${ms < 1 ? "less than 1" : Math.round(ms)} ms`);

/**
 * @param {string} order
 * @param {number} line
 * @returns {string} empty: nobody knows
 */
function productName(order, line) {
  try {
    return JSON.parse(order).productList[line].productName;
  } catch {
    return "";
  }
}
