import { jsonService } from "../json/index.js";
import { rateFor } from "./rates.js";

/** @param {import("./rates.js").Table} table */
export const rateService = (table) => jsonService("nationwide", (query) => rateFor(query, table));
