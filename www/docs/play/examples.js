// Orders to begin with, and the shop that they are from. The shop is invented.
import { laidOut } from "./parts/index.js";

const square = (west, south, east, north) => [
  [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ],
];
const zone = (deliveryFee, name, nameTh, coordinates) => ({
  type: "Feature",
  properties: { brcode: 1000, deliveryFee, name, nameTh },
  geometry: { type: "Polygon", coordinates },
});

const SHOP = {
  prices: {
    "110018/1000": { price: 231, weight: 5 },
    "120003/1000": { price: 13.25, originalPrice: 15, weight: 0.06 },
    "210015/1000": { price: 49, weight: 9.2 },
    "420010/1000": { price: 89.5, originalPrice: 95, weight: 1 },
    "510002/1000": { price: 46, weight: 0.83 },
    "620001/1000": { price: 15.5, isControlledProduct: true },
  },
  vouchers: {
    "WELCOME100-NT2P": { ownerId: "malee", value: 100, isActive: true, isUsed: false },
    "REFUND-876T": { ownerId: "malee", value: 37.25, isActive: true, isUsed: false },
    "BIRTHDAY200-CRN7": { ownerId: "malee", value: 200, isActive: true, isUsed: true },
    "GIFT500-ECYQ": { ownerId: "kanya", value: 500, isActive: true, isUsed: false },
  },
  rates: {
    DRY: { deliveryFee: 65 },
    FRESH: { deliveryFee: 90 },
    "50200/FRESH": { deliveryFee: 110 },
  },
  coupons: { discounts: [{ coupon: "SAVE20", discount: 20 }], failedCoupons: [] },
  deliveryZones: {
    type: "FeatureCollection",
    features: [
      zone(30, "Silom and Sathon", "สีลม–สาทร", square(100.51, 13.705, 100.55, 13.735)),
      zone(40, "Siam and Pathum Wan", "สยาม–ปทุมวัน", square(100.515, 13.735, 100.55, 13.756)),
    ],
  },
};

const rice = { cprcode: 110018, productName: "ข้าวหอมมะลิ 5 กก.", quantity: 1 };
const noodles = { cprcode: 120003, productName: "บะหมี่รสต้มยำกุ้ง", quantity: 6 };
const water = { cprcode: 210015, productName: "น้ำดื่ม 1.5 ล. แพ็ก 6", quantity: 2 };
const mango = { cprcode: 420010, productName: "มะม่วง 1 กก.", quantity: 2 };
const milk = { cprcode: 510002, productName: "นมสด 830 มล.", quantity: 1 };
const paracetamol = { cprcode: 620001, productName: "พาราเซตามอล 10 เม็ด", quantity: 1 };

const silom = { shippingType: "DELIVERY", brcode: 1000, shippingLat: 13.7252, shippingLon: 100.5262 };
const slot = (mode, hour, more) => ({ mode, ...more, dateTime: `2026-11-20T${hour}:00:00+07:00` });

/** @type {[title: string, order: object, coupons?: object][]} without coupons: those of the shop */
const ORDERS = [
  [
    "Express, with a coupon and a voucher",
    {
      orderId: "A-1001",
      ownerId: "malee",
      branchId: "1000",
      productList: [rice, mango, paracetamol],
      couponCodeList: ["SAVE20"],
      voucherId: ["WELCOME100-NT2P"],
      shipping: { ...silom, scheduleList: [slot("EXPRESS", 13)] },
    },
  ],
  [
    "Pickup at the branch",
    { orderId: "A-1002", branchId: "1000", productList: [rice, noodles, milk], shipping: { shippingType: "PICKUP" } },
  ],
  [
    "Two nationwide parcels",
    {
      orderId: "A-1003",
      productList: [
        { ...rice, scheduleId: 1 },
        { ...water, scheduleId: 1 },
        { ...mango, scheduleId: 2 },
      ],
      shipping: {
        shippingType: "DELIVERY",
        shippingPostcode: "50200",
        shippingProvince: "เชียงใหม่",
        scheduleList: [
          slot("NATIONWIDE", "09", { scheduleId: 1, nationwideMode: "DRY" }),
          slot("NATIONWIDE", "09", { scheduleId: 2, nationwideMode: "FRESH" }),
        ],
      },
    },
  ],
  [
    "Vouchers: used, and another customer's",
    {
      orderId: "A-1004",
      ownerId: "malee",
      productList: [rice, water],
      voucherId: ["WELCOME100-NT2P", "REFUND-876T", "BIRTHDAY200-CRN7", "GIFT500-ECYQ"],
    },
  ],
  [
    "Coupons that policies decide",
    {
      orderId: "A-1005",
      ownerId: "malee",
      productList: [noodles, milk, mango],
      couponCodeList: ["TEN", "FREEDELIVERY", "OLD"],
      shipping: { ...silom, scheduleList: [slot("REGULAR", 14)] },
    },
    {
      discounts: [
        { coupon: "TEN", percentageDiscount: 0.1 },
        { coupon: "FREEDELIVERY", freeshipping: true },
      ],
      failedCoupons: ["OLD"],
    },
  ],
  [
    "Outside every delivery zone",
    {
      orderId: "A-1006",
      productList: [rice],
      shipping: { ...silom, shippingLat: 13.9126, shippingLon: 100.6067, scheduleList: [slot("REGULAR", 14)] },
    },
  ],
  [
    "An order with faults",
    {
      orderId: "A-1007",
      productList: [
        { ...rice, quantity: 1.5 },
        { cprcode: "420010", productName: "มะม่วง 1 กก.", quantity: 1 },
      ],
      shipping: { ...silom, scheduleList: [{ mode: "EXPRES" }] },
      voucherIds: ["WELCOME100-NT2P"],
    },
  ],
];

/** @type {{ title: string, state: import("./link/state.js").State }[]} the one that opens first stands first */
export const EXAMPLES = ORDERS.map(([title, order, coupons = SHOP.coupons]) => ({
  title,
  state: { order: laidOut(JSON.stringify(order)), facts: laidOut(JSON.stringify({ ...SHOP, coupons })), policy: {} },
}));
