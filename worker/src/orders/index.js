// Answers orders, and tells what became of them.

export { SHADOW_HEADER } from "./order.js";
export { isOrdersOwn } from "./order-line.js";
export { createOrders } from "./orders.js";
export { createPricing } from "./pricing.js";
export { Recording } from "./recording.js";
