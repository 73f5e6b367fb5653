const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element. Text is inserted as text, never as markup. `undefined`, `null` and `false` are skipped.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} attributes a function
 *   listens to the event of that name
 * @param {...(Node | string | false | null | undefined)} children
 */
export const element = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const drawn = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

function build(created, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") created.addEventListener(name, value);
    else if (value !== undefined && value !== false) created.setAttribute(name, value === true ? "" : value);
  }
  created.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return created;
}

/** Text for visitors who cannot see the styling. */
export const spoken = (text) => element("span", { class: "visually-hidden" }, text);

export const byId = (id) => document.getElementById(id);

/** Makes `nodes` the children. Those that stay are left alone: they keep the focus and what is being typed. */
export function arrange(parent, nodes) {
  for (const child of [...parent.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, place) => {
    if (parent.children[place] !== node) parent.insertBefore(node, parent.children[place] ?? null);
  });
}

/**
 * Replaces the children. The focus stays on the control with the same `data-focus`. If that control is gone, the focus
 * moves to the one that `data-focus-next` names.
 */
export function replaceKeepingFocus(parent, ...children) {
  const held = parent.contains(document.activeElement) ? document.activeElement.dataset : undefined;
  parent.replaceChildren(...children.flat().filter(Boolean));
  if (held === undefined) return;
  const named = (name) => name && parent.querySelector(`[data-focus="${CSS.escape(name)}"]:not(:disabled)`);
  (named(held.focus) || named(held.focusNext))?.focus({ preventScroll: true });
}
