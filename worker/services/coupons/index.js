// The shop's coupons.
export { evaluate } from "./rules.js";
export { couponService } from "./service.js";
