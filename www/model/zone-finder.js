import { createPricer } from "order-cost";
import { chosenFeature } from "./ledger.js";

/**
 * Finds the zone that covers a point by pricing an order. The map has no geometry code of its own that could disagree.
 * @param {object} zones GeoJSON
 */
export async function createZoneFinder(zones) {
  const pricer = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 0 })) }, { deliveryZones: zones });
  const productList = [{ cprcode: 1, productName: "", quantity: 1 }];

  /** @returns {Promise<object | null>} the feature of `zones`; null outside all of them */
  return async ({ brcode, lat, lon }) => {
    const scheduleList = [{ mode: "REGULAR" }];
    const shipping = { shippingType: "DELIVERY", scheduleList, brcode, shippingLat: lat, shippingLon: lon };
    try {
      const { steps } = await pricer.explain({ productList, shipping });
      return zones.features[chosenFeature(steps)];
    } catch {
      return null;
    }
  };
}
