// The shop, and what a visitor does in it, without a page.
export { billOf } from "./bill.js";
export { AISLES } from "./catalogue.js";
export { refusalOf } from "./coupon-terms.js";
export { addUnit, quantityOf, ship } from "./edits.js";
export { keepFacts } from "./kept-facts.js";
export { fromHash, toHash } from "./link.js";
export { hasSurcharge, isByPostcode, isByZone, modeOf, parcelOf } from "./modes.js";
export { middleOf, polygonsOf, projectionOf } from "./projection.js";
export { remedyOf } from "./remedies.js";
export { isRetryable, retry, retryOnReturn } from "./retry.js";
export { openShop } from "./shop.js";
export { hasPrices, priceOfLast, scheduleListOf } from "./slot-price.js";
export { openSlots, slotAfter, withOpenSlots, withSlot } from "./slots.js";
export { starterOrder } from "./starter.js";
export { KINDS, trouble } from "./trouble.js";
