// Captured orders of a shop, priced by this package, and two versions of its prices.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPricer } from "order-cost";
import { hashOf } from "order-cost/internal";
import { recordingHost } from "order-cost/testing";
import { randomFrom } from "../../tests/model/generator/random.js";
import { box, collection, zone } from "../../tests/zones.js";

const DATA = fileURLToPath(new URL("../../worker/data/main.js", import.meta.url));
const BRANCHES = 5;
const LINES = 20;
const POINT = { shippingLat: 13.75, shippingLon: 100.5 };

/** The fee of each branch's zone. */
const zonesText = (fee) => JSON.stringify(collection(...branchIds().map((brcode) => zone({ brcode, deliveryFee: fee }, box(100, 13)))));

const branchIds = () => Array.from({ length: BRANCHES }, (_, index) => 1000 + index);

/** Satang, so that no amount is a float. */
const baht = (satang) => `${Math.floor(satang / 100)}.${`${satang % 100}`.padStart(2, "0")}`;

const priceOf = (product, branch) => 500 + ((product * 7919 + branch * 131) % 50_000);

/** Every price changes by a few satang, up or down. */
const newPriceOf = (product, branch) => priceOf(product, branch) + (((product * 31 + branch) % 11) - 5) * 5;

/**
 * Writes the captures and the folders of both versions.
 * @param {string} folder
 * @param {{ orders: number, products: number }} size
 */
export async function writeImpactCase(folder, { orders, products }) {
  await mkdir(join(folder, "captures", "zones"), { recursive: true });
  const zones = zonesText(30);
  const hash = await hashOf(zones);
  await writeFile(join(folder, "captures", "zones", hash), zones);
  await writeFile(join(folder, "zones.json"), zones);
  await writeFile(join(folder, "new-zones.json"), zonesText(35));
  await writeVersion(folder, "same", products, priceOf, "zones.json");
  await writeVersion(folder, "new", products, newPriceOf, "new-zones.json");
  await writeCaptures(join(folder, "captures", "orders.ndjson"), { orders, products, zones, hash });
}

async function writeVersion(folder, name, products, priceAt, zones) {
  const rows = ["cprcode,branchId,price"];
  for (let product = 0; product < products; product += 1) {
    for (const branch of branchIds()) rows.push(`${codeOf(product)},${branch},${baht(priceAt(product, branch))}`);
  }
  const prices = join(folder, `${name}.csv`);
  await writeFile(prices, `${rows.join("\n")}\n`);
  const args = ["build", "--prices", prices, "--zones", join(folder, zones), "--out", join(folder, name), "--dir", join(folder, "nothing")];
  const { status, stderr } = spawnSync(process.execPath, [DATA, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`build failed: ${stderr}`);
}

const codeOf = (product) => 110_000 + product;

async function writeCaptures(file, { orders, products, zones, hash }) {
  const random = randomFrom(11);
  const priced = {
    lookupPrices: (keys) => keys.map(({ cprcode, branchId }) => `{"price":${baht(priceOf(cprcode - 110_000, Number(branchId)))}}`),
    nationwideRate: () => ({ deliveryFee: 80 }),
    validateCoupons: ({ couponCodeList }) => ({ discounts: couponCodeList.map((coupon) => ({ coupon, discount: 25 })), failedCoupons: [] }),
    lookupVouchers: (ids) => ids.map((voucherId) => ({ voucherId, ownerId: "o", value: 50, isActive: true, isUsed: false })),
  };
  const pricer = await createPricer(FORWARD, { deliveryZones: zones, deadlineMs: 0 });
  const out = createWriteStream(file);
  for (let index = 0; index < orders; index += 1) {
    const host = recordingHost(priced);
    const request = JSON.stringify(orderOf(random, index, products));
    const body = Buffer.from(await pricer.calculateJson(request, { context: host })).toString();
    const head = { requestId: `r-${index}`, route: "calculatecost4", policy: {}, limits: {}, zones: hash };
    const side = `{"status":200,"body":${body}}`;
    const text = `${JSON.stringify(head).slice(0, -1)},"request":${request},"facts":${JSON.stringify(host.facts)},"legacy":${side},"new":${side}}\n`;
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}

const FORWARD = Object.fromEntries(
  ["lookupPrices", "nationwideRate", "validateCoupons", "lookupVouchers"].map((name) => [
    name,
    (argument, ctx) => ctx.context[name](argument, ctx),
  ]),
);

function orderOf(random, index, products) {
  const branch = 1000 + random.integer(0, BRANCHES - 1);
  const productList = Array.from({ length: LINES }, () => ({
    cprcode: codeOf(random.integer(0, products - 1)),
    productName: "text1",
    quantity: random.integer(1, 5),
    remark: "",
  }));
  const order = { productList, branchId: `${branch}`, orderId: `id-${index}`, ownerId: "o" };
  if (random.chance(0.1)) order.couponCodeList = ["id-0f3a"];
  if (random.chance(0.05)) order.voucherId = ["id-77"];
  if (random.chance(0.6)) {
    const mode = random.pick(["REGULAR", "EXPRESS", "NATIONWIDE"]);
    order.shipping = { shippingType: "DELIVERY", brcode: branch, ...POINT, scheduleList: [{ mode }] };
  }
  return order;
}
