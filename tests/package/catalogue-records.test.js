// How a version's records are found, and what happens to a version that is not whole.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { hashOf } from "../../pkg/catalogue/format.js";
import { shardKey } from "../../pkg/catalogue/keys.js";
import { isLayerText } from "../../pkg/catalogue/layer.js";
import { createTexts } from "../../pkg/catalogue/texts.js";
import { createVersion } from "../../pkg/catalogue/version.js";
import fc, { allAtNight, cases } from "../property.js";
import { makeVersion } from "../worker/catalogue.js";
import { anyText, code, naiveRecords } from "./shard-texts.js";

/** A version in a store that records its reads. `texts` is what the store has. */
async function setUp(prices, { zones, cacheBytes = 1e6, ...layout } = {}) {
  const { id, manifest, texts } = await makeVersion(prices, zones, layout);
  const get = mock.fn(async (keys, _call) => new Map(keys.map((key) => [key, texts[key] ?? null])));
  const onIncomplete = mock.fn();
  const reader = createTexts(get, { cacheBytes, timeoutMs: 5000, hold() {} });
  const { open: version } = createVersion(manifest, reader, { used: new Set(), patienceMs: 500, warmBytes: 0, hold() {}, onIncomplete });
  const lookup = (branchId, ...cprcodes) =>
    version.lookupPrices(
      cprcodes.map((cprcode) => ({ cprcode, branchId })),
      { context: "order" },
    );
  const askedFor = (kind) => get.mock.calls.flatMap(({ arguments: [keys] }) => keys).filter((key) => key.startsWith(`${kind}:`));
  return { id, texts, get, onIncomplete, version, lookup, askedFor };
}

const NAMES = ["1000", "", "a/b", "constructor", "__proto__", "ร้าน"];
const PRICES = Object.fromEntries(NAMES.flatMap((branchId) => [1, 2, 3].map((code) => [`${code}/${branchId}`, `{"price":${code}}`])));

for (const layout of [{}, { isListed: true }, { format: 1 }, { format: 1, isListed: true }]) {
  test(`a branch of any name has its records: ${JSON.stringify(layout)}`, async () => {
    const { lookup } = await setUp(PRICES, layout);
    for (const name of NAMES) assert.deepEqual(await lookup(name, 3, 1, 9), ['{"price":3}', '{"price":1}', null], name);
    for (const name of ["valueOf", "hasOwnProperty", "1001"]) assert.deepEqual(await lookup(name, 1), [null], name);
  });
}

test("a record reaches the pricer as the text it is", async () => {
  const records = { "1/1000": '{"price":0.30000000000000004441}', "-5/1000": '{ "price" : 1E2 }', "9007199254740991/1000": "{" };
  const { lookup } = await setUp(records, { shardCount: 1 });
  assert.deepEqual(await lookup("1000", 1, -5, Number.MAX_SAFE_INTEGER), Object.values(records));
});

test("a newer layer hides those behind it, a tombstone hides all, and a base is behind them", async () => {
  const above = [
    { "1/1000": "new", "2/1000": "-", "7/1000": "-" },
    { "1/1000": "old", "3/1000": "old" },
  ];
  const { lookup } = await setUp({ "2/1000": "own", "4/1000": "own" }, { above, base: { 1: "base", 4: "base", 5: "base", 7: "base" } });
  assert.deepEqual(await lookup("1000", 1, 2, 3, 4, 5, 6, 7), ["new", null, "old", "own", "base", null, null]);
});

const LAYERS = fc.record({
  layers: fc.array(
    fc.dictionary(fc.constantFrom("1", "2", "3", "-4", "5", "6", "7", "8", "9007199254740991"), fc.constantFrom("a", "b", "c", "-")),
    { minLength: 1, maxLength: 6 },
  ),
  hasBase: fc.boolean(),
  shardCount: fc.constantFrom(1, 2, 8),
  isListed: fc.boolean(),
  cacheBytes: fc.constantFrom(0, 200, 1e6),
});

test("any layers: an order finds what the maps of the layers say, whatever is kept", async () => {
  const once = fc.asyncProperty(LAYERS, async ({ layers, hasBase, ...layout }) => {
    const atBranch = (records) => Object.fromEntries(Object.entries(records).map(([code, record]) => [`${code}/1000`, record]));
    const base = hasBase && layers.length > 1 ? layers.at(-1) : undefined;
    const own = base ? layers.slice(0, -1) : layers;
    const bottom = { "0/1000": "there", ...atBranch(own.at(-1)) };
    const { lookup } = await setUp(bottom, { above: own.slice(0, -1).map(atBranch), base, ...layout });
    const codes = [1, 2, 3, -4, 5, 6, 7, 8, 0, 99, Number.MAX_SAFE_INTEGER];
    const expected = codes.map((code) => {
      const record = code === 0 ? "there" : layers.find((layer) => Object.hasOwn(layer, `${code}`))?.[`${code}`];
      return record === undefined || record === "-" ? null : record;
    });
    for (let turn = 0; turn < 2; turn += 1) assert.deepEqual(await lookup("1000", ...codes), expected);
    for (const [index, code] of codes.entries()) assert.deepEqual(await lookup("1000", code), [expected[index]]);
  });
  await fc.assert(once, { numRuns: allAtNight(70, cases(200)) });
});

test("keys of several branches, as a basket asks for them", async () => {
  const { version } = await setUp({ "1/a": "a1", "2/a": "a2", "1/b": "b1" });
  const keys = [
    ["1", "a"],
    ["1", "b"],
    ["2", "a"],
    ["2", "b"],
    ["1", "c"],
  ].map(([cprcode, branchId]) => ({ cprcode: Number(cprcode), branchId }));
  assert.deepEqual(await version.lookupPrices(keys), ["a1", "b1", "a2", null, null]);
});

test("5,000 lines read each text once, 100 at a time; then it is kept", async () => {
  const codes = Array.from({ length: 5000 }, (_, code) => code);
  const prices = Object.fromEntries(codes.map((code) => [`${code}/1000`, `{"price":${code}}`]));
  const { lookup, get, texts } = await setUp(prices, { shardCount: 256 });
  const records = await lookup("1000", ...codes);
  assert.deepEqual(
    records,
    codes.map((code) => `{"price":${code}}`),
  );
  const asked = get.mock.calls.map((call) => call.arguments[0]);
  assert.deepEqual(
    asked.map((keys) => keys.length),
    [100, 100, 56],
  );
  const shards = Object.keys(texts).filter((name) => name.startsWith("shard:"));
  assert.deepEqual(asked.flat().toSorted(), shards.toSorted());
  assert.deepEqual(get.mock.calls[0].arguments[1], { again: false, context: "order" });
  await lookup("1000", ...codes);
  assert.equal(get.mock.callCount(), 3);
});

test("a shard without records is not read, nor one whose layer does not have the product", async () => {
  const none = await setUp({ "1/1000": "{}" }, { shardCount: 64 });
  const others = [2, 3, 4, 5, 6, 7, 8, 9];
  assert.deepEqual(
    await none.lookup("1000", ...others),
    others.map(() => null),
  );
  assert.deepEqual(none.askedFor("shard"), []);

  const codes = Array.from({ length: 1000 }, (_, code) => code);
  const change = Object.fromEntries(codes.map((code) => [`${2 * code}/1000`, "new"]));
  const layered = await setUp({ "1/1000": "own" }, { shardCount: 1, above: [change] });
  for (const code of codes) assert.deepEqual(await layered.lookup("1000", 2 * code), ["new"]);
  const { lookup, askedFor } = await setUp({ "1/1000": "own" }, { shardCount: 1, above: [change], cacheBytes: 0 });
  for (const code of codes) await lookup("1000", 2 * code + 3);
  const superfluous = askedFor("shard").length - codes.length; // the last layer has one shard, which is asked for each time
  assert.ok(superfluous < 15, `${superfluous} of 1,000 absent products looked present`);
});

test("two versions share the shards that are equal", async () => {
  const { texts, askedFor, lookup } = await setUp(PRICES);
  await lookup("1000", 1, 2, 3);
  const read = askedFor("shard").length;
  await lookup("a/b", 1, 2, 3);
  assert.equal(askedFor("shard").length, read, "so do branches");
  assert.ok(Object.keys(texts).length <= 4);
});

test("with nothing kept each order reads", async () => {
  const { askedFor, lookup } = await setUp(PRICES, { cacheBytes: 0 });
  for (let time = 0; time < 2; time += 1) assert.deepEqual(await lookup("1000", 1), ['{"price":1}']);
  assert.deepEqual([askedFor("layer").length, askedFor("shard").length], [0, 2]);
});

const INCOMPLETE = "The price store is incomplete: try again";

for (const [what, damage, spoil] of [
  ["missing", "missing", (texts, key) => delete texts[key]],
  ["of another content", "altered", (texts, key) => (texts[key] = texts[key].replace("1", "2"))],
  ["cut short", "altered", (texts, key) => (texts[key] = texts[key].slice(0, -1))],
  ["empty", "altered", (texts, key) => (texts[key] = "")],
]) {
  test(`a shard that is ${what} is read once more; then the order fails, and never for want of a price`, async () => {
    const { id, texts, get, onIncomplete, lookup } = await setUp({ "1/1000": '{"price":1}' }, { shardCount: 1 });
    const [key, text] = Object.entries(texts).find(([name]) => name.startsWith("shard:"));
    spoil(texts, key);
    const detail = `${key} of version ${id} is ${damage}`;
    await assert.rejects(lookup("1000", 1), { message: INCOMPLETE, retryable: true, detail });
    assert.deepEqual(
      get.mock.calls.map((call) => call.arguments[1].again),
      [false, true],
    );
    assert.equal(onIncomplete.mock.callCount(), 1);
    texts[key] = text;
    assert.deepEqual(await lookup("1000", 1), ['{"price":1}'], "a wrong text is not kept");
  });
}

/** A version of one shard. */
async function ofShard(text) {
  const key = shardKey(await hashOf(text));
  const manifest = { id: "a", zones: null, branches: { 1000: { shardCount: 1, shards: [key.slice("shard:".length)] } } };
  const reader = createTexts(async () => new Map([[key, text]]), { cacheBytes: 1e6, timeoutMs: 5000, hold() {} });
  return {
    key,
    version: createVersion(manifest, reader, { used: new Set(), patienceMs: 500, warmBytes: 0, hold() {}, onIncomplete() {} }).open,
  };
}

test("any text of a shard ends in its records, or in a failure that says it is malformed", async () => {
  const once = fc.asyncProperty(anyText, code, async (text, cprcode) => {
    const { key, version } = await ofShard(text);
    const records = naiveRecords(text);
    const asked = [cprcode, ...(records?.keys() ?? [])];
    const found = version.lookupPrices(asked.map((each) => ({ cprcode: each, branchId: "1000" })));
    if (records)
      assert.deepEqual(
        await found,
        asked.map((each) => (records.get(each) === "-" ? null : (records.get(each) ?? null))),
      );
    else await assert.rejects(found, { message: INCOMPLETE, detail: `${key} of version a is malformed` });
  });
  await fc.assert(once, { numRuns: cases(400) });
});

const LAYER_PIECES = ["1 12\n", "\n", "-", "-".repeat(32), "0".repeat(32), "a", " ", "Zz_-"];

test("any text of a layer ends in an answer, or in a failure that says it is malformed", async () => {
  const anyLayer = fc.array(fc.constantFrom(...LAYER_PIECES), { maxLength: 8 }).map((pieces) => pieces.join(""));
  const once = fc.asyncProperty(anyLayer, code, async (text, cprcode) => {
    const hash = await hashOf(text);
    const manifest = { id: "a", zones: null, bases: {}, branches: { 1000: { records: 1, layers: [hash] } } };
    const read = async (names) => new Map(names.map((name) => [name, name === `layer:${hash}` ? text : ""]));
    const reader = createTexts(read, { cacheBytes: 1e6, timeoutMs: 5000, hold() {} });
    const { open: version } = createVersion(manifest, reader, {
      used: new Set(),
      patienceMs: 500,
      warmBytes: 0,
      hold() {},
      onIncomplete() {},
    });
    const found = version.lookupPrices([{ cprcode, branchId: "1000" }]);
    const outcome = await found.catch((error) => `${error.message} ${error.detail}`);
    if (!isLayerText(text)) assert.equal(outcome, `${INCOMPLETE} layer:${hash} of version a is malformed`);
    else if (Array.isArray(outcome)) assert.deepEqual(outcome, [null]);
    else assert.match(outcome, /shard:0{32} of version a is altered$/);
  });
  await fc.assert(once, { numRuns: cases(400) });
});

for (const [what, more] of [
  ["that is not there", {}],
  ["of a name that objects have", { base: "constructor" }],
]) {
  test(`a branch whose own text names a base ${what} fails, and never for want of a price`, async () => {
    const { texts, manifest } = await makeVersion(PRICES, null, { isListed: true });
    const text = JSON.stringify({ layers: [], base: "none", ...more });
    const list = await hashOf(text);
    const reader = createTexts(async (names) => new Map(names.map((name) => [name, name === `branch:${list}` ? text : texts[name]])), {
      cacheBytes: 0,
      timeoutMs: 5000,
      hold() {},
    });
    const branches = { 1000: { records: 1, list } };
    const { open: version } = createVersion({ ...manifest, branches }, reader, {
      used: new Set(),
      patienceMs: 500,
      warmBytes: 0,
      hold() {},
      onIncomplete() {},
    });
    await assert.rejects(version.lookupPrices([{ cprcode: 1, branchId: "1000" }]), {
      message: INCOMPLETE,
      detail: /expected a name in bases, got "/,
    });
  });
}

test("a shard that is there the second time is no failure", async () => {
  const { texts, get, onIncomplete, lookup } = await setUp({ "1/1000": '{"price":1}' }, { shardCount: 1 });
  get.mock.mockImplementation(async (keys, { again }) => new Map(keys.map((key) => [key, again ? texts[key] : null])));
  assert.deepEqual(await lookup("1000", 1), ['{"price":1}']);
  assert.deepEqual([get.mock.callCount(), onIncomplete.mock.callCount()], [2, 0]);
});

for (const kind of ["branch", "layer"]) {
  test(`a text "${kind}:…" that is missing is as bad`, async () => {
    const { texts, lookup } = await setUp(PRICES, { isListed: true });
    for (const key of Object.keys(texts).filter((key) => key.startsWith(`${kind}:`))) delete texts[key];
    await assert.rejects(lookup("1000", 1), {
      message: INCOMPLETE,
      detail: new RegExp(`^${kind}:[0-9a-f]{32} of version [0-9a-f]+ is missing`),
    });
  });
}

test("the store's own message is for operators", async () => {
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

// ---------------------------------------------------------------- what is read beforehand

/** A version and its successor over one reader. */
async function succession(before, after, { warmBytes = 1e6, cacheBytes = 1e6, ...layout } = {}) {
  const versions = [await makeVersion(before, null, layout), await makeVersion(after, null, layout)];
  const texts = Object.assign({}, ...versions.map((version) => version.texts));
  const asked = [];
  const read = async (names) => {
    asked.push(...names);
    return new Map(names.map((name) => [name, texts[name] ?? null]));
  };
  const reader = createTexts(read, { cacheBytes, timeoutMs: 5000, hold() {} });
  const used = new Set();
  const [old, next] = versions.map(({ manifest }) =>
    createVersion(manifest, reader, { used, patienceMs: 500, warmBytes, hold() {}, onIncomplete() {} }),
  );
  return { old, next, asked, keysOf: (branchId, codes) => codes.map((cprcode) => ({ cprcode, branchId })) };
}

const MANY = Array.from({ length: 64 }, (_, code) => code);
const pricesOf = (branches, price) =>
  Object.fromEntries(branches.flatMap((branchId) => MANY.map((code) => [`${code}/${branchId}`, `{"price":${price(branchId, code)}}`])));

test("read beforehand: what orders of the branches in use would wait for, and nothing of other branches", async () => {
  const before = pricesOf(["a", "b"], (branchId) => (branchId === "a" ? 1 : 2));
  const after = pricesOf(["a", "b"], (branchId) => (branchId === "a" ? 3 : 4));
  const { old, next, asked, keysOf } = await succession(before, after, { shardCount: 8 });
  await old.open.lookupPrices(keysOf("a", MANY));
  asked.length = 0;
  await next.warm(old);
  assert.equal(asked.length, 8);
  assert.deepEqual(
    await next.open.lookupPrices(keysOf("a", MANY)),
    MANY.map(() => '{"price":3}'),
  );
  assert.equal(asked.length, 8, "nothing more is read");
  await next.open.lookupPrices(keysOf("b", MANY));
  assert.equal(asked.length, 16);
});

test("read beforehand: of a layer without a filter only what was in demand", async () => {
  const { old, next, asked, keysOf } = await succession(
    pricesOf(["a"], () => 1),
    pricesOf(["a"], () => 3),
    { shardCount: 8 },
  );
  await old.open.lookupPrices(keysOf("a", [1]));
  asked.length = 0;
  await next.warm(old);
  assert.equal(asked.length, 1);
  await next.open.lookupPrices(keysOf("a", [1]));
  assert.equal(asked.length, 1);
});

test("read beforehand: layers that branches share once, and no more than the memory for it", async () => {
  const branches = Array.from({ length: 50 }, (_, index) => `${index}`);
  const shared = await succession(
    pricesOf(branches, () => 1),
    pricesOf(branches, () => 3),
    { shardCount: 4 },
  );
  for (const branchId of branches) await shared.old.open.lookupPrices(shared.keysOf(branchId, MANY));
  shared.asked.length = 0;
  await shared.next.warm(shared.old);
  assert.equal(shared.asked.length, 4);

  const own = pricesOf(branches, (branchId) => 1 + Number(branchId));
  const large = await succession(
    own,
    pricesOf(branches, (branchId) => 1000 + Number(branchId)),
    { shardCount: 4, warmBytes: 500 },
  );
  for (const branchId of branches) await large.old.open.lookupPrices(large.keysOf(branchId, MANY));
  large.asked.length = 0;
  await large.next.warm(large.old);
  assert.ok(large.asked.length <= 100, `${large.asked.length} of 200`);
});
