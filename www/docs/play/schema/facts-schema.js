// The facts' JSON Schema: `Facts` of order-cost/testing, and the delivery zones beside them.
import { ORDER_SCHEMAS } from "virtual:order-schemas";

const table = (description, key, values) => ({ type: "object", description, key, additionalProperties: values });

const VOUCHER = {
  ...ORDER_SCHEMAS.VoucherRecord,
  additionalProperties: { description: "Passed on." },
};

const COUPONS = { ...ORDER_SCHEMAS.CouponAnswer, description: "What the coupon service answers, whatever it is asked." };

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
        deliveryFee: { type: "number", default: 0, description: "THB for each REGULAR or EXPRESS schedule." },
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
    prices: table(
      'Price records by "<cprcode>/<branchId>", or by "<cprcode>" for every branch. null: not found.',
      "price",
      ORDER_SCHEMAS.PriceRecord,
    ),
    vouchers: table("Vouchers by id. null: not found.", "voucher", VOUCHER),
    rates: table('Nationwide rates by "<postcode>/<mode>", or by "<mode>" for every postcode.', "rate", ORDER_SCHEMAS.RateRecord),
    coupons: COUPONS,
    deliveryZones: {
      type: "object",
      description: "Delivery zones as GeoJSON. The first zone of the branch that covers the address counts.",
      required: ["type", "features"],
      properties: { type: { type: "string", enum: ["FeatureCollection"] }, features: { type: "array", items: ZONE } },
    },
  },
};
