import table from "../../seed/rates.json" with { type: "json" };
import { jsonService } from "../json-service.js";
import { rateFor } from "./rates.js";

export default jsonService("nationwide", (query) => rateFor(query, table));
