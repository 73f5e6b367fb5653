// Builds against a model that knows no layers: for each branch a map of its records. Whatever came before, each version has
// exactly the model's records, says exactly what it changes, and writes nothing that is there already.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { layerKey } from "../../pkg/catalogue/keys.js";
import { layerIn } from "../../pkg/catalogue/layer.js";
import { readRecords } from "../../pkg/catalogue/records.js";
import { build } from "../../worker/data/build/build.js";
import { compare } from "../../worker/data/versions/diff.js";
import { keysOf, readTexts } from "../../worker/data/versions/version.js";
import { temporaryFolder } from "../folder.js";
import fc, { allAtNight, cases } from "../property.js";
import { makeVersion } from "../worker/catalogue.js";
import { MemoryStore } from "./memory-store.js";

const CODES = [-3, 0, 1, 2, 3, 4, 5, 6, 7, 110_001, 9_007_199_254_740_991, 12];
const BRANCHES = ["1000", "a", "b", "__proto__", "x", "ร้าน 1"];

const code = fc.constantFrom(...CODES);
const branch = fc.constantFrom(...BRANCHES);
const record = fc.constantFrom('{"price":1}', '{"price":2.5}', '{"price":2.5,"weight":1}', '{"price":100}');

/** The rows of whole files: price lists, and what some branches have instead. */
const whole = fc
  .record({
    lists: fc.array(fc.dictionary(code.map(String), record, { minKeys: 1 }), { minLength: 1, maxLength: 2 }),
    of: fc.array(fc.nat(1), { minLength: BRANCHES.length, maxLength: BRANCHES.length }),
    own: fc.array(fc.tuple(branch, code, fc.option(record)), { maxLength: 8 }),
  })
  .map(({ lists, of, own }) => {
    const rows = BRANCHES.flatMap((branchId, index) =>
      Object.entries(lists[of[index]] ?? {}).map(([cprcode, record]) => [branchId, Number(cprcode), record]),
    );
    return applied(new Map(), [...rows, ...own]);
  })
  .filter((model) => model.size > 0);

/** A change of some branches, or of all at once. Null: the record goes. */
const change = fc
  .array(
    fc.tuple(
      fc.oneof(
        branch.map((one) => [one]),
        fc.subarray(BRANCHES, { minLength: 3 }),
      ),
      code,
      fc.option(record),
    ),
    { maxLength: 6 },
  )
  .map((groups) => groups.flatMap(([branchIds, cprcode, record]) => branchIds.map((branchId) => [branchId, cprcode, record])))
  .map((rows) => [...new Map(rows.map((row) => [`${row[1]} ${row[0]}`, row])).values()]);

const step = fc.oneof(
  { arbitrary: change.map((rows) => ({ rows })), weight: 6 },
  { arbitrary: whole.map((model) => ({ model })), weight: 1 },
);

const history = fc.record({
  first: whole,
  isOld: fc.boolean(),
  isListed: fc.boolean(),
  hasCache: fc.boolean(),
  shardBytes: fc.constantFrom(40, 100, 65_536),
  mostLayers: fc.integer({ min: 1, max: 3 }),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
});

/** The model, once rows have been applied: by branch, the records by product. */
function applied(model, rows) {
  const next = new Map(Array.from(model, ([branchId, records]) => [branchId, new Map(records)]));
  for (const [branchId, cprcode, record] of rows) {
    if (!next.has(branchId)) next.set(branchId, new Map());
    if (record === null) next.get(branchId).delete(cprcode);
    else next.get(branchId).set(cprcode, record);
  }
  for (const [branchId, records] of next) if (records.size === 0) next.delete(branchId);
  return next;
}

const rowsOf = (model) =>
  Array.from(model, ([branchId, records]) => Array.from(records, ([cprcode, record]) => [branchId, cprcode, record])).flat();

function differenceOf(before, after) {
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const branchId of BRANCHES) {
    for (const cprcode of CODES) {
      const [old, now] = [before, after].map((model) => model.get(branchId)?.get(cprcode));
      if (old === now) continue;
      counts[old === undefined ? "added" : now === undefined ? "removed" : "changed"] += 1;
    }
  }
  return counts;
}

const folder = temporaryFolder();

const jsonRow = ([branchId, cprcode, record]) =>
  JSON.stringify({ branchId, cprcode, ...(record === null ? {} : { record: 0 }) }).replace('"record":0', record?.slice(1, -1));

/** The file of rows; undefined without rows. */
async function fileOf(rows, name) {
  if (rows.length === 0) return undefined;
  await writeFile(join(folder, name), rows.map((row) => `${jsonRow(row)}\n`).join(""));
  return join(folder, name);
}

const bar = { update() {}, clear() {}, stop() {} };

async function built(store, rows, options) {
  const report = { fault: (text) => assert.fail(text), notice() {}, progress: () => bar };
  const prices = await fileOf(
    rows.filter(([, , record]) => record !== null),
    "prices.ndjson",
  );
  const remove = await fileOf(
    rows.filter(([, , record]) => record === null),
    "remove.ndjson",
  );
  const out = join(folder, "out");
  await rm(out, { recursive: true, force: true });
  const { manifest } = await build({ prices, remove, out, ...options }, async () => store, report);
  return { manifest, texts: await textsIn(out) };
}

async function textsIn(out) {
  const texts = {};
  for (const name of await readdir(out, { recursive: true })) {
    if (name.includes("/")) texts[name.replace("/", ":")] = await readFile(join(out, name), "utf8");
  }
  return texts;
}

function use(store, { manifest, texts }) {
  for (const [key, text] of Object.entries(texts)) store.keys.set(key, text);
  store.keys.set("current", JSON.stringify({ ...manifest, activatedAt: "2026-11-23T09:00:00.000Z", predecessors: [] }));
}

async function checkRecords(store, { manifest }, model) {
  const texts = { read: (keys) => readTexts(store, keys) };
  for (const branchId of BRANCHES) {
    const wanted = CODES.map((cprcode) => model.get(branchId)?.get(cprcode) ?? null);
    assert.deepEqual(await readRecords(manifest, branchId, CODES, texts), wanted, branchId);
    const own = Object.hasOwn(manifest.branches, branchId) ? manifest.branches[branchId] : undefined;
    assert.equal(own?.records, model.get(branchId)?.size, branchId);
  }
}

/** Where most products are present a filter would only take room; everywhere else it saves reads. */
async function checkFilters(store, { manifest: { bases, branches } }) {
  const stacks = [...Object.values(bases).map((layers) => ({ layers })), ...Object.values(branches)];
  for (const { layers, base } of stacks) {
    const filters = [];
    for (const hash of layers) filters.push(layerIn(store.keys.get(layerKey(hash))).filter !== "");
    assert.deepEqual(
      filters,
      layers.map((_, index) => base !== undefined || index < layers.length - 1),
    );
  }
}

async function checkDifference(before, after, store, models) {
  const wanted = differenceOf(...models);
  // Once as the version says it, once by its layers.
  for (const manifest of [after.manifest, { ...after.manifest, changes: undefined }]) {
    const { added, removed, changed, newBranches, goneBranches } = await compare(before.manifest, manifest, store, { maxChange: 30 });
    assert.deepEqual({ added, removed, changed }, wanted);
    assert.deepEqual(newBranches.toSorted(), [...models[1].keys()].filter((branchId) => !models[0].has(branchId)).sort());
    assert.deepEqual(goneBranches.toSorted(), [...models[0].keys()].filter((branchId) => !models[1].has(branchId)).sort());
  }
}

test("any history of builds prices each product as the model does", async () => {
  const seen = { bases: 0, merges: 0, moved: 0, pinned: 0 };
  const once = fc.asyncProperty(history, async ({ first, isOld, isListed, hasCache, steps, ...options }) => {
    const store = new MemoryStore();
    const cache = hasCache ? { cache: await mkdtemp(join(folder, "cache-")) } : {};
    const plain = { noZones: true, ...options, ...cache };
    const prices = Object.fromEntries(rowsOf(first).map(([branchId, cprcode, record]) => [`${cprcode}/${branchId}`, record]));
    let version = isOld
      ? await makeVersion(prices, null, { format: 1, isListed, shardCount: 2 })
      : await built(store, rowsOf(first), plain);
    let model = first;
    use(store, version);
    await checkRecords(store, version, model);
    for (const { rows, model: whole } of steps) {
      const [before, modelBefore] = [version, model];
      const named = await keysOf([before.manifest], store);
      model = whole ?? applied(model, rows);
      version = await built(store, whole ? rowsOf(whole) : rows, { ...plain, onto: !whole });
      if (!whole) for (const key of Object.keys(version.texts)) assert.ok(!named.has(key), `${key} is written again`);
      use(store, version);
      const after = await keysOf([version.manifest], store);
      for (const key of Object.keys(version.texts)) assert.ok(after.has(key), `nothing names ${key}`);
      await checkRecords(store, version, model);
      await checkFilters(store, version);
      await checkDifference(before, version, store, [modelBefore, model]);
      count(seen, before.manifest, version.manifest, whole);
    }
  });
  await fc.assert(once, { numRuns: allAtNight(12, cases(25)) });
  for (const [what, times] of Object.entries(seen)) assert.ok(times > allAtNight(0, 2), `${what}: ${times}`);
});

/** What the random histories have met. */
function count(seen, { bases: olds = {} }, { bases, branches }, whole) {
  if (whole) seen.bases += Object.keys(bases).length;
  for (const [name, layers] of Object.entries(bases)) {
    if (whole || !olds[name] || olds[name].join() === layers.join()) continue;
    if (olds[name].length < layers.length) seen.moved += 1;
    else seen.merges += 1;
    if (Object.values(branches).some(({ base, layers }) => base === name && layers.length > 0)) seen.pinned += 1;
  }
}
