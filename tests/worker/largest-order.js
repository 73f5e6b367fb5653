// The largest order that the Worker allows by default: every list at its limit, and the body as large as it may be.
import { MOST_BULK_KEYS } from "../../pkg/catalogue/keys.js";
import { defaults } from "../../worker/src/options/options.js";

const { MAX_BODY_BYTES, MAX_PRODUCTS, MAX_VOUCHERS, MAX_COUPONS, MAX_SCHEDULES } = defaults();

const MODES = ["REGULAR", "EXPRESS", "NATIONWIDE", "NATIONWIDE"];
const PARCELS = ["DRY", "FRESH", "MIX"];

const list = (count, item) => Array.from({ length: count }, (_, index) => item(index));

/**
 * @param {object} of
 * @param {string} of.branchId
 * @param {(line: number) => number} of.codeOf the product of a line
 * @param {{ lat: number, lon: number, brcode: number }} of.point in a delivery zone
 * @returns {Buffer} the body
 */
export function largestOrder({ branchId, codeOf, point: { lat, lon, brcode } }) {
  const bodyWith = (remark) =>
    JSON.stringify({
      branchId,
      ownerId: "malee",
      voucherId: list(MAX_VOUCHERS, (index) => `V${index}`),
      couponCodeList: list(MAX_COUPONS, (index) => `C${index}`),
      shipping: {
        shippingType: "DELIVERY",
        shippingLat: lat,
        shippingLon: lon,
        brcode,
        shippingPostcode: "50200",
        scheduleList: list(MAX_SCHEDULES, (index) => ({ scheduleId: index, mode: MODES[index % 4], nationwideMode: PARCELS[index % 3] })),
      },
      productList: list(MAX_PRODUCTS, (line) => ({
        cprcode: codeOf(line),
        productName: "น้ำปลา",
        quantity: 1 + (line % 5),
        scheduleId: line % MAX_SCHEDULES,
        remark,
      })),
    });
  const room = MAX_BODY_BYTES - Buffer.byteLength(bodyWith(""));
  return Buffer.from(bodyWith("x".repeat(Math.floor(room / MAX_PRODUCTS))));
}

/** The reads of KV that this many keys take. */
export const readsOf = (keys) => Math.ceil(keys / MOST_BULK_KEYS);

/** What the stores and services hold that such orders ask. The catalogue is the caller's. */
export const outsideOf = (texts) => ({
  stores: {
    CATALOGUE: (key) => texts.get(key) ?? null,
    VOUCHERS: () => '{"ownerId":"malee","value":10,"isActive":true,"isUsed":false}',
  },
  services: {
    NATIONWIDE: () => ({ deliveryFee: 60 }),
    COUPONS: ({ couponCodeList }) => ({ discounts: couponCodeList.map((coupon) => ({ coupon, discount: 1 })) }),
  },
});
