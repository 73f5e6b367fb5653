import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { evaluate } from "../../worker/services/coupons/rules.js";
import couponService from "../../worker/services/coupons/worker.js";
import { jsonService } from "../../worker/services/json/json-service.js";
import { rateFor } from "../../worker/services/nationwide/rates.js";
import nationwideService from "../../worker/services/nationwide/worker.js";

const RATES = JSON.parse(readFileSync(new URL("../../worker/seed/rates.json", import.meta.url), "utf8"));

// The fees of each zone for DRY, FRESH and MIX, and the post office of every provincial capital, by zone.
const FEES = {
  bangkok: [45, 60, 75],
  vicinity: [50, 65, 80],
  central: [55, 75, 90],
  east: [60, 80, 95],
  west: [60, 80, 95],
  northeast: [65, 90, 110],
  north: [65, 90, 110],
  south: [70, 95, 120],
  remote: [95, 130, 160],
  islands: [120, 165, 195.5],
};
const CAPITALS = {
  bangkok: { Bangkok: "10200" },
  vicinity: {
    "Samut Prakan": "10270",
    Nonthaburi: "11000",
    "Pathum Thani": "12000",
    "Nakhon Pathom": "73000",
    "Samut Sakhon": "74000",
  },
  central: {
    "Phra Nakhon Si Ayutthaya": "13000",
    "Ang Thong": "14000",
    "Lop Buri": "15000",
    "Sing Buri": "16000",
    "Chai Nat": "17000",
    Saraburi: "18000",
    "Nakhon Nayok": "26000",
    "Nakhon Sawan": "60000",
    "Uthai Thani": "61000",
    "Suphan Buri": "72000",
    "Samut Songkhram": "75000",
  },
  east: {
    "Chon Buri": "20000",
    Rayong: "21000",
    Chanthaburi: "22000",
    Trat: "23000",
    Chachoengsao: "24000",
    "Prachin Buri": "25000",
    "Sa Kaeo": "27000",
  },
  west: {
    Tak: "63000",
    Ratchaburi: "70000",
    Kanchanaburi: "71000",
    Phetchaburi: "76000",
    "Prachuap Khiri Khan": "77000",
  },
  northeast: {
    "Nakhon Ratchasima": "30000",
    "Buri Ram": "31000",
    Surin: "32000",
    "Si Sa Ket": "33000",
    "Ubon Ratchathani": "34000",
    Yasothon: "35000",
    Chaiyaphum: "36000",
    "Amnat Charoen": "37000",
    "Bueng Kan": "38000",
    "Nong Bua Lam Phu": "39000",
    "Khon Kaen": "40000",
    "Udon Thani": "41000",
    Loei: "42000",
    "Nong Khai": "43000",
    "Maha Sarakham": "44000",
    "Roi Et": "45000",
    Kalasin: "46000",
    "Sakon Nakhon": "47000",
    "Nakhon Phanom": "48000",
    Mukdahan: "49000",
  },
  north: {
    "Chiang Mai": "50000",
    Lamphun: "51000",
    Lampang: "52000",
    Uttaradit: "53000",
    Phrae: "54000",
    Nan: "55000",
    Phayao: "56000",
    "Chiang Rai": "57000",
    "Kamphaeng Phet": "62000",
    Sukhothai: "64000",
    Phitsanulok: "65000",
    Phichit: "66000",
    Phetchabun: "67000",
  },
  south: {
    "Nakhon Si Thammarat": "80000",
    Krabi: "81000",
    Phangnga: "82000",
    Phuket: "83000",
    "Surat Thani": "84000",
    Ranong: "85000",
    Chumphon: "86000",
    Songkhla: "90000",
    Satun: "91000",
    Trang: "92000",
    Phatthalung: "93000",
  },
  remote: { "Mae Hong Son": "58000", Pattani: "94000", Yala: "95000", Narathiwat: "96000" },
};
const MODES = ["DRY", "FRESH", "MIX"];

const rate = (shippingPostcode, nationwideMode = "DRY") => rateFor({ shippingPostcode, nationwideMode }, RATES);

describe("nationwide rates", () => {
  it("reach the capital of each of the 77 provinces in every mode", () => {
    const provinces = Object.entries(CAPITALS).flatMap(([zone, capitals]) =>
      Object.values(capitals).map((postcode) => ({ zone, postcode })),
    );
    assert.equal(provinces.length, 77);
    for (const { zone, postcode } of provinces) {
      MODES.forEach((mode, i) => {
        const expected = { deliveryFee: FEES[zone][i], nationwideConfig: `${zone}-${mode.toLowerCase()}` };
        assert.deepEqual(rate(postcode, mode), expected, `${postcode} ${mode}`);
      });
    }
  });

  it("list the 77 provinces, each in the zone of its capital", () => {
    const zones = Object.fromEntries(RATES.provinces.map(({ en, zone }) => [en, zone]));
    const expected = Object.entries(CAPITALS).flatMap(([zone, capitals]) => Object.keys(capitals).map((en) => [en, zone]));
    assert.deepEqual(zones, Object.fromEntries(expected));
    assert.ok(RATES.provinces.every(({ th }) => /^[\u0e00-\u0e7f]+$/.test(th)));
  });

  it("let the longest prefix win", () => {
    const zoneOf = (postcode) => rate(postcode).nationwideConfig;
    for (const bangkok of ["10100", "10120", "10140", "10260", "10300", "10530", "10900"]) assert.equal(zoneOf(bangkok), "bangkok-dry");
    for (const samutPrakan of ["10130", "10270", "10280", "10290", "10540", "10550", "10560", "10570"])
      assert.equal(zoneOf(samutPrakan), "vicinity-dry");
    for (const island of ["20120", "23170", "81150", "82160", "84140", "84280", "84310", "84320", "84330", "84360"])
      assert.equal(zoneOf(island), "islands-dry");
    for (const remote of ["50310", "55220", "63170", "71240"]) assert.equal(zoneOf(remote), "remote-dry");
  });

  it("let the longest prefix win wherever it stands in the table", () => {
    const zone = (DRY) => ({ deliveryFee: { DRY } });
    const province = { zone: "a", postcodes: ["10"] };
    const town = { zone: "b", postcodes: ["1013"] };
    for (const provinces of [
      [province, town],
      [town, province],
    ]) {
      const table = { zones: { a: zone(45), b: zone(50) }, provinces, exceptions: [] };
      const feeTo = (shippingPostcode) => rateFor({ shippingPostcode, nationwideMode: "DRY" }, table).deliveryFee;
      assert.deepEqual([feeTo("10130"), feeTo("10140")], [50, 45]);
    }
  });

  it("have no rate for a postcode without a province (D46)", () => {
    for (const postcode of ["10000", "19000", "28000", "59000", "68000", "78000", "87000", "97000", "99999"]) {
      assert.equal(rate(postcode), null);
    }
  });

  it("refuse text that is not a Thai postcode", () => {
    for (const postcode of ["12", "", "1011", "101100", "01110", " 10110", "10110\n", "1011O", "๑๐๑๑๐", "-1011"]) {
      assert.throws(() => rate(postcode), { message: `Postcode ${postcode} is not a Thai postcode` });
    }
  });

  it("refuse a query of another form", () => {
    for (const query of [null, 7, [], {}, { shippingPostcode: 10110, nationwideMode: "DRY" }]) {
      assert.throws(() => rateFor(query, RATES), { message: "shippingPostcode: expected a string" });
    }
    for (const nationwideMode of [undefined, "dry", "FROZEN", "toString"]) {
      const query = { shippingPostcode: "10110", nationwideMode };
      assert.throws(() => rateFor(query, RATES), { message: "nationwideMode: expected one of DRY, FRESH, MIX" });
    }
  });
});

const NOW = Date.parse("2026-11-20T10:00:00+07:00");

/**
 * Rows in the form of D25, reduced to what the service reads: 120.50 rice, 3 × 33.35 milk, 2 × 9.99 basil, controlled
 * beer.
 */
const RICE = { cprcode: 110001, price: 120.5, quantity: 1, isControlledProduct: false };
const MILK = { cprcode: 510001, price: 33.35, quantity: 3, isControlledProduct: false };
const BASIL = { cprcode: 410001, price: 9.99, quantity: 2, isControlledProduct: false };
const BEER = { cprcode: 230001, price: 500, quantity: 4, isControlledProduct: true };

const request = (couponCodeList, more) => ({
  couponCodeList,
  ownerId: "malee",
  deliveryFee: 55.5,
  productList: [RICE, MILK, BASIL, BEER],
  ...more,
});

/** What one coupon grants, without members that are 0 or false; undefined if it failed. */
function grantOf(coupon, more, now = NOW) {
  const { discounts, failedCoupons, error } = evaluate(request(["X"], more), [{ code: "X", ...coupon }], now);
  assert.deepEqual(error, {});
  assert.deepEqual([...discounts.map((discount) => discount.coupon), ...failedCoupons], ["X"]);
  if (discounts.length === 0) return undefined;
  const { coupon: _, ...amounts } = discounts[0];
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0 && amount !== false));
}

// The rows without beer: 120.50 + 100.05 + 19.98 = 240.53
describe("coupon kinds", () => {
  it("flat: an amount off the basket falls on no row", () => {
    assert.deepEqual(grantOf({ kind: "flat", amount: 50.25 }), { discount: 50.25 });
  });

  it("flat: at most what the products cost", () => {
    assert.deepEqual(grantOf({ kind: "flat", amount: 1000 }), { discount: 240.53 });
  });

  it("flat on named products: shared by their amounts, adding up to the satang", () => {
    // 10 THB on 120.50 and 19.98: 1000 × 12050 / 14048 = 857.77… satang, the rest on the other line
    const coupon = { kind: "flat", amount: 10, cprcodes: [110001, 410001] };
    assert.deepEqual(grantOf(coupon), {
      discount: 10,
      lines: [
        { line: 0, discount: 8.57 },
        { line: 2, discount: 1.43 },
      ],
    });
  });

  it("percentage: its amount is a discount, cut to the satang", () => {
    // 7% of 240.53 = 16.8371
    assert.deepEqual(grantOf({ kind: "percentage", percent: 7, folded: true }), { discount: 16.83 });
  });

  it("percentage: at most its maximum", () => {
    assert.deepEqual(grantOf({ kind: "percentage", percent: 50, maximum: 100, folded: true }), { discount: 100 });
  });

  it("percentage of categories: on their rows", () => {
    // 25% of 100.05 + 19.98 = 30.0075; the milk's share 3000 × 10005 / 12003 = 2500.62… satang
    const coupon = { kind: "percentage", percent: 25, categories: [41, 51], folded: true };
    assert.deepEqual(grantOf(coupon), {
      discount: 30,
      lines: [
        { line: 1, discount: 25 },
        { line: 2, discount: 5 },
      ],
    });
  });

  it("percentage, not folded: stated as a multiplier, without a discount (rule 10, D21)", () => {
    assert.deepEqual(grantOf({ kind: "percentage", percent: 5, folded: false }), { percentageDiscount: 0.05 });
  });

  it("per unit: on every unit of the rows", () => {
    const coupon = { kind: "perUnit", amount: 5.5, categories: [41, 51] };
    assert.deepEqual(grantOf(coupon), {
      discount: 27.5,
      lines: [
        { line: 1, discount: 16.5 },
        { line: 2, discount: 11 },
      ],
    });
  });

  it("per unit: at most what the row costs", () => {
    const coupon = { kind: "perUnit", amount: 10, cprcodes: [410001] };
    assert.deepEqual(grantOf(coupon), { discount: 19.98, lines: [{ line: 2, discount: 19.98 }] });
  });

  it("buy one get one: one of every two units, in bogoDiscount", () => {
    const coupon = { kind: "buyOneGetOne", cprcodes: [110001, 510001, 410001] };
    assert.deepEqual(grantOf(coupon), {
      bogoDiscount: 43.34,
      lines: [
        { line: 1, discount: 33.35 },
        { line: 2, discount: 9.99 },
      ],
    });
  });

  it("two for: stated in two4Discount, on no row (rule 10)", () => {
    // one pair of milk, 66.70 for 60
    assert.deepEqual(grantOf({ kind: "twoFor", pairPrice: 60, cprcodes: [510001], folded: false }), {
      two4Discount: 6.7,
    });
  });

  it("two for, folded: a discount on its rows", () => {
    const coupon = { kind: "twoFor", pairPrice: 60, cprcodes: [510001], folded: true };
    assert.deepEqual(grantOf(coupon), { discount: 6.7, lines: [{ line: 1, discount: 6.7 }] });
  });

  it("two for: fails if the pair is not cheaper", () => {
    assert.equal(grantOf({ kind: "twoFor", pairPrice: 66.7, cprcodes: [510001], folded: true }), undefined);
    assert.equal(grantOf({ kind: "twoFor", pairPrice: 80, cprcodes: [510001], folded: false }), undefined);
  });

  it("shipping: off the delivery fee, at most the fee", () => {
    assert.deepEqual(grantOf({ kind: "shipping", amount: 20 }), { shippingDiscount: 20 });
    assert.deepEqual(grantOf({ kind: "shipping", amount: 60 }), { shippingDiscount: 55.5 });
    assert.equal(grantOf({ kind: "shipping", amount: 20 }, { deliveryFee: 0 }), undefined);
  });

  it("free shipping: the whole fee, or only the word (D28)", () => {
    assert.deepEqual(grantOf({ kind: "freeShipping", carriesAmount: true }), {
      freeshipping: true,
      shippingDiscount: 55.5,
    });
    assert.deepEqual(grantOf({ kind: "freeShipping", carriesAmount: false }), { freeshipping: true });
    assert.equal(grantOf({ kind: "freeShipping", carriesAmount: false }, { deliveryFee: 0 }), undefined);
  });

  it("answer every key of a discount", () => {
    const { discounts } = evaluate(request(["X"]), [{ code: "X", kind: "shipping", amount: 20 }], NOW);
    assert.deepEqual(discounts, [
      {
        coupon: "X",
        discount: 0,
        bogoDiscount: 0,
        two4Discount: 0,
        percentageDiscount: 0,
        freeshipping: false,
        shippingDiscount: 20,
      },
    ]);
  });
});

describe("coupon conditions", () => {
  const flat = { kind: "flat", amount: 10 };

  it("minimum spend, to the satang, without controlled products", () => {
    assert.deepEqual(grantOf({ ...flat, minimumSpend: 240.53 }), { discount: 10 });
    assert.equal(grantOf({ ...flat, minimumSpend: 240.54 }), undefined);
  });

  it("minimum spend counts only the products that the coupon names", () => {
    assert.notEqual(grantOf({ ...flat, minimumSpend: 100.05, categories: [51] }), undefined);
    assert.equal(grantOf({ ...flat, minimumSpend: 100.06, categories: [51] }), undefined);
  });

  it("start and expiry: from the first moment to before the last", () => {
    const coupon = { ...flat, startsAt: "2026-11-20T10:00:00+07:00", expiresAt: "2026-11-21T00:00:00+07:00" };
    const at = (text) => grantOf(coupon, {}, Date.parse(text));
    assert.equal(at("2026-11-20T09:59:59.999+07:00"), undefined);
    assert.deepEqual(at("2026-11-20T10:00:00+07:00"), { discount: 10 });
    assert.deepEqual(at("2026-11-20T23:59:59.999+07:00"), { discount: 10 });
    assert.equal(at("2026-11-21T00:00:00+07:00"), undefined);
  });

  it("owners", () => {
    assert.deepEqual(grantOf({ ...flat, ownerIds: ["ploy", "malee"] }), { discount: 10 });
    assert.equal(grantOf({ ...flat, ownerIds: ["ploy"] }), undefined);
    assert.equal(grantOf({ ...flat, ownerIds: ["malee"] }, { ownerId: "" }), undefined);
  });

  it("products and categories that are not in the order", () => {
    assert.equal(grantOf({ ...flat, cprcodes: [999999] }), undefined);
    assert.equal(grantOf({ ...flat, categories: [11] }, { productList: [MILK] }), undefined);
  });

  it("controlled products never take part", () => {
    assert.equal(grantOf({ ...flat, cprcodes: [230001] }), undefined);
    assert.equal(grantOf({ kind: "percentage", percent: 5, folded: false }, { productList: [BEER] }), undefined);
  });

  it("a quantity of 0 or less buys nothing (D13)", () => {
    for (const quantity of [0, -3]) {
      for (const kind of ["flat", "perUnit", "buyOneGetOne"]) {
        assert.equal(grantOf({ kind, amount: 10 }, { productList: [{ ...MILK, quantity }] }), undefined);
      }
    }
  });

  it("a quantity below 0 takes nothing off the other rows", () => {
    const productList = [RICE, { ...MILK, quantity: -3 }];
    assert.deepEqual(grantOf({ ...flat, amount: 1000, minimumSpend: 120.5 }, { productList }), { discount: 120.5 });
  });

  it("codes match exactly, and unknown ones fail (D24)", () => {
    const { discounts, failedCoupons } = evaluate(request(["save", " SAVE", "SAVE", "__proto__"]), [{ code: "SAVE", ...flat }], NOW);
    assert.deepEqual(
      discounts.map(({ coupon }) => coupon),
      ["SAVE"],
    );
    assert.deepEqual(failedCoupons, ["save", " SAVE", "__proto__"]);
  });
});

describe("several coupons", () => {
  it("apply in the request's sequence, each to the remaining amount", () => {
    const coupons = [
      { code: "HALF", kind: "percentage", percent: 50, folded: true },
      { code: "FREEMILK", kind: "buyOneGetOne", cprcodes: [510001] },
      { code: "ALL", kind: "flat", amount: 999 },
      { code: "LATE", kind: "flat", amount: 1 },
    ];
    const amounts = (codes) => {
      const { discounts, failedCoupons } = evaluate(request(codes), coupons, NOW);
      return [...discounts.map(({ discount, bogoDiscount }) => discount + bogoDiscount), ...failedCoupons];
    };
    // one milk free 33.35; half of 240.53 − 33.35 = 207.18; then the other half; then nothing is left
    assert.deepEqual(amounts(["FREEMILK", "HALF", "ALL", "LATE"]), [33.35, 103.59, 103.59, "LATE"]);
    // half of 240.53 cut to 120.26; the free milk still fits in what the milk has left
    assert.deepEqual(amounts(["HALF", "FREEMILK", "ALL", "LATE"]), [120.26, 33.35, 86.92, "LATE"]);
  });

  it("never take more off a row than remains", () => {
    const milk = { cprcodes: [510001] };
    const coupons = [
      { code: "MILK30", kind: "perUnit", amount: 30, ...milk },
      { code: "FREEMILK", kind: "buyOneGetOne", ...milk },
      { code: "MILK2FOR5", kind: "twoFor", pairPrice: 5, folded: true, ...milk },
    ];
    // 3 × 30 off 100.05 leave 10.05, less than the free unit's 33.35 and the pair's 61.70
    for (const code of ["FREEMILK", "MILK2FOR5"]) {
      const { discounts } = evaluate(request(["MILK30", code]), coupons, NOW);
      assert.deepEqual(
        discounts.map(({ lines }) => lines),
        [[{ line: 1, discount: 90 }], [{ line: 1, discount: 10.05 }]],
      );
    }
  });

  it("never take more off delivery than the fee", () => {
    const coupons = [
      { code: "SHIP40", kind: "shipping", amount: 40 },
      { code: "FREE", kind: "freeShipping", carriesAmount: true },
      { code: "SHIP1", kind: "shipping", amount: 1 },
    ];
    const { discounts, failedCoupons } = evaluate(request(["SHIP40", "FREE", "SHIP1"]), coupons, NOW);
    assert.deepEqual(
      discounts.map(({ shippingDiscount }) => shippingDiscount),
      [40, 15.5],
    );
    assert.deepEqual(failedCoupons, ["SHIP1"]);
  });

  it("a code sent twice counts once", () => {
    assert.equal(evaluate(request(["X", "X"]), [{ code: "X", kind: "flat", amount: 1 }], NOW).discounts.length, 1);
  });
});

describe("coupon amounts", () => {
  const off = (price, quantity, coupon) => grantOf(coupon, { productList: [{ cprcode: 110001, price, quantity }] });
  const everything = { kind: "percentage", percent: 100, folded: true };

  it("are exact where doubles are not", () => {
    assert.deepEqual(off(0.1, 3, everything), { discount: 0.3 });
    assert.deepEqual(off(1.1, 3, everything), { discount: 3.3 });
    assert.deepEqual(off(4.35, 100, everything), { discount: 435 });
    assert.deepEqual(off(1.15, 1, { kind: "percentage", percent: 10, folded: true }), { discount: 0.11 });
  });

  it("are cut to whole satang", () => {
    assert.deepEqual(off(0.019, 1, everything), { discount: 0.01 });
    assert.equal(off(0.009, 100, everything), undefined);
    assert.equal(off(1e-7, 1, everything), undefined);
  });

  it("stay exact beyond the safe integers", () => {
    assert.deepEqual(off(1e21, 1, everything), { discount: 1e21 });
    assert.deepEqual(off(0.01, Number.MAX_SAFE_INTEGER, everything), { discount: 90071992547409.91 });
  });

  it("of the rows always add up to the discount", () => {
    const productList = [0.01, 0.02, 33.33, 33.34, 7.77].map((price, i) => ({
      cprcode: 110001 + i,
      price,
      quantity: i + 1,
    }));
    for (let satang = 1; satang <= 400; satang += 7) {
      const { discount, lines } = grantOf({ kind: "flat", amount: satang / 100, categories: [11] }, { productList });
      assert.equal(Math.round(discount * 100), satang);
      assert.equal(
        lines.reduce((total, line) => total + Math.round(line.discount * 100), 0),
        satang,
      );
    }
  });
});

describe("coupon requests of another form", () => {
  const refused = (bad, message) => assert.throws(() => evaluate(bad, [], NOW), { message: `Invalid coupon request: ${message}` });

  it("are refused with the field and the expected type", () => {
    refused(null, "expected an object");
    refused([], "expected an object");
    refused(request("SAVE"), "couponCodeList: expected an array");
    refused(request(["A", 7]), "couponCodeList[1]: expected a string");
    refused(request([], { deliveryFee: "30" }), "deliveryFee: expected an amount of 0 or more");
    refused(request([], { deliveryFee: -1 }), "deliveryFee: expected an amount of 0 or more");
    refused(request([], { productList: {} }), "productList: expected an array");
    refused(request([], { productList: [RICE, null] }), "productList[1]: expected an object");
    refused(request([], { productList: [{ ...RICE, cprcode: "1" }] }), "productList[0].cprcode: expected an integer");
    refused(request([], { productList: [{ ...RICE, price: Infinity }] }), "productList[0].price: expected an amount of 0 or more");
    refused(request([], { productList: [{ ...RICE, quantity: 1.5 }] }), "productList[0].quantity: expected an integer");
  });
});

describe("the services over HTTP", () => {
  const ask = async (service, body, { path = "/", method = "POST" } = {}) => {
    const response = await service.fetch(new Request(`https://service${path}`, { method, body }));
    return { status: response.status, allow: response.headers.get("allow"), body: await response.json() };
  };
  const failure = (status, error, allow = null) => ({ status, allow, body: { error } });

  it("answer the rate", async () => {
    const answer = await ask(nationwideService, JSON.stringify({ shippingPostcode: "50200", nationwideMode: "FRESH" }));
    assert.deepEqual(answer, { status: 200, allow: null, body: { deliveryFee: 90, nationwideConfig: "north-fresh" } });
  });

  it("answer null where nobody delivers (D46)", async () => {
    const answer = await ask(nationwideService, JSON.stringify({ shippingPostcode: "99999", nationwideMode: "DRY" }));
    assert.deepEqual(answer, { status: 200, allow: null, body: null });
  });

  it("answer the discounts", async () => {
    const answer = await ask(couponService, JSON.stringify(request(["SAVE20", "NOSUCH"])));
    assert.equal(answer.status, 200);
    assert.deepEqual(
      answer.body.discounts.map(({ coupon, discount }) => ({ coupon, discount })),
      [{ coupon: "SAVE20", discount: 20 }],
    );
    assert.deepEqual(answer.body.failedCoupons, ["NOSUCH"]);
    assert.deepEqual(answer.body.error, {});
  });

  it("answer 400 if the request is at fault", async () => {
    const query = JSON.stringify({ shippingPostcode: "0", nationwideMode: "DRY" });
    assert.deepEqual(await ask(nationwideService, query), failure(400, "Postcode 0 is not a Thai postcode"));
    assert.deepEqual(await ask(couponService, "{}"), failure(400, "Invalid coupon request: couponCodeList: expected an array"));
    for (const service of [nationwideService, couponService]) {
      for (const text of ["", "{", "postcode=10110"]) assert.deepEqual(await ask(service, text), failure(400, "Request body is not JSON"));
    }
  });

  it("answer 404 and 405 to unknown paths and methods", async () => {
    for (const service of [nationwideService, couponService]) {
      assert.deepEqual(await ask(service, "{}", { path: "/rates" }), failure(404, "Nothing at /rates: expected POST /"));
      assert.deepEqual(await ask(service, undefined, { method: "GET" }), failure(405, "Method GET is not allowed: expected POST", "POST"));
      assert.deepEqual(await ask(service, "{}", { method: "PUT" }), failure(405, "Method PUT is not allowed: expected POST", "POST"));
    }
  });

  it("answer 500 without internal details if the service is at fault", async (t) => {
    const log = t.mock.method(console, "error", () => {});
    const broken = jsonService("broken", () => {
      throw new TypeError("table is undefined");
    });
    assert.deepEqual(await ask(broken, "{}"), failure(500, "The service failed"));
    assert.equal(log.mock.callCount(), 1);
  });
});
