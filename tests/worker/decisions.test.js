// The decision log on each platform: which orders are captured, where their lines say it is, and that a capture prices again.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import manifest from "order-cost/package.json" with { type: "json" };
import { openCapture } from "../migration/exchange.js";
import { delivered, order, PLANTED } from "../migration/orders.js";
import { PRICES, VOUCHERS, ZONES } from "../migration/shop.js";
import { until } from "../until.js";
import { entriesOf, makeVersion } from "./catalogue.js";
import { onEachPlatform } from "./platforms.js";

const REDACT_KEY = "the key of the tests: no secret, but long enough";
const DAY = /^20\d\d-\d\d-\d\d$/;
const HUGE = { "7000/1000": '{"price":79228162514264337593543950335}' };

const COMMON = { REDACT_KEY, API_KEYS: "s3cret", LOG_SAMPLE: "0" };
const parts = { catalogue: "kept", vouchers: "kept", nationwide: "services/Service", coupons: "services/Service", decisions: "kept" };
const COPIES = {
  asked: { ...parts, vars: COMMON },
  all: { ...parts, vars: { ...COMMON, DECISION_SAMPLE: "1" } },
  few: { ...parts, vars: { ...COMMON, DECISIONS_PER_DAY: "6" } },
  without: { ...parts, decisions: undefined, vars: { API_KEYS: "s3cret", LOG_SAMPLE: "0" } },
};

const module = await readFile(new URL("../../pkg/wasm/order_cost_bg.wasm", import.meta.url));
const MODULE = createHash("sha256").update(module).digest("hex");

onEachPlatform((platform) => {
  let service;
  let version;

  before(async () => {
    version = await makeVersion({ ...PRICES, ...HUGE }, ZONES);
    service = await platform.start({ copies: COPIES, fakes: ["services"] });
    const vouchers = Object.fromEntries(Object.entries(VOUCHERS).map(([id, text]) => [`voucher:${id}`, text]));
    await service.keep({ ...entriesOf(version), ...vouchers });
  });
  after(() => service?.stop());

  const lines = () => service.logs.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  const lineOf = (id) => lines().find(({ event, requestId }) => event === "order" && requestId === id);

  async function send(copy, id, body, headers = {}) {
    const response = await fetch(`${await service.url(copy)}/calculatecost4`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { authorization: "Bearer s3cret", "x-request-id": id, ...headers },
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** The capture of an order and its line, once that is written. */
  async function captured(id) {
    await until(`the log has the line of ${id}`, () => lineOf(id));
    const { capture, notCaptured } = lineOf(id);
    return { capture, notCaptured, text: capture && (await service.captures()).get(capture) };
  }

  const requested = { "x-order-cost-capture": "1" };

  test("an order that asks for it with a right key is captured, and its line says where", async () => {
    const shipping = { ...delivered().shipping, shippingPostcode: "answers" };
    const answer = await send("asked", "asked-1", delivered({ couponCodeList: ["answers"], shipping }), requested);
    assert.equal(answer.status, 200, answer.text);
    const { capture, text } = await captured("asked-1");
    const [day, kind, slot] = capture.split("/");
    assert.match(day, DAY);
    assert.deepEqual([kind, slot], ["requested", "0"]);
    const content = JSON.parse(text);
    assert.deepEqual(Object.keys(content), [
      "requestId",
      "route",
      "policy",
      "limits",
      "dataVersion",
      "package",
      "module",
      "zones",
      "request",
      "facts",
      "new",
    ]);
    assert.deepEqual([content.dataVersion, content.package, content.module], [version.id, manifest.version, MODULE]);
    assert.match(content.requestId, /^id-[0-9a-f]{16}$/);
    assert.equal((await service.captures()).get(`zones/${content.zones}`), ZONES);
    for (const secret of [...PLANTED, "asked-1"]) assert.ok(!text.includes(secret), `${secret}: ${text}`);
    const opened = openCapture(text, ZONES);
    assert.equal((await opened.pricedAgain()).text, opened.part("new", "body"));
    assert.equal(content.new.body.grandTotal, JSON.parse(answer.text).grandTotal);
  });

  test("an id of our own stands in the capture as it is", async () => {
    const response = await fetch(`${await service.url("asked")}/calculatecost4`, {
      method: "POST",
      body: JSON.stringify(order()),
      headers: { authorization: "Bearer s3cret", ...requested },
    });
    const id = response.headers.get("x-request-id");
    assert.equal(JSON.parse((await captured(id)).text).requestId, id);
  });

  test("without the header, without a right key and without a store, no order is captured", async () => {
    const before = (await service.captures()).size;
    await send("asked", "plain-1", order());
    assert.equal((await send("asked", "plain-2", order(), { ...requested, authorization: "Bearer wrong" })).status, 401);
    assert.equal((await send("without", "plain-3", order(), requested)).status, 200);
    await send("asked", "plain-4", "{", {}); // its line shows that the others would be there
    await until("the log has its line", () => lineOf("plain-4"));
    assert.deepEqual(["plain-1", "plain-2", "plain-3"].map(lineOf), [undefined, undefined, undefined]);
    assert.equal(lineOf("plain-4").capture, undefined);
    assert.equal((await service.captures()).size, before);
  });

  test("what a client says of a shadow is not believed", async () => {
    await send("asked", "shadow-1", order(), { ...requested, "x-order-cost-shadow": "1" });
    assert.ok((await captured("shadow-1")).capture);
    assert.equal(lineOf("shadow-1").shadow, undefined);
  });

  test("a failure that the order itself causes is captured on request, one of a service is not", async () => {
    const { status } = await send("asked", "failed-1", order({ productList: [{ cprcode: 1, productName: "x", quantity: 1 }] }), requested);
    assert.equal(status, 500);
    const opened = openCapture((await captured("failed-1")).text);
    assert.match((await opened.pricedAgain()).text, /No price for 1\/1000/);
    assert.equal((await opened.pricedAgain()).text, opened.part("new", "body"));
    await send("asked", "failed-2", order({ couponCodeList: ["fails"] }), requested);
    assert.deepEqual(await captured("failed-2"), {
      capture: undefined,
      notCaptured: "a look-up failed, so nothing could price it again",
      text: undefined,
    });
  });

  test("an order that fails with a code of ours is captured without being asked for", async () => {
    const answer = await send(
      "asked",
      "ours-1",
      order({ productList: [{ cprcode: 7000, productName: "x", quantity: 9_007_199_254_740_991 }] }),
    );
    assert.equal(answer.headers.get("x-order-cost-error"), "OVERFLOW");
    const { capture, text } = await captured("ours-1");
    assert.match(capture, /\/failed\/0$/);
    const opened = openCapture(text);
    assert.equal((await opened.pricedAgain()).text, opened.part("new", "body"));
  });

  test("DECISION_SAMPLE=1: every priced order, and no failed one", async () => {
    const ids = Array.from({ length: 5 }, (_, at) => `sampled-${at}`);
    for (const id of ids) {
      await send("all", id, order());
      const { capture } = await captured(id);
      assert.match(capture, /\/sampled\/\d{1,4}$/);
      await wait(60); // within 50 ms no other is captured
    }
    await send("all", "sampled-failed", "{");
    assert.equal((await captured("sampled-failed")).capture, undefined);
    assert.equal(lineOf("sampled-failed").notCaptured, undefined);
  });

  test("DECISIONS_PER_DAY: that many on request, one slot after the other, and then a line says so", async () => {
    const slots = async () =>
      [...(await service.captures()).keys()].filter((name) => name.includes("/requested/")).map((name) => Number(name.split("/")[2]));
    const first = (await slots()).length; // the copies share a store
    assert.ok(first >= 3 && first < 6, `${first}`);
    for (let slot = first; slot < 6; slot += 1) {
      await send("few", `few-${slot}`, order(), requested);
      assert.match((await captured(`few-${slot}`)).capture, new RegExp(`/requested/${slot}$`));
    }
    await send("few", "few-6", order(), requested);
    assert.equal((await captured("few-6")).notCaptured, "the day's captures are full");
    assert.equal(lineOf("few-6").level, "info");
    assert.deepEqual((await slots()).sort(), [0, 1, 2, 3, 4, 5]);
  });

  test("no line holds anything of an order", () => {
    for (const secret of PLANTED) assert.ok(!service.logs.join("\n").includes(secret), secret);
  });

  test("a store without REDACT_KEY, and a sample without a store, stop the start", async () => {
    assert.match(await platform.refusal({ DECISION_SAMPLE: "0.5" }), /Variable DECISION_SAMPLE: expected a store for the captures/);
    assert.match(await platform.refusal({ REDACT_KEY: "short" }), /Variable REDACT_KEY: expected 32 characters or more, got 5/);
    assert.match(
      await platform.refusal({ DECISIONS_PER_DAY: "10001" }),
      /Variable DECISIONS_PER_DAY: expected an integer of at most 10000/,
    );
    assert.match(await platform.refusal(platform.says.decisions), /Variable REDACT_KEY is missing/);
    if (platform.says.otherDecisions)
      assert.match(await platform.refusal(platform.says.otherDecisions), /DECISIONS is unknown: did you mean DECISIONS_DIR\?/);
  });
});
