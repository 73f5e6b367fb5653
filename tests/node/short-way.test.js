// The short way of a plain order: what it answers, logs and counts is what Hono's server does, to the byte.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import net from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { isPromise, LOOK_UPS } from "order-cost/internal";
import { verifyReceipt } from "order-cost/receipt";
import { takeLines } from "../../worker/src/log/log.js";
import { createListener } from "../../worker/src/node/listener.js";
import { PlainRequest } from "../../worker/src/node/plain-request.js";
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
/** What has been logged and counted, and which ways orders took. */
let lines = [];
let observed = [];
let ways = [];
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

async function start(variables = {}) {
  const env = { CATALOGUE_DIR: folder, LOG_SAMPLE: "1", ...UNHURRIED, ...variables };
  const note = (what) => observed.push(what);
  const observer = { orderBegan: () => note("began"), orderEnded: (order) => note(countedOf(order)), refused: note };
  const platform = onNode(env, { observer });
  const { answer, catalogue } = createService(platform, env);
  const spied = (request, ctx) => {
    const answered = answer(request, ctx);
    ways.push(wayOf(request, answered));
    return answered;
  };
  await catalogue.current();
  const listener = createListener(spied, settingsOf(env).deadlineMs, platform.hold);
  listeners.push(listener);
  await once(listener.server.listen(0, "127.0.0.1"), "listening");
  return listener;
}

const wayOf = (request, answered) => {
  if (!(request instanceof PlainRequest)) return "long";
  return isPromise(answered) ? "waits" : "at once";
};

/** The same parts of a request, of which a header that comes twice makes one for the long way. */
const unusual = (parts) => parts.map((part) => (typeof part === "number" ? part : withHeaderTwice(part)));
const withHeaderTwice = (part) =>
  Buffer.from(part.toString("latin1").replaceAll(/ HTTP\/1\.[01]\r\n/g, "$&x-twice: 1\r\nx-twice: 2\r\n"), "latin1");

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
  [lines, observed, ways] = [[], [], []];
  const socket = connect(listener);
  const answers = await exchange(socket, parts, count);
  socket.destroy();
  const shown = answers.map(({ status, headers: { date, ...headers }, body }) => {
    assert.ok(date);
    const receipt = headers["x-order-cost-receipt"];
    if (receipt) headers["x-order-cost-receipt"] = claimsOf(receipt);
    return { status, headers: headersShown(headers), body: body.toString("base64") };
  });
  return { answers, ways, seen: { shown, lines: lines.map(lineShown), observed } };
}

const lineShown = ({ requestId, ms, ...line }) => ({ ...line, requestId: masked(requestId), ms: Object.keys(ms ?? {}) });
const headersShown = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, masked(value)]));

function claimsOf(receipt) {
  const [header, payload] = receipt.split(".").map((part) => Buffer.from(part, "base64url").toString());
  const { iat, exp, jti, ...claims } = JSON.parse(payload || "{}");
  assert.ok(iat < exp && jti);
  return header + JSON.stringify(claims);
}

/** Sends the same on both ways, first to warm the shelf. Returns which way the plain one took, and its answers. */
async function same(listener, parts, count) {
  await sightOf(listener, unusual(parts), count);
  const expected = await sightOf(listener, unusual(parts), count);
  assert.ok(expected.ways.every((way) => way === "long"));
  const got = await sightOf(listener, parts, count);
  assert.deepEqual(got.seen, expected.seen);
  return got;
}

function requestOf(body, headers = {}, path = "/calculatecost4") {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const fields = Object.entries({ host: "shop.example", "content-length": bytes.length, ...headers });
  const head = [`POST ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
  return { head: Buffer.from(head, "latin1"), bytes, whole: Buffer.concat([Buffer.from(head, "latin1"), bytes]) };
}

const AT_ONCE = ["at once"];
const WAITS = ["waits"];
const LONG = ["long"];
const NONE = [];

test("the seeded orders and the golden corpus: what is on the shelf is answered at once", async () => {
  const both = await start();
  const seeded = JSON.parse(await seedFile("orders.json")).map(({ file }) => seedFile(file));
  const golden = CORPUS.map(
    ({ testCase: { body, bodyBase64, order } }) => body ?? (bodyBase64 ? Buffer.from(bodyBase64, "base64") : (order ?? "")),
  );
  let count = 0;
  for (const [index, body] of [...(await Promise.all(seeded)), ...golden].entries()) {
    const { whole, bytes } = requestOf(body, {}, `/calculatecost${2 + (index % 3)}`);
    if (bytes.length === 0 || bytes.length > 60_000) continue;
    const { answers, ways } = await same(both, [whole]);
    if (answers[0].status === "HTTP/1.1 200 OK") assert.deepEqual(ways, AT_ONCE, `${bytes}`);
    assert.notDeepEqual(ways, LONG);
    count += Number(ways[0] === "at once");
  }
  assert.ok(count > 100, `${count} were answered at once`);
});

/** Of each case: the variables, the request, and its way. */
const CASES = {
  "a right key": [{ API_KEYS: "one,two" }, requestOf(ORDER, { authorization: "Bearer two" }), AT_ONCE],
  "a wrong key": [{ API_KEYS: "one,two" }, requestOf(ORDER, { authorization: "Bearer three" }), AT_ONCE],
  "no key": [{ API_KEYS: "one,two" }, requestOf(ORDER), AT_ONCE],
  "any origin": [{ ALLOWED_ORIGINS: "*" }, requestOf(ORDER, { origin: "https://b.example" }), AT_ONCE],
  "an allowed origin": [{ ALLOWED_ORIGINS: "https://a.example" }, requestOf(ORDER, { origin: "https://a.example" }), AT_ONCE],
  "another origin": [{ ALLOWED_ORIGINS: "https://a.example" }, requestOf(ORDER, { origin: "https://b.example" }), AT_ONCE],
  "no origin": [{ ALLOWED_ORIGINS: "https://a.example" }, requestOf(ORDER), AT_ONCE],
  "an id": [{}, requestOf(ORDER, { "x-request-id": "order-7" }), AT_ONCE],
  "a bad id": [{}, requestOf(ORDER, { "x-request-id": "ä b" }), AT_ONCE],
  "a base path": [{ BASE_PATH: "/shop" }, requestOf(ORDER, {}, "/shop/calculatecost3"), AT_ONCE],
  "a lenient route": [{ INPUT: "lenient" }, requestOf({ productList: [{ ...ORDER.productList[0], quantity: "2" }] }), AT_ONCE],
  "HTTP/1.0": [{}, { whole: Buffer.from(`${requestOf(ORDER).whole}`.replace("1.1", "1.0")) }, AT_ONCE],
  "HTTP/1.0 without a host": [{}, { whole: Buffer.from(`${requestOf(ORDER).whole}`.replace("1.1\r\nhost: shop.example", "1.0")) }, LONG],
  "a log without priced orders": [{ LOG_SAMPLE: "0" }, requestOf(ORDER), AT_ONCE],
  "a version that is always old": [{ DATA_MAX_AGE_SECONDS: "0" }, requestOf(ORDER), WAITS],
  coupons: [{}, requestOf(WITH_COUPON), WAITS],
  "a voucher": [{}, requestOf({ ...ORDER, voucherId: ["V1"] }), WAITS],
  "an unknown product": [{}, requestOf({ productList: [{ ...ORDER.productList[0], cprcode: 77 }] }), AT_ONCE],
  "no JSON": [{}, requestOf("{"), AT_ONCE],
  "another path": [{}, requestOf(ORDER, {}, "/calculatecost5"), AT_ONCE],
  "a query": [{}, requestOf(ORDER, {}, "/calculatecost4?a"), AT_ONCE],
  "a slash": [{}, requestOf(ORDER, {}, "/calculatecost4/"), AT_ONCE],
  "no catalogue": [{ CATALOGUE_DIR: undefined }, requestOf(ORDER), WAITS],
  "a body over its limit": [{ MAX_BODY_BYTES: "10" }, requestOf(ORDER), AT_ONCE],
  "a whole URL": [{}, requestOf(ORDER, {}, "http://shop.example/calculatecost4"), LONG],
  "a whole URL, and a host with a port": [{}, requestOf(ORDER, { host: "shop.example:80" }, "http://shop.example/calculatecost4"), LONG],
  "a backslash": [{}, requestOf(ORDER, {}, "/calculatecost4\\"), NONE],
  "a target that is no path": [{}, requestOf(ORDER, {}, "*"), NONE],
  "a path with dots": [{}, requestOf(ORDER, {}, "/health/."), LONG],
  "a host with a port": [{}, requestOf(ORDER, { host: "shop.example:8080" }), AT_ONCE],
  "a host with the port that a URL leaves out": [{}, requestOf(ORDER, { host: "shop.example:80" }), LONG],
  "a host that is spelled unlike its address": [{}, requestOf(ORDER, { host: "127.1:80" }), NONE],
  "a host of which no URL can be made": [{}, requestOf(ORDER, { host: "1.2.3.999" }), NONE],
  "no body": [{}, requestOf(""), LONG],
  "a large body that does not come": [{}, { whole: requestOf(ORDER, { "content-length": 99_999_999 }).head }, LONG],
  "a header twice": [{}, requestOf(ORDER, { cookie: "a=1", Cookie: "b=2" }), LONG],
  "an odd host": [{}, requestOf(ORDER, { host: "a b" }), NONE],
  "an expectation": [{}, requestOf(ORDER, { expect: "something", connection: "close" }), NONE],
};

for (const [name, [variables, { whole }, expected]] of Object.entries(CASES)) {
  test(name, async () => {
    const both = await start(variables);
    await sightOf(both, [requestOf(ORDER, { authorization: "Bearer two" }).whole]); // all that a good order needs is known
    assert.deepEqual((await same(both, [whole])).ways, expected);
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
    const { answers, ways } = await same(both, parts);
    assert.equal(JSON.parse(`${answers[0].body}`).productList[0].productName, THAI.productList[0].productName);
    assert.deepEqual(ways, LONG);
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
  for (const [part] of [[half], unusual([half])]) {
    [lines, observed] = [[], []];
    const socket = connect(unhurried);
    socket.write(part, () => setTimeout(() => socket.destroy(), 30));
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
  assert.deepEqual(together.ways, ["at once", "waits", "long"]); // the last one waits for its turn
  ways = [];
  const socket = connect(both);
  for (const request of requests) await exchange(socket, [request]);
  socket.destroy();
  assert.deepEqual(ways, ["at once", "waits", "at once"]);
  server.close();
});

test("a service that ends closes the connection after the answer", async () => {
  const answers = [];
  for (const toWay of [unusual, (parts) => parts]) {
    const listener = await start();
    const socket = connect(listener);
    const { whole } = requestOf(ORDER);
    const [first] = await exchange(socket, toWay([whole]));
    assert.equal(first.headers.connection, "keep-alive");
    ways = [];
    const ended = listener.end(1_000, async () => {});
    const [{ headers }] = await exchange(socket, toWay([whole]));
    await ended;
    answers.push(Object.keys(headers).sort(), headers.connection);
  }
  assert.deepEqual(ways, AT_ONCE);
  assert.deepEqual(answers.slice(2), answers.slice(0, 2));
  assert.equal(answers[3], "close");
});

test("receipts: the same claims, and they are right", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const both = await start({ RECEIPT_KEY: JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid: "k" }) });
  const keys = await (await fetch(`http://127.0.0.1:${both.server.address().port}/receipt-key`)).json();
  for (const id of ["mine", undefined]) {
    const { whole, bytes } = requestOf(ORDER, id && { "x-request-id": id });
    const { answers, ways } = await same(both, [whole]);
    assert.deepEqual(ways, AT_ONCE);
    const receipt = answers[0].headers["x-order-cost-receipt"];
    const { valid } = await verifyReceipt(receipt, { request: bytes, response: answers[0].body, keys });
    assert.equal(valid, true);
  }
});

test("an order on the short way looks for a new version behind it", async () => {
  const listener = await start({ DATA_REFRESH_SECONDS: "0" });
  const send = async () => (await sightOf(listener, [requestOf(ORDER).whole])).answers[0].headers["x-order-cost-data"];
  const first = await send();
  await send();
  assert.deepEqual(ways, AT_ONCE);
  const version = await makeVersion({ "1001/1000": '{"price":7}' });
  await writeTexts(folder, entriesOf(version));
  await until("it is in use for orders at once", async () => (await send()) === version.id && ways[0] === "at once");
  assert.notEqual(first, version.id);
});

test("an order that is captured or counted waits, and a client that hangs up meanwhile ends it", async () => {
  for (const variables of [{ RATE_LIMIT: "100" }, { DECISIONS_DIR: folder, REDACT_KEY: "0123456789abcdef".repeat(4) }]) {
    const both = await start(variables);
    const { ways } = await same(both, [requestOf(ORDER, { "x-request-id": "long" }).whole]);
    assert.deepEqual(ways, WAITS);
  }
  const { url, server } = await startService(() => new Promise(() => {}));
  const both = await start({ COUPONS_URL: url });
  await sightOf(both, [requestOf(ORDER).whole]); // its prices are known
  const broken = [];
  for (const [part] of [[requestOf(WITH_COUPON).whole], unusual([requestOf(WITH_COUPON).whole])]) {
    [lines, observed] = [[], []];
    const socket = connect(both);
    socket.write(part, () => setTimeout(() => socket.destroy(), 30));
    await until("it is logged", () => lines.length > 0);
    broken.push({ lines: lines.map(lineShown), observed });
  }
  assert.equal(broken[0].lines[0].code, "ABORTED");
  assert.deepEqual(broken[1], broken[0]);
  server.closeAllConnections?.();
  server.close();
});

test("an answer that cannot be sent ends its connection alone", async (context) => {
  const answer = () => ({ status: 200, headers: { "x-order-cost-data": "a\nb" }, body: "{}" });
  for (const answers of [answer, async () => answer()]) {
    const { server } = createListener(answers, 0, () => {});
    context.after(() => server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    lines = [];
    const socket = connect({ server });
    assert.deepEqual(await exchange(socket, [requestOf(ORDER).whole]), []);
    assert.deepEqual(
      lines.map(({ level, event, message }) => [level, event, message]),
      [["error", "fault", "An answer could not be sent"]],
    );
  }
});
