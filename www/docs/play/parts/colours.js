// JSON text in colours.
import { element } from "../../../dom/index.js";

const PART = /("(?:[^"\\]+|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g;

/**
 * The parts of JSON text, each as a node of its colour.
 * @param {string} text
 */
export const colours = (text) => [...partsOf(text)].map(([part, kind]) => (kind ? element("span", { class: `json-${kind}` }, part) : part));

function* partsOf(text) {
  let end = 0;
  for (const match of text.matchAll(PART)) {
    const [whole, string, colon, number] = match;
    if (match.index > end) yield [text.slice(end, match.index)];
    if (string !== undefined) yield [string, colon === undefined ? "string" : "key"];
    else yield [whole, number === undefined ? "word" : "number"];
    if (colon !== undefined) yield [colon];
    end = match.index + whole.length;
  }
  if (end < text.length) yield [text.slice(end)];
}
