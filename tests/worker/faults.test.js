// Each fault of the service, made on each platform: what the client reads (D40, D41), the one line of the log that names the
// cause, the code in the header, and what /ready says. www/docs/service/runbook.md explains each of these lines.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import manifest from "order-cost/package.json" with { type: "json" };
import { defaults } from "../../worker/src/options/options.js";
import { PATIENCE_MS, until } from "../until.js";
import { squareZones } from "../zones.js";
import { currentText, makeVersion } from "./catalogue.js";
import { onEachPlatform } from "./platforms.js";

/** The deadlines of tests in which something is late. Other tests have enough time for a busy machine. */
const DEADLINE_MS = 1000;
const ORDER_DEADLINE_MS = 1600;
/** A look at the catalogue is no part of them. */
const LATE = { DEADLINE_MS: `${DEADLINE_MS}`, DATA_MAX_AGE_SECONDS: "3600" };
const LATE_TOGETHER = { ORDER_DEADLINE_MS: `${ORDER_DEADLINE_MS}`, DATA_MAX_AGE_SECONDS: "3600" };

const RUNBOOK = await readFile(new URL("../../www/docs/service/runbook.md", import.meta.url), "utf8");

// ---------------------------------------------------------------- what an order may hold, and no log may

const PLANTED = {
  owner: "owner-planted-77",
  firstName: "Malee-planted",
  lastName: "Srisuk-planted",
  phone: "081-234-5678",
  email: "malee.planted@example.com",
  address: "99/planted Sukhumvit",
  voucher: "VOUCHER-PLANTED",
  branch: "branch-planted",
  comment: "ring-planted twice",
};

const line = { cprcode: 5000, productName: "rice-planted", quantity: 1, remark: PLANTED.comment };
const order = (more) => ({ productList: [line], ownerId: PLANTED.owner, specialComment: PLANTED.comment, ...more });
const shipped = (schedule, more) => ({
  shipping: {
    shippingType: "DELIVERY",
    scheduleList: [schedule],
    shippingLat: 13.5,
    shippingLon: 100.5,
    shippingFirstName: PLANTED.firstName,
    shippingLastName: PLANTED.lastName,
    shippingPhone: PLANTED.phone,
    shippingEmail: PLANTED.email,
    shippingAddress: PLANTED.address,
    ...more,
  },
});
const zoned = order(shipped({ mode: "REGULAR" }));
const posted = (shippingPostcode) => order(shipped({ mode: "NATIONWIDE" }, { shippingPostcode }));
const withCoupon = (code) => order({ couponCodeList: [code], ...shipped({ mode: "PICKUP" }) });
const withVoucher = (how) => order({ voucherId: [`${PLANTED.voucher}-${how}`] });

// ---------------------------------------------------------------- the catalogue

const PRICES = {
  "5000/1000": '{"price":10}',
  "6000/1000": '{"price":79228162514264337593543950335}',
  [`5000/${PLANTED.branch}`]: '{"price":',
};
const GOOD = await makeVersion(PRICES, JSON.stringify(squareZones(60)));
const WRONG_ZONES = await makeVersion(PRICES, JSON.stringify(squareZones(-1)));
const MALFORMED = await makeVersion(PRICES, null, { shardCount: 1, spoil: (text) => text.slice(0, -1) });
const texts = (version, more) => ({ ...version.texts, current: currentText(version), ...more });
const without = (kind) => Object.fromEntries(Object.entries(texts(GOOD)).filter(([key]) => !key.startsWith(kind)));
const altered = () =>
  Object.fromEntries(Object.entries(texts(GOOD)).map(([key, text]) => [key, key.startsWith("shard:") ? `${text} ` : text]));

/** What the store does unless a fault says otherwise. */
const STORE = { texts: texts(GOOD), only: "", held: false, hanging: 0, failure: "", delayMs: 0 };

// ---------------------------------------------------------------- the faults

const PRICED = { status: 200 };
const failed = (code, message, { shown = message, cause, level = "error", retryable } = {}) => ({
  status: 500,
  code,
  message,
  shown,
  cause,
  level,
  retryable,
});
const READY = [200, { status: "ready" }];
const degraded = (parts) => [200, { status: "degraded", degraded: parts }];
const unready = (error) => [503, { error }];
const damaged = (kind, damage) => new RegExp(`^${kind}:[0-9a-f]{32} of version [0-9a-f]{16} is ${damage}$`);
const incomplete = (kind, damage) =>
  failed("PRICE_LOOKUP_FAILED", "The price store is incomplete: try again", { cause: damaged(kind, damage), retryable: true });
const HIDDEN = /^\d+ characters that LOG_SERVICE_TEXT=1 would log$/;
/** Two have the same deadline: the order that waits for a look at the catalogue, and the look itself, on Node. */
const LATE_READ = new RegExp(`^(No answer within ${DEADLINE_MS} ms|The operation was aborted due to timeout)$`);
const late = (name) => `${name} did not answer within ${DEADLINE_MS} ms`;

/**
 * `knows`: the copy knows the version before the fault; `before` is an order that is priced before it. Such a copy has in memory
 * what is not to be late. `data` is a line about the catalogue beside the order's.
 */
const faultsOn = ({ says, faults }) => [
  // The catalogue
  {
    name: "nothing is published",
    store: { texts: {} },
    order: order(),
    expect: failed("PRICE_LOOKUP_FAILED", "No catalogue has been published yet", { cause: "the key current is not there" }),
    data: "No catalogue has been published yet: no version is in use",
    ready: unready("No catalogue has been published yet"),
  },
  {
    name: "current is of another format",
    store: { texts: { current: currentText(GOOD, { format: 9 }) } },
    order: order(),
    expect: failed("PRICE_LOOKUP_FAILED", "The catalogue cannot be read", {
      cause: "the key current is refused: expected format 1 or 2, got 9",
    }),
    data: "The catalogue cannot be read: no version is in use",
    ready: unready("The catalogue cannot be read"),
  },
  {
    name: "a version is refused, and another is in use",
    before: order(),
    store: { texts: { ...GOOD.texts, current: "<h1>not found</h1>" } },
    order: order(),
    expect: PRICED,
    data: "The catalogue cannot be read: the version in use stays",
    ready: degraded({ catalogue: "The catalogue cannot be read" }),
  },
  {
    name: "a planned version is not there",
    before: order(),
    store: { texts: texts(GOOD, { current: currentText(GOOD, { next: { id: MALFORMED.id, at: "2099-01-01T00:00:00.000Z" } }) }) },
    order: order(),
    expect: PRICED,
    data: `The planned version ${MALFORMED.id} cannot be read: the version in use stays`,
    ready: READY,
  },
  {
    name: "the store is down, and no version is in use",
    store: { failure: "KV GET failed: 503" },
    order: order(),
    expect: failed("PRICE_LOOKUP_FAILED", "The price store did not answer", { cause: says.catalogueFailed("KV GET failed: 503") }),
    ready: unready("The price store did not answer"),
  },
  {
    name: "the store is slow, and no version is in use",
    vars: LATE,
    store: { held: true },
    order: order(),
    expect: failed("PRICE_LOOKUP_FAILED", "The price store did not answer", { cause: LATE_READ }),
    ready: unready("The price store did not answer"),
  },
  {
    name: "the store is down, and the order's products are in memory",
    before: order(),
    store: { failure: "KV GET failed: 503" },
    order: order(),
    expect: PRICED,
    data: "The price store did not answer: the version in use stays",
    ready: degraded({ catalogue: "The price store did not answer", zones: "The zone store did not answer" }),
  },
  // Prices
  {
    name: "a shard is missing",
    store: { texts: without("shard:") },
    order: order(),
    expect: incomplete("shard", "missing"),
    ready: READY,
  },
  {
    name: "a shard has another content",
    store: { texts: altered() },
    order: order(),
    expect: incomplete("shard", "altered"),
    ready: READY,
  },
  {
    name: "a shard never was one",
    store: { texts: texts(MALFORMED) },
    order: order(),
    expect: incomplete("shard", "malformed"),
    ready: READY,
  },
  {
    name: "a shard never was one, and the order asks for a product that it does not hold",
    store: { texts: texts(MALFORMED) },
    order: order({ productList: [{ ...line, cprcode: 7000 }] }),
    expect: incomplete("shard", "malformed"),
    ready: READY,
  },
  {
    name: "the store fails with shards",
    store: { failure: "KV GET_BULK failed: 500", only: "shard:" },
    order: order(),
    expect: failed("PRICE_LOOKUP_FAILED", "The price store did not answer", { cause: says.catalogueFailed("KV GET_BULK failed: 500") }),
    ready: READY,
  },
  {
    name: "the store hangs with shards",
    vars: LATE,
    knows: true,
    store: { held: true, only: "shard:" },
    order: order(),
    expect: failed("PRICE_LOOKUP_FAILED", late("lookupPrices")),
    ready: READY,
  },
  {
    name: "a price record is not JSON",
    order: order({ branchId: PLANTED.branch }),
    expect: failed("PRICE_LOOKUP_FAILED", `Invalid answer from lookupPrices: 5000/${PLANTED.branch}: expected JSON`, {
      shown: "Invalid answer from lookupPrices: 5000/…: expected JSON",
    }),
    ready: READY,
  },
  {
    name: "no catalogue is connected",
    parts: { catalogue: undefined },
    order: order(),
    expect: failed("PRICE_LOOKUP_FAILED", "The host does not supply lookupPrices"),
    ready: unready("No catalogue is connected"),
  },
  // Zones
  {
    name: "the zones are missing",
    store: { texts: without("zones:") },
    order: zoned,
    expect: failed("DELIVERY_ZONES_FAILED", "The zone store is incomplete: try again", {
      cause: damaged("zones", "missing"),
      retryable: true,
    }),
    ready: degraded({ zones: "The zone store is incomplete: try again" }),
  },
  {
    name: "the zones are wrong",
    store: { texts: texts(WRONG_ZONES) },
    order: zoned,
    expect: failed("DELIVERY_ZONES_FAILED", "Invalid deliveryZones: features[0].properties.deliveryFee: expected an amount of 0 or more"),
    ready: degraded({ zones: "Invalid deliveryZones: features[0].properties.deliveryFee: expected an amount of 0 or more" }),
  },
  {
    name: "the store fails with zones",
    store: { failure: "KV GET_BULK failed: 500", only: "zones:" },
    order: zoned,
    expect: failed("DELIVERY_ZONES_FAILED", "The zone store did not answer", { cause: says.catalogueFailed("KV GET_BULK failed: 500") }),
    ready: degraded({ zones: "The zone store did not answer" }),
  },
  {
    name: "the zones are gone, and the order needs none",
    store: { texts: without("zones:") },
    order: order(),
    expect: PRICED,
    ready: degraded({ zones: "The zone store is incomplete: try again" }),
  },
  // Vouchers
  {
    name: "the store fails with vouchers",
    order: withVoucher("throws"),
    expect: failed("VOUCHER_LOOKUP_FAILED", says.vouchersFailed.message, {
      cause: says.vouchersFailed.cause("KV GET failed: 503 from 10.1.2.3"),
    }),
    ready: READY,
  },
  {
    name: "the store hangs with vouchers",
    vars: LATE,
    before: order(),
    order: withVoucher("hangs"),
    expect: failed("VOUCHER_LOOKUP_FAILED", late("lookupVouchers")),
    ready: READY,
  },
  {
    name: "a voucher record is not JSON",
    order: withVoucher("corrupt"),
    expect: failed("VOUCHER_LOOKUP_FAILED", says.voucherCorrupt(`${PLANTED.voucher}-corrupt`), { shown: says.voucherCorrupt("…") }),
    ready: READY,
  },
  {
    name: "the voucher store is down",
    parts: { vouchers: says.vouchersDown.part },
    store: { failure: "KV GET failed: 500", only: "voucher:" },
    order: withVoucher("any"),
    expect: failed("VOUCHER_LOOKUP_FAILED", says.vouchersDown.message, { cause: says.vouchersDown.cause }),
    ready: degraded({ vouchers: says.vouchersDown.message }),
  },
  // Nationwide rates
  {
    name: "the nationwide function hangs",
    vars: LATE,
    before: order(),
    parts: { nationwide: "fakes/Silent" },
    order: posted("10110"),
    expect: failed("NATIONWIDE_RATE_FAILED", late("nationwideRate")),
    ready: degraded({ rates: "No answer within 2000 ms" }),
  },
  {
    name: "the nationwide function lies",
    order: posted("lies"),
    expect: failed("NATIONWIDE_RATE_FAILED", "Invalid answer from nationwideRate: deliveryFee: expected an amount of 0 or more"),
    ready: READY,
  },
  {
    name: "the nationwide function answers too much",
    order: posted("huge"),
    expect: failed("NATIONWIDE_RATE_FAILED", "The nationwide function answered more than 1048576 bytes"),
    ready: READY,
  },
  {
    name: "the nationwide function declines the order",
    order: posted("declines"),
    expect: failed("NATIONWIDE_RATE_FAILED", "Nothing of this kind in April", {
      shown: "The nationwide function answered 422",
      cause: HIDDEN,
      level: "warn",
      retryable: false,
    }),
    ready: READY,
  },
  // Coupons
  {
    name: "the coupon service cannot be reached",
    parts: { coupons: "fakes/Dead" },
    order: withCoupon("any"),
    expect: failed("COUPON_SERVICE_FAILED", "The coupon service could not be reached", { cause: says.unreachable }),
    ready: degraded({ coupons: "The coupon service could not be reached" }),
  },
  {
    name: "the coupon service hangs",
    vars: LATE,
    before: order(),
    parts: { coupons: "fakes/Silent" },
    order: withCoupon("any"),
    expect: failed("COUPON_SERVICE_FAILED", late("validateCoupons")),
    ready: degraded({ coupons: "No answer within 2000 ms" }),
  },
  {
    name: "the coupon service refuses the order",
    order: withCoupon("refuses"),
    expect: failed("COUPON_SERVICE_FAILED", "Coupon refuses is for members only", {
      shown: "The coupon service answered 400",
      cause: HIDDEN,
      level: "warn",
      retryable: false,
    }),
    ready: READY,
  },
  {
    name: "the coupon service declines the order",
    order: withCoupon("declines"),
    expect: failed("COUPON_SERVICE_FAILED", "Nothing of this kind in April", {
      shown: "The coupon service answered 422",
      cause: HIDDEN,
      level: "warn",
      retryable: false,
    }),
    ready: READY,
  },
  {
    name: "the coupon service declines the order without a word",
    order: withCoupon("object"),
    expect: failed("COUPON_SERVICE_FAILED", "The coupon service answered 422", { level: "warn", retryable: false }),
    ready: READY,
  },
  {
    name: "the coupon service fails with an address",
    order: withCoupon("leaks"),
    expect: failed("COUPON_SERVICE_FAILED", "The coupon service answered 500", { cause: HIDDEN, retryable: true }),
    ready: READY,
  },
  {
    name: "the coupon service answers a page of a proxy",
    order: withCoupon("page"),
    expect: failed("COUPON_SERVICE_FAILED", "The coupon service answered 502"),
    ready: READY,
  },
  {
    name: "the coupon service lies",
    order: withCoupon("lies"),
    expect: failed("COUPON_SERVICE_FAILED", "Invalid answer from validateCoupons: discounts[0].discount: expected an amount of 0 or more"),
    ready: READY,
  },
  {
    name: "the coupon service answers an error beside the discounts",
    order: withCoupon("complains"),
    expect: { status: 200, level: "warn", shown: "The coupon service answered an error", cause: HIDDEN },
    ready: READY,
  },
  {
    name: "no coupon service is connected",
    parts: { coupons: undefined },
    order: withCoupon("any"),
    expect: failed("COUPON_SERVICE_FAILED", "The host does not supply validateCoupons"),
    ready: READY,
  },
  // The whole order
  {
    name: "look-ups that are each in time, but too long together",
    vars: LATE_TOGETHER,
    before: order(),
    parts: { coupons: "fakes/Silent" },
    order: withCoupon("any"),
    expect: failed("DEADLINE_EXCEEDED", `The order was not priced within ${ORDER_DEADLINE_MS} ms`, {
      cause: "it waited for validateCoupons",
    }),
    ready: degraded({ coupons: "No answer within 2000 ms" }),
  },
  {
    name: "one of two rates hangs",
    vars: LATE_TOGETHER,
    before: order(),
    order: order(
      shipped(
        {},
        {
          shippingPostcode: "freshHangs",
          scheduleList: ["DRY", "FRESH"].map((nationwideMode) => ({ mode: "NATIONWIDE", nationwideMode })),
        },
      ),
    ),
    expect: failed("DEADLINE_EXCEEDED", `The order was not priced within ${ORDER_DEADLINE_MS} ms`, {
      cause: "it waited for nationwideRate",
    }),
    ready: READY,
  },
  {
    name: "the zones hang",
    vars: LATE_TOGETHER,
    before: order(),
    store: { held: true, only: "zones:" },
    order: zoned,
    expect: failed("DEADLINE_EXCEEDED", `The order was not priced within ${ORDER_DEADLINE_MS} ms`, {
      cause: "it waited for what orders share: the delivery zones, or a turn among large orders",
    }),
    ready: degraded({ zones: "No answer within 2000 ms" }),
  },
  {
    name: "a body that stalls",
    stalls: true,
    vars: LATE_TOGETHER,
    expect: failed("DEADLINE_EXCEEDED", `The order was not priced within ${ORDER_DEADLINE_MS} ms`, {
      cause: "it waited for the body",
      level: "warn",
    }),
    ready: READY,
  },
  // The order itself
  ...[
    ["no JSON", "{", "INVALID_JSON", "Failed to parse request body"],
    ["a wrong field", order({ voucherId: [5] }), "VALIDATION_ERROR", "Invalid order: voucherId[0]: expected a string"],
    [
      "too many vouchers",
      order({ voucherId: Array(101).fill("V") }),
      "LIMIT_EXCEEDED",
      "Invalid order: voucherId: expected at most 100 vouchers",
    ],
    [
      "no price",
      { ...order({ branchId: "elsewhere-planted" }) },
      "PRODUCT_PRICE_NOT_FOUND",
      "No price for 5000/elsewhere-planted",
      "No price for 5000/…",
    ],
    [
      "a row that overflows",
      { ...order(), productList: [{ ...line, cprcode: 6000, quantity: 9 }] },
      "OVERFLOW",
      "Overflow: productList[0].rowTotal is too large",
    ],
    [
      "a voucher that is not there",
      withVoucher("missing"),
      "VOUCHER_NOT_FOUND",
      `Voucher ${PLANTED.voucher}-missing not found`,
      "Voucher … not found",
    ],
    [
      "an address outside",
      order(shipped({ mode: "REGULAR" }, { shippingLat: 1 })),
      "BRANCH_NOT_IN_POLYGON",
      "Branch 1000 not in polygon",
      "Branch … not in polygon",
    ],
    [
      "a postcode that nobody delivers to",
      posted("nowhere"),
      "NATIONWIDE_RATE_NOT_FOUND",
      "No nationwide rate for nowhere/DRY",
      "No nationwide rate for …/DRY",
    ],
  ].map(([name, sent, code, message, shown]) => ({
    name,
    order: sent,
    expect: failed(code, message, { shown, level: "warn" }),
    ready: READY,
  })),
  ...faults.map((fault) => ({ order: order(), ready: READY, ...fault })),
];

onEachPlatform((platform) => {
  let service;
  const FAULTS = faultsOn(platform);
  /** All lines of all faults. */
  const everything = [];

  /** A copy remembers, so a fault of the copy itself or of its store has one of its own. */
  const isOrders = ({ vars, parts, store, before }) => !vars && !parts && !store && !before;
  const nameOf = (fault) => (isOrders(fault) ? "plain" : fault.name);

  before(async () => {
    const vars = { DATA_MAX_AGE_SECONDS: "0", LOG_SAMPLE: "0" };
    const parts = { catalogue: "fakes/Store", vouchers: "fakes/Failing", nationwide: "fakes/Service", coupons: "fakes/Service" };
    const copy = (more, others) => ({ vars: { ...vars, ...more }, ...parts, ...others });
    const ofFaults = FAULTS.map((fault) => [nameOf(fault), copy(fault.vars, fault.parts)]);
    service = await platform.start({
      fakes: ["fakes"],
      copies: {
        ...Object.fromEntries(ofFaults),
        telling: copy({ LOG_SERVICE_TEXT: "1" }),
        ...Object.fromEntries(["quiet", "late", "following", "fresh", "empty"].map((name) => [name, copy()])),
        based: copy({ BASE_PATH: "/shop/api/" }),
        sampling: copy({ LOG_SAMPLE: "1", API_KEYS: "s3cret" }),
      },
    });
  });

  after(() => service?.stop());

  const control = (store) => service.control("fakes", { ...STORE, ...store });

  async function price(worker, body, headers) {
    const url = `${await service.url(worker)}/calculatecost4`;
    const response = await fetch(url, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Sends the head of an order and half its body, and waits for the answer. */
  async function stalled(worker) {
    const { hostname, port } = new URL(await service.url(worker));
    const socket = net.connect(port, hostname);
    socket.write(`POST /calculatecost4 HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 900\r\n\r\n{"productList":`);
    let text = "";
    for await (const bytes of socket) {
      text += bytes;
      if (text.includes("}")) break;
    }
    const [head, body] = text.split("\r\n\r\n");
    const headers = new Headers(
      head
        .split("\r\n")
        .slice(1)
        .map((field) => field.split(": ")),
    );
    return { status: Number(head.split(" ")[1]), headers, body: JSON.parse(body) };
  }

  /** The records of the log, once there are as many as expected; without those of copies that start. */
  async function records(count) {
    const isOfStart = ({ event, level }) => event === "start" || event === "listening" || (event === "data" && level === "info");
    const found = () =>
      service.logs
        .filter((text) => text.startsWith("{"))
        .map((text) => JSON.parse(text))
        .filter((record) => !isOfStart(record));
    await until("the log has its lines", () => found().length >= count);
    await wait(20);
    return found();
  }

  async function get(path, worker = "sampling") {
    const response = await fetch((await service.url(worker)) + path);
    return [response.status, await response.json()];
  }

  const pick = (object, like) => Object.fromEntries(Object.keys(like).map((key) => [key, object[key]]));

  function assertMatches(text, expected, what) {
    if (expected instanceof RegExp) assert.match(text ?? "", expected, what);
    else assert.equal(text, expected, what);
  }

  /** What a placeholder of the runbook stands for. The others, and `…`, stand for any text. */
  const NAMES = {
    "<look-up>": "(lookupPrices|nationwideRate|lookupVouchers|validateCoupons)",
    "<service>": "The (nationwide function|voucher service|coupon service)",
  };
  const patternOf = (part) => NAMES[part] ?? (/^<.*>$|^…$/.test(part) ? ".+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));

  /** The messages that the runbook explains. */
  const EXPLAINED = [...RUNBOOK.matchAll(/^\| (`.*?)(?: \(.*?\))? \| /gm)]
    .flatMap(([, cell]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, message]) => message))
    .map(
      (message) =>
        new RegExp(
          `^${message
            .split(/(<.*?>|…)/)
            .map(patternOf)
            .join("")}$`,
        ),
    );

  function assertExplained(message) {
    assert.ok(
      EXPLAINED.some((pattern) => pattern.test(message)),
      `the runbook does not explain: ${message}`,
    );
  }

  /** Of each kind of damage, "Mending the store" has a row. */
  function assertMended(cause) {
    const [, damage] = / of version \w+ is (.*)$/.exec(cause) ?? [];
    if (damage) assert.match(RUNBOOK, new RegExp(`^\\| a text.* is .*\`${damage}\`.* \\| `, "m"));
  }

  describe("faults", () => {
    for (const fault of FAULTS) {
      test(fault.name, async () => {
        const worker = nameOf(fault);
        const { expect } = fault;
        await control({});
        if (fault.knows) await until("the version is known", async () => (await get("/version", worker))[1].data !== null);
        if (fault.before) await until("an order is priced", async () => (await price(worker, fault.before)).status === 200);
        await control(fault.store);
        service.logs.length = 0;

        const { status, headers, body } = fault.stalls ? await stalled(worker) : await price(worker, fault.order);

        assert.equal(status, expect.status, JSON.stringify(body));
        if (status === 500) assert.deepEqual(body, { error: expect.message });
        assert.equal(headers.get("x-order-cost-error"), expect.code ?? null);
        const lines = await records([expect.shown, fault.data, fault.other].filter(Boolean).length);
        const ofOrder = lines.filter(({ event, requestId }) => event === "order" && requestId === headers.get("x-request-id"));
        assert.equal(ofOrder.length, expect.shown ? 1 : 0, JSON.stringify(lines));
        if (expect.shown) {
          const [{ level, code, message, cause, route, retryable }] = ofOrder;
          assert.deepEqual([level, code, message, route], [expect.level, expect.code, expect.shown, "calculatecost4"]);
          assertMatches(cause, expect.cause, "cause");
          if (expect.retryable !== undefined) assert.equal(retryable, expect.retryable);
          assertExplained(message);
          assertMended(cause);
        }
        const others = lines.filter(({ event }) => event !== "order");
        assert.deepEqual(
          others.map(({ message }) => message),
          [fault.data, fault.other?.message].filter(Boolean),
        );
        for (const { message } of others) assertExplained(message);
        if (fault.other) assert.deepEqual(pick(others[0], fault.other), fault.other);

        assert.deepEqual(await get("/ready", worker), fault.ready);
        await control({});
        everything.push(...service.logs);
      });
    }

    test("nothing planted is in any line of them all", () => {
      const log = everything.join("\n");
      assert.ok(everything.length >= FAULTS.length);
      for (const [what, planted] of Object.entries(PLANTED)) assert.ok(!log.includes(planted), `${what}: ${planted}`);
      assert.ok(!/planted/i.test(log));
    });

    test("with LOG_SERVICE_TEXT a service's words are, but for what the request held", async () => {
      await control({});
      service.logs.length = 0;
      await price("telling", withCoupon("complains"));
      await price("telling", withCoupon("refuses"));
      const causes = (await records(2)).map(({ cause }) => cause);
      assert.deepEqual(causes, [
        '{"message":"Campaign 7 is over for malee.planted@example.com"}', // the service's own knowledge: the request had none
        "Coupon … is for members only",
      ]);
    });
  });

  describe("a line, and the headers", () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const full = { ...posted("answers"), couponCodeList: ["answers"], voucherId: ["V1"] };
    const ask = (more) => price("sampling", full, { authorization: "Bearer s3cret", ...more });

    before(() => control({}));

    test("a priced order that is sampled: every field", async () => {
      service.logs.length = 0;
      const { status, headers } = await ask({ "x-request-id": "basket-42.7_x", "cf-ray": "8f0e1d2c3b4a5968-BKK" });
      assert.equal(status, 200);
      const [record, ...more] = await records(1);
      assert.deepEqual(more, []);
      const { ms, ...rest } = record;
      assert.deepEqual(rest, {
        level: "info",
        event: "order",
        requestId: "basket-42.7_x",
        ...(platform.says.hasRay && { ray: "8f0e1d2c3b4a5968-BKK" }),
        route: "calculatecost4",
        status: 200,
        lines: 1,
        vouchers: 1,
        coupons: 1,
        schedules: 1,
        dataVersion: GOOD.id,
        key: createHash("sha256").update("s3cret").digest("hex").slice(0, 8),
        reads: 2,
      });
      assert.deepEqual(Object.keys(ms), ["total", "prices", "rates", "vouchers", "coupons"]);
      assert.ok(Object.values(ms).every((time) => time >= 0));
      assert.equal(headers.get("x-request-id"), "basket-42.7_x");
      assert.equal(headers.get("x-order-cost-data"), GOOD.id);
      assert.match(
        headers.get("server-timing"),
        /^prices;dur=[\d.]+;desc="1 key, 1 read", rates;dur=[\d.]+;desc="1 key, 1 call", vouchers;dur=[\d.]+;desc="1 key, 1 read", coupons;dur=[\d.]+;desc="1 key, 1 call"$/,
      );
    });

    test("an encoded body is not decoded (D10), and the line names the encoding", async () => {
      for (const [encoding, shown] of [
        ["gzip", "gzip"],
        ["X-GZIP", "x-gzip"],
        [PLANTED.email, "…"],
      ]) {
        service.logs.length = 0;
        const url = `${await service.url("sampling")}/calculatecost4`;
        const response = await fetch(url, {
          method: "POST",
          body: gzipSync(JSON.stringify(full)),
          headers: { authorization: "Bearer s3cret", "content-encoding": encoding },
        });
        assert.deepEqual([response.status, await response.json()], [500, { error: "Failed to parse request body" }]);
        const [{ code, cause }] = await records(1);
        assert.deepEqual([code, cause], ["INVALID_JSON", `the body is encoded (${shown}), and bodies are not decoded`]);
      }
    });

    test("what is in memory is not read again", async () => {
      const { headers } = await ask();
      assert.match(
        headers.get("server-timing"),
        /^prices;dur=[\d.]+;desc="1 key, 0 reads", rates;dur=[\d.]+;desc="1 key, 0 calls", vouchers/,
      );
    });

    test("a request id of the client is taken if it is one, and both services get it, with a valid traceparent", async () => {
      for (const [sent, isTaken] of [
        ["a", true],
        ["A-Z_a.z-0_9", true],
        ["x".repeat(64), true],
        ["x".repeat(65), false],
        ["", false],
        ["a b", false],
        ["a,b", false],
        ['{"a":1}', false],
        ["ร้าน", false],
      ]) {
        await control({});
        const { headers } = await price(
          "sampling",
          { ...full, ...posted("seen") },
          {
            authorization: "Bearer s3cret",
            "x-request-id": Buffer.from(sent).toString("latin1"),
            traceparent: isTaken ? traceparent : traceparent.replace("00-", "ff-"),
          },
        );
        const requestId = headers.get("x-request-id");
        if (isTaken) assert.equal(requestId, sent);
        else assert.match(requestId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, sent);
        const { headers: seen } = await service.state("fakes");
        assert.deepEqual(seen, Array(seen.length).fill({ requestId, traceparent: isTaken ? traceparent : null }));
        assert.ok(seen.length >= 1);
      }
    });

    test("every answer has an id, also one that is no order's", async () => {
      const url = await service.url("sampling");
      for (const [path, method, status] of [
        ["/calculatecost4", "POST", 401],
        ["/calculatecost4", "GET", 401],
        ["/elsewhere", "POST", 401],
        ["/health", "GET", 200],
        ["/health", "HEAD", 200],
        ["/health", "POST", 405],
        ["/ready", "GET", 200],
        ["/version", "GET", 200],
        ["/receipt-key", "GET", 200],
        ["/receipt-key", "POST", 405],
        ["/openapi.json", "GET", 200],
      ]) {
        const response = await fetch(url + path, { method, headers: { "x-request-id": "r-1" } });
        assert.deepEqual([response.status, response.headers.get("x-request-id")], [status, "r-1"], path);
        assert.equal(response.headers.get("x-order-cost-error"), null);
      }
    });

    test("no line for what is no order, one for the start, without secrets", async () => {
      service.logs.length = 0;
      await fetch(`${await service.url("sampling")}/calculatecost4`, { method: "POST", body: "{}" });
      assert.deepEqual(await records(0), []);
      const starts = everything.filter((line) => line.includes('"event":"start"')).map((line) => JSON.parse(line));
      assert.ok(starts.length > 0);
      const expected = {
        ...defaults(),
        API_KEYS: false,
        VOUCHERS_URL: false,
        NATIONWIDE_URL: false,
        COUPONS_URL: false,
        REDACT_KEY: false,
        RECEIPT_KEY: false,
        DEADLINE_MS: PATIENCE_MS,
        ORDER_DEADLINE_MS: PATIENCE_MS,
        DATA_MAX_AGE_SECONDS: 0,
        LOG_SAMPLE: 0,
      };
      assert.deepEqual(starts[0].options, { ...expected, ...platform.says.options });
    });
  });

  describe("operators' routes", () => {
    test("/health and /version need no key, and say no more than they must", async () => {
      await control({});
      assert.deepEqual(await get("/health"), [200, { status: "ok" }]);
      const { activatedAt } = JSON.parse(currentText(GOOD));
      assert.deepEqual(await get("/version"), [200, { package: manifest.version, data: GOOD.id, since: activatedAt }]);
      assert.deepEqual((await get("/version", "fresh"))[1].data, GOOD.id, "also from a copy that has priced nothing");
      await control({ texts: {} });
      assert.deepEqual(await get("/version", "empty"), [200, { package: manifest.version, data: null, since: null }]);
    });

    test("/ready asks once in 5 s, however many call", async () => {
      const worker = "quiet";
      await service.url(worker);
      await control({ delayMs: 50 });
      await Promise.all(Array.from({ length: 20 }, () => get("/ready", worker)));
      await get("/ready", worker);
      const { asked, probed } = await service.state("fakes");
      assert.deepEqual(asked.flat().filter((key) => key === "current").length, 1);
      assert.equal(probed, 2, "the two services");
    });

    test("/ready knows of a catalogue that an order has found since", async () => {
      await control({ texts: {} });
      assert.equal((await get("/ready", "late"))[0], 503);
      await control({});
      assert.equal((await price("late", order())).status, 200);
      assert.deepEqual(await get("/ready", "late"), [200, { status: "ready" }]);
    });

    test("/version follows the catalogue without any order", async () => {
      await control({});
      assert.equal((await get("/version", "following"))[1].data, GOOD.id);
      await control({ texts: texts(WRONG_ZONES) });
      assert.equal((await get("/version", "following"))[1].data, WRONG_ZONES.id);
      await control({});
    });

    test("under BASE_PATH", async () => {
      assert.deepEqual(await get("/shop/api/health", "based"), [200, { status: "ok" }]);
      assert.deepEqual(await get("//shop/api//ready/?x=1", "based"), [200, { status: "ready" }]);
      assert.equal((await get("/health", "based"))[0], 404);
      assert.equal((await get("/shop/api/x/health", "based"))[0], 404);
    });
  });
});
