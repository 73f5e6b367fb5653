// What the shop says a slot would cost. The package says which slot pays the express surcharge (D38).
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { priceOfLast, scheduleListOf } from "../../www/model/slot-price.js";
import { TEST_ZONES } from "../model/generator/zones.js";

const SHIPPING = { shippingType: "DELIVERY", shippingLon: 100.55, shippingLat: 13.55 };
const ORDER = { productList: [{ cprcode: 1, productName: "x", quantity: 1 }] };
const listOf = (...modes) => modes.map((mode) => ({ mode }));

/** The price of the last slot, express, behind the modes, by each policy. */
const PRICES = [
  [[], { firstSchedule: 90, firstExpress: 90 }],
  [["REGULAR"], { firstSchedule: 40, firstExpress: 90 }],
  [["EXPRESS"], { firstSchedule: 40, firstExpress: 40 }],
  [["REGULAR", "PICKUP", "EXPRESS", "REGULAR"], { firstSchedule: 40, firstExpress: 40 }],
];

for (const [modes, prices] of PRICES) {
  for (const [expressSurcharge, price] of Object.entries(prices)) {
    test(`an express slot behind [${modes}], by the policy ${expressSurcharge}`, async () => {
      const options = { deliveryZones: TEST_ZONES, policy: { expressSurcharge } };
      const pricer = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 1 })) }, options);
      const basket = pricer.basket(ORDER);
      const lists = [listOf(...modes, "EXPRESS"), scheduleListOf({ mode: "EXPRESS" }, listOf(...modes))];
      basket.setSlots(lists.map((scheduleList) => ({ ...SHIPPING, scheduleList })));
      assert.deepEqual(basket.slots.map(priceOfLast), [price, price]);
    });
  }
}
