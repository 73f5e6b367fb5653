// Writes a basket into the hash of an address: `#b=1000&c=malee&p=110003-2.210031-4-1&k=TEN&v=…&s=E1-20261121T1300&…`.
// The hash holds the visitor's choices. Names and prices come from the shop.

const MODES = { R: "REGULAR", E: "EXPRESS", N: "NATIONWIDE", P: "PICKUP" };
const PARCELS = { D: "DRY", F: "FRESH", M: "MIX" };
const letterOf = (letters, word) => Object.keys(letters).find((letter) => letters[letter] === word);

/** @param {object} order */
export function toHash({ branchId, ownerId, productList, couponCodeList = [], voucherId = [], shipping }) {
  const fields = {
    b: branchId,
    c: ownerId,
    p: productList.map(productText).join("."),
    k: couponCodeList.map(encodeURIComponent).join("."),
    v: voucherId.map(encodeURIComponent).join("."),
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
 * The order in a hash; undefined if there is none.
 * @param {string} hash
 * @param {import("./shop.js").Shop} shop
 */
export function fromHash(hash, shop) {
  const fields = Object.fromEntries(
    hash
      .slice(1)
      .split("&")
      .map((field) => field.split(/=(.*)/s, 2)),
  );
  const branch = shop.branches.find(({ branchId }) => branchId === fields.b);
  if (branch === undefined) return undefined;
  return {
    branchId: branch.branchId,
    ownerId: fields.c ?? "",
    productList: list(fields.p)
      .map((text) => readProduct(text, shop))
      .filter(Boolean),
    couponCodeList: list(fields.k).map(decoded),
    voucherId: list(fields.v).map(decoded),
    shipping: readShipping(fields, branch),
  };
}

const list = (text = "") => text.split(".").filter(Boolean);

/** Reads the valid part of a damaged address. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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

/** The letter of the mode, the letter of a parcel's kind, the id, and the slot without punctuation. */
function scheduleText({ mode, nationwideMode, scheduleId = 0, dateTime }) {
  const parcel = mode === "NATIONWIDE" ? letterOf(PARCELS, nationwideMode ?? "DRY") : "";
  const slot = /^(\d{4})-(\d\d)-(\d\dT\d\d):(\d\d)/
    .exec(dateTime ?? "")
    ?.slice(1)
    .join("");
  return `${letterOf(MODES, mode)}${parcel}${scheduleId}${slot ? `-${slot}` : ""}`;
}

function readSchedule(text) {
  const match = /^([RENP])([DFM]?)(\d{1,6})(?:-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d))?$/.exec(text);
  if (!match) return undefined;
  const [, mode, parcel, scheduleId, year, month, day, hour, minute] = match;
  return {
    scheduleId: Number(scheduleId),
    mode: MODES[mode],
    ...(parcel && { nationwideMode: PARCELS[parcel] }),
    ...(year && { dateTime: `${year}-${month}-${day}T${hour}:${minute}:00+07:00` }),
  };
}

function readShipping({ s, at = "", z }, { brcode, lat, lon }) {
  const place = at.split(",").map(Number);
  const [shippingLat, shippingLon] = place.length === 2 && place.every(Number.isFinite) ? place : [lat, lon];
  return {
    shippingType: s === undefined ? "PICKUP" : "DELIVERY",
    scheduleList: list(s).map(readSchedule).filter(Boolean),
    shippingPostcode: z ?? "10110",
    shippingLat,
    shippingLon,
    brcode,
  };
}
