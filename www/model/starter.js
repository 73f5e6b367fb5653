import { openSlots } from "./slots.js";

/** Product code, quantity, schedule id. */
const PRODUCTS = [
  [420010, 2, 1],
  [450002, 1, 1],
  [110018, 1, 2],
  [210002, 6, 2],
  [230008, 2, 2],
];

/**
 * The basket of a first visit: it uses every feature of the page.
 * @param {Pick<import("./shop.js").Shop, "catalogue">} shop
 * @returns {import("order-cost").OrderInput}
 */
export function starterOrder({ catalogue }) {
  const [first, second] = openSlots();
  const productList = PRODUCTS.map(([cprcode, quantity, scheduleId]) => ({
    cprcode,
    productName: catalogue.product(cprcode)?.th ?? "",
    quantity,
    scheduleId,
  }));
  return {
    branchId: "1000",
    ownerId: "malee",
    couponCodeList: ["TEN", "SHIP20", "MEMBER5", "SAVE200"],
    voucherId: ["WELCOME100-NT2P"],
    productList,
    shipping: {
      shippingType: "DELIVERY",
      scheduleList: [
        { scheduleId: 1, mode: "EXPRESS", dateTime: first },
        { scheduleId: 2, mode: "REGULAR", dateTime: second },
      ],
      shippingPostcode: "10500",
      shippingLat: 13.7215,
      shippingLon: 100.5268,
      brcode: 1000,
    },
  };
}
