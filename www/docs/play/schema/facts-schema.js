// The facts' JSON Schema: `Facts` of order-cost/testing, and the delivery zones beside them.

const amount = (description) => ({ type: "number", default: 0, description });
const flag = (description) => ({ type: "boolean", description });
const table = (description, key, values) => ({ type: "object", description, key, additionalProperties: values });

const PRICE = {
  type: "object",
  title: "a price record",
  required: ["price"],
  properties: {
    price: amount("THB per unit."),
    originalPrice: amount("List price in THB per unit. Default: the price."),
    settlementPrice: amount("Settlement price in THB. Default: the row's total."),
    weight: { type: "number", default: 0.25, description: "kg per unit." },
    isControlledProduct: flag("Whether the product is on the controlled list. Default: false."),
  },
};

const RATE = {
  type: "object",
  title: "a rate",
  required: ["deliveryFee"],
  properties: {
    deliveryFee: amount("THB for each schedule of the mode."),
    nationwideConfig: { type: "string", description: "Copied into each schedule of the mode." },
  },
};

const VOUCHER = {
  type: "object",
  title: "a voucher",
  required: ["value", "isActive", "isUsed"],
  properties: {
    ownerId: { type: "string", description: "Its owner. It counts only in an order of the same ownerId." },
    value: amount("THB, subtracted in full."),
    isActive: flag("Whether it is active."),
    isUsed: flag("Whether it has been redeemed."),
  },
};

const DISCOUNT = {
  type: "object",
  title: "a discount",
  required: ["coupon"],
  properties: {
    coupon: { type: "string", description: "Code of the coupon." },
    discount: amount("THB off the cart."),
    bogoDiscount: amount("THB off for a buy-one-get-one offer."),
    two4Discount: amount("THB of a two-for offer. Shown, not subtracted."),
    percentageDiscount: amount("A multiplier: 0.1 is 10 %. Shown, not subtracted."),
    freeshipping: flag("Whether the coupon grants free shipping."),
    shippingDiscount: amount("THB off the delivery fee."),
  },
};

const COUPONS = {
  type: "object",
  description: "What the coupon service answers, whatever it is asked.",
  properties: {
    discounts: { type: "array", items: DISCOUNT, description: "The discounts that apply." },
    failedCoupons: { type: "array", items: { type: "string" }, description: "The codes that do not apply." },
    error: { description: "Any JSON. Passed through." },
  },
};

const ZONE = {
  type: "object",
  title: "a zone",
  required: ["type", "properties", "geometry"],
  properties: {
    type: { type: "string", enum: ["Feature"] },
    properties: {
      type: "object",
      required: ["brcode", "deliveryFee"],
      properties: {
        brcode: { type: "integer", default: 1000, description: "The branch that delivers there." },
        deliveryFee: amount("THB for each REGULAR or EXPRESS schedule."),
        name: { type: "string", description: "Its name, for explanations." },
        nameTh: { type: "string", description: "Its name in Thai." },
      },
    },
    geometry: {
      type: "object",
      required: ["type", "coordinates"],
      properties: {
        type: { type: "string", enum: ["Polygon", "MultiPolygon"] },
        coordinates: { type: "array", description: "Closed rings of [longitude, latitude]." },
      },
    },
  },
};

export const FACTS = {
  type: "object",
  properties: {
    prices: table('Price records by "<cprcode>/<branchId>", or by "<cprcode>" for every branch. null: not found.', "price", PRICE),
    vouchers: table("Vouchers by id. null: not found.", "voucher", VOUCHER),
    rates: table('Nationwide rates by "<postcode>/<mode>", or by "<mode>" for every postcode.', "rate", RATE),
    coupons: COUPONS,
    deliveryZones: {
      type: "object",
      description: "Delivery zones as GeoJSON. The first zone of the branch that covers the address counts.",
      required: ["type", "features"],
      properties: { type: { type: "string", enum: ["FeatureCollection"] }, features: { type: "array", items: ZONE } },
    },
  },
};
