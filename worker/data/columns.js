// The columns of a file of prices.
export const KEY_COLUMNS = ["cprcode", "branchId"];
export const RECORD_COLUMNS = ["price", "originalPrice", "settlementPrice", "weight", "isControlledProduct"];
