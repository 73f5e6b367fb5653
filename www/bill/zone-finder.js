import { createPricer } from "order-cost";
import { chosenZone } from "./ledger.js";

/**
 * Finds the zone that covers a point by pricing an order. The map has no geometry code of its own that could disagree.
 * @param {import("../model/shop.js").Zones} zones
 */
export async function createZoneFinder(zones) {
  const pricer = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 0 })) }, { deliveryZones: zones });
  const productList = [{ cprcode: 1, productName: "", quantity: 1 }];

  /**
   * @param {{ brcode: number, lat: number, lon: number }} place
   * @returns {Promise<import("../model/shop.js").Zone | null>} null outside all zones
   */
  return async ({ brcode, lat, lon }) => {
    /** @type {import("order-cost").ScheduleInput[]} */
    const scheduleList = [{ mode: "REGULAR" }];
    /** @type {import("order-cost").ShippingInput} */
    const shipping = { shippingType: "DELIVERY", scheduleList, brcode, shippingLat: lat, shippingLon: lon };
    try {
      const { steps } = await pricer.explain({ productList, shipping });
      return chosenZone(steps, zones) ?? null;
    } catch {
      return null;
    }
  };
}
