// What the Worker logs of the text of services and stores.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createBulkReader } from "../../worker/src/kv.js";
import { logError, masked } from "../../worker/src/log.js";
import { createService } from "../../worker/src/service.js";

const { signal } = new AbortController();

/** The lines logged while `run` runs. */
async function logged(run) {
  const error = mock.method(console, "error", () => {});
  try {
    await run().catch(() => {});
    return error.mock.calls.map(({ arguments: texts }) => texts.join(" "));
  } finally {
    error.mock.restore();
  }
}

const refusing = (error) => ({ fetch: async () => Response.json({ error }, { status: 500 }) });
const asking = (error, question, logText) => () =>
  createService("coupon service", refusing(error), undefined, logText)(question, { signal });

const SPOOFED = "no rate for 10110\r\nAn order failed: none\u001b[2J\u009b2J\u2028\u202e, call 081-234-5678";

test("a service's text about a customer is not logged", async () => {
  assert.deepEqual(await logged(asking(SPOOFED, {})), [
    `The coupon service answered 500: ${SPOOFED.length} characters that LOG_SERVICE_TEXT=1 would log`,
  ]);
});

test("with LOG_SERVICE_TEXT: one line, without control characters", async () => {
  const [line, ...more] = await logged(asking(SPOOFED, {}, true));
  assert.deepEqual(more, []);
  assert.equal(
    line,
    "The coupon service answered 500: no rate for 10110\\u{d}\\u{a}An order failed: none\\u{1b}[2J\\u{9b}2J\\u{2028}\\u{202e}, call 081-234-5678",
  );
});

test("…of 500 characters at most", async () => {
  const [line] = await logged(asking(`http://${"x".repeat(10_000)}`, {}, true));
  assert.equal(line.length, 500);
});

test("…without the strings of the question", async () => {
  const question = { ownerId: "malee", couponCodeList: ["SAVE20", "SAVE20-EXTRA", "A"], productList: [{ productName: "น้ำปลา" }] };
  const said = "\nSAVE20-EXTRA and SAVE20 are not malee's, A neither: น้ำปลา, น้ำ";
  assert.deepEqual(await logged(asking(said, question, true)), [
    "The coupon service answered 500: \\u{a}… and … are not …'s, A neither: …, น้ำ",
  ]);
});

test("a secret that is cut off at the end is masked too", () => {
  const secret = "0812345678";
  for (let cut = 0; cut <= secret.length; cut += 1) {
    const text = `${"x".repeat(500 - cut)}${secret}`;
    const shown = masked(text, { secret });
    const told = shown.slice(500 - cut);
    assert.ok(told === "…" || (told.length < 4 && secret.startsWith(told)), `${cut}: ${told}`);
  }
});

test("…in every spelling of the question, numbers too", async () => {
  const question = { ownerId: 'ow"n\\er', basketId: "ร้าน 7", orderDate: 66812345678 };
  const said = `\n${JSON.stringify(question)} ${encodeURIComponent(question.basketId)} 66812345678`;
  assert.deepEqual(await logged(asking(said, question, true)), [
    'The coupon service answered 500: \\u{a}{"ownerId":"…","basketId":"…","orderDate":…} … …',
  ]);
});

test("what a service behind a binding throws is its text too", async () => {
  const throwing = { fetch: () => Promise.reject(new Error("081-234-5678 of malee")) };
  const ask = (logText, url) => () => createService("coupon service", throwing, url, logText)({ ownerId: "malee" }, { signal });
  assert.deepEqual(await logged(ask(false)), ["The coupon service could not be reached: 21 characters that LOG_SERVICE_TEXT=1 would log"]);
  assert.deepEqual(await logged(ask(true)), ["The coupon service could not be reached: 081-234-5678 of …"]);
});

test("a message of a store or of the network: one line", async () => {
  const store = { get: () => Promise.reject(new Error("KV GET failed: 503\nfrom \u001b[31m10.1.2.3")) };
  const [line, ...more] = await logged(() => createBulkReader("price store", store)(["a"]));
  assert.deepEqual(more, []);
  assert.match(line, /^The price store did not answer: KV GET failed: 503\\u\{a\}from \\u\{1b\}\[31m10\.1\.2\.3: +/);
  const fetched = mock.method(globalThis, "fetch", () => Promise.reject(new Error("Network connection\nlost.")));
  const lines = await logged(() => createService("coupon service", undefined, "http://coupons.example")({}, { signal }));
  fetched.mock.restore();
  assert.deepEqual(lines, ["The coupon service could not be reached: Network connection\\u{a}lost."]);
});

test("any thrown value", async () => {
  for (const thrown of [undefined, null, "text", 5, {}, Object.create(null), Symbol("s"), new Error("", { cause: "why" })]) {
    const [line] = await logged(async () => logError("It failed", thrown));
    assert.match(line, /^It failed/);
  }
});
