// Writes a basket into the hash of an address: `#b=1000&c=malee&p=110003-2.210031-4-1&k=TEN&v=…&s=E1-20261121T1300&…`.
// The hash holds the visitor's choices. Names and prices come from the shop.
import { DEFAULTS, LIMITS } from "order-cost/internal";
import { isByPostcode, modeOf, parcelOf } from "./modes.js";

/** D45. */
const MOST = { products: LIMITS.maxProducts, coupons: LIMITS.maxCoupons, vouchers: LIMITS.maxVouchers, deliveries: LIMITS.maxSchedules };

const MODES = { R: "REGULAR", E: "EXPRESS", N: "NATIONWIDE", P: "PICKUP" };
const PARCELS = { D: "DRY", F: "FRESH", M: "MIX" };
const anyOf = (letters) => `[${Object.keys(letters).join("")}]`;
const SCHEDULE = new RegExp(`^(${anyOf(MODES)})(${anyOf(PARCELS)}?)(\\d{1,6})(?:-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d))?$`);
const letterOf = (letters, word) => Object.keys(letters).find((letter) => letters[letter] === word);

/** @param {import("order-cost").OrderInput} order */
export function toHash({ branchId, ownerId, productList, couponCodeList, voucherId, shipping }) {
  const fields = {
    b: branchId,
    c: ownerId,
    p: productList.map(productText).join("."),
    k: (couponCodeList ?? []).map(encodeURIComponent).join("."),
    v: (voucherId ?? []).map(encodeURIComponent).join("."),
    ...(shipping?.shippingType === "DELIVERY" && {
      s: (shipping.scheduleList ?? []).map(scheduleText).join("."),
      at: `${shipping.shippingLat ?? 0},${shipping.shippingLon ?? 0}`,
      z: shipping.shippingPostcode,
    }),
  };
  const present = Object.entries(fields).filter(([, value]) => value);
  return `#${present.map(([name, value]) => `${name}=${value}`).join("&")}`;
}

/**
 * The order in a hash.
 * @typedef {object} Linked
 * @property {import("order-cost").OrderInput} [order] none: the hash is a place of the page, or of another shop
 * @property {Record<string, number>} leftOut how many of what the shop cannot take: `products`, `coupons`, `vouchers`,
 *   `deliveries`, `places`; or why all is left out, `branches` or `orders`
 *
 * @param {string} hash
 * @param {import("./shop.js").Shop} shop
 * @returns {Linked}
 */
export function fromHash(hash, shop) {
  const fields = Object.fromEntries(
    hash
      .slice(1)
      .split("&")
      .map((field) => field.split(/=(.*)/s, 2)),
  );
  if (fields.b === undefined) return { leftOut: {} };
  const branch = shop.branches.find(({ branchId }) => branchId === fields.b);
  if (branch === undefined) return { leftOut: { branches: 1 } };
  const lists = {
    products: read(fields.p, (text) => readProduct(text, shop)),
    coupons: read(fields.k, decoded),
    vouchers: read(fields.v, decoded),
    deliveries: read(fields.s, readSchedule),
  };
  const taken = Object.fromEntries(Object.entries(lists).map(([name, entries]) => [name, entries.filter(Boolean).slice(0, MOST[name])]));
  const place = readPlace(fields.at);
  const leftOut = Object.fromEntries(Object.keys(MOST).map((name) => [name, lists[name].length - taken[name].length]));
  /** @type {import("order-cost").OrderInput} */
  const order = {
    branchId: branch.branchId,
    ownerId: fields.c ?? "",
    productList: taken.products,
    couponCodeList: taken.coupons,
    voucherId: taken.vouchers,
    shipping: {
      shippingType: fields.s === undefined ? "PICKUP" : "DELIVERY",
      scheduleList: taken.deliveries,
      shippingPostcode: fields.z ?? DEFAULTS.Shipping.shippingPostcode,
      shippingLat: place?.[0] ?? branch.lat,
      shippingLon: place?.[1] ?? branch.lon,
      brcode: branch.brcode,
    },
  };
  if (new TextEncoder().encode(JSON.stringify(order)).length > LIMITS.maxBodyBytes) return { leftOut: { orders: 1 } };
  return { order, leftOut: { ...leftOut, places: fields.at !== undefined && !place ? 1 : 0 } };
}

/** The entries of a list, with a falsy one for each that cannot be read. */
const read = (text = "", readEntry) => text.split(".").filter(Boolean).map(readEntry);

/** Reads the valid part of a damaged address. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {import("order-cost").ProductInput} product */
const productText = ({ cprcode, quantity, scheduleId }) => [cprcode, quantity, ...(scheduleId ? [scheduleId] : [])].join("-");

function readProduct(text, { catalogue }) {
  const match = /^(\d+)-(\d{1,4})(?:-(\d{1,6}))?$/.exec(text);
  const product = match && catalogue.product(Number(match[1]));
  return (
    product && {
      cprcode: product.cprcode,
      productName: product.th,
      quantity: Number(match[2]),
      scheduleId: Number(match[3] ?? 0),
    }
  );
}

/**
 * The letter of the mode, the letter of a parcel's kind, the id, and the slot without punctuation.
 * @param {import("order-cost").ScheduleInput} schedule
 */
function scheduleText({ scheduleId = 0, dateTime, ...schedule }) {
  const parcel = isByPostcode(schedule) ? letterOf(PARCELS, parcelOf(schedule)) : "";
  const slot = /^(\d{4})-(\d\d)-(\d\dT\d\d):(\d\d)/
    .exec(dateTime ?? "")
    ?.slice(1)
    .join("");
  return `${letterOf(MODES, modeOf(schedule))}${parcel}${scheduleId}${slot ? `-${slot}` : ""}`;
}

function readSchedule(text) {
  const match = SCHEDULE.exec(text);
  if (!match) return undefined;
  const [, mode, parcel, scheduleId, year, month, day, hour, minute] = match;
  return {
    scheduleId: Number(scheduleId),
    mode: MODES[mode],
    ...(parcel && { nationwideMode: PARCELS[parcel] }),
    ...(year && { dateTime: `${year}-${month}-${day}T${hour}:${minute}:00+07:00` }),
  };
}

/** Latitude and longitude; undefined if they are none. */
function readPlace(text = "") {
  const place = text.split(",").map(Number);
  return place.length === 2 && place.every(Number.isFinite) ? place : undefined;
}
