import { Raw } from "./text.js";
import { COVERED } from "./zones.js";

/** An order that can be priced, and the facts for it. A scenario may spoil it afterwards. */

const NAMES = [
  "ข้าวหอมมะลิ 5 กก.",
  "น้ำปลาแท้ 700 มล.",
  "เบียร์ 490 มล.",
  "มะม่วงน้ำดอกไม้",
  "Green curry paste",
  "🥭🥥",
  "",
  'a/b "c" \\d',
  "tab\there",
  "é\u0000\u007f\u2028",
  "\ud83d half",
  "<&>",
];
const TEXTS = ["", "โทรก่อนส่ง", "b-42", "99/1 ถนนพระราม 1", "😀", '"\\', "line\nbreak", "\udc00"];
const OPAQUE = [
  null,
  0,
  "x",
  false,
  [],
  {},
  { from: 9, to: "10:30" },
  [1, [2, { a: null }]],
  new Raw("12345678901234567890.10"),
  new Raw("-1e400"),
  '{"coupon":"A","lines":[1]}',
];
const BRANCHES = ["1000", "1015", "", "..", "สาขา 7", "a b/c"];
const NUMBERS = [
  0,
  1767225600,
  -5,
  1.5,
  new Raw("1.50e3"),
  new Raw("1767225600000000000001"),
  new Raw("-0"),
  new Raw("0.10"),
  new Raw("1e400"),
  new Raw("-1e400"),
];

export function draftCase(random) {
  const order = {
    productList: random.times(
      random.weighted([
        [6, 1],
        [5, 2],
        [4, 4],
        [2, 8],
        [1, 20],
      ]),
      () => draftProduct(random),
    ),
  };
  const host = { prices: {}, rates: {}, vouchers: {} };
  const branchId = optionally(random, order, "branchId", 0.5, () => random.pick(BRANCHES)) ?? "1000";
  addPassthrough(random, order);
  addPrices(random, order, host, branchId);
  addShipping(random, order, host);
  return { order, host, tags: [] };
}

function optionally(random, target, name, probability, make) {
  if (random.chance(probability)) target[name] = random.chance(0.05) ? null : make();
  return target[name];
}

function draftProduct(random) {
  const product = {
    cprcode: random.weighted([
      [8, random.integer(1001, 1012)],
      [1, random.pick([0, -7, 9007199254740991])],
    ]),
    productName: random.pick(NAMES),
    quantity: random.weighted([
      [8, random.integer(1, 12)],
      [1, 0],
      [1, -random.integer(1, 5)],
      [1, random.integer(100, 100000)],
    ]),
  };
  optionally(random, product, "scheduleId", 0.4, () => random.integer(0, 4));
  optionally(random, product, "isPreOrder", 0.3, () => random.chance(0.5));
  optionally(random, product, "remark", 0.3, () => random.pick(TEXTS));
  if (random.chance(0.1)) product[random.pick(["price", "rowTotal", "weight", "settlementPrice"])] = random.pick(OPAQUE);
  return product;
}

function addPassthrough(random, order) {
  for (const name of ["basketName", "basketId", "orderId", "specialComment"]) {
    optionally(random, order, name, 0.3, () => random.pick(TEXTS));
  }
  optionally(random, order, "orderDate", 0.4, () => random.pick(NUMBERS));
  for (const name of ["requestSubstitute", "noPlasticBags"]) {
    optionally(random, order, name, 0.3, () => random.chance(0.5));
  }
  optionally(random, order, "cartDiscountInfo", 0.3, () => random.times(random.integer(0, 3), () => random.pick(OPAQUE)));
}

/** Amounts of all kinds: whole, with satang, with float noise, with many places, with an exponent. */
function draftAmount(random, most = 500) {
  return random.weighted([
    [4, random.integer(0, most)],
    [6, random.integer(0, most * 100) / 100],
    [3, random.integer(0, most * 10) * 0.1 + 0.2],
    [1, new Raw(`${random.integer(0, most)}.${random.digits(random.integer(3, 17))}`)],
    [0.2, new Raw(`0.${random.digits(random.integer(18, 28))}`)],
    [1, new Raw(`${random.integer(0, 9)}.${random.integer(0, 99)}e${random.pick(["", "+", "-", "-0"])}${random.integer(0, 2)}`)],
    [1, new Raw(`${random.integer(0, most)}.50000`)],
    [0.3, random.integer(1, 9) * 1e12],
  ]);
}

function addPrices(random, order, { prices }, branchId) {
  for (const { cprcode } of order.productList) {
    const record = { price: draftAmount(random) };
    optionally(random, record, "originalPrice", 0.5, () => draftAmount(random));
    optionally(random, record, "settlementPrice", 0.3, () => draftAmount(random));
    optionally(random, record, "weight", 0.6, () => draftAmount(random, 10));
    optionally(random, record, "isControlledProduct", 0.4, () => random.chance(0.6));
    prices[random.chance(0.5) ? `${cprcode}/${branchId}` : `${cprcode}`] = record;
  }
}

function addShipping(random, order, host) {
  const kind = random.weighted([
    [3, "none"],
    [2, "PICKUP"],
    [6, "DELIVERY"],
  ]);
  if (kind === "none") return;
  order.shipping = draftShipping(random, kind);
  for (const { nationwideMode } of order.shipping.scheduleList ?? []) host.rates[nationwideMode ?? "DRY"] ??= draftRate(random);
}

export function draftRate(random) {
  const rate = { deliveryFee: draftAmount(random, 150) };
  optionally(random, rate, "nationwideConfig", 0.5, () => random.pick(["dry-box", "กล่องเย็น", ""]));
  return rate;
}

export function draftShipping(random, shippingType, modes = ["REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"]) {
  const [, brcode, shippingLon, shippingLat] = random.pick(COVERED);
  const shipping = { shippingType, brcode, shippingLat, shippingLon };
  if (shippingType === "PICKUP" && random.chance(0.3)) delete shipping.shippingType;
  if (random.chance(0.95)) {
    shipping.scheduleList = random.times(
      random.weighted([
        [1, 0],
        [5, 1],
        [5, 2],
        [3, 4],
      ]),
      () => draftSchedule(random, modes),
    );
  }
  optionally(random, shipping, "shippingPostcode", 0.5, () => random.pick(["10330", "50000", ""]));
  optionally(random, shipping, "shippingDate", 0.3, () => random.pick(NUMBERS));
  for (const name of [
    "shippingFirstName",
    "shippingLastName",
    "shippingAddress",
    "shippingSubDistrict",
    "shippingProvince",
    "shippingPhone",
    "shippingEmail",
  ]) {
    optionally(random, shipping, name, 0.15, () => random.pick(TEXTS));
  }
  return shipping;
}

export function draftSchedule(random, modes) {
  const schedule = { mode: random.pick(modes) };
  if (schedule.mode === "NATIONWIDE" && random.chance(0.2)) delete schedule.mode;
  optionally(random, schedule, "scheduleId", 0.6, () => random.integer(0, 4));
  optionally(random, schedule, "nationwideMode", 0.85, () => random.pick(["DRY", "FRESH", "MIX"]));
  optionally(random, schedule, "nationwideConfig", 0.3, () => random.pick(["none", "asked", "กล่อง"]));
  optionally(random, schedule, "dateTime", 0.3, () => random.pick(["2026-01-01T09:00:00+07:00", "soon"]));
  optionally(random, schedule, "pickingStatus", 0.2, () => random.pick(OPAQUE));
  optionally(random, schedule, "date_slot", 0.2, () => random.pick(OPAQUE));
  optionally(random, schedule, "booking_hour", 0.2, () => random.integer(-1, 23));
  if (random.chance(0.2)) schedule[random.pick(["deliveryFee", "expressFee"])] = random.pick(OPAQUE);
  return schedule;
}

/** Adds codes and the service's answer to them. */
export function addCoupons(random, draft) {
  const { order, host } = draft;
  const codes = random.times(random.integer(1, 4), () =>
    random.pick(["CART20", "bogo", "2FOR", "P10", "SHIP", "FREE", "ลด", "EXPIRED", "a/b"]),
  );
  order.couponCodeList = codes;
  if (random.chance(0.1)) return; // Without coupon facts every code fails.
  const answer = {};
  if (random.chance(0.9)) answer.discounts = random.times(random.integer(0, 3), () => draftDiscount(random, draft, codes));
  optionally(random, answer, "failedCoupons", 0.5, () => random.times(random.integer(0, 2), () => random.pick(codes)));
  optionally(random, answer, "error", 0.3, () => random.pick(OPAQUE));
  optionally(random, answer, "lines", 0.3, () => draftLines(random, draft));
  host.coupons = answer;
}

function draftDiscount(random, draft, codes) {
  const discount = {
    coupon: random.weighted([
      [5, random.pick(codes)],
      [1, "AUTO"],
    ]),
  };
  optionally(random, discount, "discount", 0.4, () => draftAmount(random, 50));
  optionally(random, discount, "bogoDiscount", 0.3, () => draftAmount(random, 50));
  optionally(random, discount, "two4Discount", 0.3, () => draftAmount(random, 50));
  optionally(random, discount, "percentageDiscount", 0.3, () =>
    random.pick([0.05, 0.1, 0.15000000000000002, 0.3333333333333333, new Raw("0.10"), 1, 10]),
  );
  optionally(random, discount, "freeshipping", 0.3, () => random.chance(0.6));
  optionally(random, discount, "shippingDiscount", 0.3, () => draftAmount(random, 60));
  optionally(random, discount, "lines", 0.3, () => draftLines(random, draft));
  return discount;
}

function draftLines(random, { order }) {
  return random.times(random.integer(0, 3), () => {
    const line = { line: random.integer(0, order.productList.length - 1) };
    optionally(random, line, "discount", 0.9, () => draftAmount(random, 50));
    return line;
  });
}

/** Adds vouchers in every state. Sometimes the order has no owner. */
export function addVouchers(random, draft) {
  const { order, host } = draft;
  const ids = random.times(random.integer(1, 4), () => random.pick(["V1", "V2", "V3", "บัตร", "__proto__", "constructor", "a/b"]));
  order.voucherId = ids;
  optionally(random, order, "ownerId", 0.9, () => random.pick(["u-9", "u-9", "ลูกค้า"]));
  for (const id of ids) define(host.vouchers, id, draftVoucher(random, id, order.ownerId));
}

/** The order's owner, another owner with a similar name, or nobody. */
function draftVoucher(random, id, owner) {
  const voucher = {};
  if (random.chance(0.8)) voucher.voucherId = random.chance(0.1) ? null : id;
  if (random.chance(0.9))
    voucher.ownerId = random.weighted([
      [6, owner ?? ""],
      [2, random.pick(["u-1", "U-9", "u-9 ", "คนอื่น", "\ud83d"])],
      [1, null],
      [1, ""],
    ]);
  voucher.value = draftAmount(random, 200);
  voucher.isActive = random.chance(0.8);
  voucher.isUsed = random.chance(voucher.isActive ? 0.2 : 0.4);
  optionally(random, voucher, "note", 0.3, () => random.pick(OPAQUE));
  optionally(random, voucher, "phone", 0.3, () => random.pick(["0812345678", "", 66812345678]));
  optionally(random, voucher, "reasons", 0.1, () => random.pick([["old"], "x", null]));
  if (random.chance(0.05)) define(voucher, "__proto__", { isActive: true });
  return voucher;
}

/** Sets an own property, even `__proto__`. */
function define(target, name, value) {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Picks EXPRESS more often where the surcharge matters: few orders have an EXPRESS slot behind another slot. */
export function addPolicy(random, draft) {
  const slots = draft.order.shipping?.scheduleList ?? [];
  const isSeen = slots.findIndex(({ mode }) => mode === "EXPRESS") > 0;
  if (!random.chance(isSeen ? 0.9 : 0.4)) return;
  const policy = {};
  if (random.chance(0.4)) policy.rowTotal = random.pick(["list", "list", "effective"]);
  if (random.chance(0.3)) policy.subTotal = random.pick(["rowTotals", "rowTotals", "effective"]);
  if (random.chance(0.3)) policy.discountedRowTotal = random.pick(["fromRowTotal", "fromRowTotal", "effective"]);
  if (random.chance(0.3)) policy.settlementPrice = random.pick(["record", "rowTotal", "recordOrRowTotal"]);
  if (random.chance(0.3)) policy.excludeControlled = random.pick(["rowTotal", "rowTotal", "effective"]);
  if (random.chance(0.3)) policy.foldedDiscounts = random.pick(["percentage", "two4", "both", "none"]);
  if (random.chance(0.4)) policy.freeShipping = random.pick(["waivesDelivery", "waivesDelivery", "asStated"]);
  if (random.chance(isSeen ? 0.9 : 0.2)) {
    policy.expressSurcharge = random.chance(0.8) ? random.pick(["firstExpress", "firstExpress", "anyExpress"]) : "firstSchedule";
  }
  draft.options = { ...draft.options, policy };
}

/** Some clients of the old routes write other types (D49). */
export function addInput(random, draft) {
  if (random.chance(0.1)) draft.options = { ...draft.options, input: random.pick(["lenient", "lenient", "strict"]) };
}
