// Two responses, compared.
export { Accepted, DECISIONS, KINDS, readAccepted } from "./accepted.js";
export { comparePair, differencesFrom } from "./compare-pair.js";
export { Differing } from "./differing.js";
export { beginsAsFailure, failureText, hasFailed } from "./failed-answer.js";
export { Ignored } from "./ignored.js";
export { byTie } from "./tie.js";
export { rankOf, reasonsOf, UNEXPLAINED, whyOf } from "./why.js";
