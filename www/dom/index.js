// Makes and finds elements of the page.
export { arrange, drawn, element, focusable, heldIn, replaceKeepingFocus, spoken } from "./dom.js";
export { byId } from "./element.js";
export { icon } from "./icons.js";
export { whenChanged } from "./memo.js";
export { turn } from "./turn.js";
