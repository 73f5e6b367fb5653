// What `cargo xtask dev` does with the store of this machine before it starts: xtask/shop/seeding.mjs. own-prices.test.js
// starts xtask/shop/seed.mjs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CURRENT_KEY } from "../../pkg/catalogue/keys.js";
import { build } from "../../worker/data/build/build.js";
import { push } from "../../worker/data/store/push.js";
import { openStore } from "../../worker/data/store/store.js";
import { activate } from "../../worker/data/versions/activate.js";
import { readCurrent } from "../../worker/data/versions/version.js";
import { main } from "../../xtask/shop/seeding.mjs";
import { allAtNight } from "../effort.js";
import { temporaryFolder } from "../folder.js";
import { seedVersion } from "../worker/catalogue.js";
import { squareZones } from "../zones.js";
import { SILENT } from "./memory-store.js";
import { run } from "./run.js";
import { makeVersion, writeVersion } from "./versions.js";

const generator = fileURLToPath(new URL("../../worker/seed/generate.mjs", import.meta.url));
const REGULAR = new URL("../../worker/seed/orders/regular.json", import.meta.url);

const readJson = async (file) => JSON.parse(await readFile(file, "utf8"));

/** A store, and a little seed; `start` does what dev does. */
async function prepare(context) {
  const [persistTo, folder] = [temporaryFolder(context), temporaryFolder(context)];
  const files = {
    "prices.csv": "cprcode,branchId,price\n110018,1000,231\n",
    "zones.geojson": JSON.stringify(squareZones(30)),
    "vouchers.json": JSON.stringify([{ key: "voucher:A", value: "{}" }]),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return {
    async start() {
      const { code: status, err: stderr } = await run(main, [folder, persistTo]);
      return { status, stderr, sample: await readJson(join(folder, "sample.json")).catch(() => undefined) };
    },
    async within(run) {
      const store = await openStore({ persistTo });
      return run(store).finally(() => store.close());
    },
  };
}

async function use(context, store, version) {
  await push(store, await writeVersion(context, version), SILENT);
  await activate(store, version.manifest.id);
  return version.manifest.id;
}

const inUse = async (store) => (await readCurrent(store)).id;

test("an empty store gets the seed, and an order of the seed is the sample", async (context) => {
  const { start, within } = await prepare(context);
  const { status, sample } = await start();
  assert.equal(status, 0);
  assert.deepEqual(sample, { version: await within(inUse), isSeed: true, order: await readJson(REGULAR) });
});

for (const hasLists of allAtNight([true], [false, true])) {
  test(`one's own version stays, and one of its products is the sample${hasLists ? ": lists of their own" : ""}`, async (context) => {
    const { start, within } = await prepare(context);
    const own = await makeVersion({ branches: { 2: [[]], 7: [[], [42]] }, hasLists });
    const id = await within((store) => use(context, store, own));
    const order = { branchId: "7", productList: [{ cprcode: 42, productName: "Product 42", quantity: 1 }] };
    for (const run of ["first", "second"]) {
      const { status, sample } = await start();
      assert.deepEqual({ status, sample }, { status: 0, sample: { version: id, isSeed: false, order } }, run);
      assert.equal(await within(inUse), id, run);
    }
  });
}

test("a version without a product gives way to the seed, also to one published before", async (context) => {
  const { start, within } = await prepare(context);
  const { sample: before } = await start();
  const empty = await makeVersion({ branches: {} });
  await within((store) => use(context, store, empty));
  const { status, sample } = await start();
  assert.deepEqual({ status, sample }, { status: 0, sample: before });
  assert.equal(await within(inUse), before.version);
});

test("a version that cannot be read: one line says why", async (context) => {
  const { start, within } = await prepare(context);
  await within((store) => store.put([{ key: CURRENT_KEY, value: "{" }]));
  const { status, stderr } = await start();
  assert.equal(status, 1);
  assert.match(stderr, /^current is refused: expected JSON; [^\n]+\n$/);
});

test("the demo's page has the version that the seed becomes, so that it names the same as the service", async (context) => {
  const folder = temporaryFolder(context);
  spawnSync(process.execPath, [generator, "--data", folder]);
  const [prices, zones, out] = ["prices.csv", "zones.geojson", "catalogue"].map((name) => join(folder, name));
  const { manifest } = await build({ prices, zones, out }, undefined, SILENT);
  assert.equal((await seedVersion()).id, manifest.id);
});
