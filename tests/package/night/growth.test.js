// Nothing is quadratic: 16 times the size takes less than 100 times the CPU time, in every dimension of every input. A change
// counts what a filled body costs instead: tests/node/work.test.js.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { checkOrder } from "order-cost/data";
import { growth, MOST } from "./growth.js";

const { BasketHandle, FactsHandle, Pricing } = await import(new URL("wasm/order_cost.js", import.meta.resolve("order-cost")));

/** High limits, so that the work is large enough to measure. */
const LIMITS = { maxBodyBytes: 2 ** 26, maxProducts: 100_000, maxVouchers: 1e6, maxCoupons: 1e6, maxSchedules: 1e6 };
const VOUCHER = '{"ownerId":"malee","value":1,"isActive":true,"isUsed":false}';

/** Answers every call. */
const HOST = {
  lookupPrices: (keys) => keys.map(() => '{"price":19.75,"weight":0.5}'),
  nationwideRate: () => '{"deliveryFee":60}',
  lookupVouchers: (ids) => ids.map(() => VOUCHER),
  validateCoupons: ({ couponCodeList: failedCoupons }) => ({ failedCoupons }),
};
const makePricer = (host, deliveryZones) => createPricer({ ...HOST, ...host }, { limits: LIMITS, deliveryZones });

const list = (count, item) => Array.from({ length: count }, (_, index) => item(index)).join();
const id = (index) => `"${index.toString(36)}"`;
const PRODUCT = '{"cprcode":1001,"productName":"น้ำปลา","quantity":3}';
const product = (index) => `{"cprcode":${index},"productName":"น้ำปลา","quantity":3}`;
const order = (members, products = PRODUCT) => `{"ownerId":"malee",${members}"productList":[${products}]}`;
const shipped = (members) => order(`"shipping":{"shippingType":"DELIVERY",${members}},`);
const withInfo = (items) => order(`"cartDiscountInfo":[${items}],`);
const withCode = order('"couponCodeList":["A"],');

const square = (west, vertices) => {
  const bottom = list(vertices, (index) => `[${west + index / vertices},13]`);
  return `[${bottom},[${west + 1},13],[${west + 1},14],[${west},14],[${west},13]]`;
};
const zone = (ring, fee) =>
  `{"type":"Feature","properties":{"brcode":1000,"deliveryFee":${fee}},"geometry":{"type":"Polygon","coordinates":[${ring}]}}`;
const zonesOf = (features) => `{"type":"FeatureCollection","features":[${features}]}`;
/** The point is in the bounding box of all of these, but inside only the last zone. */
const triangle = "[[100,13],[101,13],[100,14],[100,13]]";
const AT_THE_POINT = '"shippingLat":13.9,"shippingLon":100.9,"scheduleList":[{"mode":"REGULAR"}]';

function grows(name, size, workOf) {
  test(name, async (context) => {
    const times = await growth(workOf, size);
    context.diagnostic(`${times.toFixed(1).padStart(5)} times the work: ${name}`);
    assert.ok(times < MOST, `${times} times the work`);
  });
}

/** Grows the text of the order. */
function orderGrows(name, size, bodyOf, { host, zones, begin = "calculateJson" } = {}) {
  grows(name, size, async (count) => {
    const pricer = await makePricer(host?.(count), zones?.(count));
    const text = bodyOf(count);
    const body = begin === "calculateJson" ? new TextEncoder().encode(text) : JSON.parse(text);
    await pricer[begin](body); // checks that it can be priced
    return () => pricer[begin](body);
  });
}

/** Grows the host's answers to the same order. */
const answerGrows = (name, size, body, hostOf) => orderGrows(name, size, () => body, { host: hostOf });

describe("the measure", () => {
  const loop = (count) => () => {
    let sum = 0;
    for (let index = 0; index < count; index += 1) sum += Math.sqrt(index);
    return sum;
  };

  test("finds quadratic growth, and accepts linear growth", async () => {
    assert.ok((await growth((size) => loop(size * size), 400)) > MOST);
    assert.ok((await growth((size) => loop(size), 1_000_000)) < MOST);
  });
});

describe("an order", () => {
  orderGrows("lines of one product", 2000, (count) =>
    order(
      "",
      list(count, () => PRODUCT),
    ),
  );
  orderGrows("lines of distinct products", 2000, (count) => order("", list(count, product)));
  orderGrows("product codes that are multiples of a large power of two", 2000, (count) =>
    order(
      "",
      list(count, (index) => product(index * 2 ** 38)),
    ),
  );
  orderGrows("coupon codes", 10_000, (count) => order(`"couponCodeList":[${list(count, id)}],`));
  orderGrows("coupon codes that begin alike", 1000, (count) =>
    order(`"couponCodeList":[${list(count, (index) => `"${"A".repeat(1000)}${index}"`)}],`),
  );
  orderGrows("one coupon code, again and again", 50_000, (count) => order(`"couponCodeList":[${list(count, () => '"A"')}],`));
  orderGrows("vouchers", 5000, (count) => order(`"voucherId":[${list(count, id)}],`));
  orderGrows("one voucher, again and again", 50_000, (count) => order(`"voucherId":[${list(count, () => '"A"')}],`));
  orderGrows("schedules", 10_000, (count) => shipped(`"scheduleList":[${list(count, () => "{}")}]`));
  orderGrows(
    "schedules in a zone",
    10_000,
    (count) => shipped(`${AT_THE_POINT},"scheduleList":[${list(count, () => '{"mode":"EXPRESS"}')}]`),
    { zones: () => zonesOf(zone(square(100, 100), 40)) },
  );
  orderGrows("unknown keys", 20_000, (count) => order(`${list(count, (index) => `${id(index)}:0`)},`));
  orderGrows("a known key, again and again", 20_000, (count) => order(`${list(count, () => '"orderDate":1')},`));
  orderGrows("products of a key that comes again and again", 5000, (count) => order(`${list(count, () => `"productList":[${PRODUCT}]`)},`));
  orderGrows("a coordinate, again and again", 1000, (count) => shipped(list(count, () => '"shippingLat":1e-300')));
  orderGrows("the digits of a coordinate", 100_000, (count) => shipped(`"shippingLat":0.${"7".repeat(count)}`));
  orderGrows("the digits of a date", 100_000, (count) => order(`"orderDate":${"7".repeat(count)},`));
  orderGrows("the digits of a quantity", 100_000, (count) =>
    order(
      "",
      PRODUCT.replace(":3", () => `:3.${"0".repeat(count)}`),
    ),
  );
  orderGrows("the digits of an exponent", 100_000, (count) =>
    order(
      "",
      PRODUCT.replace(":3", () => `:3e${"0".repeat(count)}`),
    ),
  );
  orderGrows("opaque values", 50_000, (count) => withInfo(list(count, () => '{"a":null}')));
  orderGrows("nesting, as deep as may be", 30, (depth) => withInfo(list(2000, () => `${"[".repeat(depth)}${"]".repeat(depth)}`)));
  orderGrows("the length of a string", 500_000, (count) => order(`"basketName":"${"x".repeat(count)}",`));
  orderGrows("the length of a string in Thai", 200_000, (count) => order(`"basketName":"${"ก".repeat(count)}",`));
  orderGrows("escapes in what is echoed", 100_000, (count) => order(`"basketName":"${"\\n".repeat(count)}",`));
  orderGrows("escapes in what is read", 50_000, (count) => order(`"couponCodeList":["${"\\u0e01".repeat(count)}"],`));
  orderGrows("halves of characters", 50_000, (count) => order(`"couponCodeList":["${"\\ud83d".repeat(count)}"],`));
  orderGrows("white space", 500_000, (count) => order(" \n".repeat(count)));
});

describe("an order that is refused", () => {
  const refused = (name, size, bodyOf) =>
    grows(name, size, async (count) => {
      const pricer = await makePricer();
      const body = new TextEncoder().encode(bodyOf(count));
      return () =>
        pricer.calculateJson(body).then(
          () => assert.fail("it was priced"),
          () => {},
        );
    });

  refused("for its last product", 5000, (count) => order("", `${list(count, () => PRODUCT)},{}`));
  refused("for its last byte", 50_000, (count) => `${withInfo(list(count, () => '{"a":null}'))}}`);
  refused("for a number of that many digits", 100_000, (count) =>
    order(
      "",
      PRODUCT.replace(":3", () => `:${"3".repeat(count)}`),
    ),
  );
});

describe("what a host answers", () => {
  const coupons = (answerOf) => (count) => {
    const text = answerOf(count);
    return { validateCoupons: () => text };
  };
  const vouchers = (recordOf) => (count) => {
    const record = recordOf(count);
    return { lookupVouchers: () => [record] };
  };
  const ownKeys = (keys) => `{${keys},${VOUCHER.slice(1)}`;
  const withVoucher = order('"voucherId":["A"],');

  answerGrows(
    "discounts",
    5000,
    withCode,
    coupons((count) => `{"discounts":[${list(count, (index) => `{"coupon":${id(index)},"discount":1.25}`)}]}`),
  );
  answerGrows(
    "discounts of one coupon",
    5000,
    withCode,
    coupons((count) => `{"discounts":[${list(count, () => '{"coupon":"A","discount":1.25}')}]}`),
  );
  answerGrows(
    "lines of a discount",
    20_000,
    withCode,
    coupons((count) => `{"discounts":[{"coupon":"A","lines":[${list(count, () => '{"line":0,"discount":0.01}')}]}]}`),
  );
  answerGrows(
    "lines of the answer",
    20_000,
    withCode,
    coupons((count) => `{"lines":[${list(count, () => '{"line":0,"discount":0.01}')}]}`),
  );
  answerGrows(
    "coupons that failed",
    20_000,
    withCode,
    coupons((count) => `{"failedCoupons":[${list(count, id)}]}`),
  );
  answerGrows(
    "an error",
    200_000,
    withCode,
    coupons((count) => `{"error":[${list(count, () => "0")}]}`),
  );
  answerGrows(
    "a voucher's own keys",
    10_000,
    withVoucher,
    vouchers((count) => ownKeys(list(count, (index) => `${id(index)}:0`))),
  );
  answerGrows(
    "a voucher's key, again and again",
    10_000,
    withVoucher,
    vouchers((count) => ownKeys(list(count, () => '"note":0'))),
  );
  answerGrows("the digits of a price", 100_000, order(""), (count) => {
    const record = `{"price":1.${"0".repeat(count)}}`;
    return { lookupPrices: () => [record] };
  });
  answerGrows("the objects that a price comes with", 20_000, order(""), (count) => {
    const record = { price: 1, history: Array.from({ length: count }, () => ({ price: null })) };
    return { lookupPrices: () => [record] };
  });
});

describe("delivery zones", () => {
  const setting = (name, size, textOf) =>
    grows(name, size, async (count) => {
      const pricer = await makePricer();
      const text = textOf(count);
      return () => pricer.setDeliveryZones(text);
    });

  setting("zones that are set", 2000, (count) => zonesOf(list(count, (index) => zone(triangle, index))));
  setting("vertices that are set", 20_000, (count) => zonesOf(zone(square(100, count), 40)));
  setting("vertices of many digits", 2000, (count) => zonesOf(zone(square(100 + 1 / 3, count), 40)));
  setting("a name of many letters", 500_000, (count) => zonesOf(zone(triangle, `1,"name":"${"ก".repeat(count)}"`)));
  orderGrows("zones around a point", 20_000, () => shipped(AT_THE_POINT), {
    zones: (count) => zonesOf(`${list(count, () => zone(triangle, 1))},${zone(square(100, 1), 40)}`),
  });
  orderGrows("vertices around a point", 100_000, () => shipped(AT_THE_POINT), {
    zones: (count) => zonesOf(zone(square(100, count), 40)),
  });
});

describe("explain", () => {
  const explained = (name, size, bodyOf, more) => orderGrows(name, size, bodyOf, { begin: "explain", ...more });

  explained("lines", 500, (count) => order("", list(count, product)));
  explained("coupon codes", 2000, (count) => order(`"couponCodeList":[${list(count, id)},"A","A"],`));
  explained("codes on which the service says nothing", 2000, (count) => order(`"couponCodeList":[${list(count, id)}],`), {
    host: () => ({ validateCoupons: () => "{}" }),
  });
  explained("vouchers", 1000, (count) => order(`"voucherId":[${list(count, id)},${list(count, id)}],`));
  explained("schedules", 1000, (count) => shipped(`"scheduleList":[${list(count, () => "{}")}]`));
  explained("zones", 1000, () => shipped(AT_THE_POINT), {
    zones: (count) => zonesOf(`${list(count, () => zone(triangle, 1))},${zone(square(100, 1), 40)}`),
  });
});

describe("an order that is an object", () => {
  const object = (name, size, orderOf) =>
    grows(name, size, async (count) => {
      const pricer = await makePricer();
      const sent = { ...JSON.parse(order("")), ...orderOf(count) };
      return () => pricer.calculate(sent);
    });
  const many = (count, item) => Array.from({ length: count }, item);

  object("nulls", 20_000, (count) => ({ cartDiscountInfo: many(count, () => ({ a: null })) }));
  object("what JSON cannot write, in what is dropped", 10_000, (count) => ({ notes: many(count, () => NaN) }));
  object("holes", 20_000, (count) => ({ notes: new Array(count) }));
  object("keys", 10_000, (count) => ({ notes: Object.fromEntries(many(count, (_, index) => [`k${index}`, null])) }));
  object("keys that are numbers", 10_000, (count) => ({ notes: Object.fromEntries(many(count, (_, index) => [index * 1024, null])) }));
});

describe("a basket", () => {
  /** Measures `work` on a settled basket of a size. */
  const basketGrows = (name, size, orderOf, work, host, settle = (basket) => basket.settle()) =>
    grows(name, size, async (count) => {
      const pricer = await makePricer(host?.(count));
      const basket = pricer.basket(JSON.parse(orderOf(count)));
      await settle(basket);
      let turn = 0;
      return () => work(basket, (turn += 1), count);
    });
  const fails = (basket) => assert.rejects(basket.settle());
  const lines = (count) => order("", list(count, product));
  const withCodes = (count) => order(`"couponCodeList":[${list(count, id)}],`);
  const discounts = (count) => {
    const text = `{"discounts":[${list(count, (index) => `{"coupon":${id(index)},"discount":0.01}`)}]}`;
    return { validateCoupons: () => text };
  };

  grows("of unknown keys, made", 2000, async (count) => {
    const pricer = await makePricer();
    const sent = JSON.parse(order(`${list(count, (index) => `${id(index)}:0`)},`));
    return () => pricer.basket(sent).free();
  });
  grows("of lines, made and settled", 1000, async (count) => {
    const pricer = await makePricer();
    const sent = JSON.parse(lines(count));
    return async () => {
      const basket = pricer.basket(sent);
      await basket.settle();
      basket.free();
    };
  });
  basketGrows("a quantity, at so many lines", 1000, lines, (basket, turn, count) => {
    basket.setQuantity(turn % count, 1 + (turn % 7));
  });
  grows("so many quantities", 1000, async (count) => {
    const basket = (await makePricer()).basket(JSON.parse(lines(100)));
    await basket.settle();
    return () => {
      for (let index = 0; index < count; index += 1) basket.setQuantity(index % 100, 1 + (index % 7));
    };
  });
  basketGrows("a product more, and out again", 1000, lines, (basket, turn, count) => {
    basket.addProduct(JSON.parse(PRODUCT));
    basket.removeProduct(count);
  });
  // Of the last product, so that a search finds it last; in the module, because JavaScript does much more for each product.
  grows("so many products appended to as many", 10_000, async (count) => {
    await makePricer();
    const bytes = (value) => new TextEncoder().encode(value);
    const pricing = new Pricing(bytes(JSON.stringify({ limits: LIMITS })), false, false);
    const made = bytes(lines(count));
    const appended = bytes(`{"productList":[${list(count, () => product(count - 1))}]}`);
    return () => {
      const facts = new FactsHandle(Infinity);
      const basket = new BasketHandle(pricing, facts, made, false);
      assert.ok(basket.append(appended));
      basket.free();
      facts.free();
    };
  });
  basketGrows("another owner, with so many coupons", 5000, withCodes, (basket, turn) => basket.setOwner(`U${turn}`), discounts);
  basketGrows(
    "half of so many coupons taken out",
    4000,
    withCodes,
    (basket, turn, count) => {
      const codes = Array.from({ length: count }, (_, index) => index.toString(36));
      basket.setCoupons(codes.slice(turn % 2 === 0 ? 0 : count / 2));
    },
    discounts,
  );
  basketGrows(
    "another owner, with so many vouchers",
    1000,
    (count) => order(`"voucherId":[${list(count, id)}],`),
    (basket, turn) => basket.setOwner(`U${turn}`),
  );
  basketGrows(
    "another owner, with so many rows for which a discount has too many digits",
    25_000,
    (count) =>
      order(
        '"couponCodeList":["A"],',
        list(count, (index) => `{"cprcode":${index},"productName":"น้ำปลา","quantity":9007199254740991}`),
      ),
    (basket, turn) => basket.setOwner(`U${turn}`),
    (count) => {
      const text = `{"lines":[${list(count, (line) => `{"line":${line},"discount":0.00000000000000001}`)}]}`;
      return { validateCoupons: () => text };
    },
    fails,
  );
  basketGrows(
    "another owner, with so many prices not found and vouchers not answered",
    25_000,
    (count) => order(`"voucherId":[${list(count, id)}],`, list(count, product)),
    (basket, turn) => {
      basket.setOwner(`U${turn}`);
      return basket.problems;
    },
    () => ({
      lookupPrices: (keys) => keys.map(() => null),
      lookupVouchers: () => {
        throw new Error("down");
      },
    }),
    fails,
  );
  basketGrows("what is read of it", 1000, lines, (basket) => [basket.order, basket.rows, basket.status, basket.pending]);
});

describe("the check of an order", () => {
  const checked = (name, size, orderOf) =>
    grows(name, size, (count) => {
      const order = orderOf(count);
      assert.notEqual(checkOrder(order, { limits: LIMITS }).length, 0);
      return () => checkOrder(order, { limits: LIMITS });
    });
  const each = (count, item) => Array.from({ length: count }, item);
  const one = JSON.parse(PRODUCT);

  checked("in faulty products", 400, (count) => ({ productList: each(count, () => ({ cprcode: "x", quantity: 1.5, remark: 1 })) }));
  checked("in right products", 1000, (count) => ({ productList: [...each(count, () => one), {}] }));
  checked("in vouchers", 1000, (count) => ({ productList: [one], voucherId: each(count, () => 5) }));
  checked("in schedules", 500, (count) => ({ productList: [one], shipping: { scheduleList: each(count, () => ({ mode: 1 })) } }));
  checked("in what is passed on", 20_000, (count) => ({ productList: [one], cartDiscountInfo: each(count, () => NaN) }));
  checked("in repeated keys", 2000, (count) => `{${list(count, () => `"basketId":1,"productList":[${PRODUCT}]`)}}`);
  checked("in escapes", 20_000, (count) => `{"basketId":["${'\\\\\\"'.repeat(count)}"]}`);
  checked("in white space", 50_000, (count) => `{${" ".repeat(count)}"basketId":${" ".repeat(count)}1}`);
});
