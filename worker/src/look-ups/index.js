// The services and stores that an order asks.
export { createHost } from "./host.js";
export { canExist, voucherKey } from "./keys.js";
export { createTurns } from "./turns.js";
