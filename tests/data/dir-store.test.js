// A store that is a folder of files: the commands on it, and the package that prices from it.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createCatalogue } from "order-cost/catalogue";
import { Fault } from "../../worker/command-line/fault.js";
import { main } from "../../worker/data/program.js";
import { openStore } from "../../worker/data/store/store.js";
import { temporaryFolder } from "../folder.js";
import { keysIn } from "./memory-store.js";
import { run } from "./run.js";

const isFault = (message) => (error) => error instanceof Fault && message.test(error.message);

test("what is put can be read, listed and deleted, and lies where fromUrl asks for it", async (context) => {
  const dir = join(temporaryFolder(context), "new");
  const store = await openStore({ dir });
  assert.deepEqual(
    await store.get(["current", "shard:0a"]),
    new Map([
      ["current", null],
      ["shard:0a", null],
    ]),
  );
  assert.deepEqual(await keysIn(store), []);
  const written = [];
  await store.put(
    [
      { key: "current", value: "1" },
      { key: "shard:0a", value: "น้ำปลา\n" },
      { key: "shard:0b", value: "" },
    ],
    (count) => written.push(count),
  );
  assert.deepEqual(written, [3]);
  assert.equal(await readFile(join(dir, "shard/0a"), "utf8"), "น้ำปลา\n");
  assert.equal(await readFile(join(dir, "current"), "utf8"), "1");
  assert.deepEqual(
    await store.get(["shard:0b", "current"]),
    new Map([
      ["shard:0b", ""],
      ["current", "1"],
    ]),
  );
  await writeFile(join(dir, "shard/0a.4711"), "cut");
  await writeFile(join(dir, "index.html"), "");
  assert.deepEqual(await keysIn(store), ["current", "shard:0a", "shard:0b"]);
  assert.deepEqual(await keysIn(store, "shard:"), ["shard:0a", "shard:0b"]);
  assert.deepEqual(await keysIn(store, "shard:0b"), ["shard:0b"]);
  assert.deepEqual(await keysIn(store, "version:"), []);
  await store.delete(["shard:0a", "shard:0c", "layer:00"]);
  assert.deepEqual(await keysIn(store, "shard:"), ["shard:0b"]);
  await store.close();
});

test("current is written last, and not at all after a text that cannot be written", async (context) => {
  const dir = temporaryFolder(context);
  const store = await openStore({ dir });
  await mkdir(join(dir, "shard/0b"), { recursive: true });
  const entries = [
    { key: "current", value: "1" },
    { key: "shard:0b", value: "2" },
  ];
  await assert.rejects(store.put(entries), isFault(/^cannot write 2 keys in .*: E/));
  assert.deepEqual(await readdir(dir), ["shard"]);
  assert.deepEqual(await readdir(join(dir, "shard")), ["0b"], "and nothing half-written stays");
  await assert.rejects(store.get(["shard:0b"]), isFault(/^cannot read shard:0b in .*: EISDIR/));
});

test("a key that leads elsewhere is refused", async (context) => {
  const store = await openStore({ dir: join(temporaryFolder(context), "store") });
  for (const key of ["version:../../x", "..:0a", "shard:", "a/b", "shard:0a:0b", "current\n", "", "shard:0A"]) {
    const refused = isFault(/is no key of a catalogue/);
    await assert.rejects(store.get([key]), refused, key);
    await assert.rejects(store.put([{ key, value: "" }]), refused, key);
    await assert.rejects(store.delete([key]), refused, key);
  }
});

/** A shop in a folder of its own; `data` runs a command on the folder "public". */
async function openShop(context) {
  const folder = temporaryFolder(context);
  const here = process.cwd();
  process.chdir(folder);
  context.after(() => process.chdir(here));
  const data = (line) => run(main, [...line.split(" "), "--dir", "public"]);
  async function built(name, rows, options = "") {
    await writeFile(join(folder, `${name}.csv`), `cprcode,branchId,price\n${rows.join("\n")}\n`);
    const { code, out, err } = await data(`build --prices ${name}.csv --no-zones --out ${name}${options}`);
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`Next: npm run data -- ${existsSync("public/current") ? "diff" : "push"} ${name} --dir public\n$`));
    return JSON.parse(await readFile(join(folder, name, "manifest.json"), "utf8")).id;
  }
  return { folder, data, built };
}

/** What a page does: it knows nothing but the files. */
function priceIn(folder) {
  const textOf = (name) => readFile(join(folder, "public", name.replace(":", "/")), "utf8").catch(() => null);
  const read = async (names) => new Map(await Promise.all(names.map(async (name) => [name, await textOf(name)])));
  return async (cprcode) => {
    const version = await createCatalogue({ read }).version();
    const [record] = await version.lookupPrices([{ cprcode, branchId: "1000" }]);
    return [version.id, JSON.parse(record).price];
  };
}

test("build, push, activate, change, roll back and collect, and price from the folder after each", async (context) => {
  const { folder, data, built } = await openShop(context);
  const price = priceIn(folder);

  const first = await built("first", ["1,1000,100", "2,1000,200"]);
  const pushed = await data("push first");
  assert.equal(pushed.out, `${first} is published in public: 2 texts uploaded\n\nNext: npm run data -- activate ${first} --dir public\n`);
  assert.equal((await data(`activate ${first}`)).out, `${first} is in use in public\n`);
  assert.deepEqual(await price(2), [first, 200]);

  const second = await built("second", ["2,1000,210"], " --onto current");
  assert.match((await data("diff second")).out, /0 records added, 0 removed, 1 changed/);
  assert.match((await data("push second")).out, /: 3 texts uploaded\n/);
  assert.equal((await data(`activate ${second}`)).out, `${second} is in use in public, in place of ${first}\n`);
  assert.deepEqual(await price(2), [second, 210]);
  assert.deepEqual(await price(1), [second, 100]);

  assert.equal((await data("rollback")).out, `${first} is in use again in public, in place of ${second}\n`);
  assert.deepEqual(await price(2), [first, 200]);
  assert.match((await data("status")).out, new RegExp(`^In use: ${first} since `));

  const never = await built("never", ["1,1000,300"]);
  await data("push never");
  const collected = (await data("gc --keep 0")).out;
  assert.match(collected, new RegExp(`${never} is deleted\n1 version and 2 texts deleted; 2 versions and 5 texts stay\n$`));
  assert.deepEqual((await readdir(join(folder, "public/version"))).sort(), [first, second].sort());
  assert.deepEqual(await readdir(join(folder, "public/pushing")), []);
  assert.deepEqual(await price(1), [first, 100]);
  assert.match((await data("activate ../../x")).err, /^data: cannot read version:\.\.\/\.\.\/x in public: .* is no key of a catalogue/);
});

test("a folder that is not there is no empty catalogue: only build and push take it", async (context) => {
  const dir = join(temporaryFolder(context), "not-mounted");
  for (const words of [["status"], ["rollback"], ["activate", "0123456789abcdef", "--force"], ["gc", "--keep", "1"]]) {
    const { code, err } = await run(main, [...words, "--dir", dir]);
    assert.deepEqual(
      [code, err],
      [1, `data: the folder ${dir} is not there: expected that of a catalogue. Is its disk mounted?\n`],
      words[0],
    );
  }
});
