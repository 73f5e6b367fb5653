// `npm run data -- diff`: what a version changes, and what is too much.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compare, excesses } from "../../worker/data/diff.js";
import { hashOf, shardOf, shardText } from "../../worker/src/catalogue/format.js";
import { shardKey } from "../../worker/src/keys.js";

/** A version in memory from records by "<cprcode>/<branchId>", and the texts that it names. */
async function versionOf(records, { shardCount = 4, zones = null } = {}, texts = new Map()) {
  const lists = new Map();
  const branches = {};
  for (const branchId of new Set(Object.keys(records).map((key) => key.split("/")[1]))) {
    const own = Object.entries(records)
      .map(([key, record]) => ({ key: key.split("/"), record }))
      .filter(({ key }) => key[1] === branchId)
      .map(({ key, record }) => ({ cprcode: Number(key[0]), record }));
    const hashes = [];
    for (let index = 0; index < shardCount; index += 1) {
      const text = shardText(own.filter(({ cprcode }) => shardOf(cprcode, shardCount) === index));
      hashes.push(text === "" ? "" : await hashOf(text));
      if (text !== "") texts.set(shardKey(hashes[index]), text);
    }
    lists.set(branchId, hashes);
    branches[branchId] = { records: own.length };
  }
  return { version: { zones, lists, branches }, texts };
}

const price = (amount, rest = "") => `{"price":${amount}${rest}}`;

async function difference(before, after, { maxChange = 30, ...options } = {}) {
  const asked = [];
  const { version: left, texts } = before ? await versionOf(before, options.left) : { texts: new Map() };
  const { version: right } = await versionOf(after, options.right, texts);
  const store = {
    async get(keys) {
      asked.push(...keys);
      return new Map(keys.map((key) => [key, texts.get(key) ?? null]));
    },
  };
  return { ...(await compare(left, right, store, { maxChange })), asked };
}

describe("diff", () => {
  const range = (count, record) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}/1000`, record(index)]));

  it("counts what is added, removed and changed, over branches", async () => {
    const { added, removed, changed, before } = await difference(
      { "1/a": price(1), "2/a": price(2), "3/a": price(3), "1/b": price(1), "1/gone": price(1) },
      { "1/a": price(1), "2/a": price(2, ',"weight":1'), "4/a": price(4), "1/b": price(2), "1/new": price(1) },
    );
    assert.deepEqual({ added, removed, changed, before }, { added: 2, removed: 2, changed: 2, before: 5 });
  });

  it("against nothing adds everything, and exceeds nothing", async () => {
    const all = await difference(undefined, { "1/a": price(1) });
    assert.deepEqual([all.added, all.before, all.asked.length], [1, 0, 0]);
    assert.deepEqual(excesses(all, { maxChange: 0, maxRemoved: 0 }), []);
  });

  it("reads no shard that both have", async () => {
    const before = range(100, () => price(1));
    const { asked, changed } = await difference(before, { ...before, "7/1000": price(2) });
    assert.equal(changed, 1);
    assert.equal(asked.length, 2);
  });

  it("compares versions with different numbers of shards", async () => {
    const before = range(300, (index) => price(index));
    const after = { ...before, "7/1000": price(7.5) };
    delete after["8/1000"];
    for (const [left, right] of [[1, 8], [8, 1], [4, 4], [2, 16]]) {
      const found = await difference(before, after, { left: { shardCount: left }, right: { shardCount: right } });
      assert.deepEqual([found.added, found.removed, found.changed], [0, 1, 1], `${left} to ${right}`);
    }
  });

  it("shows the ten largest price changes, largest first, by the share of the old price", async () => {
    const found = await difference(range(40, () => price(100)), range(40, (index) => price(index % 2 ? 100 + index : 100 - index)));
    assert.deepEqual(found.largest.map(({ percent }) => percent), [39, -38, 37, -36, 35, -34, 33, -32, 31, -30]);
    assert.deepEqual(found.largest[1], { branchId: "1000", cprcode: 38, before: "100", after: "62", percent: -38 });
    assert.equal(found.beyond, 9, "30% is not more than 30%");
  });

  it("counts exactly, not in doubles", async () => {
    const changed = (from, to, maxChange) => difference({ "1/a": price(from) }, { "1/a": price(to) }, { maxChange });
    assert.equal((await changed("0.3", "0.33", 10)).beyond, 0);
    assert.equal((await changed("0.3", "0.330000000000000000001", 10)).beyond, 1);
    assert.equal((await changed("12345678901234567.25", "12345678901234567.26", 0)).beyond, 1);
    assert.equal((await changed("0", "0.01", 1000)).beyond, 1, "from nothing is beyond any limit");
    assert.equal((await changed("1e2", "100", 0)).beyond, 0);
    assert.equal((await changed("0e99999", "0.00", 0)).beyond, 0);
  });

  it("rounds the share of the old price to one decimal place, halves away from zero", async () => {
    const shares = [["100", "133.35"], ["100", "66.65"], ["-100", "-133.35"], ["3", "4"], ["0.3", "0.2"], ["0e99999", "1"], ["5", "0"]];
    const percents = [];
    for (const [from, to] of shares) percents.push((await difference({ "1/a": price(from) }, { "1/a": price(to) })).largest[0].percent);
    assert.deepEqual(percents, [33.4, -33.4, 33.4, 33.3, -33.3, Infinity, -100]);
  });

  it("shows what becomes of the zones, and counts fees and zones as it counts prices and records", async () => {
    const zone = (brcode, name, deliveryFee) => ({ properties: { brcode, name, deliveryFee } });
    const text = (...features) => JSON.stringify({ type: "FeatureCollection", features });
    const zones = async (before, after) => {
      const texts = new Map();
      const hashes = [];
      for (const each of [before, after]) {
        hashes.push(each === null ? null : await hashOf(each));
        if (each !== null) texts.set(`zones:${hashes.at(-1)}`, each);
      }
      const version = (zones) => ({ zones, lists: new Map(), branches: {} });
      const store = { get: async (keys) => new Map(keys.map((key) => [key, texts.get(key) ?? null])) };
      return compare(version(hashes[0]), version(hashes[1]), store, { maxChange: 30 });
    };
    const three = text(zone(1000, "A", 30), zone(1000, "A", 60), zone(1001, undefined, 30));
    assert.equal((await zones(three, three)).zones, undefined);
    const dearer = await zones(three, text(zone(1000, "A", 39), zone(1000, "A", 90), zone(1002, "new", 1)));
    assert.deepEqual(dearer.zones, { before: 3, after: 3, removed: 1, beyond: 1 });
    assert.deepEqual(excesses(dearer, { maxChange: 30, maxRemoved: 5 }), [
      "1 delivery fee changes by more than 30% (--max-change)",
      "1 of 3 zones goes, 33.3%: more than 5% (--max-removed)",
    ]);
    assert.deepEqual((await zones(three, null)).zones, { before: 3, after: 0, removed: 3, beyond: 0 });
    assert.deepEqual((await zones(null, three)).zones, { before: 0, after: 3, removed: 0, beyond: 0 });
  });

  it("names branches that are new or gone", async () => {
    const { newBranches, goneBranches } = await difference({ "1/a": price(1), "1/b": price(1) }, { "1/a": price(1), "1/c": price(1) });
    assert.deepEqual([newBranches, goneBranches], [["c"], ["b"]]);
  });

  it("says in sentences what exceeds --max-change and --max-removed", async () => {
    const before = range(1000, () => price(100));
    const after = range(940, (index) => price(index < 3 ? 131 : 100));
    assert.deepEqual(excesses(await difference(before, after), { maxChange: 30, maxRemoved: 5 }), [
      "3 prices change by more than 30% (--max-change)",
      "60 of 1,000 records go, 6%: more than 5% (--max-removed)",
    ]);
    assert.deepEqual(excesses(await difference(before, after, { maxChange: 31 }), { maxChange: 31, maxRemoved: 6 }), []);
  });
});
