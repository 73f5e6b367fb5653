/**
 * The element of the page with this id. The page is broken without it, so its absence throws.
 * @template {typeof Element} [Kind=typeof HTMLElement]
 * @param {string} id
 * @param {Kind | typeof HTMLElement} kind the class of the element, where more than that of HTML is used
 * @returns {InstanceType<Kind>}
 */
export function byId(id, kind = HTMLElement) {
  const found = document.getElementById(id);
  if (found instanceof kind) return /** @type {InstanceType<Kind>} */ (found);
  throw new Error(`The page has no ${kind.name} with the id "${id}".`);
}
