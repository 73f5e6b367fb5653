// The columns of a file of prices.
export const KEY_COLUMNS = ["cprcode", "branchId"];
export const PRICE_COLUMNS = ["price", "originalPrice", "settlementPrice"];
export const RECORD_COLUMNS = [...PRICE_COLUMNS, "weight", "isControlledProduct"];
