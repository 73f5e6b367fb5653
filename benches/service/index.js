// The service on Node: its speed, memory and starts.
export { makeShop } from "./shop.js";
export { AXUM, FIXED, measureMemory, measureSpeed, SERVICE } from "./speed.js";
export { measureStarts } from "./start.js";
export { measureStack, measureSwitch } from "./switch.js";
