// `npm run data -- diff`: what a version changes, and what is too much.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hashOf } from "../../pkg/catalogue/format.js";
import { compare, excesses } from "../../worker/data/versions/diff.js";
import { makeVersion } from "../worker/catalogue.js";
import { collection } from "../zones.js";

const price = (amount, rest = "") => `{"price":${amount}${rest}}`;

async function difference(before, after, { maxChange = 30, ...options } = {}) {
  const left = before && (await makeVersion(before, null, options.left));
  const right = await makeVersion(after, null, options.right);
  return compared(left, right, maxChange);
}

/** What differs, and which keys were read for it. */
async function compared(left, right, maxChange = 30) {
  const texts = new Map(Object.entries({ ...left?.texts, ...right.texts }));
  const asked = [];
  const store = {
    async get(keys) {
      asked.push(...keys);
      return new Map(keys.map((key) => [key, texts.get(key) ?? null]));
    },
  };
  return { ...(await compare(left?.manifest, right.manifest, store, { maxChange })), asked };
}

describe("diff", () => {
  const range = (count, record) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}/1000`, record(index)]));

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
    assert.equal(asked.filter((key) => key.startsWith("shard:")).length, 2);
  });

  it("reads no layer's shards that both have behind the others", async () => {
    const behind = { ...range(100, () => price(1)), "1/b": price(1) };
    const [one, two] = [
      { "7/1000": price(2), "8/1000": "-" },
      { "7/1000": price(3), "9/1000": "-" },
    ];
    const inFront = (newest) => ({ shardCount: 1, above: [newest] });
    const { added, removed, changed, asked } = await difference(behind, behind, { left: inFront(one), right: inFront(two) });
    assert.deepEqual([added, removed, changed], [1, 1, 1]);
    assert.equal(asked.filter((key) => key.startsWith("shard:")).length, 3, "both newest, and what they hide");
    const same = await difference(behind, behind, { left: inFront({ "7/1000": price(1) }), right: { shardCount: 1 } });
    assert.deepEqual([same.added, same.removed, same.changed], [0, 0, 0], "a record that hides its equal changes nothing");
    const layout = inFront(one);
    assert.equal(
      (await difference(behind, { ...behind, "9/1000": price(2) }, { left: layout, right: layout })).changed,
      1,
      "the newest may be the same",
    );
  });

  it("compares versions of format 1, with layers, and with a base", async () => {
    const before = { "1/a": price(1), "2/a": price(2), "3/a": price(3), "1/b": price(1), "2/b": price(2), "3/b": price(3) };
    const after = { "1/a": price(1), "2/a": price(2.5), "3/a": price(3), "4/a": price(4), "1/b": price(1), "3/b": price(3) };
    const old = [
      await makeVersion(before),
      await makeVersion(before, null, { format: 1 }),
      await makeVersion(before, null, { format: 1, isListed: true, shardCount: 1 }),
      await makeVersion({ "1/a": price(1), "1/b": price(1) }, null, { base: { 1: price(9), 2: price(2), 3: price(3) } }),
    ];
    const base = { 1: price(1), 2: price(2.5), 3: price(3), 4: price(4) };
    const latest = [
      await makeVersion(after),
      await makeVersion(after, null, { format: 1 }),
      await makeVersion(before, null, { above: [{ "2/a": price(2.5), "4/a": price(4), "2/b": "-" }], isListed: true }),
      await makeVersion({ "1/a": price(1), "2/b": "-", "4/b": "-" }, null, { base, isListed: true }),
    ];
    for (const [index, left] of old.entries()) {
      for (const [place, right] of latest.entries()) {
        const { added, removed, changed, largest } = await compared(left, right);
        assert.deepEqual([added, removed, changed], [1, 1, 1], `${index} to ${place}`);
        assert.deepEqual(largest, [{ branchId: "a", cprcode: 2, before: "2", after: "2.5", percent: 25 }]);
      }
    }
  });

  it("reads only what a version says that it changes, if it was built onto the other", async () => {
    const left = await makeVersion(range(100, () => price(1)));
    const lines = '["1000",7,1,2.000000000000000000001]\n["10,\\"00",8,null,1]\n["1000",9,1,null]\n["1000",10,1,1]\n';
    const hash = await hashOf(lines);
    const texts = { [`changes:${hash}`]: lines };
    const right = { manifest: { ...left.manifest, id: "0123456789abcdef", onto: left.id, changes: [hash] }, texts };
    const { added, removed, changed, largest, asked } = await compared(left, right);
    assert.deepEqual([added, removed, changed, asked], [1, 1, 2, [`changes:${hash}`]]);
    assert.deepEqual(largest, [{ branchId: "1000", cprcode: 7, before: "1", after: "2.000000000000000000001", percent: 100 }]);
    const other = { ...left, manifest: { ...left.manifest, id: "fedcba9876543210" } };
    assert.equal((await compared(other, right)).changed, 0, "of another version it says nothing");
  });

  it("reads what changes at a branch with a name that JSON does not escape", async () => {
    const left = await makeVersion({ "7/1000": price(1) });
    const branchId = 'a\u2028b\u2029"],\\';
    const lines = `[${JSON.stringify(branchId)},7,1,2]\n`;
    const hash = await hashOf(lines);
    const manifest = { ...left.manifest, id: "0123456789abcdef", onto: left.id, changes: [hash] };
    const { largest } = await compared(left, { manifest, texts: { [`changes:${hash}`]: lines } });
    assert.deepEqual(largest, [{ branchId, cprcode: 7, before: "1", after: "2", percent: 100 }]);
  });

  it("compares versions with different numbers of shards", async () => {
    const before = range(300, (index) => price(index));
    const after = { ...before, "7/1000": price(7.5) };
    delete after["8/1000"];
    for (const [left, right] of [
      [1, 8],
      [8, 1],
      [4, 4],
      [2, 16],
    ]) {
      const found = await difference(before, after, { left: { shardCount: left }, right: { shardCount: right } });
      assert.deepEqual([found.added, found.removed, found.changed], [0, 1, 1], `${left} to ${right}`);
    }
  });

  it("shows the ten largest price changes, largest first, by the share of the old price", async () => {
    const found = await difference(
      range(40, () => price(100)),
      range(40, (index) => price(index % 2 ? 100 + index : 100 - index)),
    );
    assert.deepEqual(
      found.largest.map(({ percent }) => percent),
      [39, -38, 37, -36, 35, -34, 33, -32, 31, -30],
    );
    assert.deepEqual(found.largest[1], { branchId: "1000", cprcode: 38, before: "100", after: "62", percent: -38 });
    assert.equal(found.beyond, 9, "30% is not more than 30%");
  });

  it("shows changes of one size by branch and product, whatever is read first", async () => {
    const prices = (amount) =>
      Object.fromEntries([..."fcadbe"].flatMap((branchId) => [10, 9, 2].map((code) => [`${code}/${branchId}`, price(amount)])));
    const { largest } = await difference(prices(100), { ...prices(110), "9/e": price(120) });
    const shown = largest.map(({ branchId, cprcode }) => `${branchId}${cprcode}`);
    assert.deepEqual(shown, ["e9", "a2", "a9", "a10", "b2", "b9", "b10", "c2", "c9", "c10"]);
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
    const shares = [
      ["100", "133.35"],
      ["100", "66.65"],
      ["-100", "-133.35"],
      ["3", "4"],
      ["0.3", "0.2"],
      ["0e99999", "1"],
      ["5", "0"],
    ];
    const percents = [];
    for (const [from, to] of shares) percents.push((await difference({ "1/a": price(from) }, { "1/a": price(to) })).largest[0].percent);
    assert.deepEqual(percents, [33.4, -33.4, 33.4, 33.3, -33.3, Infinity, -100]);
  });

  it("shows what becomes of the zones, and counts fees and zones as it counts prices and records", async () => {
    const zone = (brcode, name, deliveryFee) => ({ properties: { brcode, name, deliveryFee } });
    const text = (...zones) => JSON.stringify(collection(...zones));
    const zones = async (before, after) => {
      const texts = new Map();
      const hashes = [];
      for (const each of [before, after]) {
        hashes.push(each === null ? null : await hashOf(each));
        if (each !== null) texts.set(`zones:${hashes.at(-1)}`, each);
      }
      const version = (zones) => ({ zones, bases: {}, branches: {} });
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
