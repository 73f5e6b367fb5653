/**
 * The element that index.html holds under this id.
 * @template {typeof Element} [Kind=typeof HTMLElement]
 * @param {string} id
 * @param {Kind | typeof HTMLElement} kind what the element is, where its own fields are used: `byId("search", HTMLInputElement).value`
 * @returns {InstanceType<Kind>}
 */
export function byId(id, kind = HTMLElement) {
  const found = document.getElementById(id);
  if (found instanceof kind) return /** @type {InstanceType<Kind>} */ (found);
  throw new Error(`The page has no ${kind.name} with the id "${id}"`);
}
