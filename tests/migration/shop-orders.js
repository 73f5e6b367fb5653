// Orders of the demo shop (worker/seed), of every kind. The same number gives the same order on every machine.
import { readFileSync } from "node:fs";
import { createSeedHost } from "../../worker/demo/seed-host.js";
import { randomFrom } from "../model/generator/random.js";
import { price } from "../model/price.js";

const seed = (name) => JSON.parse(readFileSync(new URL(`../../worker/seed/${name}`, import.meta.url), "utf8"));

const { products } = seed("products.json");
const prices = seed("prices.json");
const vouchers = seed("vouchers.json");
const coupons = seed("coupons.json");
const rates = seed("rates.json");
const branches = seed("branches.json");
export const zones = seed("zones.json");

const OWNERS = ["malee", "somchai", "ploy", "niran", "duangjai", "anan", "kanya", "wichai"];
const POSTCODES = ["10110", "10500", "20000", "30000", "50000", "83000"];
/** The first is not a postcode: the look-up fails. The second has no rate. */
const NOT_SERVED = ["0", "99999"];

/** An order with an id of its own. One in twenty cannot be priced. */
export function shopOrder(number) {
  const random = randomFrom(number);
  const { branchId, brcode, lat, lon } = random.pick(branches);
  const order = {
    orderId: `order-${String(number).padStart(6, "0")}`,
    basketId: `basket-${random.digits(8)}`,
    branchId,
    orderDate: 1795143600 + number,
    productList: random.times(
      random.weighted([
        [5, 1],
        [5, 3],
        [4, 6],
        [2, 12],
      ]),
      () => product(random, branchId),
    ),
  };
  if (random.chance(0.7)) order.ownerId = random.pick(OWNERS);
  if (random.chance(0.45)) order.couponCodeList = random.times(random.integer(1, 3), () => random.pick(coupons).code);
  if (random.chance(0.15)) order.couponCodeList = [...(order.couponCodeList ?? []), "FREEDELIVERY"];
  if (order.ownerId && random.chance(0.4)) order.voucherId = vouchersFor(random, order.ownerId);
  if (random.chance(0.8)) order.shipping = shipping(random, { brcode, lat, lon });
  if (random.chance(0.05)) spoil(random, order);
  if (random.chance(0.1)) addStatedDiscounts(random, order);
  return order;
}

const product = (random, branchId) => {
  const sold = random.pick(products);
  if (!Object.hasOwn(prices, `${sold.cprcode}/${branchId}`)) return product(random, branchId);
  return { cprcode: sold.cprcode, productName: sold.th, quantity: random.integer(1, 6), scheduleId: 0 };
};

const pair = coupons.find(({ kind, folded }) => kind === "twoFor" && !folded);
const rebate = coupons.find(({ kind, folded }) => kind === "percentage" && !folded);

/** Discounts that are stated and not taken off: of a pair, and mostly of the whole order too. */
function addStatedDiscounts(random, order) {
  const sold = pair.cprcodes.filter((cprcode) => Object.hasOwn(prices, `${cprcode}/${order.branchId}`));
  if (sold.length === 0) return;
  const codes = random.chance(0.7) ? [pair.code, rebate.code] : [pair.code];
  order.productList.push({ cprcode: random.pick(sold), productName: pair.en, quantity: random.integer(2, 5), scheduleId: 0 });
  order.couponCodeList = [...(order.couponCodeList ?? []), ...codes];
}

/** The owner's own, and sometimes somebody else's. */
function vouchersFor(random, ownerId) {
  const own = Object.values(vouchers).filter((voucher) => voucher.ownerId === ownerId);
  const others = random.chance(0.2) ? [random.pick(Object.keys(vouchers))] : [];
  return [random.pick(own).voucherId, ...others];
}

function shipping(random, { brcode, lat, lon }) {
  const shippingType = random.chance(0.15) ? "PICKUP" : "DELIVERY";
  const modes = random.pick([["REGULAR"], ["EXPRESS"], ["NATIONWIDE"], ["REGULAR", "EXPRESS"], ["NATIONWIDE", "EXPRESS"]]);
  return {
    shippingType,
    scheduleList: modes.map((mode, scheduleId) => ({ scheduleId, mode, nationwideMode: random.pick(["DRY", "FRESH", "MIX"]) })),
    shippingFirstName: "มาลี",
    shippingLastName: `สุขใจ ${random.digits(4)}`,
    shippingAddress: `${random.integer(1, 200)} ถนนสรรพาวุธ`,
    shippingPostcode: random.pick(POSTCODES),
    shippingPhone: `08${random.digits(8)}`,
    shippingEmail: `customer${random.digits(5)}@example.com`,
    shippingLat: lat,
    shippingLon: lon,
    brcode,
  };
}

function spoil(random, order) {
  const ways = [
    () => (order.productList[0].cprcode = 999999),
    () => (order.productList[0].quantity = "2"),
    () => Object.assign(order, { ownerId: "malee", voucherId: ["LOST-0000"] }),
    () =>
      Object.assign(order, {
        shipping: { ...shipping(random, branches[0]), shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }], shippingLat: 1 },
      }),
    () =>
      Object.assign(order, {
        shipping: {
          ...shipping(random, branches[0]),
          shippingType: "DELIVERY",
          scheduleList: [{}],
          shippingPostcode: random.pick(NOT_SERVED),
        },
      }),
  ];
  random.pick(ways)();
}

/** The order with its facts, in the shape of a golden case: what the shop's stores and services answer now. */
export function shopCase(order) {
  const zones = zonesOf(order.shipping);
  const host = createSeedHost({ prices, vouchers, rates, coupons });
  const facts = { prices, vouchers, ...ratesFor(host, order) };
  const { couponRequest } = price({ order, zones, host: facts });
  return { order, zones, host: couponRequest ? { ...facts, coupons: host.validateCoupons(couponRequest) } : facts };
}

/** Those of the order's branch: the model takes 10 ms for all of them. */
function zonesOf(shipping) {
  return { ...zones, features: zones.features.filter(({ properties }) => properties.brcode === shipping?.brcode) };
}

function ratesFor(host, { shipping }) {
  const rate = (nationwideMode) => host.nationwideRate({ shippingPostcode: shipping?.shippingPostcode ?? "10110", nationwideMode });
  try {
    return { rates: { DRY: rate("DRY"), FRESH: rate("FRESH"), MIX: rate("MIX") } };
  } catch ({ message }) {
    return { fails: { nationwideRate: { throws: message } } };
  }
}
