// `push` of versions that `build --onto current` makes: their folders leave out what the version in use names anywhere.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { idOf } from "../../pkg/catalogue/manifest.js";
import { Fault } from "../../worker/command-line/fault.js";
import { build } from "../../worker/data/build/build.js";
import { push } from "../../worker/data/store/push.js";
import { activate } from "../../worker/data/versions/activate.js";
import { keysOf, readCurrent } from "../../worker/data/versions/version.js";
import { temporaryFolder } from "../folder.js";
import { MemoryStore, SILENT } from "./memory-store.js";
import { makeVersion } from "./versions.js";

const REPORT = { ...SILENT, fault: (text) => assert.fail(text), notice() {} };

/** A shop: `use` builds rows of cprcode, branchId and price, pushes them and switches to them. */
async function openShop(context, options) {
  const folder = temporaryFolder(context);
  const store = new MemoryStore();
  async function use(rows) {
    const [prices, out] = [join(folder, "prices.csv"), join(folder, "out")];
    await writeFile(prices, `cprcode,branchId,price\n${rows.map((row) => `${row.join(",")}\n`).join("")}`);
    const onto = store.keys.has("current");
    const { manifest } = await build({ prices, noZones: true, onto, out, ...options }, async () => store, REPORT);
    const { uploaded } = await push(store, out, SILENT);
    await activate(store, manifest.id);
    return uploaded;
  }
  return { store, use };
}

/** Nothing that the version in use names is missing. */
const assertWhole = async (store) => assert.ok((await keysOf([await readCurrent(store)], store)).size > 0);

const products = Array.from({ length: 200 }, (_, index) => index + 1);

test("a new layer names shards that the version in use names by a layer of another branch", async (context) => {
  const { store, use } = await openShop(context, { shardBytes: 60 });
  await use(["A", "B"].flatMap((branch) => products.map((cprcode) => [cprcode, branch, 10])));
  await use(products.map((cprcode) => [cprcode, "A", 11]));
  const uploaded = await use(products.map((cprcode) => [cprcode, "B", cprcode === 7 ? 12 : 11]));
  assert.equal(uploaded, 3, "a shard, the layer and what changed");
  await assertWhole(store);
});

test("a branch's new list names a layer that the version in use names by the list of another branch", async (context) => {
  const { store, use } = await openShop(context);
  const branches = Array.from({ length: 1600 }, (_, index) => `${index}`.padEnd(128, "b"));
  await use(
    branches.flatMap((branch) => [
      [1, branch, 10],
      [2, branch, 10],
    ]),
  );
  await use([[1, branches[0], 11]]);
  await use([[2, branches[1], 21]]);
  const current = await readCurrent(store);
  assert.ok(Object.values(current.branches).every(({ list }) => list !== undefined));
  assert.equal(await use([[1, branches[1], 11]]), 2, "the list and what changed");
  await assertWhole(store);
});

test("a branch's list names a base that the version does not have: a fault, as the pricer refuses such a list", async (context) => {
  const { store, use } = await openShop(context);
  const { manifest, texts } = await makeVersion({ branches: { A: [] }, base: [[1]], hasLists: true });
  const content = { ...manifest, bases: {} };
  const current = { ...content, id: await idOf(content), activatedAt: "2026-11-23T09:00:00.000Z", predecessors: [] };
  store.keys = new Map([...texts, ["current", JSON.stringify(current)]]);
  await assert.rejects(use([[1, "A", 11]]), (error) => {
    assert.ok(error instanceof Fault);
    assert.equal(error.message, 'branch A: expected a base of the version in use, got "1": build that version anew from its files');
    return true;
  });
});
