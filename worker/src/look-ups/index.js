// The services and stores that an order asks.
export { createHost } from "./host.js";
export { createTurns } from "./turns.js";
export { canExist, voucherKey } from "./voucher-keys.js";
