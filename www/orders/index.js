// Orders as texts, and captured ones.
export { answerIn, openCapture, readCapture, Unopened } from "./capture.js";
export { factsIn } from "./facts-text.js";
export { indentJson } from "./indent-json.js";
export { responseOf } from "./response.js";
