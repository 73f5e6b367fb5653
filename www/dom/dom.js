const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} Attributes a function
 *   listens to the event of that name
 * @typedef {Node | string | false | null | undefined} Child
 */

/**
 * Makes an element. Text is inserted as text, never as markup. `undefined`, `null` and `false` are skipped.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...(Child | Child[])} children
 */
export const element = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...(Child | Child[])} children
 */
export const drawn = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

/**
 * @template {Element} Created
 * @param {Created} created
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function build(created, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") created.addEventListener(name, value);
    else if (value !== undefined && value !== false) created.setAttribute(name, value === true ? "" : String(value));
  }
  created.append(...present(children));
  return created;
}

/** @param {(Child | Child[])[]} children */
const present = (children) => children.flat().filter((child) => child !== undefined && child !== null && child !== false);

/** Text for visitors who cannot see the styling. */
export const spoken = (text) => element("span", { class: "visually-hidden" }, text);

/**
 * Makes `nodes` the children. Those that stay are left alone: they keep the focus and what is being typed.
 * @param {Element} parent
 * @param {Element[]} nodes
 */
export function arrange(parent, nodes) {
  for (const child of [...parent.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, place) => {
    if (parent.children[place] !== node) parent.insertBefore(node, parent.children[place] ?? null);
  });
}

/**
 * Replaces the children. The focus stays on the control with the same `data-focus`. If that control is gone, the focus
 * moves to the one that `data-focus-next` names.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function replaceKeepingFocus(parent, ...children) {
  const held = heldIn(parent)?.dataset;
  parent.replaceChildren(...present(children));
  if (held === undefined) return;
  const named = (/** @type {string | undefined} */ name) => (name ? focusable(parent, name) : undefined);
  (named(held.focus) ?? named(held.focusNext))?.focus({ preventScroll: true });
}

/**
 * The element that has the focus, if it is in `parent`.
 * @param {Element} parent
 */
export function heldIn(parent) {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && parent.contains(activeElement) ? activeElement : undefined;
}

/**
 * The control with this `data-focus` that can have the focus.
 * @param {Element} parent
 * @param {string} name
 * @returns {HTMLElement | null}
 */
export const focusable = (parent, name) => parent.querySelector(`[data-focus="${CSS.escape(name)}"]:not(:disabled)`);
