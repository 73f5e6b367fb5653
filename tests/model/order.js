import { Fault, invalidOrder } from "./fault.js";
import { optional, readers, required } from "./values.js";

const DEFAULT_MAX_PRODUCTS = 5_000;
const NO_PRODUCT = "expected at least one product"; // D12

const fail = (path, what) => {
  throw invalidOrder(path, what);
};
const { text, boolean, integer, number, finite, oneOf, any, list, object } = readers(fail);

const array = (node, path) => {
  list(any)(node, path);
  return node.raw;
};

const SCHEDULE = {
  scheduleId: optional(integer),
  mode: optional(oneOf(["REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"])),
  dateTime: optional(text),
  nationwideMode: optional(oneOf(["DRY", "FRESH", "MIX"])),
  nationwideConfig: optional(text),
  pickingStatus: optional(any),
  date_slot: optional(any),
  booking_hour: optional(integer),
};

const SHIPPING = {
  shippingType: optional(oneOf(["DELIVERY", "PICKUP"])),
  scheduleList: optional(list(object(SCHEDULE))),
  shippingPostcode: optional(text),
  shippingLat: optional(finite),
  shippingLon: optional(finite),
  shippingFirstName: optional(text),
  shippingLastName: optional(text),
  shippingAddress: optional(text),
  shippingSubDistrict: optional(text),
  shippingProvince: optional(text),
  shippingPhone: optional(text),
  shippingEmail: optional(text),
  shippingDate: optional(number),
  brcode: optional(integer),
};

const PRODUCT = {
  cprcode: required(integer),
  productName: required(text),
  quantity: required(integer),
  scheduleId: optional(integer),
  isPreOrder: optional(boolean),
  remark: optional(text),
};

/** At least one, at most the limit: the first product over it is the fault, so an earlier one in a row wins. */
function readProducts(limit) {
  return (node, path) => {
    if (node.type === "array" && node.items.length === 0) fail(path, NO_PRODUCT);
    return list((item, place) => {
      if (place === `${path}[${limit}]`) {
        throw new Fault("LIMIT_EXCEEDED", `Invalid order: ${path}: expected at most ${limit} products`);
      }
      return object(PRODUCT)(item, place);
    })(node, path);
  };
}

/** The order with every default filled in (D7); strings are `{ raw, value }`, opaque JSON is its text. */
export function readOrder(node, limits = {}) {
  const fields = {
    productList: required(readProducts(limits.maxProducts ?? DEFAULT_MAX_PRODUCTS), NO_PRODUCT),
    voucherId: optional(list(text)),
    couponCodeList: optional(list(text)),
    basketName: optional(text),
    basketId: optional(text),
    branchId: optional(text),
    orderId: optional(text),
    orderDate: optional(number),
    ownerId: optional(text),
    requestSubstitute: optional(boolean),
    specialComment: optional(text),
    noPlasticBags: optional(boolean),
    shipping: optional(object(SHIPPING)),
    cartDiscountInfo: optional(array),
  };
  const order = object(fields)(node, "");
  return {
    voucherId: [],
    couponCodeList: [],
    basketName: string(""),
    basketId: string(""),
    branchId: string("1000"),
    orderId: string(""),
    orderDate: "0",
    ownerId: string(""),
    requestSubstitute: false,
    specialComment: null,
    noPlasticBags: false,
    cartDiscountInfo: "[]",
    ...order,
    productList: order.productList.map(withProductDefaults),
    shipping: order.shipping ? withShippingDefaults(order.shipping) : null,
  };
}

function withProductDefaults(product) {
  return { scheduleId: 0, isPreOrder: false, remark: string(""), ...product };
}

function withShippingDefaults(shipping) {
  return {
    shippingType: "PICKUP",
    shippingPostcode: string("10110"),
    shippingLat: "0",
    shippingLon: "0",
    shippingFirstName: string(""),
    shippingLastName: string(""),
    shippingAddress: string(""),
    shippingSubDistrict: string(""),
    shippingProvince: string(""),
    shippingPhone: string(""),
    shippingEmail: string(""),
    shippingDate: "0",
    brcode: 1000,
    ...shipping,
    scheduleList: (shipping.scheduleList ?? []).map(withScheduleDefaults),
  };
}

function withScheduleDefaults(schedule) {
  return {
    scheduleId: 0,
    mode: "NATIONWIDE",
    dateTime: null,
    nationwideMode: "DRY",
    nationwideConfig: null,
    pickingStatus: "null",
    date_slot: "null",
    booking_hour: 0,
    ...schedule,
  };
}

function string(value) {
  return { raw: JSON.stringify(value), value };
}

/** What the host is handed for a string: lone surrogates read U+FFFD (D10). */
export function handed({ value }) {
  return value.toWellFormed();
}

/** Every distinct value of a list of strings, in first-seen order (D24, D29). */
export function distinct(list) {
  const seen = new Map();
  for (const one of list) if (!seen.has(handed(one))) seen.set(handed(one), one);
  return [...seen.values()];
}
