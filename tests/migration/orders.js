// Orders for the shop of shop.js.

/** What no log and no capture may hold. */
export const PLANTED = [
  ...["malee-planted", "somchai-planted", "planted note", "planted-secret", "planted basket", "planted order", "PLANTED-COUPON"],
  ...["Malee", "Srisuk", "081-234-5678", "malee@example.com", "99/1 ถนนพระราม", "ring twice", "ข้าวหอมมะลิ", "100.123456", "13.654321"],
];

export const order = (more = {}) => ({
  productList: [{ cprcode: 5000, productName: "ข้าวหอมมะลิ", quantity: 3, remark: "ring twice" }],
  ownerId: "malee-planted",
  orderId: "planted order 7",
  basketId: "planted basket 7",
  ...more,
});

export const delivered = (more = {}) =>
  order({
    voucherId: ["OWN", "OTHER"],
    couponCodeList: ["PLANTED-COUPON"],
    cartDiscountInfo: [{ "planted note": "ring twice" }, "malee@example.com"],
    shipping: {
      shippingType: "DELIVERY",
      scheduleList: [{ mode: "REGULAR" }, { mode: "NATIONWIDE", pickingStatus: { by: "Malee" } }],
      shippingLat: 13.654321,
      shippingLon: 100.123456,
      shippingFirstName: "Malee",
      shippingLastName: "Srisuk",
      shippingPhone: "081-234-5678",
      shippingEmail: "malee@example.com",
      shippingAddress: "99/1 ถนนพระราม",
      unknown: "planted-secret",
    },
    unknown: { "planted-secret": ["planted-secret"] },
    ...more,
  });

export const PICKED_UP = order();
export const DELIVERED = delivered();
export const UNPRICED = order({ productList: [{ cprcode: 1, productName: "x", quantity: 1 }], branchId: "planted-secret" });
export const NO_JSON = "planted-secret";
