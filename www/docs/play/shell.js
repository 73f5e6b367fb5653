// The parts of the page and where they stand.
import { element } from "../../dom/index.js";
import { copyButton, createField, createFileInput, createTabs, pageLink } from "./parts/index.js";
import { createPoliciesForm } from "./policies-form.js";
import {
  createAnswerView,
  createCapturedView,
  createComparisonView,
  createLedgerView,
  createQuestionsView,
  createTotal,
} from "./results/index.js";

/**
 * @typedef {object} Listeners
 * @property {(order: string) => void} onOrder
 * @property {(facts: string) => void} onFacts
 * @property {(facts: string) => void} onOtherFacts those of B
 * @property {(side: number, policy: Record<string, string>) => void} onPolicy
 * @property {(index: number) => void} onExample
 * @property {(isOn: boolean) => void} onCompare
 * @property {(files: File[]) => void} onFiles
 * @property {() => void} onForget the captured answer
 * @property {(tab: string) => void} onShown
 * @property {() => void} onOwn the way back to one's own order
 * @property {(side: number, missing: import("./results/missing.js").Missing[]) => void} onAdd
 * @property {() => Promise<string>} link to what is shown
 *
 * @param {Element} root
 * @param {string[]} titles of the examples
 * @param {Listeners} on
 * @param {AbortSignal} signal
 */
export function createShell(root, titles, on, signal) {
  const fields = {
    order: createField({ id: "order", label: "Order as JSON", onChange: on.onOrder }),
    facts: createField({
      id: "facts",
      label: "Facts as JSON",
      onChange: on.onFacts,
      head: hint(
        "What the host answers: prices, vouchers, rates, coupons and delivery zones. ",
        pageLink("reference/package/testing#facts", "Every key"),
      ),
    }),
    other: createField({
      id: "other",
      label: "Facts of B as JSON",
      onChange: on.onOtherFacts,
      head: hint("The facts of B. They are those of A until you edit them."),
    }),
  };
  const policies = createPoliciesForm(on.onPolicy);
  const [total, ledger, answer, questions, comparison] = [
    createTotal(on.onAdd),
    createLedgerView(),
    createAnswerView(),
    createQuestionsView(),
    createComparisonView(),
  ];
  const captured = createCapturedView(on.onForget);
  const input = createTabs(
    "What is priced",
    [
      { id: "order", title: "Order", panel: element("div", {}, fields.order.node) },
      { id: "facts", title: "Facts", panel: element("div", {}, fields.facts.node) },
      { id: "other", title: "Facts of B", panel: element("div", {}, fields.other.node), isHidden: true },
      { id: "policies", title: "Policies", panel: element("div", {}, policies.node) },
    ],
    on.onShown,
  );
  const output = createTabs("What comes out", [
    { id: "comparison", title: "Comparison", panel: element("div", {}, comparison.node), isHidden: true },
    { id: "ledger", title: "Waterfall", panel: element("div", {}, ledger.node) },
    { id: "answer", title: "Answer", panel: element("div", {}, answer.node) },
    { id: "questions", title: "Questions", panel: element("div", {}, questions.node) },
  ]);
  const example = element("select", {
    id: "play-example",
    change: () => (example.value === "" ? on.onOwn() : on.onExample(Number(example.value))),
  });
  example.append(element("option", { value: "" }, "Your own"), ...titles.map((title, index) => element("option", { value: index }, title)));
  const back = element("button", { type: "button", class: "play-button", hidden: true, click: on.onOwn }, "Back to your own order");
  const compare = element("input", { type: "checkbox", role: "switch", id: "play-compare", change: () => on.onCompare(compare.checked) });
  const notice = element("div", { class: "play-notice", role: "alert" });
  const offline = element("span", { class: "play-offline", role: "status" });
  root.replaceChildren(
    element(
      "div",
      { class: "play-bar" },
      element("span", { class: "play-choice" }, element("label", { for: "play-example" }, "Example"), example),
      back,
      element("span", { class: "play-switch" }, compare, element("label", { for: "play-compare" }, "Compare two versions")),
      ...createFileInput(on.onFiles, signal),
      copyButton("Copy link", on.link),
    ),
    notice,
    captured.node,
    element(
      "div",
      { class: "play-panes" },
      total.node,
      element("section", { class: "play-pane play-input", "aria-label": "What is priced" }, ...input.nodes),
      element("section", { class: "play-pane play-output", "aria-label": "What comes out" }, ...output.nodes),
    ),
    element(
      "p",
      { class: "play-foot" },
      "Nothing that you write or open here leaves this page. A capture is an order with all it was priced from, ",
      pageLink("service/decision-log", "as the service keeps it"),
      ": drop its file here, or open it. ",
      offline,
    ),
  );

  return {
    fields,
    policies,
    total,
    ledger,
    answer,
    questions,
    comparison,
    captured,
    input,
    output,
    example,
    back,
    compare,
    notice,
    offline,
  };
}

/** @param {(string | Node)[]} text */
const hint = (...text) => element("p", { class: "play-field-head" }, ...text);
