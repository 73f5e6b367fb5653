import coupons from "../../seed/coupons.json" with { type: "json" };
import { jsonService } from "../json-service.js";
import { evaluate } from "./rules.js";

export default jsonService("coupons", (request) => evaluate(request, coupons, Date.now()));
