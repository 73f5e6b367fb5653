import { jsonService } from "../json/index.js";
import { evaluate } from "./rules.js";

/** @param {import("./rules.js").Coupon[]} coupons */
export const couponService = (coupons) => jsonService("coupons", (request) => evaluate(request, coupons, Date.now()));
