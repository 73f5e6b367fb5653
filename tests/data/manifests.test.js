// The Worker and the commands read one manifest in one way, and no command writes a `current` that the Worker refuses.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { idOf } from "../../pkg/catalogue/manifest.js";
import { createCatalogue } from "../../pkg/catalogue.js";
import { Fault } from "../../worker/command-line/fault.js";
import { push } from "../../worker/data/store/push.js";
import { activate, rollback } from "../../worker/data/versions/activate.js";
import { gc } from "../../worker/data/versions/gc.js";
import { status } from "../../worker/data/versions/status.js";
import { readCurrent } from "../../worker/data/versions/version.js";
import fc, { cases } from "../property.js";
import { MemoryStore, SILENT } from "./memory-store.js";
import { smallVersion, writeVersion } from "./versions.js";

const RUNS = cases(500);
const TIME = "2026-11-23T08:30:00.000Z";
const OTHER_ID = "0123456789abcdef";
const IN_USE = { activatedAt: TIME, predecessors: [{ id: OTHER_ID, from: TIME, to: TIME }] };

const VERSIONS = [
  await smallVersion(1, { zones: "{}", base: [[5, 6]] }),
  await smallVersion(2, { hasLists: true, onto: OTHER_ID, zonesFrom: OTHER_ID }),
  await smallVersion(3, { format: 1, zones: "{}" }),
  await smallVersion(4, { format: 1, hasLists: true }),
];

/** What the Worker says of a value of `current`. */
async function saidByWorker(text) {
  const read = async (names) => new Map(names.map((name) => [name, name === "current" ? text : null]));
  try {
    const { id } = await createCatalogue({ read }).version();
    return { id };
  } catch (error) {
    return { refusal: error.detail };
  }
}

const REFUSED = /^(?:the key )?(\S+) is refused: (.*?)(?:; .*)?$/s;

/** The sentence with which a command refuses what stands under a key. Undefined: it takes it. */
async function refusalOf(act, key) {
  try {
    await act();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Fault, error.stack);
    const [, name, sentence] = REFUSED.exec(error.message) ?? assert.fail(error.message);
    assert.equal(name, key);
    return sentence;
  }
}

const values = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    "",
    0,
    -1,
    1,
    2,
    3,
    1.5,
    true,
    [],
    {},
    "../../x",
    OTHER_ID,
    OTHER_ID + OTHER_ID,
    TIME,
    ["", ""],
    [null, ""],
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Every place in a value, as the keys that lead there. */
const placesIn = (value) =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[key], ...placesIn(inner).map((place) => [key, ...place])])
    : [];

function replaced(value, [key, ...rest], by) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = rest.length === 0 ? by : replaced(value[key], rest, by);
  return copy;
}

/** A manifest with some values replaced; `isSigned`: by somebody who then gave it the id of what it holds. */
const mutated = (whole) =>
  fc
    .tuple(fc.constantFrom(...VERSIONS), fc.array(fc.tuple(fc.nat(), values), { maxLength: 2 }), fc.boolean())
    .map(([version, changes, isSigned]) => ({
      version,
      isSigned,
      manifest: changes.reduce(
        (manifest, [number, by]) => {
          const places = placesIn(manifest);
          return places.length === 0 ? manifest : replaced(manifest, places[number % places.length], by);
        },
        { ...version.manifest, ...whole },
      ),
    }));

async function textOf({ manifest, isSigned }) {
  return JSON.stringify(isSigned ? { ...manifest, id: await idOf(manifest) } : manifest);
}

function storeWith(...versions) {
  const store = new MemoryStore();
  for (const { texts } of versions) for (const [key, text] of texts) store.keys.set(key, text);
  return store;
}

test("any current: the Worker and the commands take it, or refuse it with the same sentence", async () => {
  let taken = 0;
  const once = fc.asyncProperty(
    fc.oneof(
      mutated(IN_USE).map(textOf),
      fc.string().map(async (text) => text),
    ),
    async (making) => {
      const text = await making;
      const worker = await saidByWorker(text);
      const store = storeWith(...VERSIONS);
      store.keys.set("current", text);
      const sentence = worker.refusal && REFUSED.exec(worker.refusal)[2];
      if (sentence === undefined) taken += 1;
      assert.equal(await refusalOf(() => readCurrent(store), "current"), sentence);
      const [line] = await status(store);
      if (sentence === undefined) assert.ok(line.startsWith(`In use: ${worker.id} since `), line);
      else assert.equal(REFUSED.exec(line)?.[2], sentence);
      if (sentence === undefined) return;
      assert.equal(await refusalOf(() => rollback(store), "current"), sentence);
      assert.equal(await refusalOf(() => gc(store, { keep: 0 }), "current"), sentence);
      assert.equal(store.keys.get("current"), text, "nothing is written over it");
    },
  );
  await fc.assert(once, { numRuns: RUNS });
  assert.ok(taken > RUNS / 10, `${taken} were taken`);
});

test("any folder and any version in the store: refused, or the Worker takes what activate writes", async (context) => {
  const folders = new Map();
  for (const version of VERSIONS) folders.set(version, await writeVersion(context, version));
  let taken = 0;
  const once = fc.asyncProperty(mutated({ pushedAt: TIME }), fc.boolean(), async (mutation, isPushed) => {
    const { version, manifest } = mutation;
    const text = await textOf(mutation);
    const id = isPushed ? `${JSON.parse(text).id}` : version.manifest.id;
    const store = storeWith(version);
    const folder = folders.get(version);
    await writeFile(join(folder, "manifest.json"), text);
    if (!isPushed) store.keys.set(`version:${id}`, text);
    try {
      if (isPushed) await push(store, folder, SILENT, { now: () => new Date(TIME) });
      await activate(store, id, { force: true }, () => new Date(TIME));
    } catch (error) {
      assert.ok(error instanceof Fault, `${error.stack}\n${JSON.stringify(manifest)}`);
      assert.equal(store.keys.has("current"), false);
      if (isPushed) for (const key of store.keys.keys()) assert.match(key, /^(shard|layer|zones|branch|version:[0-9a-f]{16}$)/);
      return;
    }
    taken += 1;
    assert.deepEqual(await saidByWorker(store.keys.get("current")), { id });
  });
  await fc.assert(once, { numRuns: RUNS });
  assert.ok(taken > RUNS / 10, `${taken} were taken`);
});

test("a folder whose id leads elsewhere", async (context) => {
  const [version] = VERSIONS;
  const folder = await writeVersion(context, { ...version, manifest: { ...version.manifest, id: "../../x" } });
  const store = new MemoryStore();
  const message = /manifest\.json is refused: id: expected 16 hexadecimal digits, got "\.\.\/\.\.\/x"; build again$/;
  await assert.rejects(push(store, folder, SILENT), (error) => error instanceof Fault && message.test(error.message));
  assert.equal(store.keys.size, 0);
});

test("a version under the key of another", async () => {
  const [one, two] = VERSIONS;
  const store = storeWith(one, two);
  const key = `version:${one.manifest.id}`;
  store.keys.set(key, JSON.stringify({ ...two.manifest, pushedAt: TIME }));
  const sentence = `it holds the version ${two.manifest.id}`;
  assert.equal(await refusalOf(() => activate(store, one.manifest.id), key), sentence);
  assert.equal(await refusalOf(() => gc(store, { keep: 0 }), key), sentence);
});

test("a version in the store that was spoilt is pushed again", async (context) => {
  const [version] = VERSIONS;
  const folder = await writeVersion(context, version);
  const store = storeWith(version);
  const key = `version:${version.manifest.id}`;
  for (const spoilt of ["no JSON", "{}", JSON.stringify({ ...version.manifest, zones: null })]) {
    store.keys.set(key, spoilt);
    assert.equal((await push(store, folder, SILENT, { now: () => new Date(TIME) })).wasPublished, false);
    assert.deepEqual(store.read(key), { ...version.manifest, pushedAt: TIME });
  }
});
