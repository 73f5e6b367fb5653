// The columns of a file of prices: the fields of a price record, behind its key.
import { FIELDS } from "order-cost/internal";

export const KEY_COLUMNS = ["cprcode", "branchId"];
export const RECORD_COLUMNS = Object.keys(FIELDS.Price.read);
export const PRICE_COLUMNS = RECORD_COLUMNS.filter((name) => FIELDS.Price.read[name].kind === "baht");
