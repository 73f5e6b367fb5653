import coupons from "../../seed/coupons.json" with { type: "json" };
import { couponService } from "./service.js";

export default couponService(coupons);
