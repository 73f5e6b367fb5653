// Views of what an order came to.
export { createAnswerView } from "./answer-view.js";
export { createCapturedView } from "./captured-view.js";
export { createComparisonView } from "./comparison-view.js";
export { createLedgerView } from "./ledger-view.js";
export { withMissing } from "./missing.js";
export { createQuestionsView } from "./questions-view.js";
export { createTotal } from "./total.js";
