// Links to other pages of the documents.
import { decisionText } from "order-cost/internal";
import { element } from "../../../dom/index.js";

/**
 * @param {string} path below /docs/
 * @param {string} text
 */
export const pageLink = (path, text) => element("a", { href: `${import.meta.env.BASE_URL}${path}` }, text);

/**
 * A link to a decision, by its id.
 * @param {string} id such as `D15`
 * @param {"en" | "th"} [language] of its name; none: only the id
 */
export function decisionLink(id, language) {
  const name = language && decisionText(id, language)?.name;
  return pageLink(`project/decisions#${id.toLowerCase()}`, name ? `${id} ${name}` : id);
}
