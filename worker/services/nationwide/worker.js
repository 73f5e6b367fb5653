import table from "../../seed/rates.json" with { type: "json" };
import { rateService } from "./service.js";

export default rateService(table);
