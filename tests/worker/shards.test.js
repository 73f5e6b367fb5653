// How a version's records are found, and what happens to a version that is not whole.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import fc from "fast-check";
import { hashOf } from "../../worker/src/catalogue/format.js";
import { createTextReader } from "../../worker/src/catalogue/texts.js";
import { createVersion } from "../../worker/src/catalogue/version.js";
import { shardKey } from "../../worker/src/keys.js";
import { Order } from "../../worker/src/order.js";
import { SEED, cases } from "../effort.js";
import { makeVersion } from "./catalogue.js";
import { anyText, code, naiveRecords } from "./shard-texts.js";

/** A version in a store that records its reads. `texts` is what the store has. */
async function setUp(prices, { zones, cacheBytes = 1e6, ...layout } = {}) {
  const { id, manifest, texts } = await makeVersion(prices, zones, layout);
  const get = mock.fn(async (keys, _options) => new Map(keys.map((key) => [key, texts[key] ?? null])));
  const onIncomplete = mock.fn();
  const read = createTextReader({ get }, { cacheBytes, deadlineMs: 5000, hold() {} });
  const version = createVersion(manifest, read, { patienceMs: 500, hold() {}, onIncomplete });
  const order = new Order();
  const lookup = (branchId, ...cprcodes) => version.lookupPrices(cprcodes.map((cprcode) => ({ cprcode, branchId })), order);
  return { id, texts, get, onIncomplete, version, lookup, order };
}

const NAMES = ["1000", "", "a/b", "constructor", "__proto__", "ร้าน"];
const PRICES = Object.fromEntries(NAMES.flatMap((branchId) => [1, 2, 3].map((code) => [`${code}/${branchId}`, `{"price":${code}}`])));

for (const isListed of [false, true]) {
  test(`a branch of any name has its records, ${isListed ? "by a list of its shards" : "its shards in the manifest"}`, async () => {
    const { lookup } = await setUp(PRICES, { isListed });
    for (const name of NAMES) assert.deepEqual(await lookup(name, 3, 1, 9), ['{"price":3}', '{"price":1}', null], name);
    for (const name of ["valueOf", "hasOwnProperty", "1001"]) assert.deepEqual(await lookup(name, 1), [null], name);
  });
}

test("a record reaches the pricer as the text it is", async () => {
  const records = { "1/1000": '{"price":0.30000000000000004441}', "-5/1000": '{ "price" : 1E2 }', "9007199254740991/1000": "{" };
  const { lookup } = await setUp(records, { shardCount: 1 });
  assert.deepEqual(await lookup("1000", 1, -5, Number.MAX_SAFE_INTEGER), Object.values(records));
});

test("5,000 lines read each shard once, 100 at a time; then it is kept", async () => {
  const codes = Array.from({ length: 5000 }, (_, code) => code);
  const prices = Object.fromEntries(codes.map((code) => [`${code}/1000`, `{"price":${code}}`]));
  const { lookup, get, texts } = await setUp(prices, { shardCount: 256 });
  const records = await lookup("1000", ...codes);
  assert.deepEqual(records, codes.map((code) => `{"price":${code}}`));
  const asked = get.mock.calls.map((call) => call.arguments[0]);
  assert.deepEqual(asked.map((keys) => keys.length), [100, 100, 56]);
  assert.deepEqual(asked.flat().toSorted(), Object.keys(texts).toSorted());
  assert.deepEqual(get.mock.calls[0].arguments[1], { type: "text", cacheTtl: 3600 });
  await lookup("1000", ...codes);
  assert.equal(get.mock.callCount(), 3);
});

test("a shard without records is not read", async () => {
  const { lookup, get } = await setUp({ "1/1000": "{}" }, { shardCount: 64 });
  const others = [2, 3, 4, 5, 6, 7, 8, 9];
  assert.deepEqual(await lookup("1000", ...others), others.map(() => null));
  assert.equal(get.mock.callCount(), 0);
});

test("two versions share the shards that are equal", async () => {
  const { texts, get, lookup } = await setUp(PRICES);
  await lookup("1000", 1, 2, 3);
  const reads = get.mock.callCount();
  await lookup("a/b", 1, 2, 3);
  assert.equal(get.mock.callCount(), reads, "so do branches");
  assert.ok(Object.keys(texts).length <= 3);
});

test("with nothing kept each order reads", async () => {
  const { get, lookup } = await setUp(PRICES, { cacheBytes: 0 });
  for (let time = 0; time < 2; time += 1) assert.deepEqual(await lookup("1000", 1), ['{"price":1}']);
  assert.equal(get.mock.callCount(), 2);
});

const INCOMPLETE = "The price store is incomplete: try again";

for (const [what, damage, spoil] of [
  ["missing", "missing", (texts, key) => delete texts[key]],
  ["of another content", "altered", (texts, key) => (texts[key] = texts[key].replace("1", "2"))],
  ["cut short", "altered", (texts, key) => (texts[key] = texts[key].slice(0, -1))],
  ["empty", "altered", (texts, key) => (texts[key] = "")],
]) {
  test(`a shard that is ${what} is read once more; then the order fails, and never for want of a price`, async () => {
    const { id, texts, get, onIncomplete, lookup, order } = await setUp({ "1/1000": '{"price":1}' }, { shardCount: 1 });
    const [[key, text]] = Object.entries(texts);
    spoil(texts, key);
    const detail = `${key} of version ${id} is ${damage}`;
    await assert.rejects(lookup("1000", 1), { message: INCOMPLETE, shown: INCOMPLETE, detail });
    assert.equal(order.reads, 2);
    assert.deepEqual(get.mock.calls.map((call) => call.arguments[1].cacheTtl), [3600, 30]);
    assert.equal(onIncomplete.mock.callCount(), 1);
    texts[key] = text;
    assert.deepEqual(await lookup("1000", 1), ['{"price":1}'], "a wrong text is not kept");
  });
}

test("any text of a shard ends in its records, or in a failure that says it is malformed", async () => {
  const once = fc.asyncProperty(anyText, code, async (text, cprcode) => {
    const key = shardKey(await hashOf(text));
    const manifest = { id: "a", zones: null, branches: { 1000: { shardCount: 1, shards: [key.slice("shard:".length)] } } };
    const read = createTextReader({ get: async () => new Map([[key, text]]) }, { cacheBytes: 1e6, deadlineMs: 5000, hold() {} });
    const version = createVersion(manifest, read, { patienceMs: 500, hold() {}, onIncomplete() {} });
    const records = naiveRecords(text);
    const asked = [cprcode, ...(records?.keys() ?? [])];
    const found = version.lookupPrices(asked.map((each) => ({ cprcode: each, branchId: "1000" })), new Order());
    if (records) assert.deepEqual(await found, asked.map((each) => records.get(each) ?? null));
    else await assert.rejects(found, { message: INCOMPLETE, detail: `${key} of version a is malformed` });
  });
  await fc.assert(once, { numRuns: cases(1000), seed: SEED });
});

test("a shard that is there the second time is no failure", async () => {
  const { texts, get, onIncomplete, lookup } = await setUp({ "1/1000": '{"price":1}' }, { shardCount: 1 });
  get.mock.mockImplementationOnce(async (keys) => new Map(keys.map((key) => [key, null])));
  assert.deepEqual(await lookup("1000", 1), ['{"price":1}']);
  assert.deepEqual([get.mock.callCount(), onIncomplete.mock.callCount(), Object.keys(texts).length], [2, 0, 1]);
});

test("a branch's list that is missing is as bad", async () => {
  const { texts, lookup } = await setUp(PRICES, { isListed: true });
  for (const key of Object.keys(texts).filter((key) => key.startsWith("branch:"))) delete texts[key];
  await assert.rejects(lookup("1000", 1), { message: INCOMPLETE, detail: /^branch:[0-9a-f]{32} of version [0-9a-f]+ is missing/ });
});

test("KV's own message is for the log", async () => {
  const { get, lookup, version } = await setUp(PRICES, { zones: "{}" });
  get.mock.mockImplementation(async () => {
    throw new Error("503 from 10.1.2.3");
  });
  const detail = "503 from 10.1.2.3";
  await assert.rejects(lookup("1000", 1), { message: "The price store did not answer", detail });
  await assert.rejects(version.deliveryZones(), { message: "The zone store did not answer", detail });
});

test("zones: the text, none, and missing", async () => {
  const zones = '{"type":"FeatureCollection","features":[],"name":"โซน"}';
  const { version, texts } = await setUp(PRICES, { zones, cacheBytes: 0 });
  assert.equal(await version.deliveryZones(), zones);
  for (const key of Object.keys(texts).filter((key) => key.startsWith("zones:"))) delete texts[key];
  await assert.rejects(version.deliveryZones(), { message: "The zone store is incomplete: try again" });
  const none = await setUp(PRICES);
  assert.equal(await none.version.deliveryZones(), '{"type":"FeatureCollection","features":[]}');
  assert.equal(none.get.mock.callCount(), 0);
});
