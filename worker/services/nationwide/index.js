// The shop's nationwide rates.
export { rateFor } from "./rates.js";
export { rateService } from "./service.js";
