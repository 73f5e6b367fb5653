// The largest allowed orders: each list at its limit, each string as long as the body allows, and everything combined.
import { squareZones } from "../zones.js";

const BODY_BYTES = 1_048_576;
const PRODUCTS = 5_000;
const HUNDRED = 100;

const list = (count, item) => Array.from({ length: count }, (_, index) => item(index)).join();
const product = (members = "") => `{"cprcode":1001,"productName":"น้ำปลา","quantity":3${members}}`;
const order = (members, products = product()) => `{${members && `${members},`}"productList":[${products}]}`;
const shipped = (members) => order(`"shipping":{"shippingType":"DELIVERY",${members}}`);

/**
 * An order just below the size limit. `make` gets a text of whole `units` that fills the room, divided among its
 * places.
 */
function filled(make, unit = "x") {
  const bytes = (text) => Buffer.byteLength(text);
  const room = BODY_BYTES - bytes(make(""));
  const places = make("\0").split("\0").length - 1;
  return make(unit.repeat(Math.floor(room / bytes(unit) / places)));
}

const BRANCHES = {
  "of letters": "x".repeat(128),
  "of Thai letters": "ก".repeat(128),
  "of escapes": "\\u0e01".repeat(128),
  "of half characters": "\\ud83d".repeat(128),
};

const MODES = ["NATIONWIDE", "EXPRESS", "REGULAR", "PICKUP"];
const PARCELS = ["DRY", "FRESH", "MIX"];
const AT_THE_POINT = '"shippingLat":13.5,"shippingLon":100.5';
const schedule = (index, members = "") => `{"mode":"${MODES[index % 4]}","nationwideMode":"${PARCELS[index % 3]}"${members}}`;
const schedules = (members) => `"scheduleList":[${list(HUNDRED, (index) => schedule(index, members))}]`;
const ids = (name, text = "") => `"${name}":[${list(HUNDRED, (index) => `"${text}${index}"`)}]`;
const OWNER = '"ownerId":"malee"';

const everything = (branch, voucher, text) =>
  order(
    [
      `${OWNER},"branchId":"${branch}","cartDiscountInfo":["${text}"]`,
      `${ids("voucherId", voucher)},${ids("couponCodeList", `C${text}`)}`,
      `"shipping":{"shippingType":"DELIVERY",${AT_THE_POINT},"shippingPostcode":"${text}",${schedules(`,"date_slot":["${text}"],"nationwideConfig":"${text}"`)}}`,
    ].join(),
    list(PRODUCTS, (index) => `{"cprcode":${index},"productName":"น้ำปลา","quantity":3}`),
  );

/** The orders, by the part that is filled. */
export const HOSTILE_ORDERS = {
  "5,000 lines": order(
    "",
    list(PRODUCTS, () => product()),
  ),
  "5,000 lines of as many products": order(
    "",
    list(PRODUCTS, (index) => product(`,"cprcode":${index}`)),
  ),
  "5,000 lines with long names": filled(
    (text) =>
      order(
        "",
        list(PRODUCTS, () => product(`,"remark":"${text}"`)),
      ),
    "ก",
  ),
  ...Object.fromEntries(
    Object.entries(BRANCHES).map(([what, branch]) => [
      `5,000 lines of a branch ${what}`,
      order(
        `"branchId":"${branch}"`,
        list(PRODUCTS, () => product()),
      ),
    ]),
  ),
  "100 vouchers": order(`${OWNER},${ids("voucherId", "V")}`),
  "100 vouchers with long ids": filled((text) => order(`${OWNER},${ids("voucherId", text)}`)),
  "100 vouchers with ids of half characters": filled((text) => order(`${OWNER},${ids("voucherId", text)}`), "\\ud83d"),
  "100 coupon codes": order(ids("couponCodeList", "C")),
  "100 long coupon codes": filled((text) => order(ids("couponCodeList", text))),
  "100 coupon codes of half characters": filled((text) => order(ids("couponCodeList", text)), "\\ud83d"),
  "100 schedules": shipped(`${AT_THE_POINT},${schedules()}`),
  "100 schedules with long slots": filled((text) => shipped(`${AT_THE_POINT},${schedules(`,"date_slot":["${text}"]`)}`), "ก"),
  "a postcode of a megabyte, for three nationwide rates": filled((text) => shipped(`"shippingPostcode":"${text}",${schedules()}`)),
  ...Object.fromEntries(
    ["basketName", "specialComment", "ownerId", "orderId"].map((name) => [
      `a megabyte of ${name}`,
      filled((text) => order(`"${name}":"${text}",${ids("couponCodeList", "C")}`), "\\n"),
    ]),
  ),
  "a date of a million digits": filled((text) => order(`"orderDate":1${text},"couponCodeList":["C"]`), "7"),
  "a coordinate of a million digits": filled((text) => shipped(`"shippingLat":0.1${text},${schedules()}`), "7"),
  "a hundred thousand unknown keys": filled((text) => order(`"a":0${text}`), ',"unknown":0'),
  "a known key, again and again": filled((text) => order(`"orderDate":0${text}`), ',"orderDate":1'),
  "lists of products, again and again": filled((text) => order(`"a":0${text}`), `,"productList":[${list(50, () => product())}]`),
  "opaque values": filled((text) => order(`"cartDiscountInfo":[0${text}]`), ',{"a":[null]}'),
  "126 levels, many times": filled((text) => order(`"cartDiscountInfo":[0${text}]`), `,${"[".repeat(126)}${"]".repeat(126)}`),
  "all of it together": filled((text) => everything(BRANCHES["of Thai letters"], `V${text}`, text), "ก"),
  "all of it together, with names that a key of KV holds": filled((text) => everything(BRANCHES["of letters"], "V", text), "ก"),
};

/** A voucher of another customer. */
export const PLAIN_ORDER = order(
  `${OWNER},"couponCodeList":["C1"],"voucherId":["V1"],"shipping":{"shippingType":"DELIVERY",${AT_THE_POINT},"scheduleList":[{"mode":"NATIONWIDE"}]}`,
  list(20, (index) => product(`,"cprcode":${index}`)),
);

/** A point in the zones of every branch in these orders. */
export const ZONES = squareZones(40);
