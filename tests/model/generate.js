import { BAD_ORDERS } from "./generator/bad-orders.js";
import { BAD_TEXTS } from "./generator/bad-texts.js";
import { addCoupons, addInput, addPolicy, addVouchers, draftCase } from "./generator/draft.js";
import { FAILURES, LATE } from "./generator/failures.js";
import { LIMITS } from "./generator/limits.js";
import { randomFrom } from "./generator/random.js";
import { HABITS, Members, needsText, OTHER_TYPES, Raw, writeJson } from "./generator/text.js";
import { TEST_ZONES } from "./generator/zones.js";

/**
 * A random case in the shape of a golden one, with `seed` and `tags`. The same seed gives the same case on every
 * machine. The model decides the result; `tags` name what the case contains.
 */
export function generate(seed) {
  const random = randomFrom(seed);
  const draft = draftCase(random);
  if (random.chance(0.6)) addCoupons(random, draft);
  if (random.chance(0.5)) addVouchers(random, draft);
  addPolicy(random, draft);
  addInput(random, draft);
  const kind = random.weighted([
    [20, "priced"],
    [35, "failure"],
    [10, "late"],
    [13, "bad order"],
    [20, "limit"],
    [3, "bad text"],
    [4, "several"],
  ]);
  draft.tags.push(`made: ${kind}`);
  SPOIL[kind](random, draft);
  return toCase(random, draft, seed, kind === "bad text");
}

const SPOIL = {
  priced() {},
  "bad text"() {},
  failure: (random, draft) => spoil(random, draft, FAILURES),
  late: (random, draft) => spoil(random, draft, LATE),
  "bad order": (random, draft) => spoil(random, draft, BAD_ORDERS),
  limit: (random, draft) => spoil(random, draft, LIMITS),
  /** Several failures at once: the sequence of D42 decides. */
  several(random, draft) {
    const names = random.shuffle(Object.keys(FAILURES)).slice(0, random.integer(2, 4));
    for (const name of names) spoil(random, draft, FAILURES, name);
    if (random.chance(0.1)) spoil(random, draft, LATE);
    if (random.chance(0.1)) spoil(random, draft, LIMITS);
    if (random.chance(0.2)) spoil(random, draft, BAD_ORDERS);
  },
};

/** Failures late in the sequence of D42 are often hidden by earlier ones, so they are picked twice as often. */
function pickFault(random, faults) {
  const names = Object.keys(faults);
  return random.pick([...names, ...names.filter((name) => /^(nationwideRate|lookupVouchers|validateCoupons|voucher)/.test(name))]);
}

function spoil(random, draft, faults, name = pickFault(random, faults)) {
  draft.tags.push(`spoiled: ${name}`);
  faults[name](random, draft);
}

function toCase(random, { order, host, options, tags }, seed, spoilText) {
  const habits = random.chance(0.4) ? HABITS.filter(() => random.chance(0.5)) : [];
  if (options?.input === "lenient") habits.push(OTHER_TYPES);
  const written = random.chance(0.15) ? withDuplicates(random, order, tags) : order;
  const facts = factsOf(random, host);
  const body = bodyOf(random, written, habits, spoilText, tags);
  tags.push(...habits.map((habit) => `text: ${habit}`));
  return { seed, tags, ...body, ...(options && { options }), zones: TEST_ZONES, host: facts };
}

function bodyOf(random, order, habits, spoilText, tags) {
  if (!spoilText && habits.length === 0 && !needsText(order)) return { order };
  const text = writeJson(order, random, habits);
  if (spoilText) {
    const name = random.pick(Object.keys(BAD_TEXTS));
    tags.push(`spoiled: ${name}`);
    return sent(BAD_TEXTS[name](random, text));
  }
  if (random.chance(0.1)) {
    tags.push("text: byte order mark");
    return { body: `\ufeff${text}` };
  }
  return random.chance(0.1) ? sent(new TextEncoder().encode(text)) : { body: text };
}

function sent(body) {
  return typeof body === "string" ? { body } : { bodyBase64: btoa(String.fromCharCode(...body)) };
}

/** Adds earlier duplicates, which lose (D9). Some of them are invalid or beyond a limit. */
function withDuplicates(random, order, tags) {
  if (order === null || typeof order !== "object" || Array.isArray(order)) return order;
  tags.push("text: duplicate keys");
  const products = order.productList;
  const one = Array.isArray(products) ? { ...order, productList: products.map((product) => duplicated(random, product)) } : order;
  return duplicated(random, one);
}

const LOSERS = {
  cprcode: [1, 2.5, "x"],
  productName: ["เก่า", "", 5],
  quantity: [99, -1, null],
  remark: ["old", null, "x"],
  branchId: ["9999", null, "x".repeat(129)],
  orderDate: [1, null, new Raw("2e3")],
  ownerId: ["u-1", null, ""],
  couponCodeList: [["X"], [], Array(101).fill("X")],
  voucherId: [["X"], [], Array(101).fill("X")],
  shipping: [null, {}, { shippingType: "PICKUP", brcode: 7 }],
};

function duplicated(random, object) {
  if (object === null || typeof object !== "object" || Array.isArray(object)) return object;
  const entries = random.shuffle(Object.entries(object)).flatMap(([name, value]) => {
    if (!Object.hasOwn(LOSERS, name) || !random.chance(0.2)) return [[name, value]];
    const loser =
      LOSERS[name][
        random.weighted([
          [10, 0],
          [5, 1],
          [0.5, 2],
        ])
      ];
    return [
      [name, loser],
      [name, value],
    ];
  });
  return new Members(entries);
}

/** Records as objects, or as text like in a key-value store. */
function factsOf(random, { prices, rates, vouchers, coupons, ...script }) {
  const records = (table) => mapValues(table, (record) => factOf(random, record));
  const facts = { prices: records(prices), rates: records(rates), vouchers: records(vouchers) };
  return { ...facts, ...(coupons !== undefined && { coupons: factOf(random, coupons) }), ...script };
}

function factOf(random, record) {
  if (record === null || typeof record === "string") return record;
  if (!needsText(record) && random.chance(0.5)) return record;
  return writeJson(record, random, random.chance(0.3) ? HABITS.filter(() => random.chance(0.5)) : []);
}

function mapValues(table, map) {
  const mapped = {};
  for (const [name, value] of Object.entries(table)) {
    Object.defineProperty(mapped, name, { value: map(value), enumerable: true, configurable: true, writable: true });
  }
  return mapped;
}
