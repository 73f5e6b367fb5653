// Prices one order, and prints its bill.
export { CurrentPricer } from "./current-pricer.js";
export { pricerOptions } from "./facts-pricer.js";
export { createPricing } from "./pricing.js";
