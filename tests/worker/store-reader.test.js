// What is read from the Cache API, what from KV, and what is put into the cache.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createStoreReader } from "../../worker/src/cloudflare/store-reader.js";

const urlOf = (name) => `https://catalogue.order-cost.invalid/${name.replace(":", "/")}`;
const names = (count, from = 0) => Array.from({ length: count }, (_, index) => `shard:${from + index}`);

// The clock stands still: an order gives the cache 50 ms, and a busy machine would use them up by itself.
beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"] }));
afterEach(() => mock.timers.reset());

/** A store and a cache that the test sees. `cached`: what the cache has, by name. */
function setUp(cached = [], { match } = {}) {
  const store = { get: mock.fn(async (keys) => (Array.isArray(keys) ? new Map(keys.map((key) => [key, `KV ${key}`])) : `KV ${keys}`)) };
  const kept = new Map(cached.map((name) => [urlOf(name), `cached ${name}`]));
  const cache = {
    match: mock.fn(match ?? (async (url) => (kept.has(url) ? new Response(kept.get(url)) : undefined))),
    put: mock.fn(async (url, response) => void kept.set(url, await response.text())),
  };
  const held = [];
  const read = createStoreReader(store, cache, (work) => held.push(work));
  const order = { countReads: mock.fn() };
  return {
    store,
    cache,
    order,
    read: (keys, more) => read(keys, { again: false, context: order, ...more }),
    askedOfKv: () => store.get.mock.calls.map((call) => call.arguments[0]),
    counted: () => order.countReads.mock.calls.map((call) => call.arguments),
    settled: () => Promise.all(held),
  };
}

test("the cache first, and KV for the rest, which is put into the cache", async () => {
  const { read, cache, askedOfKv, counted, settled } = setUp(["shard:0", "layer:1"]);
  const texts = await read(["shard:0", "layer:1", "shard:2"]);
  assert.deepEqual([...texts].sort(), [
    ["layer:1", "cached layer:1"],
    ["shard:0", "cached shard:0"],
    ["shard:2", "KV shard:2"],
  ]);
  assert.deepEqual([askedOfKv(), counted()], [[["shard:2"]], [["prices", 1]]]);
  await settled();
  const [[url, { headers }]] = cache.put.mock.calls.map((call) => call.arguments);
  assert.deepEqual([url, headers.get("cache-control")], [urlOf("shard:2"), "public, max-age=31536000, immutable"]);
  assert.equal((await read(["shard:2"])).get("shard:2"), "KV shard:2");
  assert.equal(askedOfKv().length, 1, "the cache has it now");
});

test("what can change is never taken from the cache, and read with KV's shortest memory", async () => {
  const { read, cache, store } = setUp(["current", "version:1"]);
  for (const name of ["current", "version:1"]) assert.deepEqual(await read([name]), new Map([[name, `KV ${name}`]]));
  assert.equal(cache.match.mock.callCount() + cache.put.mock.callCount(), 0);
  assert.deepEqual(store.get.mock.calls[0].arguments, ["current", { type: "text", cacheTtl: 30 }]);
});

test("a text that was damaged is read again from KV, past the cache, and replaces the copy there", async () => {
  const { read, cache, store, settled } = setUp(["shard:0"]);
  assert.equal((await read(["shard:0"], { again: true })).get("shard:0"), "KV shard:0");
  assert.deepEqual(store.get.mock.calls[0].arguments[1], { type: "text", cacheTtl: 30 });
  await settled();
  assert.equal(await (await cache.match(urlOf("shard:0"))).text(), "KV shard:0");
});

test("an order asks the cache for 24 texts at most; one that misses more reads KV at once", async () => {
  const { read, cache, askedOfKv } = setUp(names(100));
  await read(names(4));
  await read(names(20, 4));
  assert.equal(cache.match.mock.callCount(), 24);
  await read(["shard:99"]);
  assert.deepEqual(askedOfKv(), [["shard:99"]]);
  const other = setUp(names(100));
  await other.read(names(25));
  await other.read(names(1, 30));
  assert.deepEqual([other.cache.match.mock.callCount(), other.askedOfKv().map((keys) => keys.length)], [0, [25, 1]]);
});

test("an order puts 24 texts at most", async () => {
  const { read, cache, settled } = setUp();
  await read(names(20));
  await settled();
  await read(names(20, 20));
  await settled();
  assert.equal(cache.put.mock.callCount(), 24);
});

test("an error of the cache is a miss", async () => {
  const match = async () => {
    throw new Error("the cache is down");
  };
  const { read, cache, settled } = setUp([], { match });
  cache.put.mock.mockImplementation(match);
  assert.equal((await read(["shard:0"])).get("shard:0"), "KV shard:0");
  await settled();
});

test("a cache that hangs costs an order 50 ms in all; what it had by then counts", async () => {
  const match = (url) => (url === urlOf("shard:0") ? new Response("cached shard:0") : new Promise(() => {}));
  const { read, cache, askedOfKv } = setUp([], { match });
  const reading = read(names(2));
  for (let turns = 0; turns < 5; turns += 1) await turn();
  mock.timers.tick(49);
  await turn();
  assert.deepEqual(askedOfKv(), []);
  mock.timers.tick(1);
  const texts = await reading;
  assert.deepEqual([texts.get("shard:0"), texts.get("shard:1")], ["cached shard:0", "KV shard:1"]);
  await read(["shard:2"]);
  assert.deepEqual([cache.match.mock.callCount(), askedOfKv()], [2, [["shard:1"], ["shard:2"]]], "the 50 ms are used up");
});

test("without a cache: KV alone", async () => {
  const store = { get: mock.fn(async (keys) => new Map(keys.map((key) => [key, "text"]))) };
  const read = createStoreReader(store, undefined, () => assert.fail("nothing to put"));
  assert.deepEqual(await read(["shard:0"], { again: false, context: undefined }), new Map([["shard:0", "text"]]));
  assert.deepEqual(store.get.mock.calls[0].arguments, [["shard:0"], { type: "text", cacheTtl: 3600 }]);
});
