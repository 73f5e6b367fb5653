import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createSeedHost } from "../../worker/demo/seed-host.js";
import { evaluate } from "../../worker/services/coupons/rules.js";
import { temporaryFolder } from "../folder.js";
import { price as priceByModel } from "../model/price.js";

const WORKER = fileURLToPath(new URL("../../worker", import.meta.url));
const SEED = join(WORKER, "seed");
const seedFile = (name) => JSON.parse(readFileSync(join(SEED, name), "utf8"));

const { categories, products } = seedFile("products.json");
const prices = seedFile("prices.json");
const vouchers = seedFile("vouchers.json");
const coupons = seedFile("coupons.json");
const rates = seedFile("rates.json");
const zones = seedFile("zones.json");
const branches = seedFile("branches.json");
const orders = seedFile("orders.json");

const BRANCH_IDS = ["1000", "1001", "1002"];
const NOW = Date.parse("2026-11-20T10:00:00+07:00");
const THAI = /[\u0e00-\u0e7f]/;

/** The JSON text of an amount in whole satang. */
const isWholeSatang = (amount) => /^\d+(\.\d{1,2})?$/.test(String(amount));
const recordsOf = (cprcode) => BRANCH_IDS.map((branchId) => prices[`${cprcode}/${branchId}`]);

describe("products", () => {
  it("are at least 2,000, each with its own code and names", () => {
    assert.ok(products.length >= 2000);
    for (const key of ["cprcode", "en", "th"]) assert.equal(new Set(products.map((product) => product[key])).size, products.length, key);
  });

  it("have an English and a Thai name, a unit, a weight, and a category that starts their code", () => {
    const known = new Set(categories.map(({ category }) => category));
    for (const { cprcode, category, en, th, unit, weight } of products) {
      assert.ok(!THAI.test(en) && en.endsWith(unit), en);
      assert.ok(THAI.test(th) && !/undefined|\s\s/.test(th + en), th);
      assert.ok(weight > 0 && weight < 30, en);
      assert.ok(known.has(category) && String(cprcode).startsWith(String(category)) && String(cprcode).length === 6, en);
    }
    assert.deepEqual(known, new Set(products.map(({ category }) => category)));
  });
});

describe("prices", () => {
  it("are at about 6,000 keys, of known products and branches", () => {
    const known = new Set(products.flatMap(({ cprcode }) => BRANCH_IDS.map((branchId) => `${cprcode}/${branchId}`)));
    assert.ok(Object.keys(prices).length > 6000);
    assert.deepEqual(
      Object.keys(prices).filter((key) => !known.has(key)),
      [],
    );
  });

  it("are records of whole satang, positive, with a list price above the price and a settlement price below it", () => {
    for (const [key, { price, originalPrice, settlementPrice, weight, isControlledProduct, ...rest }] of Object.entries(prices)) {
      assert.deepEqual(rest, {}, key);
      assert.ok(isWholeSatang(price) && price > 0, key);
      assert.ok(originalPrice === undefined || (isWholeSatang(originalPrice) && originalPrice > price), key);
      assert.ok(settlementPrice === undefined || (isWholeSatang(settlementPrice) && settlementPrice < price), key);
      assert.ok(weight === undefined || weight === products.find(({ cprcode }) => key.startsWith(`${cprcode}/`)).weight, key);
      assert.ok(isControlledProduct === undefined || isControlledProduct === true, key);
    }
  });

  it("have different sets of fields", () => {
    const records = Object.values(prices);
    const share = (test) => records.filter(test).length / records.length;
    assert.ok(share(({ price }) => !Number.isInteger(price)) > 0.3, "satang");
    for (const key of ["originalPrice", "settlementPrice", "isControlledProduct"]) {
      const part = share((record) => key in record);
      assert.ok(part > 0.02 && part < 0.4, `${key}: ${part}`);
    }
    const unweighed = share((record) => !("weight" in record));
    assert.ok(unweighed > 0.01 && unweighed < 0.1);
  });

  it("differ between the branches, and some products are missing at one branch, none at two", () => {
    const missing = products.map(({ cprcode }) => recordsOf(cprcode).filter((record) => record === undefined).length);
    assert.ok(missing.filter((count) => count === 1).length >= 20);
    assert.equal(Math.max(...missing), 1);
    const differing = products.filter(({ cprcode }) => new Set(recordsOf(cprcode).map((record) => record?.price)).size > 1);
    assert.ok(differing.length > products.length / 4);
  });

  it("mark alcohol, infant formula and medicine as controlled, and nothing else", () => {
    const controlled = /Beer|Wine|Spirit|Rum|Gin \d|Infant Formula|Paracetamol|Ibuprofen|Cetirizine|Antacid|Loperamide/;
    for (const { cprcode, en } of products) {
      const expected = controlled.test(en) && !/Vinegar|Ginger/.test(en);
      for (const record of recordsOf(cprcode).filter(Boolean)) assert.equal("isControlledProduct" in record, expected, en);
    }
  });
});

describe("zones", () => {
  const rings = ({ geometry: { type, coordinates } }) => (type === "Polygon" ? coordinates : coordinates.flat());
  const zonesOf = (brcode) => zones.features.filter(({ properties }) => properties.brcode === brcode);

  /** Counts crossings of all rings: correct for polygons with holes and for points off the edges. */
  const covers = (zone, lon, lat) => {
    const crossings = rings(zone).flatMap((ring) =>
      ring.slice(1).filter(([x2, y2], i) => {
        const [x1, y1] = ring[i];
        return y1 > lat !== y2 > lat && lon < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1;
      }),
    );
    return crossings.length % 2 === 1;
  };
  const namesAt = (brcode, lon, lat) =>
    zonesOf(brcode)
      .filter((zone) => covers(zone, lon, lat))
      .map(({ properties }) => properties.name);

  it("are at least 12 over the three branches, named, with differing fees", () => {
    assert.equal(zones.type, "FeatureCollection");
    assert.ok(zones.features.length >= 12);
    for (const { properties } of zones.features) {
      assert.ok(branches.some(({ brcode }) => brcode === properties.brcode));
      assert.ok(isWholeSatang(properties.deliveryFee) && properties.name.length > 0 && THAI.test(properties.nameTh));
    }
    assert.ok(new Set(zones.features.map(({ properties }) => properties.deliveryFee)).size >= 6);
  });

  it("are closed rings around Bangkok", () => {
    for (const ring of zones.features.flatMap(rings)) {
      assert.ok(ring.length >= 4);
      assert.deepEqual(ring[0], ring.at(-1));
      for (const [lon, lat] of ring) assert.ok(lon > 100.4 && lon < 100.9 && lat > 13.5 && lat < 14);
    }
  });

  it("cover each branch itself", () => {
    for (const { brcode, lon, lat } of branches) assert.equal(namesAt(brcode, lon, lat).length, 1);
  });

  it("have a hole, both banks of a river, and an overlap", () => {
    assert.deepEqual(namesAt(1000, 100.542, 13.732), [], "Lumphini Park");
    assert.deepEqual(namesAt(1001, 100.6068, 13.9126), [], "Don Mueang airfield");
    assert.deepEqual(namesAt(1000, 100.497, 13.722), ["Khlong San and Bang Kho Laem, both banks"]);
    assert.deepEqual(namesAt(1000, 100.52, 13.7), ["Khlong San and Bang Kho Laem, both banks"]);
    assert.deepEqual(namesAt(1000, 100.5405, 13.738), ["Silom and Sathon", "Siam and Pathum Wan"]);
  });
});

describe("vouchers", () => {
  const all = Object.entries(vouchers);

  it("are 40, by their own ids", () => {
    assert.equal(all.length, 40);
    for (const [id, { voucherId, value }] of all) {
      assert.equal(voucherId, id);
      assert.match(id, /^[A-Z]+\d*-[2-9A-Z]{4}$/);
      assert.ok(isWholeSatang(value) && value > 0);
    }
  });

  it("are unused, used, inactive or both, of several owners, one of nobody", () => {
    const count = (test) => all.filter(([, voucher]) => test(voucher)).length;
    assert.ok(count(({ isActive, isUsed }) => isActive && !isUsed) >= 20);
    assert.ok(count(({ isActive, isUsed }) => isActive && isUsed) >= 3);
    assert.ok(count(({ isActive, isUsed }) => !isActive && !isUsed) >= 1);
    assert.ok(count(({ isActive, isUsed }) => !isActive && isUsed) >= 1);
    assert.equal(
      count(({ ownerId }) => ownerId === undefined),
      1,
    );
    assert.ok(new Set(all.map(([, { ownerId }]) => ownerId)).size >= 5);
  });
});

describe("coupons", () => {
  const KINDS = ["buyOneGetOne", "flat", "freeShipping", "percentage", "perUnit", "shipping", "twoFor"];

  it("are 25 of every kind, with an English and a Thai text", () => {
    assert.equal(coupons.length, 25);
    assert.equal(new Set(coupons.map(({ code }) => code)).size, 25);
    assert.deepEqual(new Set(coupons.map(({ kind }) => kind)), new Set(KINDS));
    for (const { en, th } of coupons) assert.ok(en.length > 0 && THAI.test(th));
  });

  it("come in both forms of rule 10 and D28, and with every condition", () => {
    const some = (test) => assert.ok(coupons.some(test), String(test));
    for (const kind of ["percentage", "twoFor"])
      for (const folded of [true, false]) some((coupon) => coupon.kind === kind && coupon.folded === folded);
    for (const carriesAmount of [true, false]) some((coupon) => coupon.kind === "freeShipping" && coupon.carriesAmount === carriesAmount);
    for (const condition of ["minimumSpend", "cprcodes", "categories", "ownerIds", "startsAt", "expiresAt"])
      some((coupon) => condition in coupon);
    some(({ expiresAt }) => Date.parse(expiresAt) < NOW);
    some(({ startsAt }) => Date.parse(startsAt) > NOW);
  });

  it("name products and categories that the shop sells", () => {
    const codes = new Set(products.map(({ cprcode }) => cprcode));
    const known = new Set(categories.map(({ category }) => category));
    for (const { code, cprcodes = [], categories: named = [] } of coupons) {
      assert.ok(cprcodes.every((cprcode) => codes.has(cprcode)) && named.every((category) => known.has(category)), code);
    }
  });

  it("each grant something to an order that meets its conditions", () => {
    for (const { code, cprcodes, categories: named, ownerIds, startsAt } of coupons) {
      const { cprcode } = products.find((product) =>
        cprcodes ? cprcodes.includes(product.cprcode) : !named || named.includes(product.category),
      );
      const { price } = prices[`${cprcode}/1000`];
      const request = {
        couponCodeList: [code],
        ownerId: ownerIds?.[0] ?? "",
        deliveryFee: 45,
        productList: [{ cprcode, price, quantity: 40 }],
      };
      const { discounts, failedCoupons } = evaluate(request, coupons, startsAt ? Date.parse(startsAt) : NOW);
      assert.deepEqual([discounts.map(({ coupon }) => coupon), failedCoupons], [[code], []]);
    }
  });
});

describe("prepared orders", () => {
  const names = new Map(products.map(({ cprcode, th }) => [cprcode, th]));

  it("are six, with a title and a description in both languages", () => {
    assert.equal(orders.length, 6);
    assert.deepEqual(readdirSync(join(SEED, "orders")).sort(), orders.map(({ file }) => file.replace("orders/", "")).sort());
    for (const { title, description } of orders)
      for (const text of [title, description]) assert.ok(!THAI.test(text.en.replace(/“.*”/, "")) && THAI.test(text.th));
  });

  for (const { file, outcome } of orders) {
    it(`${file} refers to what exists and comes out as it says`, () => {
      const order = seedFile(file);
      for (const { cprcode, productName } of order.productList) assert.equal(productName, names.get(cprcode));
      for (const voucherId of order.voucherId ?? []) assert.ok(Object.hasOwn(vouchers, voucherId), voucherId);
      for (const code of order.couponCodeList ?? [])
        assert.ok(
          coupons.some((coupon) => coupon.code === code),
          code,
        );

      const { text, error } = priceWithSeed(order);
      assert.deepEqual(error ? { error } : { grandTotal: JSON.parse(text).grandTotal }, outcome);
    });
  }

  it("show every delivery mode, coupons that fail, and vouchers of both sorts", () => {
    const modes = orders.flatMap(({ file }) =>
      seedFile(file).shipping.scheduleList.map(({ mode, nationwideMode }) => nationwideMode ?? mode),
    );
    assert.deepEqual(new Set(modes), new Set(["PICKUP", "REGULAR", "EXPRESS", "DRY", "FRESH"]));
    const {
      discountResult,
      validVouchers,
      invalidVouchers,
      two4Discount,
      percentageDiscount,
      bogoDiscount,
      shippingDiscount,
      productList,
    } = JSON.parse(priceWithSeed(seedFile("orders/coupons-and-vouchers.json")).text);
    assert.deepEqual(discountResult.failedCoupons, ["SONGKRAN13", "HELLO15"]);
    assert.equal(validVouchers.length, 2);
    assert.deepEqual(
      invalidVouchers,
      ["WELCOME100-KPNF", "REFUND-Z3SM"].map((voucherId) => ({ voucherId, reasons: ["ownerMismatch"] })),
    );
    // two pairs of cans at 28 for 25; 5% of 702.75; two of five noodles at 14; 15 off each of two bags of rice at 241
    assert.deepEqual(
      { two4Discount, percentageDiscount, bogoDiscount, shippingDiscount },
      { two4Discount: 6, percentageDiscount: 35.1375, bogoDiscount: 28, shippingDiscount: 20 },
    );
    assert.deepEqual(
      productList.slice(0, 2).map(({ rowTotal, discountedRowTotal }) => [rowTotal, discountedRowTotal]),
      [
        [482, 452],
        [70, 42],
      ],
    );
  });

  /** The naive model's result, with the seed host's answers as facts. */
  function priceWithSeed(order) {
    const host = createSeedHost({ prices, vouchers, rates, coupons, now: () => NOW });
    const { shippingPostcode } = order.shipping;
    const rate = (nationwideMode) => host.nationwideRate({ shippingPostcode, nationwideMode });
    const facts = { prices, vouchers, rates: { DRY: rate("DRY"), FRESH: rate("FRESH"), MIX: rate("MIX") } };
    const { couponRequest } = priceByModel({ order, zones, host: { ...facts, coupons: {} } });
    return priceByModel({
      order,
      zones,
      host: { ...facts, coupons: couponRequest ? host.validateCoupons(couponRequest) : {} },
    });
  }
});

describe("the seed host", () => {
  const host = createSeedHost({ prices, vouchers, rates, coupons, now: () => NOW });

  it("answers prices and vouchers in the order of the keys, undefined if there is none", () => {
    const keys = [
      { cprcode: 110001, branchId: "1001" },
      { cprcode: 110008, branchId: "1001" },
      { cprcode: 110001, branchId: "9999" },
    ];
    assert.deepEqual(host.lookupPrices(keys), [{ price: 51.5, settlementPrice: 43.78, weight: 1 }, undefined, undefined]);
    const [welcome, ...none] = host.lookupVouchers(["WELCOME100-NT2P", "constructor", "__proto__", ""]);
    assert.equal(welcome.value, 100);
    assert.deepEqual(none, [undefined, undefined, undefined]);
  });

  it("answers rates and coupons as the services do", () => {
    assert.deepEqual(host.nationwideRate({ shippingPostcode: "84320", nationwideMode: "MIX" }), {
      deliveryFee: 195.5,
      nationwideConfig: "islands-mix",
    });
    assert.throws(() => host.nationwideRate({ shippingPostcode: "12", nationwideMode: "DRY" }), {
      message: "Postcode 12 is not a Thai postcode",
    });
  });

  it("dates coupons by its clock", () => {
    const request = {
      couponCodeList: ["SONGKRAN13"],
      ownerId: "",
      deliveryFee: 0,
      productList: [{ cprcode: 110001, price: 100, quantity: 1 }],
    };
    assert.deepEqual(host.validateCoupons(request).failedCoupons, ["SONGKRAN13"]);
    const atSongkran = createSeedHost({
      prices,
      vouchers,
      rates,
      coupons,
      now: () => Date.parse("2026-04-13T12:00:00+07:00"),
    });
    assert.equal(atSongkran.validateCoupons(request).discounts[0].discount, 13);
  });
});

describe("generate.mjs", () => {
  const scratch = temporaryFolder();
  const generate = (seed, ...args) => spawnSync(process.execPath, [join(seed, "generate.mjs"), ...args], { encoding: "utf8" });

  it("--check passes on the committed files", () => {
    const { status, stderr } = generate(SEED, "--check");
    assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  });

  it("--check names a file that differs, and a run repairs it", () => {
    const copy = join(scratch, "worker");
    mkdirSync(copy);
    for (const room of ["data", "src"]) symlinkSync(join(WORKER, room), join(copy, room), "dir");
    cpSync(SEED, join(copy, "seed"), { recursive: true });
    cpSync(join(WORKER, "package.json"), join(copy, "package.json"));
    writeFileSync(join(copy, "seed/prices.json"), "{}\n");
    rmSync(join(copy, "seed/vouchers.json"));

    const { status, stderr } = generate(join(copy, "seed"), "--check");
    assert.equal(status, 1);
    assert.deepEqual(stderr.match(/\w+\.json/g), ["prices.json", "vouchers.json"]);
    assert.equal(generate(join(copy, "seed")).status, 0);
    assert.deepEqual(JSON.parse(readFileSync(join(copy, "seed/prices.json"), "utf8")), prices);
  });

  it("--data writes prices as CSV, zones, and each voucher under the Worker's key", () => {
    assert.equal(generate(SEED, "--data", scratch).status, 0);
    const read = (name) => readFileSync(join(scratch, name), "utf8");
    const [header, ...rows] = read("prices.csv").trimEnd().split("\n");
    const columns = header.split(",");
    const records = rows.map((row) => {
      const [cprcode, branchId, ...values] = row.split(",");
      const members = values.map((value, index) => [columns[index + 2], value]).filter(([, value]) => value !== "");
      return [`${cprcode}/${branchId}`, Object.fromEntries(members.map(([key, value]) => [key, JSON.parse(value)]))];
    });
    assert.deepEqual(Object.fromEntries(records), prices);
    assert.deepEqual(JSON.parse(read("zones.geojson")), zones);
    assert.deepEqual(
      JSON.parse(read("vouchers.json")).map(({ key, value }) => [key, JSON.parse(value)]),
      Object.entries(vouchers).map(([id, voucher]) => [`voucher:${id}`, voucher]),
    );
  });

  it("keeps every file under 600 kB", () => {
    for (const name of readdirSync(SEED, { recursive: true })) assert.ok(statSync(join(SEED, name)).size < 600_000, name);
  });
});
