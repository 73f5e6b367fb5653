// Stores and services fail in every way at once, while other orders are in flight. Each order gets its own answer.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { allAtNight, someOf } from "../effort.js";
import { PATIENCE_MS, until } from "../until.js";
import { DEADLINE_MS, MANY, startFailing } from "./failing.js";
import { onEachPlatform } from "./platforms.js";

const LIMIT = 1_048_576;

onEachPlatform((platform) => {
  let service;

  before(async () => {
    // Of KV two bulk reads, because it reads 100 keys at once.
    service = await startFailing(platform, { MAX_VOUCHERS: "200" });
    await until(
      "the hasty copy has in memory what is not to be late",
      async () => (await send(withVouchers("V1"), "hasty")).status === 200,
    );
  });

  after(() => service?.stop());

  const lines = (count) => Array.from({ length: count }, (_, index) => ({ cprcode: 5000 + index, productName: "x", quantity: 1 }));
  /** An order of `count` lines. The branch's name says how its prices fail. */
  const ofBranch = (branchId, count = 1) => ({ productList: lines(count), branchId });
  const withVouchers = (...voucherId) => ({ productList: lines(1), ownerId: "U1", voucherId });
  const withCoupon = (code) => ({ productList: lines(1), couponCodeList: [code] });
  const toPostcode = (shippingPostcode) => ({
    productList: lines(1),
    shipping: { shippingType: "DELIVERY", shippingPostcode, scheduleList: [{ mode: "NATIONWIDE" }] },
  });
  /** Uses all four look-ups, and all answer: 150 × 10, delivered for 77, less 7 and a voucher of 10. */
  const good = (basketId) => ({
    ...ofBranch("1000", 150),
    ...toPostcode("answers"),
    productList: lines(150),
    ownerId: "U1",
    voucherId: ["V1"],
    couponCodeList: ["answers"],
    basketId,
  });
  const GOOD_TOTAL = 150 * 10 + 77 - 7 - 10;

  const ids = (count, last) => [...Array.from({ length: count - 1 }, (_, index) => `V${index}`), last];

  /** What an order is told when a look-up never ends, and the copy that gives up. */
  const late = (lookup) => [`${lookup} did not answer within ${DEADLINE_MS} ms`, "hasty"];

  const STORES = [
    ["prices: the store throws", ofBranch("throws"), "The price store did not answer"],
    ["prices: the store hangs", ofBranch("hangs"), ...late("lookupPrices")],
    ["prices: the store is empty", ofBranch("missing"), "No price for 5000/missing"],
    ["prices: a shard is gone", ofBranch("gone"), "The price store is incomplete: try again"],
    ["prices: a shard has another content", ofBranch("altered"), "The price store is incomplete: try again"],
    ["prices: a record cut short", ofBranch("corrupt"), "Invalid answer from lookupPrices: 5000/corrupt: expected JSON"],
    ["prices: a record of no bytes", ofBranch("blank"), "Invalid answer from lookupPrices: 5000/blank: expected JSON"],
    ["prices: no price", ofBranch("priceless"), "Invalid answer from lookupPrices: 5000/priceless: price: required"],
    ["prices: 101 keys, the store throws", ofBranch("throws", 101), "The price store did not answer"],
    [`prices: ${MANY} keys, the store hangs`, ofBranch("hangs", MANY), ...late("lookupPrices")],
    [`prices: ${MANY} keys, none there`, ofBranch("missing", MANY), "No price for 5000/missing"],
    ["vouchers: the store throws", withVouchers("throws"), platform.says.vouchersFailed.message],
    ["vouchers: the store hangs", withVouchers("V1", "hangs"), ...late("lookupVouchers")],
    ["vouchers: the store is empty", withVouchers("V1", "missing"), "Voucher missing not found"],
    ["vouchers: one of 150 is missing", withVouchers(...ids(150, "missing")), "Voucher missing not found"],
    ["vouchers: one of 101 throws", withVouchers(...ids(101, "throws")), platform.says.vouchersFailed.message],
    ["vouchers: a record cut short", withVouchers("corrupt"), platform.says.voucherCorrupt("corrupt")],
  ];

  const SERVICES = [
    ["throws", "could not be reached"],
    ["page", "answered 502"],
    ["leaks", "answered 500"],
    ["empty", "answered 503"],
    ["huge", `answered more than ${LIMIT} bytes`],
    ["large", `answered more than ${LIMIT} bytes`],
    ["largeFailure", `answered more than ${LIMIT} bytes`],
  ];

  const OF_SERVICES = [
    ["nationwide function", "nationwideRate", toPostcode],
    ["coupon service", "validateCoupons", withCoupon],
  ].flatMap(([service, lookup, order]) => [
    ...SERVICES.map(([behaviour, what]) => [`${service} ${behaviour}`, order(behaviour), `The ${service} ${what}`]),
    [`${service}: prose`, order("prose"), `Invalid answer from ${lookup}: expected JSON`],
    ...["hangs", "stalls"].map((behaviour) => [`${service} ${behaviour}`, order(behaviour), ...late(lookup)]),
  ]);

  const FAILURES = [...STORES, ...OF_SERVICES];

  async function send(order, copy = "order-cost", signal = AbortSignal.timeout(PATIENCE_MS)) {
    const response = await fetch(`${await service.url(copy)}/calculatecost4`, { method: "POST", body: JSON.stringify(order), signal });
    return { status: response.status, body: await response.json() };
  }

  async function assertFails([name, order, error, copy]) {
    assert.deepEqual(await send(order, copy), { status: 500, body: { error } }, name);
  }

  async function assertPriced(order, expected) {
    const { status, body } = await send(order);
    assert.equal(status, 200, JSON.stringify(body));
    for (const [field, value] of Object.entries(expected)) assert.equal(body[field], value, field);
  }

  const assertGood = (basketId) => assertPriced(good(basketId), { basketId, grandTotal: GOOD_TOTAL });

  describe("each failure, with an order in flight beside it", { concurrency: 6 }, () => {
    // The next test has them all each day.
    for (const failure of someOf(FAILURES)) {
      test(failure[0], () => Promise.all([assertFails(failure), assertGood(failure[0])]));
    }
  });

  test("all of them at once, beside orders that are priced", async () => {
    const goods = Array.from({ length: allAtNight(1, 3) * FAILURES.length }, (_, index) => `B${index}`);
    const clients = new AbortController();
    const hanging = FAILURES.filter(([, , , copy]) => copy).map(([, order]) => send(order, "order-cost", clients.signal));
    const gone = Promise.allSettled(hanging);
    await Promise.all(
      goods.flatMap((basketId, index) => [...(index < FAILURES.length ? [assertFails(FAILURES[index])] : []), assertGood(basketId)]),
    );
    clients.abort();
    await gone;
    await assertGood("after");
  });

  test("of several failures the first in the sequence of D42 is reported", async () => {
    const order = { ...withVouchers("missing", "throws"), ...ofBranch("missing"), ...toPostcode("page") };
    await assertFails(["vouchers", { ...order, branchId: "1000" }, "The nationwide function answered 502"]);
    await assertFails(["prices", { ...order, branchId: "throws" }, "The price store did not answer"]);
  });

  test("a slow store and a record of 10 MB are not failures", async () => {
    await assertPriced(ofBranch("slow", 150), { subTotal: 1500 });
    await assertPriced(withVouchers("V1", "slow"), { voucherDiscount: 20 });
    await assertPriced(ofBranch("large"), { subTotal: 10 });
    await assertPriced(ofBranch("1000", MANY), { subTotal: 10 * MANY });
  });

  test("what the client does not read is in the log: the store's own message, the version and the key", async () => {
    const causes = () => service.logs.map((line) => (line.startsWith("{") ? (JSON.parse(line).cause ?? "") : ""));
    for (const pattern of [
      platform.says.catalogueFailed("KV GET failed: 503 from 10\\.1\\.2\\.3"),
      /^shard:[0-9a-f]{32} of version [0-9a-f]{16} is (missing|altered)$/,
    ]) {
      await until(`${pattern} is there`, () => causes().some((cause) => pattern.test(cause)));
    }
  });
});
