// Orders for tests in which the catalogue is switched under load.
import { randomFrom } from "../model/generator/random.js";

/**
 * An order of products 0 and up, half of the time delivered into the square of `squareZones`. A seed always gives the same.
 * @param {number} seed
 * @param {{ products: number, branches: string[] }} shop
 */
export function makeOrder(seed, { products, branches }) {
  const random = randomFrom(seed);
  const productList = Array.from({ length: random.pick([1, 3, 20, 200]) }, () => ({
    cprcode: random.integer(0, products - 1),
    productName: "x",
    quantity: random.integer(1, 9),
  }));
  const shipping = { shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }], shippingLat: 13.5, shippingLon: 100.5 };
  return { branchId: random.pick(branches), productList, ...(random.chance(0.5) && { shipping }) };
}
