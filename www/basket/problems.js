import { byId, element, replaceKeepingFocus, whenChanged } from "../dom/index.js";
import { isRetryable, remedyOf, retry } from "../model/index.js";
import { currentLanguage, customersWords, t } from "../page/index.js";

/**
 * What is wrong, apart from the rows' own problems: these stand beside their rows, and are only counted here.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 * @param {() => void} showRow moves the focus to the first row with a problem
 */
export function createProblemsView(shop, basket, showRow) {
  const box = byId("failure");
  let items = [];

  function render() {
    items = itemsOf(basket.snapshot.problems);
    renderBox();
  }

  // Drawn only after a change: a screen reader reads an alert again when it is drawn again.
  const renderBox = whenChanged(() => [items.map(({ text }) => text).join("\n"), basket.snapshot.blocked, currentLanguage()], draw);

  function itemsOf(problems) {
    const ofRows = problems.filter(isOfRow);
    const others = problems.filter((problem) => !isOfRow(problem));
    const told = others.map((problem) => ({
      text: customersWords(problem),
      isRetryable: isRetryable(problem),
      remedy: remedyOf(problem, shop, basket),
    }));
    const counted = {
      text: t("failure.rows", { count: ofRows.length }),
      isRetryable: ofRows.some(isRetryable),
      remedy: { text: "failure.showRow", run: showRow },
    };
    return [...(ofRows.length > 0 ? [counted] : []), ...distinct(told)];
  }

  function draw() {
    const { blocked } = basket.snapshot;
    const isHeld = box.contains(document.activeElement);
    box.hidden = items.length === 0;
    replaceKeepingFocus(
      box,
      element("h3", {}, t("failure.title")),
      items.map(({ text, remedy }, index) =>
        element(
          "div",
          { class: "failure-item" },
          element("p", {}, text),
          // Another basket may have a problem of the same text since this was drawn.
          remedy && button(`mend-${index}`, t(remedy.text), () => items[index].remedy.run()),
        ),
      ),
      blocked.length > 0 && element("p", { class: "note" }, t("failure.blocked", { parts: namesOf(blocked) })),
      items.some(({ isRetryable }) => isRetryable) && [
        element("p", { class: "note" }, t("failure.repeats")),
        button("retry", t("failure.retry"), () => retry(basket)),
      ],
    );
    if (isHeld && !box.contains(document.activeElement)) byId("bill").focus({ preventScroll: true });
  }

  return { render };
}

const namesOf = (parts) => parts.map((part) => t(`pending.${part}`)).join(", ");

const isOfRow = ({ subject }) => subject?.line !== undefined;

/** Two schedules outside all zones are one problem to the visitor. */
const distinct = (items) => [...new Map(items.map((item) => [item.text, item])).values()];

const button = (focus, text, click) => element("button", { type: "button", class: "button", "data-focus": focus, click }, text);
