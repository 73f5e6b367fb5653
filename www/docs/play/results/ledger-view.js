// The steps of a calculation as a waterfall, each with its amount and its decision.
import { explainText } from "order-cost/messages";
import { barsOf, isBar, isRow, waterfall } from "../../../chart/index.js";
import { element } from "../../../dom/index.js";
import { decisionLink, money, signed } from "../parts/index.js";

/** With more rows the subtotal stands for all of them. */
const MOST_ROWS = 30;

/** @type {[name: string, language: "en" | "th"][]} */
const LANGUAGES = [
  ["English", "en"],
  ["ไทย", "th"],
];

/** @type {Record<string, Record<string, string>>} */
const WORDS = {
  en: { subTotal: "Subtotal", grandTotal: "Total", told: "shown, not subtracted" },
  th: { subTotal: "ค่าสินค้า", grandTotal: "ยอดรวม", told: "แสดงโดยไม่หักจากยอด" },
};

export function createLedgerView() {
  let [[, language]] = LANGUAGES;
  /** @type {import("../run/run.js").Run[]} the last ones */
  let runs = [];
  let side = 0; // which of them is shown
  const caption = element("h2", { id: "play-waterfall" }, "From nothing to the total, step by step");
  const chart = element("div", { class: "play-chart" });
  const rest = element("div", {});
  const languages = createChoice("Language of the steps", LANGUAGES, (index) => {
    language = LANGUAGES[index][1];
    draw();
  });
  const sides = createChoice("Whose steps", [["A"], ["B"]], (index) => {
    side = index;
    draw();
  });
  const node = element("div", {}, element("div", { class: "play-head" }, caption, sides, languages), chart, rest);

  /** @param {import("../run/run.js").Run[]} next of A, and of B if there is one */
  function show(next) {
    runs = next;
    sides.hidden = runs.length === 1;
    draw();
  }

  const shown = () => runs[side] ?? runs[0];

  function draw() {
    const { order, steps = [] } = shown()?.priced ?? {};
    if (!order) {
      chart.replaceChildren(element("p", { class: "play-empty" }, "There are no steps: the order has no price."));
      return rest.replaceChildren();
    }
    const withRows = steps.filter(isRow).length <= MOST_ROWS;
    const others = steps.filter((step) => !isBar(step));
    chart.lang = rest.lang = language;
    chart.replaceChildren(waterfall(barsOf(steps, order, describe, { withRows }), "play-waterfall", { money, signed }));
    rest.replaceChildren(...(others.length > 0 ? [otherSteps(others)] : []));
  }

  function describe(step) {
    const words = WORDS[language];
    if (words[step.rule] && step.operands === undefined) return { name: words[step.rule] };
    const [, row] = /^productList\[(\d+)\]$/.exec(step.path) ?? [];
    const product = row && shown().priced?.order?.productList[row].productName;
    const decision = step.decision && decisionLink(step.decision, language);
    const notes = [product, decision, step.runningTotal === null && words.told].filter(Boolean);
    const note = notes.length > 0 && element("span", {}, ...notes.flatMap((part, index) => (index === 0 ? [part] : [" · ", part])));
    return { name: explainText(step, language), ...(note && { note }) };
  }

  /** @param {import("order-cost").ExplainStep[]} steps */
  function otherSteps(steps) {
    const rows = steps.map((step) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, explainText(step, language)),
        element("td", {}, step.decision && decisionLink(step.decision, language)),
        element("td", { class: "amount" }, step.amount === 0 ? "" : money(step.amount)),
      ),
    );
    const head = ["Step", "Decision", "Amount"].map((name) => element("th", { scope: "col" }, name));
    return element(
      "details",
      { class: "play-others" },
      element("summary", { lang: "en" }, `${steps.length} steps that move no money`),
      element("table", {}, element("thead", { lang: "en" }, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
    );
  }

  return { node, show };
}

/**
 * Buttons of which one is pressed, at first the first.
 * @param {string} label
 * @param {[name: string, language?: string][]} names
 * @param {(index: number) => void} onChoose
 */
function createChoice(label, names, onChoose) {
  const buttons = names.map(([name, lang], index) =>
    element("button", { type: "button", lang, "aria-pressed": String(index === 0), click: () => choose(index) }, name),
  );
  /** @param {number} index */
  const choose = (index) => {
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === index)));
    onChoose(index);
  };
  return element("div", { class: "play-choices", role: "group", "aria-label": label }, ...buttons);
}
