import { Fault, invalidOrder } from "./fault.js";
import { optional, readers, required } from "./values.js";

/** D45: the limits, by the option that sets them. */
export const DEFAULT_LIMITS = { maxProducts: 5_000, maxVouchers: 100, maxCoupons: 100, maxSchedules: 100 };
export const MAX_BRANCH_UNITS = 128; // D45: fixed, no option changes it
const NO_PRODUCT = "expected at least one product"; // D12

const fail = (path, what) => {
  throw invalidOrder(path, what);
};
const READERS = { strict: readers(fail), lenient: readers(fail, true) };

const arrayOf =
  ({ list, any }) =>
  (node, path) => {
    list(any)(node, path);
    return node.raw;
  };

function exceeded(path, limit, what) {
  throw new Fault("LIMIT_EXCEEDED", `Invalid order: ${path}: expected at most ${limit} ${what}`);
}

/** D45: the first element beyond the limit is the fault, whatever it is. A fault earlier in the list wins. */
function listOf({ list }, readItem, limit, what) {
  return (node, path) => {
    const readOne = (item, place) => {
      return place === `${path}[${limit}]` ? exceeded(path, limit, what) : readItem(item, place);
    };
    return list(readOne)(node, path);
  };
}

/** D45: counted in UTF-16 units, like JavaScript's `length`. */
const shortText =
  ({ text }) =>
  (node, path) => {
    const read = text(node, path);
    return read.value.length > MAX_BRANCH_UNITS ? exceeded(path, MAX_BRANCH_UNITS, "characters") : read;
  };

const scheduleFields = ({ integer, oneOf, text, any }) => ({
  scheduleId: optional(integer),
  mode: optional(oneOf(["REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"])),
  dateTime: optional(text),
  nationwideMode: optional(oneOf(["DRY", "FRESH", "MIX"])),
  nationwideConfig: optional(text),
  pickingStatus: optional(any),
  date_slot: optional(any),
  booking_hour: optional(integer),
});

const shippingFields = (read, { maxSchedules }, { oneOf, object, text, finite, number, integer } = read) => ({
  shippingType: optional(oneOf(["DELIVERY", "PICKUP"])),
  scheduleList: optional(listOf(read, object(scheduleFields(read)), maxSchedules, "schedules")),
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
});

const productFields = ({ integer, text, boolean }) => ({
  cprcode: required(integer),
  productName: required(text),
  quantity: required(integer),
  scheduleId: optional(integer),
  isPreOrder: optional(boolean),
  remark: optional(text),
});

/** D12: at least one. */
function readProducts(read, { maxProducts }) {
  return (node, path) => {
    if (node.type === "array" && node.items.length === 0) fail(path, NO_PRODUCT);
    return listOf(read, read.object(productFields(read)), maxProducts, "products")(node, path);
  };
}

/** The order with every default filled in (D7). Strings are `{ raw, value }`, opaque JSON is text. `input`: see D49. */
export function readOrder(node, options = {}, input = "strict") {
  const limits = { ...DEFAULT_LIMITS, ...options };
  const read = READERS[input];
  const { text, number, boolean, object } = read;
  const fields = {
    productList: required(readProducts(read, limits), NO_PRODUCT),
    voucherId: optional(listOf(read, text, limits.maxVouchers, "vouchers")),
    couponCodeList: optional(listOf(read, text, limits.maxCoupons, "coupon codes")),
    basketName: optional(text),
    basketId: optional(text),
    branchId: optional(shortText(read)),
    orderId: optional(text),
    orderDate: optional(number),
    ownerId: optional(text),
    requestSubstitute: optional(boolean),
    specialComment: optional(text),
    noPlasticBags: optional(boolean),
    shipping: optional(object(shippingFields(read, limits))),
    cartDiscountInfo: optional(arrayOf(read)),
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

/** A string in the form that the host gets: lone surrogates become U+FFFD (D10). */
export function handed({ value }) {
  return value.toWellFormed();
}

/** The distinct values of a list of strings, in the sequence of their first occurrence (D24, D29). */
export function distinct(list) {
  const seen = new Map();
  for (const one of list) if (!seen.has(one.value)) seen.set(one.value, one);
  return [...seen.values()];
}
