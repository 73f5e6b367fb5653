import { compareOrders } from "order-cost/compare";
import { decisionText, member, numberText, plain, readExact } from "order-cost/internal";
import { figures, ledgerBars } from "../bill/index.js";
import { waterfall } from "../chart/index.js";
import { differenceTable, verdict } from "../comparison/index.js";
import { byId, element } from "../dom/index.js";
import { openCapture, Unopened } from "../orders/index.js";
import { count, currentLanguage, customersWords, exactly, money, priceTag, signed, stepWords, t } from "../page/index.js";

/** Shows an order that the service has captured, from a file. The basket stays behind it. */
export function createCapturedView() {
  const dialog = byId("captured", HTMLDialogElement);
  const button = byId("open-captured", HTMLButtonElement);
  const input = byId("captured-files", HTMLInputElement);
  /** @type {import("../orders/capture.js").CapturedOrder | Error | undefined} */
  let shown; // the order, or why there is none

  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    open([...(input.files ?? [])]);
    input.value = ""; // so that the same file can be chosen again
  });
  addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  addEventListener("drop", drop);
  byId("close-captured").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    if (dialog.open) return; // the event comes late, and another order may be shown by now
    shown = undefined;
    byId("captured-content").replaceChildren();
  });
  button.disabled = false;

  /** @param {DragEvent} event */
  const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");

  function drop(event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    open([...event.dataTransfer.files]);
  }

  /** @param {File[]} files */
  async function open(files) {
    if (files.length === 0) return;
    shown = await openCapture(files).catch((error) => error);
    render();
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    byId("captured-title").focus();
  }

  function render() {
    if (shown instanceof Error) show(t("captured.noOrder"), [problemOf(shown)]);
    else if (shown !== undefined) show(t("captured.title", { id: shown.requestId }), contentOf(shown));
  }

  /**
   * @param {string} title
   * @param {Node[]} content
   */
  function show(title, content) {
    byId("captured-title").textContent = title;
    byId("captured-content").replaceChildren(...content);
  }

  return { render };
}

/** @param {Error} error */
function problemOf(error) {
  const text = error instanceof Unopened ? t(error.text, error.values) : t("captured.notPriced", { reason: error.message });
  return element("p", { class: "notice", role: "alert" }, text);
}

function contentOf(captured) {
  const parts = captured.error ? [failure(captured)] : [bill(captured), workings(captured)];
  return [origin(captured), outcome(captured), ...parts].flat();
}

function origin({ route, dataVersion, package: version, policy }) {
  const items = [
    [t("captured.route"), route],
    [t("bill.version"), dataVersion],
    [t("captured.package"), version],
    [
      t("captured.policy"),
      Object.entries(policy ?? {})
        .map(([name, value]) => `${name}: ${value}`)
        .join(", "),
    ],
  ];
  return element(
    "dl",
    { class: "captured-origin" },
    ...items.filter(([, text]) => text).map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text))),
  );
}

/** Whether this page gives the captured answer. */
function outcome({ answered, text }) {
  if (answered === text) return verdict("good", t("captured.same"));
  const differences = compareOrders(answered, text);
  if (differences.length === 0) return verdict("good", t("captured.sameFields"));
  const table = differenceTable(differences, t("captured.then"), t("captured.now"));
  return [...verdict("bad", t("captured.different", { count: differences.length })), table];
}

function failure({ error, order }) {
  const product = order?.productList?.[error.subject?.line]?.productName;
  return element(
    "div",
    { class: "failure" },
    element("p", {}, element("b", {}, t("captured.failed"))),
    element("p", {}, element("span", { class: "code" }, error.code), ` ${error.message}`),
    element("p", {}, customersWords(error, product)),
  );
}

function bill({ text, steps, zones }) {
  const order = JSON.parse(text);
  const rows = order.productList.map(({ productName, cprcode, quantity, price, rowTotal }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, [productName, `${cprcode}`].filter(Boolean).join(" · ")), // a redacted name says nothing
      element("td", { class: "amount" }, `${count(quantity)} × ${money(price)}`),
      element("td", { class: "amount" }, money(rowTotal)),
    ),
  );
  return element(
    "section",
    { class: "captured-bill" },
    element("p", { class: "total-head" }, t("rule.grandTotal")),
    element("p", { class: "total" }, priceTag(order.grandTotal)),
    element("p", { class: "note", id: "captured-caption" }, t("bill.caption.current")),
    waterfall(ledgerBars(JSON.parse(steps), { ...order, totals: order }, zones), "captured-caption", { money, signed }),
    element("dl", { class: "facts" }, ...figures({ rows: order.productList, totals: order })),
    element("h3", { id: "captured-products" }, t("captured.products")),
    element("table", { class: "captured-table", "aria-labelledby": "captured-products" }, element("tbody", {}, ...rows)),
  );
}

/** Every step with its decision, and what the decisions say. */
function workings({ steps }) {
  const decisions = new Map();
  const rows = readExact(steps).map((step) => {
    const { decision, ...said } = plain(step);
    const known = decisionText(decision, currentLanguage());
    if (known) decisions.set(decision, known);
    const amountOf = (name) => element("td", { class: "amount" }, said[name] === null ? "" : exactly(numberText(member(step, name))));
    const name = decision && element("span", { class: "note" }, nameOf(decision, known));
    return element("tr", {}, element("th", { scope: "row" }, stepWords(said), name), amountOf("amount"), amountOf("runningTotal"));
  });
  const heads = ["step", "amount", "running"].map((name) => element("th", { scope: "col" }, t(`captured.${name}`)));
  const said = [...decisions].sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
  return element(
    "section",
    { class: "captured-workings" },
    element("h3", { id: "captured-steps" }, t("captured.steps")),
    element(
      "table",
      { class: "captured-table", "aria-labelledby": "captured-steps" },
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows),
    ),
    element("h3", {}, t("captured.decisions")),
    element(
      "dl",
      { class: "captured-decisions" },
      ...said.flatMap(([id, known]) => [element("dt", {}, nameOf(id, known)), element("dd", {}, known.rule)]),
    ),
  );
}

const nameOf = (id, known) => (known ? `${id} ${known.name}` : id);
