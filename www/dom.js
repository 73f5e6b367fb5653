const SVG = "http://www.w3.org/2000/svg";

/**
 * A new element. Text goes in as text, never as markup; `undefined`, `null` and `false` are left out.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} attributes a function listens to the event it is named after
 * @param {...(Node | string | false | null | undefined)} children
 */
export const element = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);

/** The same in a drawing. */
export const drawn = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

function build(created, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") created.addEventListener(name, value);
    else if (value !== undefined && value !== false) created.setAttribute(name, value === true ? "" : value);
  }
  created.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return created;
}

/** Text for those who cannot see what the styling says. */
export const spoken = (text) => element("span", { class: "visually-hidden" }, text);

export const byId = (id) => document.getElementById(id);

/**
 * Puts new children in place of the old ones. The focus stays on the control of the same `data-focus`; where that is gone
 * it goes to the one named by `data-focus-next`.
 */
export function replaceKeepingFocus(parent, ...children) {
  const held = parent.contains(document.activeElement) ? document.activeElement.dataset : undefined;
  parent.replaceChildren(...children.flat().filter(Boolean));
  if (held === undefined) return;
  const named = (name) => name && parent.querySelector(`[data-focus="${CSS.escape(name)}"]:not(:disabled)`);
  (named(held.focus) || named(held.focusNext))?.focus({ preventScroll: true });
}
