// The store of wrangler.dev.jsonc. That `wrangler dev` reads it meanwhile is in own-prices.test.js.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Fault } from "../../worker/command-line/fault.js";
import { push } from "../../worker/data/store/push.js";
import { openStore } from "../../worker/data/store/store.js";
import { allAtNight } from "../effort.js";
import { temporaryFolder } from "../folder.js";
import { startPush } from "./child.js";
import { keysIn, SILENT } from "./memory-store.js";
import { largeVersion, writeVersion } from "./versions.js";

/** For tests that leave nothing in it. */
let store;
after(() => store.close()); // before the folder is removed
const folder = temporaryFolder();
before(async () => (store = await openStore({ persistTo: folder })));

test("what is put can be read, listed and deleted", async () => {
  assert.deepEqual(await store.get(["a"]), new Map([["a", null]]));
  assert.deepEqual(await keysIn(store), []);
  const written = [];
  await store.put(
    [
      { key: "a:1", value: "น้ำปลา\n" },
      { key: "a:2", value: "" },
      { key: "b", value: "3" },
    ],
    (count) => written.push(count),
  );
  assert.deepEqual(written, [3]);
  assert.deepEqual(
    await store.get(["a:1", "b", "c"]),
    new Map([
      ["a:1", "น้ำปลา\n"],
      ["b", "3"],
      ["c", null],
    ]),
  );
  assert.deepEqual(await keysIn(store, "a:"), ["a:1", "a:2"]);
  await store.delete(["a:1", "c"]);
  assert.deepEqual(await keysIn(store), ["a:2", "b"]);
  await store.delete(["a:2", "b"]);
});

test("more keys than one call reads or lists", async () => {
  const count = allAtNight(110, 1100); // a call reads 100, and lists 1,000
  const keys = Array.from({ length: count }, (_, index) => `shard:${String(index).padStart(4, "0")}`);
  const written = [];
  async function* entries() {
    for (const key of keys) yield { key, value: key };
  }
  await store.put(entries(), (count) => written.push(count));
  assert.deepEqual(written, [count]);
  assert.deepEqual(await keysIn(store, "shard:"), keys);
  const pages = [];
  for await (const page of store.listPages("shard:")) pages.push(page.length);
  assert.deepEqual(pages, allAtNight([110], [1000, 100]));
  assert.deepEqual(await store.get(keys), new Map(keys.map((key) => [key, key])));
  await store.delete(keys);
  assert.deepEqual(await keysIn(store), []);
});

test("a batch holds at most 12 MB, or one value that is larger; what is too large to read at once is read in parts", async () => {
  const written = [];
  const entries = [4, 8, 1, allAtNight(13, 25), 1].map((size, index) => ({ key: `zones:${index}`, value: "x".repeat(size * 1e6) }));
  await store.put(entries, (count) => written.push(count));
  assert.deepEqual(written, [2, 3, 4, 5]);
  const found = await store.get(entries.map(({ key }) => key));
  assert.ok(entries.every(({ key, value }) => found.get(key) === value));
  await store.delete(entries.map(({ key }) => key));
});

test("a value that KV does not take: a sentence that names the key and the store", async () => {
  await assert.rejects(store.put([{ key: "zones:x", value: "x".repeat(25 * 2 ** 20 + 1) }]), (error) => {
    assert.ok(error instanceof Fault);
    assert.match(error.message, /^cannot write zones:x in the store in .*: .*413/);
    assert.ok(error.message.includes(folder) && !error.message.includes("\n"));
    return true;
  });
});

test("a folder that cannot be one", async (context) => {
  const file = join(temporaryFolder(context), "file");
  await writeFile(file, "");
  await assert.rejects(
    openStore({ persistTo: file }),
    (error) => error instanceof Fault && /^cannot open the store in/.test(error.message),
  );
});

test("a push that is killed: the next one uploads only the rest", async (context) => {
  const persistTo = temporaryFolder(context);
  const version = await largeVersion(24);
  const built = await writeVersion(context, version);
  const child = startPush({ persistTo }, built);
  await child.wrote;
  await child.kill();

  const store = await openStore({ persistTo });
  context.after(() => store.close());
  assert.deepEqual(await keysIn(store, "version:"), []);
  assert.deepEqual(await keysIn(store, "pushing:"), [`pushing:${version.manifest.id}`]);
  const there = (await keysIn(store, "shard:")).length;
  assert.ok(there > 0 && there < 24, `${there}`);
  const key = `pushing:${version.manifest.id}`;
  const noted = JSON.parse((await store.get([key])).get(key)).uploaded;
  const { uploaded } = await push(store, built, SILENT);
  assert.equal(uploaded, version.texts.size - noted);
  assert.equal((await keysIn(store, "shard:")).length, 24);
  assert.deepEqual(await keysIn(store, "pushing:"), []);
});
