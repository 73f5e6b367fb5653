// `npm run collect`: captures with both answers on Node, without a Worker in between.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { main } from "../../worker/migration/collect-program.js";
import { run } from "../data/run.js";
import { cases } from "../effort.js";
import { file, path, run as replay } from "../package/command.js";
import { freePorts } from "../ports.js";
import { until } from "../until.js";
import { startOldAndNew } from "./old-and-new.js";
import { shopOrder } from "./shop-orders.js";

const WORKER = fileURLToPath(new URL("../../worker/", import.meta.url));
const { PATH } = process.env;

/** Those of a postcode that the rate service refuses have no capture. */
const ORDERS = Array.from({ length: cases(60) }, (_, index) => shopOrder(index + 1)).filter(
  ({ shipping }) => shipping?.shippingPostcode !== "0",
);

let shop;
before(async () => (shop = await startOldAndNew(["rowTotal", "missingField"])));
after(() => shop.stop());

const lined = (lines) => lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

let folders = 0;

/** Runs the command on a file of these lines, into a new folder. */
async function collected(lines, { args = [], env = {}, ...more } = {}) {
  const folder = `captures-${(folders += 1)}`;
  const orders = file(`${folder}.ndjson`, Buffer.isBuffer(lines) ? lines : lined(lines));
  const given = [orders, "--legacy", shop.legacy, "--out", folder, ...args];
  return { ...(await run(main, given, { env: { PATH, ...shop.variables, ...env }, ...more })), folder };
}

const textsIn = (folder) =>
  readdirSync(path(folder))
    .filter((name) => name !== "zones")
    .map((name) => readFileSync(path(join(folder, name)), "utf8"));
const capturesIn = (folder) => textsIn(folder).map((text) => JSON.parse(text));
const receivedOf = (id) => shop.received.filter(({ headers }) => headers["x-request-id"] === id);

const ORDER = ORDERS[0];

test(`${ORDERS.length} orders: this version still answers as captured, and the old side's differences are found`, async () => {
  const { code, out, err, folder } = await collected(ORDERS.map((request, index) => ({ requestId: `shop-${index}`, request })));
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, new RegExp(`^${ORDERS.length} orders, answered by ${shop.legacy} and by this version with the prices [0-9a-f]{16}:\n`));
  assert.match(
    out,
    new RegExp(`\n${ORDERS.length} captures in ${folder}\n\nNext: npx order-cost replay ${folder} --against legacy --suggest\n$`),
  );

  const again = await replay(["replay", folder]);
  assert.equal(again.code, 0, again.stdout + again.stderr);
  const against = await replay(["replay", folder, "--against", "legacy", "--suggest", "--format", "json"]);
  assert.equal(against.code, 1, against.stderr);
  const { different, suggestion } = JSON.parse(against.stdout);
  assert.equal(different, Number(/(\d+) different/.exec(out)[1]));
  assert.ok(different > ORDERS.length / 2, out);
  assert.equal(suggestion.policy.rowTotal, "list", JSON.stringify(suggestion));
  assert.match(against.stdout, /"decision":\s*"D3"/);

  const names = capturesIn(folder).map(({ requestId }) => requestId);
  assert.deepEqual(names.sort(), ORDERS.map((_, index) => `shop-${index}`).sort());
  for (const name of names) assert.equal(receivedOf(name).length, 1, name);
});

test("captures hold nobody's data", async () => {
  const { folder } = await collected(ORDERS);
  const secrets = ORDERS.flatMap(({ ownerId, orderId, basketId, voucherId = [], shipping = {} }) => {
    const { shippingLastName, shippingAddress, shippingPhone, shippingEmail } = shipping;
    return [
      ownerId && `"${ownerId}"`,
      orderId,
      basketId,
      ...voucherId,
      shippingLastName,
      shippingAddress,
      shippingPhone,
      shippingEmail,
    ].filter(Boolean);
  });
  assert.ok(secrets.length > 3 * ORDERS.length);
  const texts = textsIn(folder);
  assert.equal(texts.length, ORDERS.length);
  for (const text of texts) for (const secret of secrets) assert.ok(!text.includes(secret), `${secret}: ${text}`);
});

test("the old service gets each body byte for byte, marked as a second call", async () => {
  const spaced = `{ "productList" : ${JSON.stringify(ORDER.productList)}, "orderDate":1795143600.00 }`;
  const bytes = Buffer.from(
    `\ufeff${spaced}\r\n\r\n{"requestId":"bytes-1","route":"calculatecost2","request": ${spaced} }\n{"requestId":"bytes-2","request":"no\\nJSON"}`,
  );
  const before = shop.received.length;
  const { code, folder } = await collected(bytes, { args: ["--header", "Authorization: Bearer old:key", "--header", "x-shop: 7"] });
  assert.equal(code, 0);
  const received = shop.received
    .slice(before)
    .sort((one, other) => one.url.localeCompare(other.url) || other.body.length - one.body.length);
  assert.deepEqual(
    received.map(({ url, body }) => [url, `${body}`]),
    [
      ["/calculatecost2", spaced],
      ["/calculatecost4", spaced],
      ["/calculatecost4", "no\nJSON"],
    ],
  );
  for (const { headers } of received) {
    const { authorization, "x-shop": mine, "content-type": type, "x-order-cost-shadow": shadow } = headers;
    assert.deepEqual([authorization, mine, type, shadow], ["Bearer old:key", "7", "application/json", "1"]);
  }
  const [first, second, third] = capturesIn(folder);
  assert.deepEqual([first.route, second.route, third.route], ["calculatecost4", "calculatecost2", "calculatecost4"]);
  assert.match(first.requestId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    readdirSync(path(folder)).filter((name) => name !== "zones"),
    ["1", "3", "4"],
    "a capture has the number of its line",
  );
});

test("failures of the old side are captured, those of look-ups are not", async () => {
  const ids = ["down-1", "down-2", "html-1", "text-1", "cut-1", "good-1"];
  const lines = ids.map((requestId) => ({ requestId, request: ORDER }));
  const refused = { ...ORDER, shipping: { shippingType: "DELIVERY", scheduleList: [{}], shippingPostcode: "0" } };
  const large = { ...ORDER, remark: "x".repeat(131_072) };
  const { code, out, folder } = await collected([...lines, refused, large]);
  assert.equal(code, 0, out);
  assert.match(out, /\n {6}5 failed on the old side\n/);
  assert.match(out, /\n {8}2 old side: unreachable \(first: line 1\)\n/);
  for (const why of ["status 502", "noObject", "brokenOff"])
    assert.match(out, new RegExp(`\n {8}1 old side: ${why} \\(first: line \\d\\)\n`));
  assert.match(out, /\n6 captures in captures-\d+, 2 not kept:\n {8}1 .+ \(first: line 7\)\n {8}1 it is too large \(first: line 8\)\n/);
  const sides = Object.fromEntries(capturesIn(folder).map(({ requestId, legacy }) => [requestId, legacy]));
  assert.deepEqual(sides["down-1"], { status: null, body: null });
  assert.equal(sides["html-1"].status, 502);
  assert.deepEqual([sides["text-1"].status, typeof sides["text-1"].body], [200, "string"]);
  assert.deepEqual(sides["cut-1"], { status: 200, body: null });
  assert.equal((await replay(["replay", folder])).code, 0);
});

test("an old service that ended before the orders did is no success", async () => {
  const ids = ["good-2", "down-3", "good-3", "down-4", "down-5", "down-6", "down-7", "down-8"];
  const { code, out, err, folder } = await collected(ids.map((requestId) => ({ requestId, request: ORDER })));
  assert.equal(code, 1, out);
  assert.equal(err, "\nThe old service was not reached for the last 5 orders: has it ended?\n");
  assert.match(out, new RegExp(`\n8 captures in ${folder}\n`));
});

test("where every order fails on a side, that is no success", async () => {
  const { code, out, err } = await collected([{ requestId: "html-9", request: ORDER }]);
  assert.equal(code, 1);
  assert.match(out, /1 failed on the old side/);
  assert.equal(err, "\nNo order was priced by both sides: does --legacy lack a path, or a --header?\n");
});

test("--without-coupons asks neither side about them", async () => {
  const [withCodes, without] = [ORDERS.find(({ couponCodeList }) => couponCodeList), ORDERS.find(({ couponCodeList }) => !couponCodeList)];
  const { out, folder } = await collected([{ requestId: "coupons-1", request: withCodes }, without], { args: ["--without-coupons"] });
  assert.match(out, /\n {6}1 left out, with coupon codes\n/);
  assert.equal(capturesIn(folder).length, 1);
  assert.equal(receivedOf("coupons-1").length, 0);
});

test("a signal ends it after the orders under way: what is written can be replayed", async () => {
  const stopping = new AbortController();
  const before = shop.received.length;
  const ending = collected(Array(200).fill(ORDER), { signal: stopping.signal });
  await until("an order is sent", async () => shop.received.length > before);
  stopping.abort(130);
  const { code, out, err, folder } = await ending;
  assert.deepEqual([code, err], [130, "Ending after the orders under way. Once more: at once.\n"]);
  const [, taken] = /^Interrupted: (\d+) of 200 orders, /.exec(out);
  assert.ok(Number(taken) < 200);
  assert.equal(capturesIn(folder).length, Number(taken));
  assert.equal((await replay(["replay", folder])).code, 0);
});

const FAULTY = [
  [
    "expected an order on each line, as a JSON object in UTF-8",
    "{",
    '["x"]',
    "null",
    "cprcode,price",
    Buffer.from('{"productList":["\xff"]}', "latin1"),
  ],
  ["expected an order with productList, or requestId, route, request", '{"orderId":"x"}'],
  ['expected requestId, route, request, got "requestID"', '{"request":{},"requestID":"r-1"}'],
  ["requestId: expected 1 to 64 characters of A-Za-z0-9._-", '{"request":{},"requestId":"Malee S."}', '{"request":{},"requestId":7}'],
  ["route: expected one of calculatecost2, calculatecost3, calculatecost4", '{"request":{},"route":"calculatecost1"}'],
  ["request: expected an order, or its text", '{"request":[]}'],
];
for (const [fault, ...lines] of FAULTY) {
  for (const line of lines) {
    test(`nothing is sent where a line is ${JSON.stringify(`${line}`)}`, async () => {
      const before = shop.received.length;
      const { code, out, err, folder } = await collected(Buffer.concat([Buffer.from(`${JSON.stringify(ORDER)}\n`), Buffer.from(line)]));
      assert.deepEqual([code, out, err], [1, "", `collect: ${folder}.ndjson:2: ${fault}\n`]);
      assert.equal(shop.received.length, before);
      assert.ok(!existsSync(path(folder)));
    });
  }
}

test("faults are one sentence", async () => {
  const fault = async (options, lines = [ORDER]) => {
    const { code, out, err, folder } = await collected(lines, options);
    assert.deepEqual([code, out], [1, ""], err);
    assert.equal(err.split("\n").length, 2, err);
    return err.replaceAll(folder, "FOLDER").trim();
  };
  assert.equal(await fault({}, []), "collect: FOLDER.ndjson: expected at least one order");
  const long = Buffer.alloc(17 * 2 ** 20, "x");
  assert.equal(await fault({}, long), "collect: FOLDER.ndjson:1: expected an order on each line, got more than 16 MiB");
  assert.match(await fault({ env: { REDACT_KEY: "" } }), /^collect: Variable REDACT_KEY is missing: /);
  assert.match(await fault({ env: { ROW_TOTAL: "lists" } }), /^collect: Variable ROW_TOTAL: expected one of effective, list, got "lists"$/);
  assert.match(
    await fault({ env: { CATALOGUE_DIR: "" } }),
    /^collect: the new side has no prices: .+ CATALOGUE_DIR or CATALOGUE_URL says where they are$/,
  );
  assert.match(await fault({ env: { CATALOGUE_DIR: "nowhere" } }), /^collect: the new side has no prices: /);
  assert.match(await fault({ args: ["--env-file", "nowhere"] }), /^collect: cannot read nowhere: ENOENT/);
});

test("where the folder may not be, and an old service that is not there", async () => {
  const { folder } = await collected([ORDER]);
  const orders = `${folder}.ndjson`;
  const failed = async (out, legacy = shop.legacy, input = orders) => {
    const { code, err } = await run(main, [input, "--legacy", legacy, "--out", out], { env: { PATH, ...shop.variables } });
    assert.equal(code, 1);
    return err;
  };
  assert.match(await failed(folder), /^collect: --out \S+: expected a new folder or an empty one, got one with 1(?:, zones)?\n$/);
  assert.match(await failed(orders), /^collect: --out \S+: expected a place outside \S+, which the command reads\n$/);
  assert.match(await failed(join(shop.folder, "captures")), /: expected a place outside \S+, which the command reads\n$/);
  assert.match(await failed(file("a-file", "x")), /^collect: --out a-file: expected a folder: ENOTDIR/);
  assert.match(
    await failed("new", `http://127.0.0.1:${await freePorts()}`),
    /^collect: --legacy \S+: expected a service that answers: fetch failed: ECONNREFUSED\n$/,
  );
  assert.match(await failed("new", shop.legacy, "nowhere"), /^collect: cannot read nowhere: ENOENT/);
  assert.match(await failed("new", shop.legacy, "."), /^collect: cannot read \.: expected a file\n$/);
  assert.ok(!existsSync(path("new")));
});

const WRONG = [
  [[], /^collect: missing required argument 'orders'|required option/],
  [["a", "b", "--legacy", "http://old", "--out", "x"], /too many arguments/],
  [["a", "--legacy", "ftp://old", "--out", "x"], /Expected an http or https URL without a user, a password or a query\./],
  [["a", "--legacy", "http://old/?key=1", "--out", "x"], /Expected an http or https URL/],
  [["a", "--legacy", "http://old", "--legacy", "http://old", "--out", "x"], /--legacy: expected it once/],
  [["a", "--legacy", "http://old", "--out", "x", "--header", "s3cret"], /Expected a name, a colon and a value\./],
  [["a", "--legacy", "http://old", "--out", "x", "--headers", "x: 1"], /unknown option '--headers'/],
];
for (const [args, message] of WRONG) {
  test(`${JSON.stringify(args)} is wrong usage`, async () => {
    const { code, out, err } = await run(main, args);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, message);
  });
}

test("an option that npm took is named", async () => {
  const { code, err } = await run(main, ["orders.ndjson"], { env: { PATH, npm_config_legacy: "http://old" } });
  assert.deepEqual([code, err], [2, "collect: npm took --legacy for itself: write npm run collect -- FILE --legacy …\n"]);
});

/** Runs the script of package.json, as npm does. */
async function spawned(args) {
  const { scripts } = JSON.parse(readFileSync(join(WORKER, "package.json"), "utf8"));
  const [, ...script] = scripts.collect.split(" ");
  const child = spawn(process.execPath, [...script, ...args], { cwd: WORKER, env: { PATH } });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, out, err };
}

test("as a process it prints the summary alone, and takes its variables from a file", async () => {
  const variables = file("process.env", lined(Object.entries(shop.variables).map(([name, value]) => `${name}=${value}`)));
  const args = [path(file("process.ndjson", lined([ORDER]))), "--legacy", shop.legacy, "--out", path("process"), "--env-file"];
  const failed = await spawned([...args, "nowhere"]);
  assert.deepEqual(failed, { code: 1, out: "", err: "collect: cannot read nowhere: ENOENT: no such file or directory, open 'nowhere'\n" });
  const { code, out, err } = await spawned([...args, path(variables)]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^1 order, answered by .+\n {6}1 (?:same|different)\n\n1 capture in .+\n\nNext: .+\n$/);
});
