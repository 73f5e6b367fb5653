// What operators ask the service: is it up, is it ready, what is its contract.
export { contract } from "./contract.js";
export { withOperations } from "./operations.js";
export { createReadiness } from "./readiness.js";
