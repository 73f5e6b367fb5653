// The benchmark's work: orders with the host's answers, always the same. Runs in any JavaScript runtime.

/**
 * Number of different orders of each size: enough that consecutive orders differ, few enough to keep in memory.
 * @type {Record<number, number>}
 */
const ORDERS = { 1: 256, 20: 128, 200: 32, 500: 16, 1000: 8, 5000: 4 };

/**
 * The sets of orders: every size, and at 200 lines also one set with coupons only and one without.
 * @type {{ name: string, lines: number, coupons: Coupons }[]}
 *
 * @typedef {"some" | "all" | "none"} Coupons every other order has codes, or all have, or none
 */
export const SETS = [
  ...Object.keys(ORDERS).map((name) => ({ name, lines: Number(name), coupons: /** @type {const} */ ("some") })),
  { name: "200-with-coupons", lines: 200, coupons: "all" },
  { name: "200-without-coupons", lines: 200, coupons: "none" },
];

const NAMES = [
  "ข้าวหอมมะลิ",
  "น้ำปลาแท้",
  "ไข่ไก่สด เบอร์ 2",
  "นมถั่วเหลือง",
  "บะหมี่กึ่งสำเร็จรูป",
  "น้ำมันปาล์ม",
  "กาแฟปรุงสำเร็จ",
  "ผงซักฟอกสูตรเข้มข้น",
  "ซอสหอยนางรม",
  "ปลากระป๋องในซอสมะเขือเทศ",
  "น้ำดื่ม",
  "เบียร์",
  "ทุเรียนหมอนทองแช่แข็ง",
];
const BRANDS = ["ตราทุ่งกุลา", "ตราปลาทอง", "ตราสวนเกษตร", "ตราแม่บ้าน", "เจ้าพระยา", "บ้านไร่", "ดอยคำ"];
const UNITS = ["กก.", "กรัม", "มล.", "ลิตร", "แพ็ก", "ขวด", "กล่อง"];
const REMARKS = ["", "", "", "ไม่เอาถุง", "ขอวันหมดอายุไกล ๆ", "เลือกสุก"];
const SATANG = [0, 0, 0, 25, 50, 50, 75, 90, 95, 99];

const FIRST_CPRCODE = 100_000;
const CATALOGUE = 20_000;
const COUPONS = ["CART20", "SHIP30", "MIDYEAR5", "ROW1", "OLD"];
const VOUCHERS = ["V-100", "V-50", "V-USED"];
const OWNER = "u-malee";

/** mulberry32: small, seeded, the same everywhere. */
function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end) => Math.floor(next() * end);
  return { next, below, pick: (list) => list[below(list.length)] };
}

const hundredths = (count) => Number((count / 100).toFixed(2));

/** The price store's records as text, one record per product. */
function priceRecord(cprcode) {
  const { next, below, pick } = randomOf(cprcode);
  const original = 100 * (5 + below(next() < 0.8 ? 300 : 2500)) + pick(SATANG);
  const price = next() < 0.6 ? original : Math.floor(original * (0.7 + 0.25 * next()));
  return JSON.stringify({
    price: hundredths(price),
    originalPrice: hundredths(original),
    ...(next() < 0.7 && { settlementPrice: hundredths(Math.floor(price * 0.98)) }),
    ...(next() < 0.9 && { weight: Number((0.05 + next() * next() * 12).toFixed(3)) }),
    isControlledProduct: next() < 0.05,
  });
}

const RATES = {
  DRY: '{"deliveryFee":65,"nationwideConfig":"dry-box"}',
  FRESH: '{"deliveryFee":129.5,"nationwideConfig":"fresh-box"}',
  MIX: '{"deliveryFee":149,"nationwideConfig":"mixed-box"}',
};

const VOUCHER_RECORDS = {
  "V-100": `{"voucherId":"V-100","ownerId":"${OWNER}","value":100,"isActive":true,"isUsed":false,"title":"ส่วนลด 100 บาท"}`,
  "V-50": `{"voucherId":"V-50","ownerId":"${OWNER}","value":50.5,"isActive":true,"isUsed":false,"title":"วันเกิด"}`,
  "V-USED": `{"voucherId":"V-USED","ownerId":"${OWNER}","value":200,"isActive":true,"isUsed":true,"title":"ใช้แล้ว"}`,
};

const DISCOUNTS = {
  CART20: { coupon: "CART20", discount: 20 },
  SHIP30: { coupon: "SHIP30", shippingDiscount: 30, freeshipping: true },
  MIDYEAR5: { coupon: "MIDYEAR5", percentageDiscount: 0.05, two4Discount: 12.5 },
  ROW1: { coupon: "ROW1", discount: 4.75, bogoDiscount: 9.25, lines: [{ line: 0, discount: 4.75 }] },
};

function couponAnswer(codes) {
  return JSON.stringify({
    discounts: codes.filter((code) => code in DISCOUNTS).map((code) => DISCOUNTS[code]),
    failedCoupons: codes.filter((code) => !(code in DISCOUNTS)),
    error: {},
  });
}

/**
 * The host's answers to these orders by key, as an isolate holds them.
 * @param {Order[]} orders
 */
export function facts(orders) {
  return {
    prices: Object.fromEntries(orders.flatMap(({ productList }) => productList.map(({ cprcode }) => [cprcode, priceRecord(cprcode)]))),
    rates: RATES,
    vouchers: VOUCHER_RECORDS,
    coupons: Object.fromEntries(orders.map(({ couponCodeList }) => [couponCodeList.join(), couponAnswer(couponCodeList)])),
    zones: zonesText(),
  };
}

// ---------------------------------------------------------------- zones

const BRCODE = 1000;
const ZONES = 50;
const VERTICES = 200;
const [WEST, SOUTH, STEP] = [100.3, 13.5, 0.05];
const COLUMNS = 10;

/** The centre of a zone. The zones form a grid over Bangkok. */
const centre = (zone) => [WEST + STEP * (zone % COLUMNS), SOUTH + STEP * Math.floor(zone / COLUMNS)];

/** 50 zones of one branch with 200 vertices each, ragged and slightly overlapping. */
export function zonesText() {
  const features = Array.from({ length: ZONES }, (_, zone) => ({
    type: "Feature",
    properties: { brcode: BRCODE, deliveryFee: 25 + 2.5 * zone, name: `เขต ${zone + 1}` },
    geometry: { type: "Polygon", coordinates: [ring(zone)] },
  }));
  return JSON.stringify({ type: "FeatureCollection", features });
}

function ring(zone) {
  const { next } = randomOf(7_000 + zone);
  const [lon, lat] = centre(zone);
  const positions = Array.from({ length: VERTICES }, (_, vertex) => {
    const angle = (2 * Math.PI * vertex) / VERTICES;
    const radius = STEP * (0.45 + 0.12 * next());
    return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)].map((degrees) => Number(degrees.toFixed(6)));
  });
  return [...positions, positions[0]];
}

/** Points in and slightly around the zones. */
export function points(count) {
  const { next } = randomOf(99);
  const along = (start, steps) => start + STEP * (next() * (steps + 1) - 1);
  return Array.from({ length: count }, () => ({
    brcode: BRCODE,
    lon: along(WEST, COLUMNS),
    lat: along(SOUTH, ZONES / COLUMNS),
  }));
}

// ---------------------------------------------------------------- orders

/**
 * @typedef {{ prices: string[], rates: Record<string, string>, vouchers: string[], coupons: string }} Answers
 * @typedef {ReturnType<typeof makeOrder>} Order
 * @typedef {{ order: Order, body: Uint8Array<ArrayBuffer>, answers: Answers }} Item
 *
 * All orders of a size.
 * @param {number} lines
 * @param {Coupons} [coupons]
 * @returns {Item[]}
 */
export function work(lines, coupons = "some") {
  const encoder = new TextEncoder();
  return Array.from({ length: ORDERS[lines] }, (_, index) => {
    const order = makeOrder(lines, index, coupons === "all" || (coupons === "some" && index % 2 === 0));
    return { order, body: encoder.encode(JSON.stringify(order)), answers: answersTo(order) };
  });
}

/** The answers of the host's functions, in the sequence of the calls. */
function answersTo({ productList, couponCodeList, voucherId }) {
  return {
    prices: productList.map(({ cprcode }) => priceRecord(cprcode)),
    rates: RATES,
    vouchers: voucherId.map((id) => VOUCHER_RECORDS[id]),
    coupons: couponAnswer(couponCodeList),
  };
}

function makeOrder(lines, index, hasCoupons) {
  const random = randomOf(lines * 1_000 + index);
  const { below, pick } = random;
  const scheduleList = schedules(random, index);
  const zone = below(ZONES);
  const [lon, lat] = centre(zone);
  return /** @satisfies {import("order-cost").OrderInput} */ ({
    productList: products(random, lines, scheduleList.length),
    voucherId: VOUCHERS.slice(0, index % 4), // 0 to 3
    couponCodeList: hasCoupons ? COUPONS.filter((_, code) => (1 + (index % 31)) & (1 << code)) : [],
    basketName: "ของใช้ประจำเดือน",
    basketId: `b-${lines}-${index}`,
    branchId: "1000",
    orderId: `o-${100_000 + below(900_000)}`,
    orderDate: 1_767_225_600 + below(1_000_000),
    ownerId: OWNER,
    requestSubstitute: index % 3 === 0,
    specialComment: index % 3 === 0 ? "โทรก่อนส่ง" : null,
    noPlasticBags: index % 2 === 0,
    shipping: {
      shippingType: "DELIVERY",
      scheduleList,
      shippingPostcode: String(10_100 + below(400)),
      shippingLat: Number((lat + 0.001 * below(10)).toFixed(6)),
      shippingLon: Number((lon + 0.001 * below(10)).toFixed(6)),
      shippingFirstName: pick(["มาลี", "สมชาย", "ปิยะดา"]),
      shippingLastName: pick(["ใจดี", "รักไทย", "ศรีสุข"]),
      shippingAddress: `${1 + below(200)}/${1 + below(20)} ถนนพระราม ${1 + below(9)}`,
      shippingSubDistrict: "ปทุมวัน",
      shippingProvince: "กรุงเทพมหานคร",
      shippingPhone: `08${10_000_000 + below(90_000_000)}`,
      shippingEmail: "malee@example.com",
      shippingDate: 1_767_229_200,
      brcode: BRCODE,
    },
    cartDiscountInfo: ['{"coupon":"CART20","amount":20}'],
  });
}

/** One to four slots with alternating modes. */
function schedules({ pick }, index) {
  /** @type {import("order-cost").ScheduleMode[]} */
  const modes = ["EXPRESS", "REGULAR", "NATIONWIDE", "PICKUP"];
  return Array.from({ length: 1 + (index % 4) }, (_, slot) => ({
    scheduleId: slot + 1,
    mode: modes[(index + slot) % modes.length],
    dateTime: `2026-01-0${slot + 1}T09:00:00+07:00`,
    deliveryFee: 0,
    expressFee: 0,
    nationwideMode: pick(["DRY", "FRESH", "MIX"]),
    nationwideConfig: "none",
    pickingStatus: "WAIT",
    date_slot: { from: 9 + slot, to: 10 + slot },
    booking_hour: 9 + slot,
  }));
}

/** A stride without a common factor with the catalogue's size, so that no product repeats. */
function products({ below, pick }, lines, slots) {
  const start = below(CATALOGUE);
  return Array.from({ length: lines }, (_, line) => ({
    cprcode: FIRST_CPRCODE + ((start + line * 7_919) % CATALOGUE),
    productName: `${pick(NAMES)} ${pick(BRANDS)} ${1 + below(900)} ${pick(UNITS)}`,
    quantity: 1 + below(below(10) === 0 ? 48 : 6),
    scheduleId: 1 + below(slots),
    isPreOrder: below(20) === 0,
    remark: pick(REMARKS),
  }));
}
