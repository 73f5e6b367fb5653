// The service as a shop runs it, with its own stores and the two services: routes, look-ups, variables, access.
import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { voucherKey } from "../../worker/src/look-ups/voucher-keys.js";
import { allAtNight } from "../effort.js";
import { freePorts, listen } from "../ports.js";
import { PATIENCE_MS, until } from "../until.js";
import { squareZones } from "../zones.js";
import { entriesOf, makeVersion } from "./catalogue.js";
import { onEachPlatform } from "./platforms.js";

const DEADLINE_MS = 1_000;
const LIMIT = 1_048_576;

// ---------------------------------------------------------------- orders

const line = (cprcode, quantity = 1) => ({ cprcode, productName: `Product ${cprcode}`, quantity });
const anOrder = (more) => ({ productList: [line(1001)], ...more });
const delivered = (schedule, more) =>
  anOrder({
    shipping: { shippingType: "DELIVERY", scheduleList: [schedule], shippingLat: 13.5, shippingLon: 100.5, ...more },
  });

/** Remote services that record their requests. */
async function startRemote() {
  const requests = [];
  const server = http.createServer(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, type: headers["content-type"], body: JSON.parse(await text(request)) });
    response.end(JSON.stringify({ deliveryFee: 33, discounts: [{ coupon: "C", discount: 5 }] }));
  });
  return { server, requests, url: await listen(server) };
}

// ---------------------------------------------------------------- contents of the stores

/** Branches whose names could be taken for something else. */
const BRANCHES = [
  "1000",
  "a/b",
  "a:b",
  "a%2Fb",
  "a%3Ab",
  "..",
  ".",
  "/",
  "../price:1001:1000",
  "",
  " ",
  "ร้าน",
  "\u{1F6D2}",
  "x".repeat(128),
  "__proto__",
  "constructor",
  "toString",
];

/** Small shards, so that an order of 250 lines has more than a store reads at once. */
const version = await makeVersion(
  {
    ...Object.fromEntries(BRANCHES.map((branch, index) => [`1001/${branch}`, JSON.stringify({ price: 100 + index, originalPrice: 200 })])),
    ...Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${5000 + index}/1000`, JSON.stringify({ price: index, weight: 1 })])),
    "1009/1000": "{",
  },
  JSON.stringify(squareZones(60)),
  { shardCount: 512 },
);

const voucher = (id, more) => [
  voucherKey(id),
  JSON.stringify({ voucherId: id, ownerId: "U1", value: 10, isActive: true, isUsed: false, ...more }),
];
const VOUCHERS = Object.fromEntries([voucher("V/1"), voucher("V2", { isUsed: true, value: 20 }), [voucherKey("V9"), '{"value":"ten"}']]);

onEachPlatform((platform) => {
  let service;
  let remote;

  before(async () => {
    remote = await startRemote();
    const nobody = `http://127.0.0.1:${await freePorts()}`;
    const kept = { catalogue: "kept", vouchers: "kept" };
    const demo = { ...kept, nationwide: "demo", coupons: "demo" };
    const fakes = { ...kept, nationwide: "services/Service", coupons: "services/Service" };
    const copies = {
      "order-cost": demo,
      misserved: fakes,
      hasty: { ...fakes, vars: { DEADLINE_MS: `${DEADLINE_MS}` } },
      unreachable: { ...kept, vars: { NATIONWIDE_URL: `${nobody}/rates`, COUPONS_URL: nobody } },
      remote: { ...kept, vars: { NATIONWIDE_URL: `${remote.url}/rates?v=1`, COUPONS_URL: `${remote.url}/coupons` } },
      stored: { catalogue: "price-store/Store", vouchers: "voucher-store/Store" },
      configured: {
        ...fakes,
        vars: {
          BASE_PATH: "/shop/api/",
          ROW_TOTAL: "list",
          FREE_SHIPPING: "waivesDelivery",
          MAX_BODY_BYTES: "2000",
          MAX_PRODUCTS: "2",
        },
      },
      narrow: { ...fakes, vars: { MAX_VOUCHERS: "2", MAX_COUPONS: "3", MAX_SCHEDULES: "4", EXPRESS_SURCHARGE: "firstExpress" } },
      brief: { ...fakes, vars: { ORDER_DEADLINE_MS: `${DEADLINE_MS}` } },
      told: { ...demo, vars: { LOG_SERVICE_TEXT: "1" } },
      sampling: { ...demo, vars: { LOG_SAMPLE: "1" } },
      guarded: { ...kept, vars: { ALLOWED_ORIGINS: "https://shop.example, https://app.example", API_KEYS: "s3cret, n3w" } },
      open: { ...kept, vars: { ALLOWED_ORIGINS: "*" } },
      keyed: { ...kept, limit: 2, vars: { API_KEYS: "one,two" } },
      limited: { ...kept, limit: 2 },
      bare: {},
    };
    service = await platform.start({ copies, fakes: ["services", "price-store", "voucher-store"] });
    await service.keep({ ...entriesOf(version), ...VOUCHERS });
  });

  after(async () => {
    await service?.stop();
    remote?.server.close();
  });

  async function send(worker, path, init) {
    const url = (await service.url(worker)) + path;
    const response = await fetch(url, { method: "POST", signal: AbortSignal.timeout(PATIENCE_MS), ...init });
    const { status, headers } = response;
    if (status === 204) return { status, headers };
    assert.equal(headers.get("content-type"), "application/json");
    return { status, headers, body: await response.json() };
  }

  const price = (worker, order, path = "/calculatecost4") => send(worker, path, { body: JSON.stringify(order) });

  async function assertPriced(worker, order, expected, path) {
    const { status, body } = await price(worker, order, path);
    assert.deepEqual([status, pick(body, expected)], [200, expected], JSON.stringify(body));
  }

  async function assertFails(worker, order, error, path) {
    const { status, body } = await price(worker, order, path);
    assert.deepEqual([status, body], [500, { error }]);
  }

  /** Waits until a copy with a short deadline has in memory what an order reads, so that only what never ends is late. */
  const hasRead = (copy) => until(`${copy} has read the price`, async () => (await price(copy, anOrder())).status === 200);

  const pick = (object, like) => Object.fromEntries(Object.keys(like).map((key) => [key, object[key]]));

  /** A connection that starts to send an order. */
  async function openOrder(worker, headers, ...parts) {
    const { hostname, port } = new URL(await service.url(worker));
    const socket = net.connect(port, hostname);
    socket.on("error", () => {}); // the service may hang up first
    socket.write(`POST /calculatecost4 HTTP/1.1\r\nhost: ${hostname}\r\n${headers}\r\n\r\n`);
    for (const part of parts) socket.write(part);
    return socket;
  }

  /** The records in the log. */
  const records = () => service.logs.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));

  /** Sends a whole order. A client that gives up then calls `resetAndDestroy`. */
  function sentOrder(worker, order) {
    const body = Buffer.from(JSON.stringify(order));
    return openOrder(worker, `content-length: ${body.length}`, body);
  }

  // ---------------------------------------------------------------- the tests

  describe("prices", () => {
    test("a branch reads its own price, whatever its name", async () => {
      for (const [index, branchId] of BRANCHES.entries()) {
        await assertPriced("order-cost", anOrder({ branchId }), { branchId, subTotal: 100 + index });
      }
    });

    test("a product or a branch that the version lacks has no price; a corrupt record is a failure that names its key", async () => {
      await assertFails("order-cost", { productList: [line(1001), line(404)] }, "No price for 404/1000");
      for (const branchId of ["elsewhere", "valueOf"]) {
        await assertFails("order-cost", anOrder({ branchId }), `No price for 1001/${branchId}`);
      }
      await assertFails(
        "order-cost",
        { productList: [line(1001), line(1009)] },
        "Invalid answer from lookupPrices: 1009/1000: expected JSON",
      );
    });

    const productList = Array.from({ length: 250 }, (_, index) => line(5000 + index, 2));

    test("an order of 250 lines", async () => {
      await assertPriced("order-cost", { productList }, { subTotal: 62_250, totalWeight: 500 });
    });

    test("a failing store gives a plain error; its own message goes to the log", async () => {
      await service.control("price-store", { texts: entriesOf(version) });
      await assertPriced("stored", anOrder(), { subTotal: 100 });
      await service.control("price-store", { failure: "KV GET failed: 503 from 10.1.2.3" });
      await assertFails("stored", anOrder({ branchId: "a/b" }), "The price store did not answer");
      await service.control("price-store", { failure: "" });
      const isTold = ({ message, cause }) =>
        message === "The price store did not answer" && platform.says.catalogueFailed("KV GET failed: 503 from 10.1.2.3").test(cause);
      await until("it is there", () => records().some(isTold));
    });
  });

  describe("vouchers", () => {
    test("another customer's voucher shows only that its owner differs (D30)", async () => {
      for (const ownerId of ["attacker", "u1", "U1 ", ""]) {
        const { body } = await price("order-cost", anOrder({ ownerId, voucherId: ["V/1", "V2"] }));
        const refused = (voucherId) => ({ voucherId, reasons: ["ownerMismatch"] });
        assert.deepEqual([body.validVouchers, body.invalidVouchers], [[], ["V/1", "V2"].map(refused)]);
      }
    });

    test("valid and invalid ones, by ids that need encoding", async () => {
      const { body } = await price("order-cost", anOrder({ ownerId: "U1", voucherId: ["V/1", "V2"] }));
      assert.equal(body.voucherDiscount, 10);
      assert.deepEqual(
        body.validVouchers.map(({ voucherId }) => voucherId),
        ["V/1"],
      );
      assert.deepEqual(
        body.invalidVouchers.map(({ voucherId, reasons }) => [voucherId, reasons]),
        [["V2", ["used"]]],
      );
    });

    test("not found, impossible and corrupt ones", async () => {
      const long = "V".repeat(600);
      await assertFails("order-cost", anOrder({ voucherId: ["V/1", "V%2F1"] }), "Voucher V%2F1 not found");
      await assertFails("order-cost", anOrder({ voucherId: [long] }), `Voucher ${long} not found`);
      await assertFails(
        "order-cost",
        anOrder({ voucherId: ["V9"] }),
        "Invalid answer from lookupVouchers: V9: value: expected an amount as a JSON number, such as 12.5",
      );
    });

    test("a store that fails", async () => {
      await service.control("voucher-store", { failure: "KV GET failed" });
      await assertFails("stored", anOrder({ voucherId: ["V/1"] }), platform.says.vouchersFailed.message);
    });
  });

  describe("zones", () => {
    const order = delivered({ mode: "REGULAR" });

    test("are read with the prices", async () => {
      await assertPriced("order-cost", order, { deliveryFee: 60, grandTotal: 160 });
      await assertFails("order-cost", delivered({ mode: "REGULAR" }, { shippingLat: 15 }), "Branch 1000 not in polygon");
      await assertFails("order-cost", delivered({ mode: "REGULAR" }, { brcode: 7 }), "Branch 7 is not available");
    });
  });

  describe("services", () => {
    const nationwide = (shippingPostcode) => delivered({ mode: "NATIONWIDE" }, { shippingPostcode });
    const coupons = (...couponCodeList) => anOrder({ couponCodeList });

    test("the nationwide function and the coupon service", async () => {
      const { body } = await price("order-cost", nationwide("50000"));
      assert.equal(body.deliveryFee > 0, true, JSON.stringify(body));
      assert.equal(body.grandTotal, 100 + body.deliveryFee);
      assert.deepEqual((await price("order-cost", coupons("NOSUCHCODE"))).body.discountResult, {
        discounts: [],
        failedCoupons: ["NOSUCHCODE"],
        error: {},
      });
    });

    test("what a service says about the order is the error", async () => {
      await assertFails("order-cost", nationwide("00000"), "Postcode 00000 is not a Thai postcode");
      await assertFails("misserved", coupons("refuses"), "Coupon refuses is for members only");
    });

    test("a stack trace, a page or an address is not, and a long text is cut", async () => {
      for (const [behaviour, told] of [
        ["fails", "Rates are being updated"],
        ["leaks", "The nationwide function answered 500"],
        ["rambles", "ม".repeat(500)],
        ["page", "The nationwide function answered 502"],
        ["object", "The nationwide function answered 422"],
        ["empty", "The nationwide function answered 503"],
        ["moved", "The nationwide function answered 302"],
        ["throws", "The nationwide function could not be reached"],
        ["prose", "Invalid answer from nationwideRate: expected JSON"],
        ["huge", `The nationwide function answered more than ${LIMIT} bytes`],
      ]) {
        await assertFails("misserved", nationwide(behaviour), told);
        await assertFails(
          "misserved",
          coupons(behaviour),
          told.replace("nationwide function", "coupon service").replace("nationwideRate", "validateCoupons"),
        );
      }
      const isHidden = ({ message, cause }) =>
        message === "The coupon service answered 500" && /^\d+ characters that LOG_SERVICE_TEXT=1 would log$/.test(cause);
      await until("that something is left out is in the log", () => records().some(isHidden));
      assert.ok(!service.logs.join("\n").includes("/srv/rates.js:12:3"));
      await assertPriced("misserved", nationwide("answers"), { deliveryFee: 77 });
      await assertPriced("misserved", coupons("answers"), { cartDiscount: 7 });
    });

    test("no text that an order makes a service return can imitate a log record or control a terminal", async () => {
      const shippingPostcode = "10110\r\nThe price store did not answer\u001b[2J\u009b2J\u2028 of 081-234-5678";
      const order = delivered({ mode: "NATIONWIDE" }, { shippingPostcode });
      service.logs.length = 0;
      for (const worker of ["order-cost", "told"]) {
        const { body } = await send(worker, "/calculatecost4", { body: JSON.stringify(order), headers: { "x-request-id": "imitation" } });
        assert.deepEqual(body, { error: "Postcode 10110" });
      }
      const said = () => records().filter(({ event, requestId }) => event === "order" && requestId === "imitation");
      await until("both have logged", () => said().length === 2);
      assert.deepEqual(
        said()
          .map(({ level, message, cause }) => [level, message, cause])
          .sort(),
        [
          ["warn", "The nationwide function answered 400", "93 characters that LOG_SERVICE_TEXT=1 would log"],
          ["warn", "The nationwide function answered 400", "Postcode … is not a Thai postcode"],
        ],
      );
      assert.doesNotMatch(service.logs.join("\n"), /081-234-5678|[\u001b\u009b\u2028]/);
    });

    test("one request id leads through the logs of the three Workers", async () => {
      service.logs.length = 0;
      const order = { ...delivered({ mode: "NATIONWIDE" }, { shippingPostcode: "50000" }), couponCodeList: ["SAVE20"] };
      const headers = { "x-request-id": "basket-7" };
      assert.equal((await send("sampling", "/calculatecost4", { body: JSON.stringify(order), headers })).status, 200);
      const followed = () => records().filter(({ requestId }) => requestId === "basket-7");
      await until("all three have logged", () => followed().length === 3);
      const named = followed().map(({ event, service, route, status }) => [event, service ?? route, status]);
      assert.deepEqual(named, [
        ["request", "nationwide", 200],
        ["request", "coupons", 200],
        ["order", "calculatecost4", 200],
      ]);
    });

    test("a hanging service is abandoned at the deadline", async () => {
      await hasRead("hasty");
      await service.control("services", {});
      await assertFails("hasty", nationwide("hangs"), `nationwideRate did not answer within ${DEADLINE_MS} ms`);
      await assertFails("hasty", coupons("hangs"), `validateCoupons did not answer within ${DEADLINE_MS} ms`);
      await until("both are aborted", async () => (await service.state("services")).aborted === 2);
    });

    test("a service at a URL", async () => {
      await assertPriced("remote", { ...nationwide("50000"), couponCodeList: ["C"] }, { deliveryFee: 33, cartDiscount: 5 });
      const [rate, coupon] = remote.requests;
      assert.deepEqual(rate, {
        method: "POST",
        url: "/rates?v=1",
        type: "application/json",
        body: { shippingPostcode: "50000", nationwideMode: "DRY" },
      });
      assert.deepEqual([coupon.method, coupon.url, coupon.body.couponCodeList, coupon.body.deliveryFee], ["POST", "/coupons", ["C"], 33]);
    });

    test("a URL that cannot be reached", async () => {
      service.logs.length = 0;
      await assertFails("unreachable", nationwide("50000"), "The nationwide function could not be reached");
      await assertFails("unreachable", coupons("C"), "The coupon service could not be reached");
      await until(
        "the reasons are in the log",
        () => records().filter(({ message, cause }) => / could not be reached$/.test(message) && cause).length === 2,
      );
    });

    test("after the client hangs up, the order calls no further service", async () => {
      await service.control("services", {});
      const order = await sentOrder("misserved", coupons("hangs"));
      await until("the service is asked", async () => (await service.state("services")).begun === 1);
      order.resetAndDestroy();
      await until("the service is aborted", async () => (await service.state("services")).aborted === 1);
    });

    test("what is not connected is a look-up that is not supplied", async () => {
      await assertFails("bare", anOrder(), "The host does not supply lookupPrices");
    });
  });

  describe("HTTP", () => {
    test("the three routes answer alike", async () => {
      const answers = await Promise.all([2, 3, 4].map((route) => price("order-cost", anOrder(), `/calculatecost${route}`)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      );
      assert.deepEqual(answers[1].body, answers[0].body);
      assert.deepEqual(answers[2].body, answers[0].body);
    });

    test("a wrong path is 404, a wrong method 405 with Allow", async () => {
      assert.equal((await price("order-cost", anOrder(), "/calculatecost5")).status, 404);
      const get = await send("order-cost", "/calculatecost4", { method: "GET" });
      assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"]);
      const preflight = await send("order-cost", "/calculatecost4", {
        method: "OPTIONS",
        headers: { origin: "https://shop.example", "access-control-request-method": "POST" },
      });
      assert.equal(preflight.status, 405, "CORS is off by default");
    });

    test("a body over the limit is refused before it is complete, and the next order is priced", async () => {
      const tooMuch = Buffer.alloc(LIMIT + 1, " ");
      for (const sending of [
        ["content-length: 2097152"],
        ["transfer-encoding: chunked", `${tooMuch.length.toString(16)}\r\n`, tooMuch, "\r\n"],
      ]) {
        const socket = await openOrder("order-cost", ...sending);
        let answer = "";
        socket.on("data", (bytes) => (answer += bytes));
        await until("it is refused", () => answer.endsWith('\r\n\r\n{"error":"Request body is larger than 1048576 bytes"}'));
        assert.match(answer, /^HTTP\/1.1 500 /);
        socket.destroy();
        await assertPriced("order-cost", anOrder(), { subTotal: 100 });
      }
    });

    test("a body that is not JSON or not an order", async () => {
      for (const [body, error] of [
        ["", "Failed to parse request body"],
        ['{"productList":', "Failed to parse request body"],
        [new Uint8Array([0x22, 0xff, 0x22]), "Failed to parse request body"],
        ["{}", "Invalid order: productList: expected at least one product"],
      ]) {
        const { status, body: answer } = await send("order-cost", "/calculatecost4", { body });
        assert.deepEqual([status, answer], [500, { error }]);
      }
    });

    test("orders in flight together each get their own answer", async () => {
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          assertPriced(
            "order-cost",
            { basketId: `B${index}`, productList: [line(5000 + index, 3)] },
            { basketId: `B${index}`, subTotal: 3 * index },
          ),
        ),
      );
    });
  });

  describe("the deadline of an order, ORDER_DEADLINE_MS", () => {
    const LATE = `The order was not priced within ${DEADLINE_MS} ms`;
    before(() => hasRead("brief"));

    for (const [what, headers, ...parts] of [
      ["that declares its length and stops", "content-length: 100", '{"productList":'],
      ["that is chunked and stops", "transfer-encoding: chunked", '5\r\n{"pro\r\n'],
      ["of which nothing comes", "content-length: 100"],
    ]) {
      test(`a body ${what}`, async () => {
        const socket = await openOrder("brief", headers, ...parts);
        let received = "";
        socket.on("data", (bytes) => (received += bytes));
        await until("it is answered", () => received.endsWith(JSON.stringify({ error: LATE })));
        assert.match(received, /^HTTP\/1\.1 500 /);
        socket.destroy();
        await hasRead("brief"); // it goes on
      });
    }

    test("look-ups that are each in time, but too long together", async () => {
      await assertFails("brief", anOrder({ couponCodeList: ["hangs"] }), LATE);
    });
  });

  describe("variables", () => {
    const soon = ["DEADLINE_MS", "soon", "an integer of 0 or more"];
    const much = [
      ["DEADLINE_MS", "3000000000", `an integer of at most ${2 ** 31 - 1}`], // the package would refuse it
      ["MAX_BODY_BYTES", "5000000000", `an integer of at most ${2 ** 32 - 1}`],
    ];
    // options.test.js has them all each day.
    for (const [name, text, expected] of allAtNight([soon], [soon, ...much])) {
      test(`${name}=${text} stops the start`, async () => {
        assert.match(await platform.refusal({ [name]: text }), new RegExp(`${name}: expected ${expected}, got "${text}"`));
      });
    }

    test("a misspelt name stops the start", async () => {
      assert.match(await platform.refusal({ API_KEY: "s3cret" }), /Variable API_KEY is unknown: did you mean API_KEYS\?/);
    });

    test("MAX_VOUCHERS, MAX_COUPONS, MAX_SCHEDULES and EXPRESS_SURCHARGE", async () => {
      const shipping = (...modes) => ({ ...delivered({}).shipping, scheduleList: modes.map((mode) => ({ mode })) });
      for (const [more, error] of [
        [{ voucherId: ["V/1", "V/1", "V/1"] }, "voucherId: expected at most 2 vouchers"],
        [{ couponCodeList: ["A", "B", "C", "D"] }, "couponCodeList: expected at most 3 coupon codes"],
        [{ shipping: shipping("PICKUP", "PICKUP", "PICKUP", "PICKUP", "PICKUP") }, "shipping.scheduleList: expected at most 4 schedules"],
      ]) {
        await assertFails("narrow", anOrder(more), `Invalid order: ${error}`);
      }
      await assertPriced("narrow", anOrder({ shipping: shipping("REGULAR", "EXPRESS") }), { expressShippingCost: 50 });
      await assertPriced("order-cost", anOrder({ shipping: shipping("REGULAR", "EXPRESS") }), { expressShippingCost: 0 });
      await assertFails(
        "order-cost",
        anOrder({ voucherId: Array(101).fill("V/1") }),
        "Invalid order: voucherId: expected at most 100 vouchers",
      );
    });

    test("BASE_PATH, ROW_TOTAL, FREE_SHIPPING, MAX_BODY_BYTES and MAX_PRODUCTS", async () => {
      const path = "/shop/api/calculatecost4";
      const order = { ...delivered({ mode: "REGULAR" }), couponCodeList: ["ships"] };
      const { body } = await price("configured", order, path);
      assert.deepEqual(
        [body.productList[0].rowTotal, body.subTotal, body.deliveryFee, body.shippingDiscount, body.grandTotal],
        [200, 100, 60, 60, 100],
      );
      await assertFails("configured", anOrder({ basketName: "x".repeat(2000) }), "Request body is larger than 2000 bytes", path);
      await assertFails(
        "configured",
        { productList: [1, 2, 3].map((code) => line(code)) },
        "Invalid order: productList: expected at most 2 products",
        path,
      );
      assert.equal((await price("configured", order)).status, 404);
    });
  });

  describe("access", () => {
    const authorization = "Bearer s3cret";
    const ask = (worker, headers) => send(worker, "/calculatecost4", { body: JSON.stringify(anOrder()), headers });

    test("API_KEYS: 401 without one of them, and all are right at the same time", async () => {
      for (const headers of [
        {},
        { authorization: "Bearer" },
        { authorization: "Bearer s3cre" },
        { authorization: "Bearer s3cret2" },
        { authorization: "s3cret" },
        { authorization: "Bearer S3CRET" },
        { authorization: "Basic s3cret" },
      ]) {
        const { status, body, headers: answered } = await ask("guarded", headers);
        assert.deepEqual([status, body], [401, { error: "Missing or wrong API key: expected the header Authorization: Bearer <key>" }]);
        assert.equal(answered.get("www-authenticate"), "Bearer");
      }
      for (const scheme of ["Bearer", "bearer", "BEARER "]) {
        assert.equal((await ask("guarded", { authorization: `${scheme} s3cret` })).status, 200, scheme);
      }
      assert.equal((await ask("guarded", { authorization: "Bearer n3w" })).status, 200);
      assert.equal((await ask("guarded", { authorization: "Bearer s3cret,n3w" })).status, 401);
    });

    test("ALLOWED_ORIGINS: preflight and answers, failures too, for the origins that are listed", async () => {
      const preflight = (worker, origin) =>
        send(worker, "/calculatecost4", {
          method: "OPTIONS",
          headers: { origin, "access-control-request-method": "POST" },
        });

      const allowed = await preflight("guarded", "https://app.example");
      assert.equal(allowed.status, 204);
      assert.equal(allowed.headers.get("access-control-allow-origin"), "https://app.example");
      assert.equal(allowed.headers.get("access-control-allow-methods"), "GET, POST");
      assert.equal(
        allowed.headers.get("access-control-allow-headers"),
        "authorization, content-type, traceparent, x-order-cost-capture, x-request-id",
      );
      const refused = await preflight("guarded", "https://evil.example");
      assert.equal(refused.status, 401);
      assert.equal(refused.headers.get("access-control-allow-origin"), null);

      for (const [headers, status] of [
        [{ authorization }, 200],
        [{}, 401],
      ]) {
        const answer = await ask("guarded", { origin: "https://shop.example", ...headers });
        assert.equal(answer.status, status);
        assert.equal(answer.headers.get("access-control-allow-origin"), "https://shop.example");
        assert.equal(answer.headers.get("vary"), "Origin");
      }
      assert.equal((await ask("guarded", { authorization, origin: "null" })).headers.get("access-control-allow-origin"), null);
      assert.equal((await ask("open", { origin: "https://any.example" })).headers.get("access-control-allow-origin"), "*");
      assert.equal((await ask("order-cost", { origin: "https://shop.example" })).headers.get("access-control-allow-origin"), null);
    });

    /** The answer that a limit of two a minute refuses: of five in a row there is one, also if a minute ends between them. */
    async function overTwo(status, send) {
      const answers = [];
      for (let sent = 0; sent < 5; sent += 1) answers.push(await send(sent));
      assert.deepEqual(
        answers.slice(0, 2).map((answer) => answer.status),
        [status, status],
      );
      const refused = answers.find((answer) => answer.status === 429);
      assert.ok(refused, "all five were let through");
      return refused;
    }

    test("a rate limit: 429 over it, for each address", async () => {
      const from = (address) => ask("limited", platform.from(address));
      const refused = await overTwo(200, () => from("1.1.1.1"));
      assert.equal((await from("2.2.2.2")).status, 200);
      assert.deepEqual(refused.body, { error: "Too many requests: try again later" });
      const seconds = Number(refused.headers.get("retry-after"));
      assert.ok(seconds > 0 && seconds <= 60, `${seconds}`);
    });

    test("a rate limit counts all addresses of an IPv6 network as one", async () => {
      await overTwo(200, (sent) => ask("limited", platform.from(`2001:db8:0:1::${sent}`)));
      assert.equal((await ask("limited", platform.from("2001:db8:0:2::1"))).status, 200);
    });

    test("a rate limit counts a right key wherever it comes from, and not for strangers who share its address", async () => {
      const from = (address, key) => ask("keyed", { ...platform.from(address), ...(key && { authorization: `Bearer ${key}` }) });
      await overTwo(200, (sent) => from(`1.1.1.${sent}`, "one"));
      assert.equal((await from("1.1.1.4", "two")).status, 200);
      await overTwo(401, (sent) => from("4.4.4.4", [undefined, "wrong", "one, two"][sent % 3]));
      assert.equal((await from("4.4.4.4", "two")).status, 200, "they do not use up the share of a key");
    });
  });
});
