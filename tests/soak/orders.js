// Orders of every kind with the model's answers: for the normal state, and for each outage.
import { voucherKey } from "../../worker/src/look-ups/voucher-keys.js";
import { BAD_TEXTS } from "../model/generator/bad-texts.js";
import { addCoupons, addVouchers, draftCase } from "../model/generator/draft.js";
import { randomFrom } from "../model/generator/random.js";
import { HABITS, writeJson } from "../model/generator/text.js";
import { TEST_ZONES } from "../model/generator/zones.js";
import { price } from "../model/price.js";
import { OUTAGES } from "./outages.js";

const encoder = new TextEncoder();

/** Where the soak's module breaks if an order's basketName says so (src/quote/faults.rs). */
const TRAPS = ["panic: plan", "panic: coupon request", "panic: write", "stack overflow: plan"];

/**
 * @param {number} count number of distinct orders
 * @param {number} deadlineMs the Worker's deadline
 * @returns `orders` and `traps`, each with its body and `expected`: the answer in the normal state, then in each
 * outage;
 *   and the `facts` of all orders, for shop.js
 */
export function makeOrders(count, deadlineMs) {
  const facts = { prices: {}, vouchers: {}, rates: {}, coupons: {}, zones: JSON.stringify(TEST_ZONES) };
  const orders = Array.from({ length: count }, (_, index) => makeOrder(index, facts, deadlineMs));
  return { orders, traps: makeTraps(facts), facts };
}

/** Makes one order. Orders share no facts: each has its own branch, postcode and vouchers. */
function makeOrder(seed, facts, deadlineMs) {
  const random = randomFrom(seed);
  const { order, host } = draftCase(random);
  if (random.chance(0.6)) addCoupons(random, { order, host });
  if (random.chance(0.5)) addVouchers(random, { order, host });
  const shop = `shop ${seed}`;
  order.branchId = shop;
  if (order.shipping) order.shipping.shippingPostcode = shop;
  if (order.voucherId) order.voucherId = order.voucherId.map((id) => `${id} ${seed}`);
  if (random.chance(0.1)) order.productList.push({ cprcode: 404, productName: "ไม่มี", quantity: 1 });

  const text = (record) => writeJson(record, random);
  const own = {
    prices: mapEntries(host.prices, (key, record) => [`${key.split("/")[0]}/${shop}`, text(record)]),
    rates: mapEntries(host.rates, (mode, record) => [mode, text(record)]),
    vouchers: mapEntries(host.vouchers, (id, record) => [`${id} ${seed}`, text(withoutId(record))]),
    ...(host.coupons && { coupons: text(host.coupons) }),
  };
  stock(facts, shop, own);

  const habits = random.chance(0.4) ? HABITS.filter(() => random.chance(0.5)) : [];
  const body = bodyOf(random, writeJson(order, random, habits));
  const testCase = { bodyBase64: Buffer.from(body).toString("base64"), zones: TEST_ZONES, options: { deadlineMs } };
  return { body, expected: inEachWorld((fails) => answerOf(price({ ...testCase, host: { ...own, fails } }))) };
}

function bodyOf(random, text) {
  const body = random.chance(0.05) ? BAD_TEXTS[random.pick(Object.keys(BAD_TEXTS))](random, text) : text;
  return typeof body === "string" ? encoder.encode(body) : body;
}

/** Adds an order's facts to the stores and services. */
function stock(facts, shop, { prices, rates, vouchers, coupons }) {
  for (const [key, record] of Object.entries(prices)) facts.prices[key] = onOneLine(record);
  for (const [mode, record] of Object.entries(rates)) facts.rates[`${shop}/${mode}`] = record;
  for (const [id, record] of Object.entries(vouchers)) facts.vouchers[voucherKey(id)] = record;
  if (coupons) facts.coupons[shop] = coupons;
}

/** As `npm run data` writes records. In JSON a line break stands between values only. */
const onOneLine = (json) => json.replaceAll("\n", " ");

/** Orders that break the module, each at its place. If the price store fails, they fail there first. */
function makeTraps(facts) {
  const shop = "trapped shop";
  const order = { productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 1 }], branchId: shop };
  const host = { prices: { [`1/${shop}`]: '{"price":10}' }, rates: {}, vouchers: {} };
  stock(facts, shop, host);
  return TRAPS.map((basketName) => ({
    body: encoder.encode(JSON.stringify({ ...order, basketName, couponCodeList: COUPONS_OF[basketName] ?? [] })),
    expected: inEachWorld((fails) => {
      const { error } = basketName.endsWith("plan") ? {} : price({ order, host: { ...host, fails } });
      return answerOf({ error: error ?? "Internal error" });
    }),
  }));
}

const COUPONS_OF = { "panic: coupon request": ["A"] };

/** The answers in the normal state and in each outage. */
const inEachWorld = (answer) => [{}, ...OUTAGES.map(({ lookup, fails }) => ({ [lookup]: fails }))].map((fails) => answer(fails));

/** The part of an answer that is compared: status and text. */
export const answerOf = ({ text, error }) => (text === undefined ? `500 ${JSON.stringify({ error })}` : `200 ${text}`);

/** Removes the generator's id, because the requested id differs. */
function withoutId(record) {
  const { voucherId, ...rest } = record;
  return rest;
}

function mapEntries(table, map) {
  const mapped = Object.create(null);
  for (const [name, value] of Object.entries(table)) {
    const [key, record] = map(name, value);
    mapped[key] = record;
  }
  return mapped;
}
