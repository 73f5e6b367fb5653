// The services and stores that an order asks.
export { createHost } from "./host.js";
export { createTurns } from "./turns.js";
export { canExist, nounOf, recordKey, voucherKey } from "./voucher-keys.js";
