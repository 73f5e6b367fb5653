import { customerText, explainText } from "order-cost/messages";
import { en, th } from "../texts/index.js";
import { remember } from "./memory.js";

const TEXTS = { en, th };
const REMEMBERED = "order-cost.language";

/** @typedef {"en" | "th"} Language */

let language = /** @type {Language} */ (document.documentElement.lang); // as index.html has found it

export const currentLanguage = () => language;

/**
 * A text in the visitor's language.
 * @param {string} key of texts/en.js
 * @param {object} [values] the values in the text
 */
export function t(key, values) {
  const text = TEXTS[language][key];
  if (text === undefined) throw new Error(`No text ${key}`);
  return typeof text === "function" ? text(values) : text;
}

/**
 * What the package says to customers about a problem, in the visitor's language.
 * @param {import("order-cost/messages").CustomerProblem} problem
 * @param {string} [product] the name of the product that the problem is about
 */
export const customersWords = (problem, product) => customerText(problem, language, { product: () => product ?? "" });

/**
 * The same about a step of the calculation.
 * @param {import("order-cost").ExplainStep} step
 */
export const stepWords = (step) => explainText(step, language);

/**
 * The name in the visitor's language, of a thing that has an English and a Thai name.
 * @param {Record<Language, string>} named
 */
export const nameOf = (named) => named[language];

/**
 * The same of a delivery zone, whose names are GeoJSON properties. Another shop's zone may have one name, or none.
 * @param {Pick<import("../model/shop.js").Zone, "properties">} zone
 */
export const zoneName = ({ properties: { name, nameTh } }) => nameOf({ en: name ?? "", th: nameTh ?? name ?? "" });

/**
 * The elements with this field in their `dataset`.
 * @template {string} Field
 * @param {Field} field
 * @returns {NodeListOf<HTMLElement & { dataset: Record<Field, string> }>}
 */
const marked = (field) => document.querySelectorAll(`[data-${field}]`);

const buttons = marked("language");

/** Writes the texts of the page's markup. They stand there in English, for the first paint. */
function show() {
  document.documentElement.lang = language;
  document.documentElement.classList.add("has-texts");
  document.title = t("page.title");
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.language === language));
  for (const node of marked("text")) {
    const text = t(node.dataset.text);
    if (node.textContent !== text) node.textContent = text; // what stays the same need not be laid out again
  }
  for (const node of marked("label")) node.setAttribute("aria-label", t(node.dataset.label));
  for (const node of marked("hint")) node.setAttribute("placeholder", t(node.dataset.hint));
}
show(); // index.html loads this module first, so the texts do not wait for the rest

/**
 * Calls back after each change of the language.
 * @param {() => void} onChange
 */
export function startLanguage(onChange) {
  for (const button of buttons) {
    button.addEventListener("click", () => {
      language = /** @type {Language} */ (button.dataset.language);
      remember(REMEMBERED, language);
      show();
      onChange();
    });
  }
}
