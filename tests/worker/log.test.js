// What the Worker logs of the text of services and stores.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBulkReader } from "../../worker/src/cloudflare/bulk-reader.js";
import { cut, errorText, log, takeLines } from "../../worker/src/log/log.js";
import { masked } from "../../worker/src/log/mask.js";
import { createHost } from "../../worker/src/look-ups/host.js";
import { createServiceClient, serviceText } from "../../worker/src/look-ups/service-client.js";
import { Order } from "../../worker/src/orders/order.js";
import { levelOf } from "../../worker/src/orders/order-line.js";

const context = new Order(new Request("http://shop.example"));
const call = { signal: new AbortController().signal, requestId: "r1", context };

/** What the log shows of a failed look-up. */
async function shownOf(promise) {
  const { message, shown, detail } = await promise.then(
    () => assert.fail("it did not fail"),
    (error) => error,
  );
  return { message, shown, detail };
}

const refusing = (error, status = 500) => ({ fetch: async () => Response.json({ error }, { status }) });
const asking = (error, question, isShown = false) =>
  shownOf(createServiceClient("coupon service", refusing(error), undefined, serviceText(isShown))(question, call));

const SPOOFED = "no rate for 10110\r\nAn order failed: none\u001b[2J\u009b2J\u2028\u202e, call 081-234-5678";

test("a service's text about a customer is not logged", async () => {
  assert.deepEqual(await asking(SPOOFED, {}), {
    message: "no rate for 10110",
    shown: "The coupon service answered 500",
    detail: `${SPOOFED.length} characters that LOG_SERVICE_TEXT=1 would log`,
  });
});

test("…with LOG_SERVICE_TEXT it is, but for the strings of the question", async () => {
  const question = { ownerId: "malee", couponCodeList: ["SAVE20", "SAVE20-EXTRA", "A"], productList: [{ productName: "น้ำปลา" }] };
  const said = "\nSAVE20-EXTRA and SAVE20 are not malee's, A neither: น้ำปลา, น้ำ";
  assert.equal((await asking(said, question, true)).detail, "\n… and … are not …'s, A neither: …, น้ำ");
});

test("…in every spelling of the question, numbers too", async () => {
  const question = { ownerId: 'ow"n\\er', basketId: "ร้าน 7", orderDate: 66812345678 };
  const said = `\n${JSON.stringify(question)} ${encodeURIComponent(question.basketId)} 66812345678`;
  assert.equal((await asking(said, question, true)).detail, '\n{"ownerId":"…","basketId":"…","orderDate":…} … …');
});

test("…in ASCII, in upper and lower case, as in a form, and where two of them overlap", async () => {
  const question = { ownerId: "น้ำปลา 🍚", firstName: "Malee Srisuk", postcode: "abcdEFGH", basketId: "EFGHijkl" };
  const ascii = "\\u0e19\\u0e49\\u0e33\\u0e1b\\u0e25\\u0e32 \\ud83c\\udf5a";
  const said = `\n${ascii} ${ascii.toUpperCase().replaceAll("\\U", "\\u")} MALEE SRISUK Malee+Srisuk abcdEFGHijkl!`;
  assert.equal((await asking(said, question, true)).detail, "\n… … … … …!");
});

test("…500 characters of it", async () => {
  assert.equal((await asking(`http://${"x".repeat(10_000)}`, {}, true)).detail.length, 500);
});

test("a secret that is cut off at the end is masked too", () => {
  const secret = "0812345678";
  for (let cutOff = 0; cutOff <= secret.length; cutOff += 1) {
    const text = `${"x".repeat(500 - cutOff)}${secret}`;
    const told = masked(text, { secret }).slice(500 - cutOff);
    assert.ok(told === "…" || (told.length < 4 && secret.startsWith(told)), `${cutOff}: ${told}`);
  }
});

test("what a service behind a binding throws is its text too", async () => {
  const throwing = { fetch: () => Promise.reject(new Error("081-234-5678 of malee")) };
  const ask = (isShown) =>
    shownOf(createServiceClient("coupon service", throwing, undefined, serviceText(isShown))({ ownerId: "malee" }, call));
  assert.equal((await ask(false)).detail, "21 characters that LOG_SERVICE_TEXT=1 would log");
  assert.equal((await ask(true)).detail, "081-234-5678 of …");
});

test("a message of the network is logged", async (t) => {
  t.mock.method(globalThis, "fetch", () => Promise.reject(new Error("Network connection lost.")));
  const service = createServiceClient("coupon service", undefined, "http://coupons.example", serviceText(false));
  const message = "The coupon service could not be reached";
  assert.deepEqual(await shownOf(service({}, call)), { message, shown: message, detail: "Network connection lost." });
});

test("a message of a store is logged, without the names in its keys", async () => {
  const store = { get: () => Promise.reject(new Error("KV GET failed: 503 for voucher:V%2FMALEE, V/MALEE")) };
  const { detail } = await shownOf(createBulkReader("voucher store", store)(["voucher:V%2FMALEE"]));
  assert.equal(detail, "KV GET failed: 503 for voucher:…, …");
});

for (const [status, error, isRefusal, why] of [
  [400, "Coupon X is for members only", true, "a refusal in words for the client"],
  [400, "", false, "perhaps a proxy's"],
  [400, "connect ECONNREFUSED 10.1.2.3:8080", false, "a fault of the service, in its own words"],
  [409, "Coupon X is used up", true, "a conflict that the order has to solve"],
  [409, "", true, "no proxy says so"],
  [422, "Coupon X is for members only", true, "an order that the service cannot take"],
  [422, "", true, "no proxy says so"],
  [422, "connect ECONNREFUSED 10.1.2.3:8080", true, "the words change nothing"],
  ...[401, 403, 404, 405, 408, 413, 425, 429, 500, 502, 503, 504].map((other) => [
    other,
    "Coupon X is for members only",
    false,
    "a fault of ours or of the service",
  ]),
]) {
  test(`${status} with ${JSON.stringify(error)}: ${isRefusal ? "the order's own fault, which no other try helps" : "another try may help"}: ${why}`, async () => {
    for (const name of ["coupon service", "nationwide function"]) {
      const failure = await createServiceClient(
        name,
        refusing(error, status),
        undefined,
        serviceText(false),
      )({}, call).catch((thrown) => thrown);
      assert.equal(Object.hasOwn(failure, "retryable") && failure.retryable, !isRefusal);
      const outcome = { error: { code: "COUPON_SERVICE_FAILED", cause: failure } };
      const order = Object.assign(new Order(new Request("http://edge/")), { outcome });
      order.arrived();
      assert.equal(levelOf(order), isRefusal ? "warn" : "error");
    }
  });
}

test("a store that does not answer may do so later", async () => {
  const store = { get: () => Promise.reject(new Error("KV GET failed: 503")) };
  const failure = await createBulkReader("voucher store", store)(["voucher:1"]).catch((thrown) => thrown);
  assert.equal(failure.retryable, true);
});

test("a record is one line of JSON without control characters, and reads as it was written", (t) => {
  const write = t.mock.method(console, "log", () => {});
  log("warn", "order", { message: SPOOFED, emoji: "🍚", flag: "\u{e0041}" });
  const [line] = write.mock.calls[0].arguments;
  assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  assert.deepEqual(JSON.parse(line), { level: "warn", event: "order", message: SPOOFED, emoji: "🍚", flag: "\u{e0041}" });
});

test("an error of ours: what it says and where; a SyntaxError quotes foreign text, so only its name", () => {
  const parse = () => {
    try {
      return JSON.parse('{"phone":081}');
    } catch (error) {
      return error;
    }
  };
  assert.match(errorText(new TypeError("x is not a function", { cause: parse() })), /^TypeError: x is not a function: SyntaxError: at /);
  assert.match(errorText(new Error("outer")), /^Error: outer: at .*log\.test\.js:\d+:\d+/);
  const spoofed = Object.assign(new SyntaxError("x\n    at Malee 081"), {});
  assert.doesNotMatch(errorText(spoofed), /Malee/);
  for (const thrown of [undefined, null, "text", 5, {}, Object.create(null), Symbol("s")]) {
    assert.doesNotMatch(errorText(thrown), /text/, "anybody's words");
  }
  assert.equal(errorText(new Error("x".repeat(10_000))).length, 500);
  assert.equal(cut("x".repeat(501)).length, 500);
});

test("a voucher answer nested so deep that the stack ends is no JSON, and no error of ours", async (t) => {
  const answer = `[${"[".repeat(400_000)}${"]".repeat(400_000)}]`;
  t.mock.method(globalThis, "fetch", async () => new Response(answer));
  const { lookUps } = createHost({}, { vouchersUrl: "http://vouchers/", ratesKeepMs: 0 });
  await assert.rejects(lookUps.lookupVouchers(["V1"], call), { name: "Error", message: "The voucher service answered no JSON" });
});

test("D26: of a percentageDiscount of many digits the log shows what it shows of any text", async (t) => {
  const lines = [];
  t.after(takeLines((line) => lines.push(JSON.parse(line))));
  const { lookUps } = createHost(
    { coupons: { fetch: async () => new Response(`{"discounts":[{"percentageDiscount":1${"0".repeat(900_000)}}]}`) } },
    { ratesKeepMs: 0 },
  );
  await lookUps.validateCoupons({ couponCodeList: ["A"] }, call);
  assert.equal(lines[0].message.length, 500);
});

test("D26: a percentageDiscount above 1 is told once", async (t) => {
  const lines = [];
  t.after(takeLines((line) => lines.push(JSON.parse(line))));
  const answers = [
    '{"discounts":[{"coupon":"A","percentageDiscount":1}]}',
    '{"discounts":[{"coupon":"A","percentageDiscount": 10}]}',
    '{"discounts":[{"coupon":"A","percentageDiscount":15}]}',
  ];
  const { lookUps } = createHost({ coupons: { fetch: async () => new Response(answers[told++]) } }, { ratesKeepMs: 0 });
  let told = 0;
  for (const answer of answers) assert.equal(await lookUps.validateCoupons({ couponCodeList: ["A"] }, call), answer);
  const message = "The coupon service answered a percentageDiscount of 10: 1 is 100 %, 0.1 is 10 %";
  assert.deepEqual(lines, [{ level: "warn", event: "coupons", message }]);
});
