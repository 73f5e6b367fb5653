// Collects captures with both answers.
export { collect } from "./command.js";
