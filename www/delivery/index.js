// Views of the delivery.
export { createDeliveryView } from "./delivery.js";
export { modeName } from "./schedules.js";
