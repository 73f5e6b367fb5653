// What `verify` says of a difference: the decision that explains it, the policy that removes it, or that nothing does.
// Each case changes real responses as a service does that follows the other statement of the specification.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { allAtNight } from "../effort.js";
import { file, run } from "./command.js";

const FACTS = {
  prices: {
    1: { price: 10.5, originalPrice: 12, settlementPrice: 8.25 },
    2: { price: 7.25, originalPrice: 9.75, isControlledProduct: true },
    3: { price: 3, weight: 0.5 },
  },
  vouchers: {
    V: { ownerId: "malee", value: 5, isActive: true, isUsed: false },
    OTHER: { ownerId: "somchai", value: 7, isActive: true, isUsed: false },
    BIG: { ownerId: "malee", value: 500, isActive: true, isUsed: false },
  },
  rates: { DRY: { deliveryFee: 80 }, FRESH: { deliveryFee: 95.5 } },
};
const discount = (coupon, amounts = {}) => ({ coupon, ...amounts });
const COUPONS = {
  discounts: [
    discount("A", {
      discount: 6,
      two4Discount: 2,
      percentageDiscount: 0.1,
      lines: [
        { line: 0, discount: 4 },
        { line: 1, discount: 2 },
      ],
    }),
    discount("B", { bogoDiscount: 3, shippingDiscount: 20, freeshipping: true, percentageDiscount: 0.05 }),
  ],
};
const row = (cprcode, quantity) => ({ cprcode, productName: `p${cprcode}`, quantity });
const ROWS = [row(1, 3), row(2, 2), row(3, 1)];
const SHIPPING = {
  shippingType: "DELIVERY",
  shippingLat: 13.123456789,
  scheduleList: [{ scheduleId: 1 }, { scheduleId: 2, mode: "NATIONWIDE", nationwideMode: "FRESH" }],
};

async function priced(order, { coupons = COUPONS, policy } = {}) {
  const pricer = await createPricer(hostFromFacts({ ...FACTS, coupons }), { policy });
  return JSON.parse(
    Buffer.from(await pricer.calculateJson(JSON.stringify({ orderId: "A-1", ownerId: "malee", productList: ROWS, ...order }))),
  );
}

const PLAIN = await priced({});
const FULL = await priced({ couponCodeList: ["A", "B", "C"], voucherId: ["V", "OTHER"], shipping: SHIPPING });

const texts = (order) => (typeof order === "string" ? order : JSON.stringify(order));

const verified = async (sides, ...args) => JSON.parse((await run(["verify", ...sides, "--format", "json", ...args])).stdout);

/** The report on `order`, which this package gave, and what another service makes of it; on either side. */
async function compared(order, change, ...args) {
  const other = structuredClone(order);
  const changed = change(other) ?? other;
  const names = [file("ours.json", texts(order)), file("theirs.json", texts(changed))];
  const [one, turned] = [await verified(names, ...args), await verified(names.toReversed(), ...args)];
  const essence = ({ fields, explanations }) => [
    fields.map(({ field, kind, why, count }) => `${field} ${kind} ${why} ${count}`).sort(),
    explanations.map(({ decision, policy, differences, atStake }) => [decision, policy, differences, atStake]),
  ];
  assert.deepEqual(essence(turned), essence(one), "it does not matter which side is which");
  return one;
}

/** Decisions with their policies and counts; `unexplained` without a decision. */
const why = async (...args) =>
  (await compared(...args)).explanations.map(({ decision, policy, differences }) => [decision ?? "unexplained", policy, differences]);
const whyOf = ({ fields }, name) => fields.find(({ field }) => field === name)?.why;

const sum = (list) => list.reduce((a, b) => a + b, 0);

/** Computes what follows from rows, fees and discounts as every service does. */
function totalled(order, { subTotal = order.subTotal } = {}) {
  const total = order.subTotal === subTotal ? order.subTotal : subTotal;
  order.subTotal = total;
  order.percentageDiscount = Math.max(0, ...order.discountResult.discounts.map((one) => one.percentageDiscount)) * total;
  order.discountedDeliveryFee = Math.max(order.deliveryFee - order.shippingDiscount, 0);
  order.totalDiscount = order.cartDiscount + order.bogoDiscount + order.two4Discount + order.voucherDiscount + order.percentageDiscount;
  order.grandTotal = Math.max(
    total + order.discountedDeliveryFee + order.expressShippingCost - order.cartDiscount - order.bogoDiscount - order.voucherDiscount,
    0,
  );
  const controlled = order.productList.filter((one) => one.isControlledProduct);
  order.totalExcludeControlledProducts = order.grandTotal - sum(controlled.map((one) => one.rowTotal));
  for (const name of Object.keys(order.summary)) if (name !== "discountResult") order.summary[name] = order[name];
}

describe("the contested statements", () => {
  const list = (order) => order.productList.forEach((one) => (one.rowTotal = one.originalPrice * one.quantity));

  test("D15: rowTotal from the list price; what follows from it is explained, too", async () => {
    const change = (order) => {
      list(order);
      order.productList[1].settlementPrice = order.productList[1].rowTotal; // it has no record of its own
      totalled(order);
    };
    assert.deepEqual(await why(PLAIN, change), [
      ["D15", 'rowTotal: "list"', 3],
      ["D20", 'excludeControlled: "rowTotal"', 2],
    ]);
    const { fields } = await compared(PLAIN, change);
    assert.deepEqual(fields.map(({ field, count }) => [field, count]).sort(), [
      ["productList[].rowTotal", 2],
      ["productList[].settlementPrice", 1],
      ["summary.totalExcludeControlledProducts", 1],
      ["totalExcludeControlledProducts", 1],
    ]);
  });

  test("D15: subTotal adds up such rows", async () => {
    const change = (order) => {
      list(order);
      totalled(order, { subTotal: sum(order.productList.map((one) => one.rowTotal)) });
    };
    const { explanations, atStake } = await compared(FULL, change);
    assert.deepEqual(
      explanations.map(({ decision, policy }) => [decision, policy]),
      [
        ["D15", 'rowTotal: "list"'],
        ["D15", 'subTotal: "rowTotals"'],
        ["D20", 'excludeControlled: "rowTotal"'],
      ],
    );
    assert.equal(atStake, "9.5");
    assert.equal(explanations[1].atStake, "9.5");
  });

  test("D15: a satang more or less is not explained, nor is what follows from it", async () => {
    const change = (order) => {
      list(order);
      order.productList[0].rowTotal += 0.01;
      totalled(order, { subTotal: sum(order.productList.map((one) => one.rowTotal)) });
    };
    const report = await compared(PLAIN, change);
    assert.equal(report.fields[0].field, "productList[].rowTotal");
    assert.deepEqual(
      report.fields.filter(({ field }) => field === "productList[].rowTotal").map((one) => [one.why, one.count]),
      [
        ["unexplained", 1],
        ["D15", 1],
      ],
    );
    assert.equal(whyOf(report, "subTotal"), "follows from productList[].rowTotal");
    assert.equal(whyOf(report, "grandTotal"), "follows from productList[].rowTotal");
    assert.equal(report.explanations[0].what, "unexplained");
    const { what, atStake } = report.explanations.at(-1);
    assert.deepEqual([what, atStake], ["several reasons at once", "9.51"], "9.50 by D15, a satang by nobody: not told apart");
  });

  test("D16: discountedRowTotal before the discount of the row", async () => {
    assert.notEqual(FULL.productList[0].discountedRowTotal, FULL.productList[0].rowTotal);
    const change = (order) => order.productList.forEach((one) => (one.discountedRowTotal = one.price * one.quantity));
    assert.deepEqual(await why(FULL, change), [["D16", null, 2]]);
    const offBySatang = (order) => {
      change(order);
      order.productList[1].discountedRowTotal += 0.01;
    };
    assert.deepEqual(await why(FULL, offBySatang), [
      ["unexplained", null, 1],
      ["D16", null, 1],
    ]);
    const shares = (order) => (order.productList[0].discountedRowTotal -= 0.01);
    assert.deepEqual(await why(FULL, shares), [["unexplained", null, 1]]);
  });

  test("D16: a service that shares a discount over the rows, where this one was told no shares", async () => {
    const change = (order) => {
      order.discountResult.discounts = [
        discount("A", { discount: 6, bogoDiscount: 0, two4Discount: 0, percentageDiscount: 0, freeshipping: false, shippingDiscount: 0 }),
      ];
      order.summary.discountResult = order.discountResult;
      order.cartDiscount = 6;
      totalled(order);
    };
    const ours = structuredClone(PLAIN);
    change(ours);
    const share = (by) => (order) => order.productList.forEach((one, index) => (one.discountedRowTotal -= by[index]));
    assert.deepEqual(await why(ours, share([3, 2, 1])), [["D16", null, 3]]);
    assert.deepEqual(await why(ours, share([3, 2, 1.01])), [["unexplained", null, 3]]);
  });

  test("D17: settlementPrice is rowTotal", async () => {
    const change = (order) => order.productList.forEach((one) => (one.settlementPrice = one.rowTotal));
    assert.deepEqual(await why(PLAIN, change), [["D17", 'settlementPrice: "rowTotal"', 1]]);
    assert.deepEqual(await why(PLAIN, (order) => void (order.productList[1].settlementPrice += 0.01)), [["unexplained", null, 1]]);
    assert.deepEqual(await why(PLAIN, (order) => void (order.productList[0].settlementPrice += 0.01)), [["unexplained", null, 1]]);
  });

  test("D1: 28 keys, 34 keys, one key less", async () => {
    assert.deepEqual(await why(PLAIN, (order) => void delete order.isFreeShipping), [["D1", null, 1]]);
    const scalars = (order) => {
      for (const name of ["isFreeShipping", "productList", "shipping", "validVouchers", "invalidVouchers", "discountResult", "summary"])
        delete order[name];
    };
    assert.deepEqual(await why(PLAIN, scalars), [["D1", null, 7]]);
    assert.deepEqual(await why(PLAIN, (order) => void delete order.cartDiscount), [["unexplained", null, 1]]);
  });

  test("D1 explains no empty answer, and nothing explains a total that is no number", async () => {
    const empty = await compared(PLAIN, () => ({}));
    assert.deepEqual(
      empty.explanations.map(({ decision, differences }) => [decision, differences]),
      [
        [null, 28],
        ["D1", 7],
      ],
    );
    assert.equal(empty.withoutTotal, 1);
    const totals = [undefined, null, `${PLAIN.grandTotal}`, "1"];
    for (const grandTotal of totals) {
      const report = await compared(
        { ...PLAIN, grandTotal: grandTotal === null ? 0 : PLAIN.grandTotal },
        (order) => void (order.grandTotal = grandTotal),
      );
      assert.deepEqual([whyOf(report, "grandTotal"), report.withoutTotal], ["unexplained", 1], `${grandTotal}`);
    }
    assert.equal((await compared(PLAIN, (order) => void (order.grandTotal += 1))).withoutTotal, 0);
  });

  test("D2, D3, D4, D7, D26: other keys and other defaults", async () => {
    const cases = [
      ["D2", (order) => void (order.extra = 1)],
      ["D2", (order) => void (order.productList[0].sku = "x")],
      ["D3", (order) => void delete order.productList[0].weight],
      ["D3", (order) => void delete order.shipping.scheduleList[0].date_slot],
      ["D3", (order) => void delete order.summary.totalWeight],
      ["D3", (order) => void (order.summary.discountResult = JSON.stringify(order.summary.discountResult))],
      ["D4", (order) => void delete order.productList[0].branchId],
      ["D7", (order) => void (order.specialComment = "")],
      ["D26", (order) => void (order.discountResult.discounts[0].lines = [])],
      ["D26", (order) => void (order.discountResult.error = null)],
      ["D36", (order) => void (order.shipping.scheduleList[0].nationwideConfig = "none")],
    ];
    for (const [decision, change] of cases) assert.deepEqual(await why(FULL, change), [[decision, null, 1]], `${change}`);
  });

  test("D5, D6: notation", async () => {
    assert.deepEqual(await why(PLAIN, (order) => JSON.stringify(order).replace('"subTotal":49', '"subTotal":49.00')), [["D5", null, 1]]);
    assert.deepEqual(await why(PLAIN, (order) => JSON.stringify(order).replace('"subTotal":49', '"subTotal":4.9e1')), [["D5", null, 1]]);
    assert.deepEqual(await why(PLAIN, (order) => void (order.subTotal = "49.00")), [["D5", null, 1]]);
    assert.deepEqual(await why(PLAIN, (order) => void (order.subTotal = "49.01")), [["unexplained", null, 1]]);
    assert.deepEqual(await why(FULL, (order) => JSON.stringify(order).replace("13.123456789", "13.1234567890")), [["D6", null, 1]]);
    assert.deepEqual(await why(FULL, (order) => void (order.shipping.shippingLat = 13.12)), [["unexplained", null, 1]]);
  });

  test("D19: the noise of floats, and rounding to the satang", async () => {
    assert.deepEqual(await why(PLAIN, (order) => void (order.subTotal += 1e-12)), [["D19", null, 1]]);
    const noise = await compared(PLAIN, (order) => void (order.subTotal = 49.00000000000001));
    assert.equal(noise.explanations[0].what, "the digits of floating-point arithmetic");
    const rounded = await compared('{"grandTotal":10.125}', () => '{"grandTotal":10.13}');
    assert.deepEqual(
      rounded.fields.map((one) => [one.kind, one.why]),
      [["value", "D19-rounding"]],
    );
    assert.equal(rounded.explanations[0].what, "one side rounds a total to the satang");
    assert.deepEqual(await why('{"grandTotal":10.1249}', () => '{"grandTotal":10.12}'), [["D19-rounding", null, 1]]);
    assert.deepEqual(await why('{"grandTotal":10.12}', () => '{"grandTotal":10.13}'), [["unexplained", null, 1]]);
  });

  test("D5: another notation carries no money", async () => {
    const order = { couponCodeList: ["A"], shipping: SHIPPING };
    const coupons = { discounts: [discount("A", { freeshipping: true })] };
    const [ours, theirs] = [await priced(order, { coupons }), await priced(order, { coupons, policy: { freeShipping: "waivesDelivery" } })];
    const noted = await compared(ours, () => JSON.stringify(theirs).replaceAll('"subTotal":49', '"subTotal":49.0'));
    assert.deepEqual(
      noted.explanations.map(({ decision, atStake }) => [decision, atStake]),
      [
        ["D5", "0"],
        ["D28", "175.5"],
      ],
    );
    assert.deepEqual([whyOf(noted, "grandTotal"), whyOf(noted, "subTotal"), noted.atStake], ["D28", "D5", "175.5"]);
  });

  test("an order whose money has two decisions gives each its part, and the report says so; decisions stand by number", async () => {
    const free = { discounts: [discount("A", { freeshipping: true })] };
    const order = { couponCodeList: ["A"], shipping: SHIPPING };
    const ours = await priced(order, { coupons: free });
    const theirs = await priced(order, { coupons: free, policy: { freeShipping: "waivesDelivery" } });
    theirs.productList.forEach((one) => (one.rowTotal = one.originalPrice * one.quantity));
    totalled(theirs, { subTotal: sum(theirs.productList.map((one) => one.rowTotal)) });
    const report = await compared(ours, () => theirs);
    assert.equal(whyOf(report, "grandTotal"), "D15, D28");
    assert.equal(report.ordersOfSeveralReasons, 1);
    const { stdout } = await run(["verify", "ours.json", "theirs.json"]);
    assert.match(
      stdout,
      /\n1 order has another grand total for more than one reason: each line has its part of the money, and the net adds up to -166\.00\.\n\nfield /,
    );
    const money = report.explanations
      .map(({ decision, atStake, net }) => [decision, atStake, net])
      .filter(([, atStake]) => atStake !== "0");
    assert.deepEqual(money, [
      ["D15", "9.5", "9.5"],
      ["D28", "175.5", "-175.5"],
    ]);
    assert.equal(report.net, "-166");
    assert.equal((await compared(ours, (other) => void (other.grandTotal += 1))).ordersOfSeveralReasons, 0);
  });

  test("D20 to D22: floors, and what is subtracted", async () => {
    const broke = await priced({ voucherId: ["BIG"] });
    assert.equal(broke.grandTotal, 0);
    const both = (name, value) => (order) => {
      order[name] = value;
      order.summary[name] = value;
    };
    assert.deepEqual(await why(broke, both("totalExcludeControlledProducts", 0)), [["D20", null, 2]]);
    assert.deepEqual((await why(broke, both("voucherDiscount", broke.subTotal))).slice(0, 1), [["D22", null, 2]]);
    assert.deepEqual(
      (await why(broke, both("grandTotal", broke.subTotal - 500))).find(([decision]) => decision === "D22"),
      ["D22", null, 2],
    );
    const subtracted = (order) => {
      order.grandTotal -= order.two4Discount + order.percentageDiscount;
      order.totalExcludeControlledProducts -= order.two4Discount + order.percentageDiscount;
      for (const name of ["grandTotal", "totalExcludeControlledProducts"]) order.summary[name] = order[name];
    };
    assert.deepEqual(await why(FULL, subtracted), [["D21", null, 4]]);
  });

  test("D24, D27, D29, D30: lists and vouchers", async () => {
    const repeated = await priced({ couponCodeList: ["A", "B", "B"], voucherId: ["V", "V"] });
    assert.deepEqual(
      (await why(repeated, (order) => void (order.couponCodeList = ["A", "B"]))).map(([decision]) => decision),
      ["D24"],
    );
    assert.deepEqual(
      (await why(repeated, (order) => void (order.voucherId = ["V"]))).map(([decision]) => decision),
      ["D29"],
    );
    assert.deepEqual(
      await why(FULL, (order) => {
        order.discountResult.failedCoupons = ["C"];
        order.summary.discountResult.failedCoupons = ["C"];
      }),
      [["D27", null, 2]],
    );
    assert.deepEqual(
      (await why(FULL, (order) => void (order.discountResult.failedCoupons = ["Z"]))).map(([decision]) => decision),
      ["unexplained"],
    );
    assert.deepEqual(
      await why(
        FULL,
        (order) => void Object.assign(order.invalidVouchers[0], { ownerId: "somchai", value: 7, isActive: true, isUsed: false }),
      ),
      [["D30", null, 4]],
    );
    assert.deepEqual(await why(FULL, (order) => void order.discountResult.discounts.reverse()), [["D27", null, 1]]);
    assert.deepEqual(await why(FULL, (order) => void order.productList.reverse()), [["D6", null, 1]]);
  });

  test("D28: a free-shipping coupon that waives the delivery fee", async () => {
    const free = { discounts: [discount("A", { freeshipping: true })] };
    const order = { couponCodeList: ["A"], shipping: SHIPPING };
    const [ours, theirs] = [
      await priced(order, { coupons: free }),
      await priced(order, { coupons: free, policy: { freeShipping: "waivesDelivery" } }),
    ];
    const report = await compared(ours, () => theirs);
    assert.deepEqual(
      report.explanations.map(({ decision, policy, atStake }) => [decision, policy, atStake]),
      [["D28", 'freeShipping: "waivesDelivery"', "175.5"]],
    );
  });

  test("D38: the express surcharge of the first EXPRESS schedule", async () => {
    const pickup = { ...SHIPPING, scheduleList: [{ mode: "PICKUP" }, { mode: "PICKUP", scheduleId: 1 }] };
    const ours = await priced({ shipping: pickup });
    ours.shipping.scheduleList[1].mode = "EXPRESS";
    const theirs = structuredClone(ours);
    theirs.shipping.scheduleList[1].expressFee = 50;
    theirs.expressShippingCost = 50;
    totalled(theirs);
    assert.deepEqual(
      (await why(ours, () => theirs)).map(([decision, policy]) => [decision, policy]),
      [["D38", 'expressSurcharge: "firstExpress"']],
    );
    const wrong = structuredClone(theirs);
    wrong.shipping.scheduleList[1].expressFee = 51;
    assert.equal(whyOf(await compared(ours, () => wrong), "shipping.scheduleList[].expressFee"), "unexplained");
  });

  test("each policy of the package is named by the differences between it and the default", async () => {
    const order = { couponCodeList: ["A", "B"], voucherId: ["V"], shipping: SHIPPING };
    const ours = await priced(order);
    const report = await compared(ours, (_) => undefined);
    assert.equal(report.same, 1);
    const list15 = await priced(order, { policy: { rowTotal: "list" } });
    assert.deepEqual(
      (await compared(ours, () => list15)).explanations.map(({ decision, policy }) => [decision, policy]),
      [["D15", 'rowTotal: "list"']],
    );
    const waived = await priced(order, { policy: { freeShipping: "waivesDelivery" } });
    assert.deepEqual(
      (await compared(ours, () => waived)).explanations.map(({ decision, policy }) => [decision, policy]),
      [["D28", 'freeShipping: "waivesDelivery"']],
    );
  });
});

describe("money that only seems to be explained", () => {
  /** An order as this package gives it, with its rows and its sums made anew. */
  function orderOf(rows, change = () => {}) {
    const order = structuredClone(PLAIN);
    order.productList = rows.map(({ price, quantity = 1, ...others }) => {
      const rowTotal = Number((price * quantity).toFixed(4));
      const totals = { originalPrice: price, price, rowTotal, discountedRowTotal: rowTotal, settlementPrice: rowTotal };
      return { ...PLAIN.productList[2], quantity, weight: 0, isControlledProduct: false, ...totals, ...others };
    });
    order.totalWeight = 0;
    change(order);
    totalled(order, { subTotal: Number(sum(order.productList.map((one) => one.rowTotal)).toFixed(4)) });
    return order;
  }
  const coupon = (amounts) =>
    discount("C", {
      discount: 0,
      bogoDiscount: 0,
      two4Discount: 0,
      percentageDiscount: 0,
      freeshipping: false,
      shippingDiscount: 0,
      ...amounts,
    });
  const withCoupons =
    (...amounts) =>
    (order) => {
      order.discountResult.discounts = amounts.map(coupon);
      for (const name of ["discount", "bogoDiscount", "two4Discount"])
        order[name === "discount" ? "cartDiscount" : name] = sum(amounts.map((one) => one[name] ?? 0));
      order.summary.discountResult = order.discountResult;
    };
  /** Whole amounts as other languages write them. */
  const floaty = (order) =>
    JSON.stringify(order).replace(
      /("(?:price|originalPrice|rowTotal|subTotal|value|discountedRowTotal|settlementPrice)":)(\d+)(?=[,}])/g,
      "$1$2.0",
    );
  const moneyOf = ({ explanations }) =>
    Object.fromEntries(explanations.map(({ decision, atStake }) => [decision ?? "unexplained", atStake]));

  test("half a satang of a price does not explain what it makes of 100,000 pieces", async () => {
    const [theirs, ours] = [10, 10.005].map((price) => orderOf([{ price, quantity: 100_000 }]));
    const report = await compared(ours, () => theirs);
    assert.deepEqual(moneyOf(report), { unexplained: "500", "D19-rounding": "0" });
    for (const name of ["subTotal", "productList[].rowTotal"]) assert.equal(whyOf(report, name), "unexplained", name);
    assert.equal(whyOf(report, "grandTotal"), "follows from subTotal");
    assert.equal(whyOf(report, "productList[].price"), "D19-rounding");
  });

  test("nor does it hide behind a difference that is explained", async () => {
    const [theirs, ours] = [10, 10.005].map((price) => orderOf([{ price, quantity: 100_000, originalPrice: 12 }]));
    const report = await compared(ours, () => {
      theirs.productList[0].rowTotal = 1_200_000;
      totalled(theirs, { subTotal: 1_200_000 });
      return theirs;
    });
    assert.deepEqual(moneyOf(report).unexplained, "199500");
    const rows = (price) => orderOf([{ price: 10, originalPrice: 12 }, ...Array.from({ length: 20 }, () => ({ price }))]);
    const [many, few] = [rows(1.004), rows(1)];
    few.productList[0].rowTotal = 12;
    totalled(few, { subTotal: 32 });
    assert.equal(whyOf(await compared(many, () => few), "subTotal"), "unexplained", "20 roundings and a D15");
  });

  test("D19: rows that one side rounds explain the totals that follow; the name says where it rounds", async () => {
    const whats = ({ explanations }) => explanations.map(({ decision, what, differences }) => [decision, what, differences]);
    const ours = orderOf([{ price: 1.004 }, { price: 2.004 }, { price: 3.004 }]);
    const rows = await compared(ours, (order) => {
      for (const one of order.productList)
        for (const name of ["rowTotal", "discountedRowTotal", "settlementPrice"]) one[name] = Number(one[name].toFixed(2));
      totalled(order, { subTotal: 6 });
    });
    assert.deepEqual(whats(rows), [["D19-rounding", "one side rounds each row to the satang", 15]]);
    assert.deepEqual(moneyOf(rows), { "D19-rounding": "0.012" });
    const hidden = await compared(ours, (order) => totalled(order, { subTotal: 6 }));
    assert.deepEqual(whats(hidden), [["D19-rounding", "one side rounds each row to the satang", 6]]);
    const atEnd = orderOf([{ price: 1.004 }, { price: 2.004 }]);
    const rounded = await compared(atEnd, (order) => totalled(order, { subTotal: 3.01 }));
    assert.deepEqual(whats(rounded), [["D19-rounding", "one side rounds the subtotal to the satang", 6]]);
    const known = JSON.stringify([{ path: "**", decision: "D19", reason: "floats", until: "2099-12-31" }]);
    assert.equal(
      (await compared(atEnd, (order) => totalled(order, { subTotal: 3.01 }), "--accept", file("known.json", known))).different,
      1,
      "D19 accepts no rounding",
    );
  });

  test("D21: no policy changes how often totalDiscount counts what both sides fold", async () => {
    const folded = await priced({ couponCodeList: ["A", "B"] }, { policy: { foldedDiscounts: "both" } });
    const report = await compared(folded, (order) => {
      order.totalDiscount += order.two4Discount + order.percentageDiscount;
    });
    assert.deepEqual(
      report.explanations.map(({ decision, what, policy }) => [decision, what, policy]),
      [["D21", "totalDiscount counts what is folded into cartDiscount once, or twice", null]],
    );
  });

  test("what floats leave over when money is split is not money of several reasons", async () => {
    const ours = await priced({ couponCodeList: ["A", "B"], voucherId: ["V"], shipping: SHIPPING });
    const report = await compared(ours, (order) => {
      order.productList.forEach((one) => (one.rowTotal = one.originalPrice * one.quantity));
      order.shippingDiscount = order.deliveryFee;
      totalled(order, { subTotal: sum(order.productList.map((one) => one.rowTotal)) });
      order.grandTotal += 1e-13;
    });
    assert.ok(
      report.ordersOfSeveralReasons === 1 && !report.explanations.some(({ what }) => what === "several reasons at once"),
      JSON.stringify(report.explanations),
    );
  });

  test("D24, D29: what the other side counts more than once", async () => {
    const whats = ({ explanations }) => explanations.map(({ decision, what }) => [decision, what]);
    const ours = await priced(
      { couponCodeList: ["A", "A"], voucherId: ["V", "V"] },
      { coupons: { discounts: [discount("A", { discount: 6 })] } },
    );
    const voucher = await compared(ours, (order) => void ((order.voucherDiscount *= 2), totalled(order)));
    assert.deepEqual(whats(voucher), [["D29", "a voucher that is listed more than once counts each time, or once"]]);
    assert.equal(voucher.atStake, `${ours.voucherDiscount}`);
    const listed = await compared(ours, (order) => {
      order.validVouchers.push(order.validVouchers[0]);
      order.voucherDiscount *= 2;
      totalled(order);
    });
    assert.deepEqual(whats(listed), [["D29", "a voucher that is listed more than once counts each time, or once"]]);
    const coupon = await compared(ours, (order) => void ((order.cartDiscount *= 2), totalled(order)));
    assert.deepEqual(whats(coupon), [["D24", "a coupon code that is listed more than once counts each time, or once"]]);
    const granted = await compared(ours, (order) => {
      order.discountResult.discounts.push(order.discountResult.discounts[0]);
      order.cartDiscount *= 2;
      totalled(order);
    });
    assert.deepEqual(whats(granted), [["D24", "a coupon code that is listed more than once counts each time, or once"]]);
    const thrice = await compared(ours, (order) => void ((order.voucherDiscount *= 3), totalled(order)));
    assert.deepEqual(whats(thrice), [[null, "unexplained"]]);
  });

  test("two halves that make a satang", async () => {
    const ours = orderOf([{ price: 100 }], (order) => Object.assign(order, { deliveryFee: 60, shippingFee: 60, shippingPrice: 60 }));
    const report = await compared(
      ours,
      (order) => void Object.assign(order, { subTotal: 99.995, discountedDeliveryFee: 59.995, grandTotal: 159.99 }),
    );
    assert.deepEqual(moneyOf(report), { unexplained: "0.01", "D19-rounding": "0" });
    assert.equal(whyOf(report, "grandTotal"), "unexplained");
  });

  test("a voucher, a row or a coupon that one side lacks: all that follows from it is unexplained", async () => {
    const vouchers = (values) =>
      orderOf([{ price: 2000 }], (order) => {
        order.validVouchers = values.map((value) => ({ voucherId: `V${value}`, value }));
        order.voucherDiscount = sum(values);
      });
    const cases = [
      ["validVouchers[]", vouchers([100, 777]), vouchers([100]), ["voucherDiscount", "totalDiscount", "grandTotal"], "777"],
      [
        "productList[]",
        orderOf([{ price: 100 }, { price: 500 }]),
        orderOf([{ price: 100 }]),
        ["subTotal", "grandTotal", "totalExcludeControlledProducts"],
        "500",
      ],
      [
        "discountResult.discounts[]",
        orderOf([{ price: 900 }], withCoupons({ discount: 20 }, { discount: 480 })),
        orderOf([{ price: 900 }], withCoupons({ discount: 20 })),
        ["cartDiscount", "grandTotal"],
        "480",
      ],
    ];
    for (const [list, ours, theirs, totals, atStake] of cases) {
      const report = await compared(ours, () => floaty(theirs));
      assert.deepEqual(moneyOf(report), { unexplained: atStake, D5: "0" }, list);
      assert.equal(whyOf(report, list), "unexplained");
      for (const name of totals) assert.equal(whyOf(report, name), `follows from ${list}`, name);
    }
  });

  test("a fee of a schedule that one side lacks", async () => {
    const fees = (...list) =>
      orderOf([{ price: 10 }], (order) => {
        order.shipping = {
          ...FULL.shipping,
          scheduleList: list.map((deliveryFee, scheduleId) => ({ ...FULL.shipping.scheduleList[0], scheduleId, deliveryFee })),
        };
        for (const name of ["deliveryFee", "shippingFee", "shippingPrice"]) order[name] = sum(list);
      });
    const report = await compared(fees(80, 95), () => fees(80));
    assert.deepEqual(moneyOf(report), { unexplained: "95" });
    assert.equal(whyOf(report, "deliveryFee"), "follows from shipping.scheduleList[]");
  });

  test("a product that only one side calls controlled, or that lacks the flag", async () => {
    const rows = (isControlledProduct) => orderOf([{ price: 400, isControlledProduct }, { price: 100 }]);
    const report = await compared(rows(true), () => floaty(rows(false)));
    assert.equal(whyOf(report, "totalExcludeControlledProducts"), "follows from productList[].isControlledProduct");
    const lacking = await compared(rows(true), () => {
      const order = rows(false);
      delete order.productList[0].isControlledProduct;
      return order;
    });
    assert.equal(whyOf(lacking, "productList[].isControlledProduct"), "D3");
    assert.equal(whyOf(lacking, "totalExcludeControlledProducts"), "unexplained");
  });

  test("a rate, a weight and a quantity are not rounded to the satang", async () => {
    const percent = (percentageDiscount) => orderOf([{ price: 100_000 }], withCoupons({ percentageDiscount }));
    const report = await compared(percent(0.105), () => percent(0.1));
    assert.equal(whyOf(report, "discountResult.discounts[].percentageDiscount"), "unexplained");
    assert.equal(whyOf(report, "percentageDiscount"), "follows from discountResult.discounts[].percentageDiscount");
    for (const name of ["weight", "quantity"]) {
      assert.deepEqual(
        await why(orderOf([{ price: 0 }]), (order) => void (order.productList[0][name] += 0.004)),
        [["unexplained", null, 1]],
        name,
      );
    }
  });

  test("no statement about discounts holds for a side that lacks them", async () => {
    const ours = orderOf([{ price: 1000 }], withCoupons({ discount: 480, two4Discount: 20 }));
    const report = await compared(ours, (order) => {
      Object.assign(order, { cartDiscount: 20 });
      totalled(order);
      for (const name of ["isFreeShipping", "productList", "shipping", "validVouchers", "invalidVouchers", "discountResult", "summary"])
        delete order[name];
    });
    assert.deepEqual(moneyOf(report), { unexplained: "460", D1: "0" });
    assert.equal(whyOf(report, "cartDiscount"), "unexplained");
    const emptied = await compared(ours, (order) => void Object.assign(order, { discountResult: null, cartDiscount: 20 }));
    assert.equal(whyOf(emptied, "cartDiscount"), "unexplained");
  });

  test("a flag of a coupon that only one side has explains no delivery", async () => {
    const free = (freeshipping, shippingDiscount) =>
      orderOf([{ price: 100 }], (order) => {
        Object.assign(order, { deliveryFee: 60, shippingFee: 60, shippingPrice: 60, shippingDiscount });
        withCoupons({ freeshipping })(order);
      });
    const report = await compared(free(false, 0), () => free(true, 60));
    assert.deepEqual(moneyOf(report), { unexplained: "60" });
    assert.equal(whyOf(report, "grandTotal"), "follows from discountResult.discounts[].freeshipping");
  });

  test("a settlementPrice of 0, and shares that add up to no coupon", async () => {
    const ours = orderOf([{ price: 462, settlementPrice: 8.25 }]);
    assert.deepEqual(await why(ours, (order) => void (order.productList[0].settlementPrice = 0)), [["unexplained", null, 1]]);
    const reported = await compared(ours, (order) => void (order.productList[0].settlementPrice = 462));
    assert.match(reported.explanations[0].what, /\(a response does not show the record: replay checks it\)$/);
    const shared = orderOf([{ price: 1000 }, { price: 1 }], withCoupons({ discount: 300 }));
    const cut = (first) => (order) => [first, 0].forEach((amount, index) => (order.productList[index].discountedRowTotal = amount));
    assert.deepEqual(await why(shared, cut(987.66)), [["unexplained", null, 2]]);
    assert.deepEqual(await why(shared, cut(701)), [["D16", null, 2]]);
  });
});

describe("failures", () => {
  const texted = (left, right) => why(JSON.stringify({ error: left }), () => JSON.stringify({ error: right }));

  test("the same failure in other words", async () => {
    assert.deepEqual(await texted("No price for 9/1000", "price not found"), [["D40", null, 1]]);
    assert.deepEqual(await texted("Voucher V not found", "no such voucher"), [["D40", null, 1]]);
    assert.deepEqual(await texted("Failed to parse request body", "Unexpected token"), [["D10", null, 1]]);
    assert.deepEqual(await texted("Invalid order: productList: required", "bad request"), [["D11", null, 1]]);
    assert.deepEqual(await texted("validateCoupons did not answer within 5000 ms", "Task timed out"), [["D41", null, 1]]);
    assert.deepEqual(await texted("No price for 9/1000", "Voucher V not found"), [["D42", null, 1]]);
    assert.deepEqual(
      await texted("No delivery to 99999", "Downstream failure: No delivery to 99999"),
      [["D41", null, 1]],
      "a service's own words",
    );
  });

  test("only a text as error is a failure", async () => {
    const nothing = await compared(PLAIN, (order) => void Object.assign(order, { error: null, grandTotal: order.grandTotal + 400 }));
    assert.deepEqual([whyOf(nothing, "error"), whyOf(nothing, "grandTotal"), nothing.atStake], ["D2", "unexplained", "400"]);
    assert.equal((await compared({ ...PLAIN, error: null }, (order) => void (order.error = "x"))).fields[0].kind, "failed");
  });

  test("a sentence of another service is not taken for one of this package", async () => {
    const refused = (error) => why(PLAIN, () => ({ error }));
    for (const error of [
      "pool exhausted: expected at most 50 connections",
      "Overflow: the stack",
      "Request body is larger than ours",
      "not JSON: Failed to parse request body",
    ]) {
      assert.deepEqual(await refused(error), [["unexplained", null, 1]], error);
    }
    assert.deepEqual(await texted("timeout", "pool exhausted: expected at most 50 connections"), [["D41", null, 1]]);
    assert.deepEqual(await refused("Request body is larger than 1048576 bytes"), [["D45", "limits: a higher limit", 1]]);
  });

  test("an order that only one side refuses", async () => {
    const refused = (error) => why(PLAIN, () => ({ error }));
    assert.deepEqual(await refused("Invalid order: voucherId: expected at most 100 vouchers"), [["D45", "limits: a higher limit", 1]]);
    assert.deepEqual(await refused("Invalid order: productList[0].quantity: expected an integer"), [["D11", null, 1]]);
    assert.deepEqual(await refused("Overflow: subTotal is too large"), [["D19", null, 1]]);
    assert.deepEqual(await refused("No price for 1/1000"), [["unexplained", null, 1]]);
    assert.deepEqual(await refused("Branch 1000 not in polygon"), [["unexplained", null, 1]]);
  });
});

describe("names of fields", () => {
  test("that every object has are ordinary unknown keys", async () => {
    const names = [
      "constructor",
      "__proto__",
      "toString",
      "hasOwnProperty",
      "constructor.x",
      "__proto__.a",
      "productList[0].rowTotal",
      "productList[0].originalPrice",
      "discountResult.failedCoupons[0]",
      "couponCodeList[0]",
    ];
    for (const name of names) {
      const [one, other] = [1, "null"].map(
        (value) => `{"orderId":"A",${JSON.stringify(name)}:${value},"shipping":{${JSON.stringify(name)}:${value}}}`,
      );
      const { explanations, different } = await compared(one, () => other);
      assert.deepEqual([different, explanations.map(({ decision }) => decision)], [1, [null]], name);
    }
    assert.deepEqual(await why(PLAIN, (order) => void Object.defineProperty(order, "__proto__", { value: 1, enumerable: true })), [
      ["D2", null, 1],
    ]);
  });

  test("and lists that are none are no lists", async () => {
    for (const value of [{}, "x", 1, null, true]) {
      const report = await compared(
        FULL,
        (order) =>
          void Object.assign(order, {
            couponCodeList: value,
            validVouchers: value,
            productList: value,
            discountResult: { ...order.discountResult, failedCoupons: ["Z"], discounts: value },
            voucherDiscount: 1,
          }),
      );
      assert.equal(report.different, 1);
      assert.equal(whyOf(report, "voucherDiscount"), "unexplained");
    }
  });
});

describe("what nothing explains", () => {
  test("comes first, and what follows from it says so", async () => {
    const report = await compared(FULL, (order) => {
      order.productList[0].price = 10.75;
      order.productList[0].rowTotal = 32.25;
      totalled(order, { subTotal: 49.75 });
      order.specialComment = "";
    });
    assert.deepEqual(
      report.fields.slice(0, 1).map(({ field, why: reason }) => [field, reason]),
      [["productList[].price", "unexplained"]],
    );
    for (const name of ["productList[].rowTotal", "subTotal", "grandTotal", "percentageDiscount", "totalDiscount", "summary.grandTotal"]) {
      assert.equal(whyOf(report, name), "follows from productList[].price", name);
    }
    assert.equal(report.fields.at(-1).why, "D7");
    assert.equal(report.explanations[0].decision, null);
  });

  /** Compares many changes of one order at once, and returns the fields of the report. */
  async function changedFields(order, changes) {
    const name = (index) => `A-${index}`;
    const others = changes.map((change, index) => {
      const other = { ...structuredClone(order), orderId: name(index) };
      change(other);
      return other;
    });
    const ours = file("many-ours.ndjson", changes.map((_, index) => JSON.stringify({ ...order, orderId: name(index) })).join("\n"));
    const theirs = file("many-theirs.ndjson", others.map((other) => JSON.stringify(other)).join("\n"));
    const [one, turned] = [await verified([ours, theirs], "-k", "orderId"), await verified([theirs, ours], "-k", "orderId")];
    assert.deepEqual(one.fields, turned.fields);
    assert.equal(one.different, changes.length);
    return one.fields;
  }

  const moved = (object, name, satang) => (object[name] = Number((object[name] + satang).toFixed(4)));
  const unexplained = (fields) =>
    Object.fromEntries(fields.filter(({ why: reason }) => reason === "unexplained").map(({ field, count }) => [field, count]));

  test("a satang in any computed field of the order is unexplained", async () => {
    const names = Object.keys(FULL).filter((name) => typeof FULL[name] === "number" && name !== "orderDate");
    assert.equal(names.length, 16);
    const fields = await changedFields(
      FULL,
      names.flatMap((name) => [0.01, -0.01].map((satang) => (order) => moved(order, name, satang))),
    );
    assert.deepEqual(
      unexplained(fields),
      Object.fromEntries(fields.filter(({ field }) => names.includes(field)).map(({ field }) => [field, 2])),
    );
    assert.equal(fields.length, 16);
  });

  test("a satang in any computed field of a row is unexplained", async () => {
    const names = ["originalPrice", "price", "rowTotal", "discountedRowTotal", "settlementPrice", "weight"];
    const changes = names.flatMap((name) =>
      [0, 1, 2].flatMap((index) => [0.01, -0.01].map((satang) => (order) => moved(order.productList[index], name, satang))),
    );
    const fields = await changedFields(FULL, changes);
    assert.deepEqual(unexplained(fields), Object.fromEntries(fields.map(({ field }) => [field, 6])));
    assert.equal(fields.length, 6);
  });
});

test("keys that are ids do not make the report grow: past 1,000 fields a line counts the others, and hides no total", async () => {
  const answer = (index, others = {}) => JSON.stringify({ orderId: `A-${index}`, grandTotal: 100, ...others });
  const numbers = [...Array(allAtNight(300, 3000)).keys()];
  const ids = (index) => ({ lines: Object.fromEntries([...Array(10).keys()].map((line) => [`line-${index}-${line}`, 1])) });
  const theirs = numbers.map((index) => answer(index, { ...ids(index), ...(index === numbers.length - 1 && { grandTotal: 99.99 }) }));
  const ours = numbers.map((index) => answer(index, { lines: {} }));
  const names = [file("ids-theirs.ndjson", theirs.join("\n")), file("ids-ours.ndjson", ours.join("\n"))];
  const { fields, explanations } = JSON.parse((await run(["verify", ...names, "--key", "orderId", "--format", "json"])).stdout);
  assert.equal(fields.length, 1002);
  assert.deepEqual(fields[0], {
    field: "(further fields)",
    kind: "missing",
    why: "unexplained",
    count: 10 * numbers.length - 1000,
    largest: null,
  });
  assert.equal(fields.find(({ field }) => field === "grandTotal").largest, "0.01");
  assert.deepEqual(
    explanations.map(({ orders, differences }) => [orders, differences]),
    [[numbers.length, 10 * numbers.length + 1]],
  );
});

test("every planted difference is counted exactly, in many orders at once", async () => {
  const orders = await Promise.all(Array.from({ length: 40 }, (_, index) => priced({ orderId: `A-${index}` })));
  const theirs = structuredClone(orders);
  theirs.slice(0, 7).forEach((order) => {
    order.productList[0].rowTotal = 36;
  });
  theirs.slice(5, 8).forEach((order) => void delete order.isFreeShipping);
  theirs.slice(8, 10).forEach((order) => order.productList.reverse());
  theirs[11].grandTotal += 0.01;
  theirs[12].grandTotal -= 2.5;
  const lines = (list) => list.map((order) => JSON.stringify(order)).join("\n");
  const args = [
    "verify",
    file("ours.ndjson", lines(orders)),
    file("theirs.ndjson", lines(theirs.toReversed())),
    "--key",
    "orderId",
    "--format",
    "json",
  ];
  const { same, different, atStake, explanations } = JSON.parse((await run(args)).stdout);
  assert.deepEqual({ same, different, atStake }, { same: 28, different: 12, atStake: "2.51" });
  assert.deepEqual(
    explanations.map((one) => [one.decision, one.orders, one.differences, one.atStake]),
    [
      [null, 2, 2, "2.51"],
      ["D15", 7, 7, "0"],
      ["D1", 3, 3, "0"],
      ["D6", 2, 2, "0"],
    ],
  );
});
