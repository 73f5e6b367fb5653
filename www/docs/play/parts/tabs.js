import { element } from "../../../dom/index.js";

/**
 * Tabs with their panels, of which one is shown. The arrow keys move between the tabs.
 * @param {string} label
 * @param {{ id: string, title: string, panel: HTMLElement, isHidden?: boolean }[]} tabs
 * @param {(id: string) => void} [onSelect]
 */
export function createTabs(label, tabs, onSelect = () => {}) {
  const made = Object.fromEntries(
    tabs.map((tab) => [tab.id, { ...tab, button: buttonOf(tab), mark: element("span", { class: "play-mark" }) }]),
  );
  const all = Object.values(made);
  for (const { id, button, mark, panel, isHidden } of all) {
    button.append(mark);
    button.hidden = isHidden === true;
    button.addEventListener("click", () => select(id));
    const attributes = { id: `play-panel-${id}`, role: "tabpanel", tabindex: "0", "aria-labelledby": `play-tab-${id}` };
    for (const [name, value] of Object.entries(attributes)) panel.setAttribute(name, value);
  }
  const list = element(
    "div",
    { class: "play-tabs", role: "tablist", "aria-label": label, keydown: onKey },
    ...all.map(({ button }) => button),
  );
  select(shownTabs()[0].id);

  function shownTabs() {
    return all.filter(({ button }) => !button.hidden);
  }

  /** @param {string} chosen its id */
  function select(chosen) {
    for (const { id, button, panel } of all) {
      const isChosen = id === chosen;
      button.setAttribute("aria-selected", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
    }
    onSelect(chosen);
  }

  function onKey(event) {
    const shown = shownTabs();
    const at = shown.findIndex(({ button }) => button === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const { id, button } = shown[(to + shown.length) % shown.length];
    select(id);
    button.focus();
  }

  /**
   * Shows or hides a tab.
   * @param {string} id
   * @param {boolean} isShown
   */
  function show(id, isShown) {
    const { button } = made[id];
    button.hidden = !isShown;
    if (!isShown && button.getAttribute("aria-selected") === "true") select(shownTabs()[0].id);
  }

  /**
   * A short text behind the title, such as a number.
   * @param {string} id
   * @param {string} text
   */
  function mark(id, text, kind = "") {
    const { mark } = made[id];
    mark.textContent = text;
    mark.className = `play-mark ${kind}`;
  }

  return { nodes: [list, ...all.map(({ panel }) => panel)], select, show, mark };
}

/** @param {{ id: string, title: string }} tab */
const buttonOf = ({ id, title }) =>
  element("button", { type: "button", role: "tab", id: `play-tab-${id}`, "aria-controls": `play-panel-${id}` }, title);
