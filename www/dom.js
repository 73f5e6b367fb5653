/**
 * A new element. Text goes in as text, never as markup; `undefined`, `null` and `false` are left out.
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | false | null | undefined)} children
 */
export function element(tag, attributes, ...children) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return created;
}

/** Text for those who cannot see what the styling says. */
export const spoken = (text) => element("span", { class: "visually-hidden" }, text);
