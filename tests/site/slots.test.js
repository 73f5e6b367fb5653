// What the shop says a slot would cost. The package says which slot pays the express surcharge (D38).
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { priceOfLast } from "../../www/model/slot-price.js";
import { TEST_ZONES } from "../model/generator/zones.js";

const SCHEDULES = [{ mode: "REGULAR" }, { mode: "EXPRESS" }];
const SHIPPING = { shippingType: "DELIVERY", shippingLon: 100.55, shippingLat: 13.55, scheduleList: SCHEDULES };
const ORDER = { productList: [{ cprcode: 1, productName: "x", quantity: 1 }], shipping: SHIPPING };

for (const [expressSurcharge, price] of Object.entries({ firstSchedule: 40, firstExpress: 90 })) {
  test(`the second slot of two, express, by the policy ${expressSurcharge}`, async () => {
    const options = { deliveryZones: TEST_ZONES, policy: { expressSurcharge } };
    const pricer = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 1 })) }, options);
    const basket = pricer.basket(ORDER);
    basket.setSlots([SHIPPING]);
    assert.equal(priceOfLast(basket.slots[0]), price);
  });
}
