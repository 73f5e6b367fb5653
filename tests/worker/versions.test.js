// The service and its catalogue, with a store that the test controls: which version an order is priced with, what it reads
// for that, and what it needs.
import assert from "node:assert/strict";
import net from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { CURRENT_KEY, zonesKey } from "../../pkg/catalogue/keys.js";
import { allAtNight } from "../effort.js";
import { PATIENCE_MS, until } from "../until.js";
import { squareZones } from "../zones.js";
import { currentText, entriesOf, makeVersion } from "./catalogue.js";
import { onEachPlatform } from "./platforms.js";

/** The deadline of copies that wait in vain. */
const DEADLINE_MS = 1000;
const [PRODUCTS, SHARDS, ROUNDS] = allAtNight([1000, 128, 2], [5000, 256, 10]);
const CODES = Array.from({ length: PRODUCTS }, (_, index) => 1001 + index);

/** A version in which everything costs `price` and delivery `fee`. */
const versionOf = (price, fee, layout) =>
  makeVersion(
    Object.fromEntries(CODES.map((code) => [`${code}/1000`, `{"price":${price},"weight":1}`])),
    fee === null ? null : JSON.stringify(squareZones(fee)),
    { shardCount: SHARDS, ...layout },
  );

const [ONE, TWO, LISTED, UNZONED] = await Promise.all([
  versionOf(1, 60),
  versionOf(2, 80),
  versionOf(3, 60, { isListed: true }),
  versionOf(4, null),
]);

onEachPlatform((platform) => {
  let service;

  /** The copies are the same but for these variables. Each test takes new ones: they remember. */
  const VARIANTS = {
    plain: { copies: 24 },
    eager: { copies: 4, vars: { DATA_MAX_AGE_SECONDS: "0" } },
    hasty: { copies: 3, vars: { DEADLINE_MS: `${DEADLINE_MS}` } },
    "hasty-eager": { copies: 2, vars: { DEADLINE_MS: `${DEADLINE_MS}`, DATA_MAX_AGE_SECONDS: "0" } },
    brisk: { copies: 1, vars: { DATA_REFRESH_SECONDS: "0" } },
    forgetful: { copies: 1, vars: { CACHE_BYTES: "0" } },
    open: { copies: 1, vars: { ALLOWED_ORIGINS: "*" } },
  };

  before(async () => {
    const copy = (vars) => ({
      vars,
      catalogue: "catalogue/Store",
      vouchers: "vouchers/Store",
      nationwide: "services/Service",
      coupons: "services/Service",
    });
    const variants = Object.entries(VARIANTS).flatMap(([name, { copies, vars }]) =>
      Array.from({ length: copies }, (_, index) => [`${name}-${index}`, copy(vars)]),
    );
    const bare = { catalogue: "catalogue/Store" };
    service = await platform.start({ copies: { ...Object.fromEntries(variants), bare }, fakes: ["catalogue", "vouchers", "services"] });
  });

  after(() => service?.stop());

  const taken = {};

  /** A copy that has not seen an order yet. */
  function fresh(variant = "plain") {
    taken[variant] = (taken[variant] ?? -1) + 1;
    return `${variant}-${taken[variant]}`;
  }

  /** One that runs and has seen no version. On some platforms a copy looks at the catalogue when it starts. */
  async function begun(variant) {
    await publish(undefined);
    const worker = fresh(variant);
    await service.url(worker);
    return worker;
  }

  // ---------------------------------------------------------------- orders

  const lines = (count, from = 0) => CODES.slice(from, from + count).map((cprcode) => ({ cprcode, productName: "x", quantity: 1 }));
  const anOrder = (more) => ({ productList: lines(1), ...more });
  const shipped = (schedule, more) =>
    anOrder({ shipping: { shippingType: "DELIVERY", scheduleList: [schedule], shippingLat: 13.5, shippingLon: 100.5, ...more } });
  const DELIVERED = shipped({ mode: "REGULAR" });
  const toPostcode = (shippingPostcode) => shipped({ mode: "NATIONWIDE" }, { shippingPostcode });

  async function send(worker, body, init) {
    const response = await fetch(`${await service.url(worker)}/calculatecost4`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...init,
    });
    const { status, headers } = response;
    return { status, version: headers.get("x-order-cost-data"), headers, body: await response.json() };
  }

  async function assertPriced(worker, order, version, expected) {
    const { status, version: named, body } = await send(worker, order);
    const actual = Object.fromEntries(Object.keys(expected).map((key) => [key, body[key]]));
    assert.deepEqual({ status, version: named, ...actual }, { status: 200, version: version.id, ...expected }, JSON.stringify(body));
  }

  /** For a copy that is hasty: on a busy machine the first reads may be late. What it has read then is in memory. */
  const becomesPriced = (worker, order, version) =>
    until(`${worker} prices with ${version.id}`, async () => {
      const { status, version: named } = await send(worker, order);
      return status === 200 && named === version.id;
    });

  async function assertFails(worker, order, version, error) {
    const { status, version: named, body } = await send(worker, order);
    assert.deepEqual({ status, version: named, body }, { status: 500, version: version?.id ?? null, body: { error } });
  }

  /** A whole order on a connection of its own. A client that gives up then calls `resetAndDestroy`. */
  async function sentOrder(worker, order) {
    const { hostname, port } = new URL(await service.url(worker));
    const body = Buffer.from(JSON.stringify(order));
    const socket = net.connect(port, hostname);
    socket.on("error", () => {});
    socket.write(`POST /calculatecost4 HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.write(body);
    return socket;
  }

  const READY = { only: "", held: false, hanging: 0, failure: "", delayMs: 0 };

  const control = (change, store = "catalogue") => service.control(store, change);
  const publish = (version, more) => control({ ...READY, texts: version ? entriesOf(version) : {}, ...more });
  const askedOf = async (store = "catalogue") => (await service.state(store)).asked;
  const contentsAsked = async () => (await askedOf()).filter(Array.isArray).flat();

  const logged = (pattern) => until(`the log has ${pattern}`, () => service.logs.some((line) => pattern.test(line)));

  beforeEach(() => (service.logs.length = 0));

  // ---------------------------------------------------------------- the tests

  describe("the version", () => {
    test("D40: is named by each answer, failures too, and CORS exposes that", async () => {
      await publish(ONE);
      const worker = fresh("open");
      await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
      await assertFails(worker, { productList: [{ cprcode: 7, productName: "x", quantity: 1 }] }, ONE, "No price for 7/1000");
      await assertFails(worker, "{", ONE, "Failed to parse request body");
      const { headers } = await send(worker, anOrder());
      assert.equal(
        headers.get("access-control-expose-headers"),
        "x-request-id, x-order-cost-error, x-order-cost-data, x-order-cost-receipt, server-timing, retry-after",
      );
      assert.equal((await send(worker, undefined, { method: "PUT" })).version, null);
    });

    test("that has not been published yet: orders learn it, after what is wrong with themselves", async () => {
      await publish(undefined);
      const worker = fresh();
      await assertFails(worker, anOrder(), undefined, "No catalogue has been published yet");
      await assertFails(worker, DELIVERED, undefined, "No catalogue has been published yet");
      await assertFails(worker, "{", undefined, "Failed to parse request body");
      await assertFails(worker, {}, undefined, "Invalid order: productList: expected at least one product");
      await publish(ONE);
      await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
    });

    test("that cannot be looked at the first time", async () => {
      const isCause = ({ message, cause }) =>
        message === "The price store did not answer" && platform.says.catalogueFailed("503 from 10.1.2.3").test(cause);
      const worker = await begun("hasty");
      await publish(ONE, { failure: "503 from 10.1.2.3" });
      await assertFails(worker, anOrder(), undefined, "The price store did not answer");
      await assertFails(worker, "{", undefined, "Failed to parse request body");
      // On a busy machine the first reads may be late, which is another cause.
      await until("the cause is in the log", async () => {
        await send(worker, anOrder());
        return service.logs.some((line) => isCause(JSON.parse(line)));
      });
      await publish(ONE, { hanging: 1 });
      await assertFails(worker, anOrder(), undefined, "The price store did not answer");
      await becomesPriced(worker, anOrder(), ONE);
    });

    test("is looked at again behind the orders: none waits, and a later one has the new version", async () => {
      const worker = fresh("brisk");
      await publish(ONE);
      await assertPriced(worker, DELIVERED, ONE, { subTotal: 1, deliveryFee: 60 });
      await publish(TWO, { only: CURRENT_KEY, held: true });
      await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
      await control({ held: false });
      await until("the new version is in use", async () => (await send(worker, anOrder())).version === TWO.id);
      await assertPriced(worker, DELIVERED, TWO, { subTotal: 2, deliveryFee: 80 });
    });

    test("is waited for by an order of a copy that is too old", async () => {
      const worker = fresh("eager");
      for (const [version, subTotal, deliveryFee] of [
        [ONE, 1, 60],
        [TWO, 2, 80],
        [ONE, 1, 60],
        [LISTED, 3, 60],
      ]) {
        await publish(version);
        await assertPriced(worker, DELIVERED, version, { subTotal, deliveryFee });
      }
    });

    for (const [how, change] of [
      ["hangs", { hanging: 100 }],
      ["fails", { failure: "503 from 10.1.2.3" }],
    ]) {
      test(`stays if the store ${how}, and the log says so`, async () => {
        const worker = fresh("hasty-eager");
        await publish(ONE);
        await becomesPriced(worker, anOrder(), ONE);
        await publish(TWO, change);
        await Promise.all(Array.from({ length: 8 }, () => assertPriced(worker, anOrder(), ONE, { subTotal: 1 })));
        await logged(new RegExp(`"dataVersion":"${ONE.id}","message":"The price store did not answer: the version in use stays"`));
        await publish(TWO);
        await becomesPriced(worker, anOrder(), TWO);
      });
    }

    test("of an unknown format is refused, logged once, and the one in use stays", async () => {
      const worker = fresh("eager");
      await publish(ONE);
      await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
      for (const text of [currentText(TWO, { format: 3 }), "<h1>not found</h1>"]) {
        service.logs.length = 0;
        await control({ texts: { ...ONE.texts, [CURRENT_KEY]: text } });
        for (let time = 0; time < 3; time += 1) await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
        await logged(/the key current is refused/);
        // That the first version is in use may be told only now.
        const told = service.logs.filter((line) => line.includes('"event":"data"') && !line.includes('"level":"info"'));
        assert.equal(told.length, 1, told.join("\n"));
      }
      const other = fresh();
      await assertFails(other, anOrder(), undefined, "The catalogue cannot be read");
    });
  });

  describe("what is read", () => {
    test(`${PRODUCTS} lines: each shard once, in as few reads as the store takes`, async () => {
      await publish(ONE);
      const worker = fresh();
      await assertPriced(worker, { productList: lines(PRODUCTS) }, ONE, { subTotal: PRODUCTS, totalWeight: PRODUCTS });
      const asked = (await askedOf()).filter(Array.isArray);
      assert.deepEqual(
        asked.map((keys) => keys.length),
        platform.says.readsOf(SHARDS),
      );
      assert.equal(new Set(asked.flat()).size, SHARDS);
    });

    test(`${20 * ROUNDS} orders of 20 lines, all kept: nothing`, async () => {
      await publish(ONE);
      const worker = fresh();
      await assertPriced(worker, { ...DELIVERED, productList: lines(PRODUCTS) }, ONE, { subTotal: PRODUCTS });
      await control({});
      for (let round = 0; round < ROUNDS; round += 1) {
        const orders = Array.from({ length: 20 }, (_, index) => ({ ...DELIVERED, productList: lines(20, 20 * (20 * round + index)) }));
        for (const { body } of await Promise.all(orders.map((order) => send(worker, order)))) assert.equal(body.grandTotal, 80);
      }
      assert.deepEqual(await contentsAsked(), []);
    });

    test("a new version: what did not change is kept", async () => {
      const worker = fresh("eager");
      await publish(LISTED);
      await assertPriced(worker, DELIVERED, LISTED, { deliveryFee: 60 });
      await publish(ONE); // has the same zones
      await assertPriced(worker, DELIVERED, ONE, { deliveryFee: 60 });
      assert.deepEqual(
        (await contentsAsked()).map((key) => key.split(":")[0]),
        ["shard"],
      );
    });

    test("without a cache each order reads for itself", async () => {
      const worker = fresh("forgetful");
      await publish(ONE);
      for (let time = 1; time <= 3; time += 1) {
        await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
        assert.equal((await contentsAsked()).length, time);
      }
    });
  });

  describe("a version that is not whole", () => {
    const INCOMPLETE = "The price store is incomplete: try again";

    for (const [what, spoil] of [
      ["a missing shard", (texts, key) => delete texts[key]],
      ["a shard of another content", (texts, key) => (texts[key] = texts[key].replaceAll('"price":1', '"price":9'))],
    ]) {
      test(`${what}: the order fails, says so, and looks at current`, async () => {
        const worker = fresh();
        const whole = entriesOf(ONE);
        await publish(ONE);
        await assertPriced(worker, { productList: lines(1, 1) }, ONE, { subTotal: 1 });
        const others = new Set(await contentsAsked());
        const texts = { ...whole };
        for (const key of Object.keys(texts).filter((key) => key.startsWith("shard:") && !others.has(key))) spoil(texts, key);
        await control({ texts });
        await assertFails(worker, { productList: lines(40) }, ONE, INCOMPLETE);
        await logged(new RegExp(`shard:[0-9a-f]{32} of version ${ONE.id} is (missing|altered)`));
        await until("current is looked at", async () => (await askedOf()).includes(CURRENT_KEY));
        await assertPriced(worker, { productList: lines(1, 1) }, ONE, { subTotal: 1 });
        await control({ texts: whole });
        await assertPriced(worker, { productList: lines(40) }, ONE, { subTotal: 40 });
      });
    }

    test("the look finds the version that replaced it", async () => {
      const worker = fresh();
      await publish(ONE);
      await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
      await publish(TWO); // and ONE's texts are gone
      await assertFails(worker, { productList: lines(200, 1) }, ONE, INCOMPLETE);
      await until("the new version is in use", async () => (await send(worker, anOrder())).version === TWO.id);
      await assertPriced(worker, { productList: lines(200, 1) }, TWO, { subTotal: 400 });
    });
  });

  describe("a client that hangs up while others wait for the read that it began", () => {
    test("the read goes on for them", async () => {
      const worker = await begun();
      await publish(ONE, { held: true });
      const first = await sentOrder(worker, DELIVERED);
      await until("current is asked for", async () => (await askedOf()).length === 1);
      const others = Array.from({ length: 4 }, () => assertPriced(worker, DELIVERED, ONE, { subTotal: 1, deliveryFee: 60 }));
      await wait(100);
      first.resetAndDestroy();
      await wait(100);
      await control({ held: false });
      await Promise.all(others);
    });

    // How many of the others read for themselves depends on how long they have waited. So here are none.
    test("the read goes on without them", async () => {
      const worker = await begun();
      await publish(ONE, { only: CURRENT_KEY, held: true });
      const first = await sentOrder(worker, DELIVERED);
      await until("current is asked for", async () => (await askedOf()).includes(CURRENT_KEY));
      first.resetAndDestroy();
      await wait(100);
      service.logs.length = 0;
      await control({ held: false });
      await logged(/"message":"The version is in use"/);
      assert.equal((await askedOf()).includes(CURRENT_KEY), false, "it is read once");
      await assertPriced(worker, DELIVERED, ONE, { subTotal: 1, deliveryFee: 60 });
    });

    for (const [what, only, order] of [
      ["the look", CURRENT_KEY, anOrder()],
      ["a shard", "shard:", anOrder()],
      ["a branch's list", "branch:", anOrder()],
      ["the zones", "zones:", DELIVERED],
    ]) {
      test(`${what}: if it never ends, they read for themselves`, async () => {
        const worker = await begun();
        await publish(LISTED, { only, hanging: 1 });
        const first = await sentOrder(worker, order);
        await until("it is asked for", async () => (await askedOf()).flat().some((key) => key.startsWith(only)));
        first.resetAndDestroy();
        await Promise.all(Array.from({ length: 8 }, () => assertPriced(worker, order, LISTED, { subTotal: 3 })));
        const times = (await askedOf()).flat().filter((key) => key.startsWith(only)).length;
        // Who waits long for another's read begins its own, once. On a busy machine that may be each of the eight.
        assert.ok(times >= 2 && times <= 9, `${times} reads`);
      });
    }
  });

  test("two clients that hang up, whose large orders wait: a third order has their turn", async () => {
    const large = { ...anOrder(), remark: "x".repeat(300_000) };
    const worker = fresh();
    await publish(ONE);
    await control({ ...READY, hanging: 2 }, "vouchers");
    const waiting = await Promise.all(["V1", "V2"].map((id) => sentOrder(worker, { ...large, ownerId: "U1", voucherId: [id] })));
    await until("both wait for their voucher", async () => (await askedOf("vouchers")).length === 2);
    for (const socket of waiting) socket.resetAndDestroy();
    await assertPriced(worker, large, ONE, { subTotal: 1 });
  });

  describe("an order needs only what it uses", () => {
    const coupon = (code) => anOrder({ couponCodeList: [code] });
    const voucher = (id) => anOrder({ ownerId: "U1", voucherId: [id] });

    test("without the zones", async () => {
      const texts = entriesOf(ONE);
      delete texts[zonesKey(ONE.manifest.zones)];
      const worker = fresh();
      await publish(ONE);
      await control({ texts });
      await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
      await assertPriced(worker, toPostcode("answers"), ONE, { deliveryFee: 77 });
      await assertFails(worker, DELIVERED, ONE, "The zone store is incomplete: try again");
      await logged(/zones:[0-9a-f]{32} of version [0-9a-f]{16} is missing/);
      await publish(ONE, { only: "zones:", failure: "503 from 10.1.2.3" });
      await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
      await assertFails(worker, DELIVERED, ONE, "The zone store did not answer");
      await publish(ONE);
      await assertPriced(worker, DELIVERED, ONE, { deliveryFee: 60 });
    });

    test("zones that hang cost only the orders that need one, and those until the deadline", async () => {
      const worker = fresh("hasty");
      await publish(ONE, { only: "zones:", hanging: 100 });
      await becomesPriced(worker, anOrder(), ONE);
      const failed = send(worker, DELIVERED);
      await assertPriced(worker, anOrder(), ONE, { subTotal: 1 });
      const { status, body } = await failed;
      assert.deepEqual([status, body.error], [500, `deliveryZones did not answer within ${DEADLINE_MS} ms`]);
      await publish(ONE);
      await becomesPriced(worker, DELIVERED, ONE);
    });

    test("a shop without zones", async () => {
      const worker = fresh();
      await publish(UNZONED);
      await assertPriced(worker, anOrder(), UNZONED, { subTotal: 4 });
      await assertFails(worker, DELIVERED, UNZONED, "Branch 1000 is not available");
    });

    test("without vouchers, rates or coupons: no binding", async () => {
      await publish(ONE);
      await assertPriced("bare", DELIVERED, ONE, { grandTotal: 61 });
      for (const [order, lookup] of [
        [voucher("V1"), "lookupVouchers"],
        [toPostcode("answers"), "nationwideRate"],
        [coupon("answers"), "validateCoupons"],
      ]) {
        await assertFails("bare", order, ONE, `The host does not supply ${lookup}`);
      }
    });

    test("without vouchers, rates or coupons: they throw or hang", async () => {
      await publish(ONE);
      const worker = fresh("hasty");
      await becomesPriced(worker, DELIVERED, ONE);
      const plain = () => assertPriced(worker, DELIVERED, ONE, { grandTotal: 61 });
      for (const change of [{ failure: "503" }, { failure: "", hanging: 1 }]) {
        await control(change, "vouchers");
        const failing = [voucher("V1"), ...["throws", "hangs"].flatMap((how) => [toPostcode(how), coupon(how)])].map((order) =>
          send(worker, order),
        );
        await plain();
        for (const { status } of await Promise.all(failing)) assert.equal(status, 500);
        await plain();
      }
    });
  });

  describe("nationwide rates", () => {
    const asked = async () => (await askedOf("services")).length;

    test("are asked for once, vouchers and coupons each time", async () => {
      await publish(ONE);
      await control(
        { failure: "", hanging: 0, texts: { "voucher:V1": '{"ownerId":"U1","value":1,"isActive":true,"isUsed":false}' } },
        "vouchers",
      );
      const worker = fresh();
      const order = { ...toPostcode("answers"), ownerId: "U1", voucherId: ["V1"], couponCodeList: ["answers"] };
      await control({}, "services");
      for (let time = 1; time <= 3; time += 1) {
        await assertPriced(worker, order, ONE, { deliveryFee: 77 });
        assert.deepEqual([await asked(), (await askedOf("vouchers")).length], [1 + time, time]);
      }
    });

    test("that failed or were refused are asked for again", async () => {
      await publish(ONE);
      const worker = fresh();
      for (const how of ["fails", "prose"]) {
        await control({}, "services");
        for (let time = 1; time <= 2; time += 1) {
          assert.equal((await send(worker, toPostcode(how))).status, 500);
          assert.equal(await asked(), time);
        }
      }
    });
  });
});
