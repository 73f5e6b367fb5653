/**
 * Writes the generated seed files beside itself: the same files on every run and machine.
 *
 *   node generate.mjs            write products.json, prices.json and vouchers.json
 *   node generate.mjs --check    write nothing; exit 1 when a committed file differs
 *   node generate.mjs --data DIR write DIR/prices.csv and DIR/zones.geojson for `npm run data -- build`, and
 *                                DIR/vouchers.json for `wrangler kv bulk put`
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { KEY_COLUMNS, RECORD_COLUMNS } from "../data/input/index.js";
import { voucherKey } from "../src/look-ups/index.js";
import { CATEGORIES, FAMILIES } from "./goods.mjs";

const SEED = import.meta.dirname;
const BRANCH_IDS = readJson("branches.json").map(({ branchId }) => branchId);

function main() {
  const { values: options } = parseArgs({ options: { check: { type: "boolean" }, data: { type: "string" } } });
  const stock = FAMILIES.flatMap(stockOf).map(withCode());
  const prices = stock.map(pricesOf);
  const vouchers = makeVouchers();

  if (options.data !== undefined) return writeData(options.data, Object.assign({}, ...prices), vouchers);

  const files = {
    "products.json": objectText({
      categories: arrayText(CATEGORIES),
      products: arrayText(stock.map(({ product }) => product)),
    }),
    "prices.json": `{\n${prices.map(membersText).join(",\n")}\n}\n`,
    "vouchers.json": objectText(Object.fromEntries(vouchers.map((voucher) => [voucher.voucherId, JSON.stringify(voucher)]))),
  };
  if (options.check) return checkFiles(files);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(SEED, name), text);
}

// Products

/** Every brand, good and size of a family, with the price in satang that its branches start from. */
function stockOf({ category, controlled = false, brands, goods, sizes }) {
  return brands.flatMap((brand, tier) =>
    goods.flatMap((good) =>
      sizes.map((size) => {
        const [brandEn, brandTh] = brand.split("|");
        const [en, th, factor = "1"] = good.split("|");
        const [unit, price, weight] = size.split("=");
        const product = {
          category,
          en: [brandEn, en, unit].filter(Boolean).join(" "),
          th: [th, brandTh && `ตรา${brandTh}`, thaiUnit(unit)].filter(Boolean).join(" "),
          unit,
          weight: weight === undefined ? weightOf(unit) : Number(weight),
        };
        return { product, controlled, basePrice: percentOf(hundredths(price), hundredths(factor), BRAND_TIERS[tier]) };
      }),
    ),
  );
}

const BRAND_TIERS = [100, 108, 94, 115];

/** Numbers the stock within its category: 110001, 110002, … */
function withCode() {
  const counts = new Map();
  return ({ product, ...rest }) => {
    const count = (counts.get(product.category) ?? 0) + 1;
    counts.set(product.category, count);
    return { product: { cprcode: product.category * 10_000 + count, ...product }, ...rest };
  };
}

const THAI_UNITS = {
  g: "ก.",
  kg: "กก.",
  ml: "มล.",
  L: "ล.",
  eggs: "ฟอง",
  tablets: "เม็ด",
  pieces: "ชิ้น",
  rolls: "ม้วน",
  sheets: "แผ่น",
};
const UNIT = /^(Cup )?([\d.]+) (\w+)(?: × (\d+))?$/;

function thaiUnit(unit) {
  const [, cup, amount, measure, pack] = UNIT.exec(unit);
  return `${cup ? "ถ้วย " : ""}${amount} ${THAI_UNITS[measure]}${pack ? ` แพ็ก ${pack}` : ""}`;
}

/** The weight in kg that a unit's own name gives; a litre counts as a kilogram. */
function weightOf(unit) {
  const [, , amount, measure, pack = "1"] = UNIT.exec(unit);
  const thousandths = { g: 1, ml: 1, kg: 1000, L: 1000 }[measure];
  return Math.round(Number(amount) * thousandths * Number(pack)) / 1000;
}

// Prices, in whole satang until they are written

/** The price records of a product by "<cprcode>/<branchId>". One product in forty is not sold at one of the branches. */
function pricesOf({ product: { cprcode, weight }, controlled, basePrice }) {
  const random = randomFrom(cprcode);
  const listPrice = shelfPrice(percentOf(basePrice, between(random, 96, 104)));
  const promotion = random() < 0.18 ? between(random, 5, 25) : 0;
  const settlement = random() < 0.3 ? between(random, 78, 93) : undefined;
  const weighed = random() >= 0.04;
  const absentAt = random() < 1 / 40 ? BRANCH_IDS[between(random, 0, BRANCH_IDS.length - 1)] : undefined;

  const records = {};
  for (const branchId of BRANCH_IDS) {
    const branchList = random() < 0.5 ? listPrice : shelfPrice(percentOf(listPrice, between(random, 96, 105)));
    const price = promotion === 0 ? branchList : shelfPrice(percentOf(branchList, 100 - promotion));
    if (branchId === absentAt) continue;
    records[`${cprcode}/${branchId}`] = {
      price: price / 100,
      ...(price < branchList && { originalPrice: branchList / 100 }),
      ...(settlement !== undefined && { settlementPrice: percentOf(price, settlement) / 100 }),
      ...(weighed && { weight }),
      ...(controlled && { isControlledProduct: true }),
    };
  }
  return records;
}

const percentOf = (satang, ...percents) =>
  Math.round(percents.reduce((product, percent) => product * percent, satang) / 100 ** percents.length);
const hundredths = (text) => Math.round(Number(text) * 100);

/** Below 100 THB a shelf price ends in a quarter of a baht, above in whole baht. */
function shelfPrice(satang) {
  const step = satang < 10_000 ? 25 : 100;
  return Math.max(Math.round(satang / step), 1) * step;
}

// Vouchers

const CAMPAIGNS = [
  { prefix: "WELCOME100", title: "Welcome gift", titleTh: "ของขวัญต้อนรับ", value: 100 },
  { prefix: "BIRTHDAY200", title: "Birthday gift", titleTh: "ของขวัญวันเกิด", value: 200 },
  { prefix: "SORRY50", title: "Apology for a late delivery", titleTh: "ขออภัยที่จัดส่งล่าช้า", value: 50 },
  { prefix: "REFUND", title: "Refund of a missing item", titleTh: "คืนเงินสินค้าขาดส่ง", value: 37.25 },
  { prefix: "GIFT500", title: "Gift card", titleTh: "บัตรของขวัญ", value: 500 },
];
const OWNERS = ["malee", "somchai", "ploy", "niran", "duangjai", "anan", "kanya", "wichai"];

/** Each owner's vouchers of every campaign. Every sixth is used, every ninth inactive, two are both, and the last has no owner. */
function makeVouchers() {
  const random = randomFrom(40);
  const vouchers = OWNERS.flatMap((ownerId) => CAMPAIGNS.map((campaign) => ({ ownerId, ...campaign })));
  return vouchers.map(({ prefix, ownerId, value, title, titleTh }, index) => ({
    voucherId: `${prefix}-${suffix(random)}`,
    ...(index < vouchers.length - 1 && { ownerId }),
    value,
    isActive: index % 9 !== 8,
    isUsed: index % 6 === 5,
    title,
    titleTh,
  }));
}

/** Four characters, none of which is taken for another. */
const suffix = (random) => Array.from({ length: 4 }, () => "23456789ABCDEFGHJKMNPQRSTVWXYZ"[between(random, 0, 29)]).join("");

// Files

function checkFiles(files) {
  for (const [name, text] of Object.entries(files)) {
    const path = join(SEED, name);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    console.error(`worker/seed/${name} is not what generate.mjs writes: run node worker/seed/generate.mjs`);
    process.exitCode = 1;
  }
}

function writeData(directory, prices, vouchers) {
  const row = ([key, record]) => [...key.split("/"), ...RECORD_COLUMNS.map((column) => record[column])].join(",");
  const rows = [[...KEY_COLUMNS, ...RECORD_COLUMNS].join(","), ...Object.entries(prices).map(row)];
  const entries = vouchers.map((voucher) => ({ key: voucherKey(voucher.voucherId), value: JSON.stringify(voucher) }));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "prices.csv"), `${rows.join("\n")}\n`);
  writeFileSync(join(directory, "zones.geojson"), readFileSync(join(SEED, "zones.json")));
  writeFileSync(join(directory, "vouchers.json"), `${arrayText(entries)}\n`);
}

function readJson(name) {
  return JSON.parse(readFileSync(join(SEED, name), "utf8"));
}

/** One item, or one member, a line: small files whose changes read well. */
const arrayText = (items) => `[\n${items.map((item) => JSON.stringify(item)).join(",\n")}\n]`;
const objectText = (memberTexts) =>
  `{\n${Object.entries(memberTexts)
    .map(([key, text]) => `${JSON.stringify(key)}:${text}`)
    .join(",\n")}\n}\n`;
const membersText = (object) => JSON.stringify(object).slice(1, -1);

// Random numbers: mulberry32, by Tommy Ettinger (public domain)

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const between = (random, low, high) => low + Math.floor(random() * (high - low + 1));

main();
