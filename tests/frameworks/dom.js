// Gives Node.js the parts of a page that frameworks use. Import it before a framework.
import { Window } from "happy-dom";

const window = new Window();
const NAMES = ["document", "Node", "Text", "Comment", "Element", "HTMLElement", "HTMLMediaElement", "SVGElement"];
globalThis.window = window;
for (const name of NAMES) globalThis[name] = window[name];
globalThis.navigator ??= window.navigator; // Node.js 21 has one

/** A new element of the page. */
export function container(html = "") {
  const element = document.createElement("div");
  element.innerHTML = html;
  document.body.append(element);
  return element;
}
