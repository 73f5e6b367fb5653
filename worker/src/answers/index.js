// What the service answers.
export { answerOf, jsonAnswer, responseOf } from "./answer.js";
