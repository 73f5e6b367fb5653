// Pricers, and the stores of facts.
export { BY_ID, FACT_TABLES, keyFault } from "./fact-keys.js";
export { factPlace } from "./fact-place.js";
export { faultsIn, isOfPart, refusalOf } from "./order-check.js";
export { Pricer } from "./pricer.js";
