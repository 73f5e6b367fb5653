// Baskets: an order under edit, its snapshots, and how it settles.
export { BasketPricer } from "./basket-pricer.js";
