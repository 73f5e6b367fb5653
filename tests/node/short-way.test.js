// The short way of an order: what it answers, logs and counts is what the long way does, to the byte.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import net from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { LOOK_UPS } from "order-cost/internal";
import { verifyReceipt } from "order-cost/receipt";
import { takeLines } from "../../worker/src/log/log.js";
import { createListener } from "../../worker/src/node/listener.js";
import { onNode } from "../../worker/src/node/platform/platform.js";
import { settingsOf } from "../../worker/src/node/settings.js";
import { createService } from "../../worker/src/service/service.js";
import { readCorpus } from "../golden/corpus.mjs";
import { UNHURRIED, until } from "../until.js";
import { entriesOf, makeVersion } from "../worker/catalogue.js";
import { folderToRemove, ORDER, remove, startService, WITH_COUPON, writeTexts } from "./shop.js";

const seedFile = (name) => readFile(new URL(`../../worker/seed/${name}`, import.meta.url), "utf8");
const CORPUS = readCorpus();
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const THAI = { productList: [{ ...ORDER.productList[0], productName: "ข้าวหอมมะลิ" }] };

let folder;
let restore;
/** What has been logged and counted, and what the short way was asked: `true` if it answered. */
let lines = [];
let observed = [];
let asked = [];
const listeners = [];

before(async () => {
  restore = takeLines((line) => lines.push(JSON.parse(line)));
  folder = await folderToRemove();
  await writeTexts(folder, entriesOf(await makeVersion(await prices(), await seedFile("zones.json"))));
});
after(async () => {
  for (const { server } of listeners) server.closeAllConnections?.call(server.close());
  restore();
  await remove(folder);
});

/** The seed's prices and the corpus's: of those for one place one. */
async function prices() {
  const all = Object.entries(JSON.parse(await seedFile("prices.json")));
  for (const { testCase } of CORPUS) {
    for (const [key, record] of Object.entries(testCase.host?.prices ?? {})) all.push([/\//.test(key) ? key : `${key}/1000`, record]);
  }
  const good = all.filter(([key, record]) => /^\d+\/\w+$/.test(key) && typeof record?.price === "number");
  return Object.fromEntries(good.map(([key, record]) => [key, JSON.stringify(record)]));
}

/** Two listeners of one service: `long` lacks the short way. */
async function start(variables = {}) {
  const env = { CATALOGUE_DIR: folder, LOG_SAMPLE: "1", ...UNHURRIED, ...variables };
  const note = (what) => observed.push(what);
  const observer = { orderBegan: () => note("began"), orderEnded: (order) => note(countedOf(order)), refused: note };
  const platform = onNode(env, { observer });
  const { answer, answerNow, catalogue } = createService(platform, env);
  const spied = (...order) => {
    const answered = answerNow(...order);
    asked.push(answered !== undefined);
    return answered;
  };
  const { deadlineMs } = settingsOf(env);
  await catalogue.current();
  const long = createListener(answer, deadlineMs, platform.hold);
  const short = createListener(answer, deadlineMs, platform.hold, answerNow && spied);
  listeners.push(long, short);
  await Promise.all([long, short].map(({ server }) => once(server.listen(0, "127.0.0.1"), "listening")));
  return { long, short, isOff: answerNow === undefined };
}

/** What the metrics are made of. */
function countedOf(order) {
  const { context: _, ms, error, requestId, ...outcome } = order.outcome ?? {};
  const counts = Object.values(LOOK_UPS).map(({ part }) => [part, order.countsOf(part)]);
  const { version, key, open } = order;
  return { ...outcome, ms: Object.keys(ms ?? {}), code: error?.code, id: masked(requestId), counts, version, key, open };
}

const masked = (text) => text?.replaceAll(UUID, "made").replaceAll(/dur=[\d.]+/g, "dur");

const connect = ({ server }) => net.connect(server.address().port, "127.0.0.1").on("error", () => {});

/** Writes parts, and waits for numbers of milliseconds between them, until so many answers have come or the connection is closed. */
async function exchange(socket, parts, count = 1) {
  let bytes = Buffer.alloc(0);
  const done = new Promise((resolve) => {
    const take = (part) => {
      bytes = Buffer.concat([bytes, part]);
      if (answersIn(bytes).length === count) socket.off("data", take) && resolve(undefined);
    };
    socket.on("data", take).once("close", resolve);
  });
  for (const part of parts) await (typeof part === "number" ? wait(part) : socket.write(part));
  await done;
  return answersIn(bytes);
}

function answersIn(bytes) {
  const answers = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end < 0 || bytes.toString("latin1", at, at + 4) !== "HTTP") break; // or the rest of a chunked one
    const [status, ...fields] = bytes.toString("latin1", at, end).split("\r\n");
    const headers = Object.fromEntries(fields.map((field) => [field.split(": ")[0].toLowerCase(), field.slice(field.indexOf(": ") + 2)]));
    const next = end + 4 + Number(headers["content-length"] ?? 0);
    if (!(next <= bytes.length)) break;
    answers.push({ status, headers, body: bytes.subarray(end + 4, next) });
    at = next;
  }
  return answers;
}

/** What everybody can see of what a listener does, without what differs from order to order. */
async function sightOf(listener, parts, count) {
  [lines, observed, asked] = [[], [], []];
  const socket = connect(listener);
  const answers = await exchange(socket, parts, count);
  socket.destroy();
  const shown = answers.map(({ status, headers: { date, ...headers }, body }) => {
    assert.ok(date);
    const receipt = headers["x-order-cost-receipt"];
    if (receipt) headers["x-order-cost-receipt"] = claimsOf(receipt);
    return { status, headers: headersShown(headers), body: body.toString("base64") };
  });
  return { answers, asked, seen: { shown, lines: lines.map(lineShown), observed } };
}

const lineShown = ({ requestId, ms, ...line }) => ({ ...line, requestId: masked(requestId), ms: Object.keys(ms ?? {}) });
const headersShown = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, masked(value)]));

function claimsOf(receipt) {
  const [header, payload] = receipt.split(".").map((part) => Buffer.from(part, "base64url").toString());
  const { iat, exp, jti, ...claims } = JSON.parse(payload || "{}");
  assert.ok(iat < exp && jti);
  return header + JSON.stringify(claims);
}

/** Sends the same to both, first to warm the shelf. Returns what the short way said, and the answers on it. */
async function same({ long, short }, parts, count) {
  await sightOf(long, parts, count);
  const expected = await sightOf(long, parts, count);
  const got = await sightOf(short, parts, count);
  assert.deepEqual(got.seen, expected.seen);
  return got;
}

function requestOf(body, headers = {}, path = "/calculatecost4") {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const fields = Object.entries({ host: "shop.example", "content-length": bytes.length, ...headers });
  const head = [`POST ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
  return { head: Buffer.from(head, "latin1"), bytes, whole: Buffer.concat([Buffer.from(head, "latin1"), bytes]) };
}

const SHORT = [true];
const LONG = [false];
const UNASKED = [];

test("the seeded orders and the golden corpus: what can be priced from the shelf takes the short way", async () => {
  const both = await start();
  const seeded = JSON.parse(await seedFile("orders.json")).map(({ file }) => seedFile(file));
  const golden = CORPUS.map(
    ({ testCase: { body, bodyBase64, order } }) => body ?? (bodyBase64 ? Buffer.from(bodyBase64, "base64") : (order ?? "")),
  );
  let count = 0;
  for (const [index, body] of [...(await Promise.all(seeded)), ...golden].entries()) {
    const { whole, bytes } = requestOf(body, {}, `/calculatecost${2 + (index % 3)}`);
    if (bytes.length === 0 || bytes.length > 60_000) continue;
    const { answers, asked } = await same(both, [whole]);
    assert.deepEqual(asked, [answers[0].status === "HTTP/1.1 200 OK"], `${bytes}`);
    count += Number(asked[0]);
  }
  assert.ok(count > 100, `${count} took the short way`);
});

/** Of each case: the variables, the request, and whether the short way is asked and answers. */
const CASES = {
  "a right key": [{ API_KEYS: "one,two" }, requestOf(ORDER, { authorization: "Bearer two" }), SHORT],
  "a wrong key": [{ API_KEYS: "one,two" }, requestOf(ORDER, { authorization: "Bearer three" }), LONG],
  "no key": [{ API_KEYS: "one,two" }, requestOf(ORDER), LONG],
  "any origin": [{ ALLOWED_ORIGINS: "*" }, requestOf(ORDER, { origin: "https://b.example" }), SHORT],
  "an allowed origin": [{ ALLOWED_ORIGINS: "https://a.example" }, requestOf(ORDER, { origin: "https://a.example" }), SHORT],
  "another origin": [{ ALLOWED_ORIGINS: "https://a.example" }, requestOf(ORDER, { origin: "https://b.example" }), SHORT],
  "no origin": [{ ALLOWED_ORIGINS: "https://a.example" }, requestOf(ORDER), SHORT],
  "an id": [{}, requestOf(ORDER, { "x-request-id": "order-7" }), SHORT],
  "a bad id": [{}, requestOf(ORDER, { "x-request-id": "ä b" }), SHORT],
  "a base path": [{ BASE_PATH: "/shop" }, requestOf(ORDER, {}, "/shop/calculatecost3"), SHORT],
  "a lenient route": [{ INPUT: "lenient" }, requestOf({ productList: [{ ...ORDER.productList[0], quantity: "2" }] }), SHORT],
  "HTTP/1.0": [{}, { whole: Buffer.from(`${requestOf(ORDER).whole}`.replace("1.1", "1.0")) }, SHORT],
  "a log without priced orders": [{ LOG_SAMPLE: "0" }, requestOf(ORDER), SHORT],
  "a version that is always old": [{ DATA_MAX_AGE_SECONDS: "0" }, requestOf(ORDER), LONG],
  coupons: [{}, requestOf(WITH_COUPON), LONG],
  "a voucher": [{}, requestOf({ ...ORDER, voucherId: ["V1"] }), LONG],
  "an unknown product": [{}, requestOf({ productList: [{ ...ORDER.productList[0], cprcode: 77 }] }), LONG],
  "no JSON": [{}, requestOf("{"), LONG],
  "another path": [{}, requestOf(ORDER, {}, "/calculatecost5"), LONG],
  "a query": [{}, requestOf(ORDER, {}, "/calculatecost4?a"), LONG],
  "a slash": [{}, requestOf(ORDER, {}, "/calculatecost4/"), LONG],
  "no catalogue": [{ CATALOGUE_DIR: undefined }, requestOf(ORDER), LONG],
  "a body over its limit": [{ MAX_BODY_BYTES: "10" }, requestOf(ORDER), LONG],
  "no body": [{}, requestOf(""), UNASKED],
  "a large body that does not come": [{}, { whole: requestOf(ORDER, { "content-length": 99_999_999 }).head }, UNASKED],
  "a header twice": [{}, requestOf(ORDER, { cookie: "a=1", Cookie: "b=2" }), UNASKED],
  "an odd host": [{}, requestOf(ORDER, { host: "a b" }), UNASKED],
  "an expectation": [{}, requestOf(ORDER, { expect: "something", connection: "close" }), UNASKED],
};

for (const [name, [variables, { whole }, expected]] of Object.entries(CASES)) {
  test(name, async () => {
    const both = await start(variables);
    await sightOf(both.long, [requestOf(ORDER, { authorization: "Bearer two" }).whole]); // all that a good order needs is known
    const { asked } = await same(both, [whole]);
    assert.deepEqual(asked, expected);
  });
}

test("the body comes behind its headers, or in parts that cut a letter: the long way reads it", async () => {
  const both = await start();
  const { head, bytes } = requestOf(THAI, { "x-request-id": "parts" });
  const cut = bytes.indexOf("ข้าว") + 1;
  for (const parts of [
    [head, 30, bytes],
    [Buffer.concat([head, bytes.subarray(0, cut)]), 30, bytes.subarray(cut)],
  ]) {
    const { answers, asked } = await same(both, parts);
    assert.equal(JSON.parse(`${answers[0].body}`).productList[0].productName, THAI.productList[0].productName);
    assert.deepEqual(asked, UNASKED);
  }
});

test("a body that stops meets the order's deadline, and one that breaks off is logged", async () => {
  const both = await start({ ORDER_DEADLINE_MS: "200" });
  const { head, bytes } = requestOf(THAI);
  const half = Buffer.concat([head, bytes.subarray(0, 20)]);
  for (const parts of [[head], [half]]) {
    const { answers } = await same(both, parts);
    assert.equal(answers[0].headers["x-order-cost-error"], "DEADLINE_EXCEEDED");
  }
  const unhurried = await start();
  const broken = [];
  for (const listener of [unhurried.long, unhurried.short]) {
    [lines, observed] = [[], []];
    const socket = connect(listener);
    socket.write(half, () => setTimeout(() => socket.destroy(), 30));
    await until("it is logged", () => lines.length > 0);
    broken.push({ lines: lines.map(lineShown), observed });
  }
  assert.equal(broken[0].lines[0].code, "ABORTED");
  assert.deepEqual(broken[1], broken[0]);
});

test("requests of one connection are answered in their order, together or one after another", async () => {
  const { url, server } = await startService(() => wait(50));
  const both = await start({ COUPONS_URL: url });
  const requests = ["a", "b", "c"].map((id) => requestOf(id === "b" ? WITH_COUPON : ORDER, { "x-request-id": id }).whole);
  const together = await same(both, [Buffer.concat(requests)], 3);
  assert.deepEqual(
    together.answers.map(({ headers }) => headers["x-request-id"]),
    ["a", "b", "c"],
  );
  assert.deepEqual(together.asked, [true, false]); // the last one waits
  asked = [];
  const socket = connect(both.short);
  for (const request of requests) await exchange(socket, [request]);
  socket.destroy();
  assert.deepEqual(asked, [true, false, true]);
  server.close();
});

test("a service that ends closes the connection after the answer", async () => {
  const both = await start();
  const answers = [];
  for (const listener of [both.long, both.short]) {
    const socket = connect(listener);
    const { whole } = requestOf(ORDER);
    const [first] = await exchange(socket, [whole]);
    assert.equal(first.headers.connection, "keep-alive");
    asked = [];
    const ended = listener.end(1_000, async () => {});
    const [{ headers }] = await exchange(socket, [whole]);
    await ended;
    answers.push(Object.keys(headers).sort(), headers.connection);
  }
  assert.deepEqual(asked, SHORT);
  assert.deepEqual(answers.slice(2), answers.slice(0, 2));
  assert.equal(answers[3], "close");
});

test("receipts: the same claims, and they are right", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const both = await start({ RECEIPT_KEY: JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid: "k" }) });
  const keys = await (await fetch(`http://127.0.0.1:${both.short.server.address().port}/receipt-key`)).json();
  for (const id of ["mine", undefined]) {
    const { whole, bytes } = requestOf(ORDER, id && { "x-request-id": id });
    const { answers, asked } = await same(both, [whole]);
    assert.deepEqual(asked, SHORT);
    const receipt = answers[0].headers["x-order-cost-receipt"];
    const { valid } = await verifyReceipt(receipt, { request: bytes, response: answers[0].body, keys });
    assert.equal(valid, true);
  }
});

test("an order on the short way looks for a new version behind it", async () => {
  const { short } = await start({ DATA_REFRESH_SECONDS: "0" });
  const send = async () => (await sightOf(short, [requestOf(ORDER).whole])).answers[0].headers["x-order-cost-data"];
  const first = await send();
  await send();
  assert.deepEqual(asked, SHORT);
  const version = await makeVersion({ "1001/1000": '{"price":7}' });
  await writeTexts(folder, entriesOf(version));
  await until("it is in use on the short way", async () => (await send()) === version.id && asked[0]);
  assert.notEqual(first, version.id);
});

test("captures and a limit of orders leave only the long way", async () => {
  for (const variables of [{ RATE_LIMIT: "100" }, { DECISIONS_DIR: folder, REDACT_KEY: "0123456789abcdef".repeat(4) }]) {
    const both = await start(variables);
    assert.equal(both.isOff, true);
    await same(both, [requestOf(ORDER, { "x-request-id": "long" }).whole]);
  }
});
