// A link to a decision, by its id.
import { decisionText } from "../order-cost/decisions.js";
import { element } from "../../page/dom.js";

const PAGE = `${import.meta.env.BASE_URL}project/decisions`;

/**
 * @param {string} id such as `D15`
 * @param {"en" | "th"} [language] of its name; none: only the id
 */
export function decisionLink(id, language) {
  const name = language && decisionText(id, language)?.name;
  return element("a", { href: `${PAGE}#${id.toLowerCase()}` }, name ? `${id} ${name}` : id);
}
