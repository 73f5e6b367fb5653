// `npm run data -- build`: files in, a version or faults out.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { build } from "../../worker/data/build.js";
import { Fault } from "../../worker/data/fault.js";
import { fileOf, folderBefore, readManifest, readTexts, withLists } from "../../worker/data/version.js";
import { hashOf, recordsOf, shardOf } from "../../worker/src/catalogue/format.js";
import { shardKey, zonesKey } from "../../worker/src/keys.js";

let folder;
before(async () => (folder = await mkdtemp(join(tmpdir(), "order-cost-build-"))));
after(() => rm(folder, { recursive: true }));

const HEADER = "cprcode,branchId,price,originalPrice,settlementPrice,weight,isControlledProduct";
const ZONE = (brcode, deliveryFee = 60) => ({
  type: "Feature",
  properties: { brcode, deliveryFee },
  geometry: { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]] },
});
const zonesText = (...zones) => JSON.stringify({ type: "FeatureCollection", features: zones });

let files = 0;
async function file(content, end = "csv") {
  const name = join(folder, `${++files}.${end}`);
  await writeFile(name, content);
  return name;
}

/** A store that holds what was pushed. */
const emptyStore = () => {
  const texts = new Map();
  return { texts, get: async (keys) => new Map(keys.map((key) => [key, texts.get(key) ?? null])) };
};

/** Builds, and gives the manifest, the faults with the file's name left out, and the notices. */
async function built(options, store = emptyStore()) {
  const out = options.out ?? join(folder, `out-${++files}`);
  const faults = [];
  const notices = [];
  const bar = { update() {}, clear() {}, stop() {} };
  const report = { fault: (text) => faults.push(text), notice: (text) => notices.push(text), progress: () => bar };
  const manifest = await build({ noZones: options.zones === undefined && !options.keepZones, ...options, out }, async () => store, report);
  const short = (text) => [options.prices, options.remove, options.zones].reduce((left, name) => (name ? left.replaceAll(name, "F") : left), text);
  return { manifest, out, faults: faults.map(short), notices: notices.map(short) };
}

/** All records of a version by "<cprcode>/<branchId>". */
async function recordsIn({ out }, store = emptyStore()) {
  const texts = folderBefore(out, store);
  const { lists } = await withLists(await readManifest(out), texts);
  const all = {};
  for (const [branchId, hashes] of lists) {
    for (const [index, hash] of hashes.entries()) {
      if (hash === "") continue;
      const text = (await readTexts(texts, [shardKey(hash)])).get(shardKey(hash));
      for (const { cprcode, record } of recordsOf(text)) {
        assert.equal(shardOf(cprcode, hashes.length), index, "each record is in its shard");
        all[`${cprcode}/${branchId}`] = record;
      }
    }
  }
  return all;
}

/** Puts a built version into a store, as the one in use. */
async function use({ out, manifest }, store) {
  for (const kind of ["shard", "zones", "branch"]) {
    const hashes = await readdir(join(out, kind)).catch(() => []);
    for (const hash of hashes) store.texts.set(`${kind}:${hash}`, await readFile(fileOf(out, `${kind}:${hash}`), "utf8"));
  }
  store.texts.set("current", JSON.stringify({ ...manifest, activatedAt: "2026-11-23T00:00:00.000Z", predecessors: [] }));
}

describe("CSV", () => {
  it("becomes records with the file's own digits, in branches", async () => {
    const prices = await file(`${HEADER}\n1001,1000,245.50,,,5,\n1001,A/1,0.1,1e2,0.05,,true\n-7,1000,12345678.25,,,,false\n`);
    const { manifest, faults, ...version } = await built({ prices });
    assert.deepEqual(faults, []);
    assert.deepEqual(await recordsIn(version), {
      "1001/1000": '{"price":245.5,"weight":5}',
      "1001/A/1": '{"price":0.1,"originalPrice":1e2,"settlementPrice":0.05,"isControlledProduct":true}',
      "-7/1000": '{"price":12345678.25}',
    });
    assert.deepEqual(
      Object.entries(manifest.branches).map(([branchId, { records, shardCount }]) => [branchId, records, shardCount]),
      [["1000", 2, 1], ["A/1", 1, 1]],
    );
    assert.equal(manifest.zones, null);
    assert.equal(manifest.onto, null);
  });

  it("may have a byte order mark, CRLF, quotes, line breaks in quotes, blank lines, and no line break at its end", async () => {
    const text = `\ufeffname,"price",branchId,cprcode\r\n"Rice, ""5 kg""",245,"1000",1001\r\n\r\n"two\r\nlines",50,1000,1002`;
    const { faults, notices, ...version } = await built({ prices: await file(text) });
    assert.deepEqual(faults, []);
    assert.deepEqual(await recordsIn(version), { "1001/1000": '{"price":245}', "1002/1000": '{"price":50}' });
    assert.deepEqual(notices, ["F: ignored columns: name"]);
  });

  it("has other names for its columns with --map", async () => {
    const prices = await file("SKU;x,branchId,UnitPrice\n1,1000,5\n");
    const map = new Map([["cprcode", "SKU;x"], ["price", "UnitPrice"]]);
    assert.deepEqual(await recordsIn(await built({ prices, map })), { "1/1000": '{"price":5}' });
  });

  it("says what is wrong with every row, at the line where the row begins", async () => {
    const rows = [
      ["1001,1000,\"1,299.00\",,,,", '2: price: expected an amount of 0 or more, got "1,299.00"'],
      ["1002,1000,\"12,50\",,,,", '3: price: expected an amount of 0 or more, got "12,50"'],
      ["1003,1000,,,,,", '4: price: expected an amount of 0 or more, got ""'],
      ["1004,1000,#N/A,,,,", '5: price: expected an amount of 0 or more, got "#N/A"'],
      ["1005,1000,-5.00,,,,", '6: price: expected an amount of 0 or more, got "-5.00"'],
      ["x,1000,5,,,,", '7: cprcode: expected an integer of at most 16 digits, without leading zeros, got "x"'],
      ["1.5,1000,5,,,,", '8: cprcode: expected an integer of at most 16 digits, without leading zeros, got "1.5"'],
      ["9007199254740993,1000,5,,,,", '9: cprcode: expected an integer of at most 16 digits, without leading zeros, got "9007199254740993"'],
      ["1006,,5,,,,", '10: branchId: expected a text of 1 to 128 characters in UTF-8, without white space around it, got ""'],
      ["1007,1000,5,,,,yes", '11: isControlledProduct: expected true or false, got "yes"'],
      ["1008,1000,5,abc,,true,", '12: originalPrice: expected an amount of 0 or more, got "abc"', '12: weight: expected an amount of 0 or more, got "true"'],
      ["1009,1000", "13: expected 7 columns, got 2"],
      ["1010,1000, 5,,,,", '14: price: expected an amount of 0 or more, got " 5"'],
      ["1013,1000 ,5,,,,", '15: branchId: expected a text of 1 to 128 characters in UTF-8, without white space around it, got "1000 "'],
      ["1011,1000,05,,,,", '16: price: expected an amount of 0 or more, got "05"'],
      ["1012,1000,5,,,,", undefined],
      ["1012,1000,6,,,,", "18: cprcode: expected each product once a branch, got 1012 at branch 1000 again, as in F:17"],
      ["1001,1000,6,,,,", "19: cprcode: expected each product once a branch, got 1001 at branch 1000 again, as in F:2"],
    ];
    const prices = await file(`${HEADER}\n${rows.map(([row]) => row).join("\n")}\n`);
    const { manifest, faults, out } = await built({ prices });
    assert.equal(manifest, undefined);
    assert.deepEqual(faults, rows.flatMap(([, ...wanted]) => wanted).filter(Boolean).map((fault) => `F:${fault}`));
    await assert.rejects(readdir(out), { code: "ENOENT" }, "nothing is written");
    assert.deepEqual((await readdir(folder)).filter((name) => name.includes(".building")), []);
  });

  it("may have quotes inside names; one that is never closed is reported where its row begins", async () => {
    const text = 'name,cprcode,branchId,price\n5" pipe,1,1000,5\n"5"x,2,1000,"5"x\n"never closed,3,1000,5\n4,1000,5\n';
    const { faults } = await built({ prices: await file(text) });
    assert.deepEqual(faults, [
      'F:3: price: expected an amount of 0 or more, got "\\"5\\"x"',
      "F:4: expected a closing quote, got the end of the file",
    ]);
  });

  for (const [what, text, message] of [
    ["an empty file", "", /:1: expected a line of column names, got an empty file$/],
    ["a missing column", "cprcode,branchId,UnitPrice\n1,2,3\n", /:1: price: expected a column of this name, got "cprcode, branchId, UnitPrice": --map price=… says which column it is$/],
    ["semicolons", "cprcode;branchId;price\n1;2;3\n", /got "cprcode;branchId;price": save it as CSV with commas$/],
    ["a column twice", "cprcode,branchId,price,price\n1,2,3,4\n", /:1: price: expected one column of this name, got two$/],
  ]) {
    it(`is refused: ${what}`, async () => {
      await assert.rejects(built({ prices: await file(text) }), (error) => error instanceof Fault && message.test(error.message));
    });
  }

  it("without a row is a fault", async () => {
    assert.deepEqual((await built({ prices: await file(`${HEADER}\n`) })).faults, ["F:1: expected at least one row"]);
  });

  it("that is not there is named", async () => {
    await assert.rejects(built({ prices: join(folder, "nowhere.csv") }), /^Error: cannot read .*nowhere\.csv/);
  });
});

describe("a file that cannot be read", () => {
  for (const option of ["prices", "remove", "zones"]) {
    for (const [what, name] of [["is not there", () => join(folder, "nowhere")], ["is a folder", () => folder]]) {
      it(`as --${option} that ${what} is named before any other is read, and before the store is asked`, async () => {
        const done = [];
        const report = { fault: (text) => done.push(text), notice: (text) => done.push(text), progress: (text) => done.push(text) };
        const right = { prices: await file("cprcode,branchId,price\n1,1000,5\n"), remove: await file("cprcode,branchId\n2,1000\n"), zones: await file(zonesText(ZONE(1000))) };
        const options = { ...right, onto: true, out: join(folder, `out-${++files}`), [option]: name() };
        const building = build(options, async () => done.push("the store is opened"), report);
        await assert.rejects(building, (error) => error instanceof Fault && error.message.startsWith(`cannot read ${name()}: `));
        assert.deepEqual(done, []);
      });
    }
  }
});

describe("NDJSON", () => {
  it("keeps the digits of its numbers; null is absent; other members are ignored with a notice", async () => {
    const text = `{"cprcode":1,"branchId":"1000","price":12345678.250,"weight":null,"name":"x"}\r\n\r\n{"price":0.3,"isControlledProduct":true,"branchId":"1000","cprcode":2}\n`;
    const { faults, notices, ...version } = await built({ prices: await file(text, "ndjson") });
    assert.deepEqual(faults, []);
    assert.deepEqual(await recordsIn(version), { "1/1000": '{"price":12345678.25}', "2/1000": '{"price":0.3,"isControlledProduct":true}' });
    assert.deepEqual(notices, ["F: ignored columns: name"]);
  });

  it("says what is wrong with every line", async () => {
    const text = `{"cprcode":1,"branchId":"1000","price":"5"}\n{"cprcode":2\n[]\n{"cprcode":"3","branchId":["x"],"price":5}\n`;
    assert.deepEqual((await built({ prices: await file(text, "ndjson") })).faults, [
      'F:1: price: expected an amount of 0 or more, got "5"',
      "F:2: expected a JSON object",
      "F:3: expected a JSON object",
      'F:4: cprcode: expected an integer of at most 16 digits, without leading zeros, got "3"',
      'F:4: branchId: expected a text of 1 to 128 characters in UTF-8, without white space around it, got "[\\"x\\"]"',
    ]);
  });
});

describe("a version", () => {
  const csv = (rows) => `cprcode,branchId,price\n${rows.map((row) => row.join(",")).join("\n")}\n`;
  const range = (length, from = 0) => Array.from({ length }, (_, index) => index + from);
  const products = (branchIds, codes) => branchIds.flatMap((branchId) => codes.map((code) => [code, branchId, `${code % 900}.25`]));

  it("has the same id for the same content, in any order and number format", async () => {
    const one = await built({ prices: await file("cprcode,branchId,price\n1,1000,5.10\n2,1000,6\n") });
    const two = await built({ prices: await file("price,branchId,cprcode\n6.00,1000,2\n5.1,1000,1\n") });
    assert.equal(one.manifest.id, two.manifest.id);
    assert.match(one.manifest.id, /^[0-9a-f]{16}$/);
  });

  it("has shards of at most about 64 KiB, which branches with equal prices share", async () => {
    const prices = await file(csv(products(["1000", "1001"], range(10_000, 110_000))));
    const version = await built({ prices });
    const { lists } = await withLists(version.manifest, undefined);
    assert.deepEqual(lists.get("1000"), lists.get("1001"));
    assert.equal((await readdir(join(version.out, "shard"))).length, lists.get("1000").length);
    for (const hash of lists.get("1000")) {
      const text = await readFile(join(version.out, "shard", hash), "utf8");
      assert.ok(text.length > 20_000 && text.length < 80_000, `${text.length}`);
      assert.equal(await hashOf(text), hash);
    }
    assert.equal(Object.keys(await recordsIn(version)).length, 20_000);
  });

  it("with one product more differs in one shard", async () => {
    const rows = products(["1000"], range(9000, 110_000));
    const one = await built({ prices: await file(csv(rows)) });
    const two = await built({ prices: await file(csv([...rows, [7, "1000", "5"]])) });
    const [before, after] = [one, two].map(({ manifest }) => manifest.branches["1000"].shards);
    assert.equal(before.filter((hash, index) => hash !== after[index]).length, 1);
  });

  it("has branches of any name", async () => {
    const version = await built({ prices: await file(csv([[1, "__proto__", 5], [1, "constructor", 6], [1, "ร้าน 1", 7]])) });
    const wanted = JSON.parse('{"1/__proto__":"{\\"price\\":5}","1/constructor":"{\\"price\\":6}","1/ร้าน 1":"{\\"price\\":7}"}');
    assert.deepEqual(await recordsIn(version), wanted);
  });

  it("of many branches gains a level", async () => {
    const branchIds = range(2000).map((number) => `branch ${number} ${"x".repeat(60)}`);
    const version = await built({ prices: await file(csv(products(branchIds, [1, 2]))) });
    assert.equal(version.manifest.branches[branchIds[7]].shards, undefined);
    assert.match(version.manifest.branches[branchIds[7]].list, /^[0-9a-f]{32}$/);
    assert.equal(Object.keys(await recordsIn(version)).length, 4000);
  });

  it("takes the zones of a file, after the package's checks", async () => {
    const prices = await file(csv([[1, "1000", 5]]));
    const text = zonesText(ZONE(1000));
    const { manifest, out } = await built({ prices, zones: await file(text, "geojson") });
    assert.equal(manifest.zones, await hashOf(text));
    assert.equal(await readFile(fileOf(out, zonesKey(manifest.zones)), "utf8"), text);
    const wrong = await built({ prices, zones: await file(zonesText(ZONE(1000, -5)), "geojson") });
    assert.equal(wrong.manifest, undefined);
    assert.equal(wrong.faults.length, 1);
    assert.match(wrong.faults[0], /^F: features\[0\]\.properties\.deliveryFee: expected /);
    const empty = await built({ prices, zones: await file(zonesText(), "geojson") });
    assert.deepEqual(empty.faults, ["F: features: expected at least one zone; --no-zones says that the shop has none"]);
  });

  it("refuses zones that one value of the store cannot hold: 25 MiB", async () => {
    const prices = await file("cprcode,branchId,price\n1,1000,5\n");
    const text = zonesText({ ...ZONE(1000), properties: { ...ZONE(1000).properties, name: "ร้าน" } });
    const most = 25 * 2 ** 20;
    for (const [bytes, faults] of [
      [most, []],
      [most + 1, [`F: expected at most ${most} bytes, got ${most + 1}`]],
    ]) {
      const zones = await file(text + " ".repeat(bytes - Buffer.byteLength(text)), "geojson");
      assert.deepEqual((await built({ prices, zones })).faults, faults);
    }
  });

  it("keeps the zones in use if none are given, and says from which version", async () => {
    const store = emptyStore();
    const prices = await file(csv([[1, "1000", 5]]));
    const first = await built({ prices, zones: await file(zonesText(ZONE(1000)), "geojson") });
    const withoutAny = await built({ prices, keepZones: true }, store);
    assert.equal(withoutAny.manifest.zones, null);
    await use(first, store);
    const { manifest } = await built({ prices, keepZones: true }, store);
    assert.equal(manifest.zones, first.manifest.zones);
    assert.equal(manifest.zonesFrom, first.manifest.id);
  });

  it("replaces an earlier build, and no other folder", async () => {
    const prices = await file(csv([[1, "1000", 5]]));
    const { out } = await built({ prices });
    const again = await built({ prices: await file(csv([[1, "1000", 6]])), out });
    assert.deepEqual(await recordsIn(again), { "1/1000": '{"price":6}' });
    assert.equal((await readdir(join(out, "shard"))).length, 1);
    const web = join(folder, "web");
    await mkdir(web);
    await writeFile(join(web, "manifest.json"), "{}");
    const mixed = (await built({ prices })).out;
    await writeFile(join(mixed, "notes.txt"), "mine");
    for (const other of [folder, web, mixed]) {
      await assert.rejects(built({ prices, out: other }), /holds other files: expected a new folder, or that of an earlier build/);
    }
    assert.equal(await readFile(join(mixed, "notes.txt"), "utf8"), "mine");
  });

  it("may be named with a slash at its end, and built twice at the same time", async () => {
    const out = join(folder, "twice/");
    const prices = await file(csv(products(["1000"], range(5000, 1))));
    await built({ prices, out });
    const both = await Promise.allSettled([built({ prices, out }), built({ prices, out })]);
    assert.ok(both.some(({ status }) => status === "fulfilled"));
    assert.equal(Object.keys(await recordsIn({ out })).length, 5000);
  });
});

describe("--onto current", () => {
  const csv = (rows) => `cprcode,branchId,price\n${rows.map((row) => row.join(",")).join("\n")}\n`;
  const codes = Array.from({ length: 9000 }, (_, index) => 110_000 + index);
  let store;
  let base;

  before(async () => {
    store = emptyStore();
    const rows = ["1000", "1001"].flatMap((branchId) => codes.map((code) => [code, branchId, code % 900]));
    base = await built({ prices: await file(csv(rows)), zones: await file(zonesText(ZONE(1000)), "geojson") });
    await use(base, store);
  });

  it("changes one price by a file of one line, and writes one shard", async () => {
    const version = await built({ prices: await file(csv([[110_005, "1000", "77.77"]])), onto: true, keepZones: true }, store);
    assert.deepEqual(version.faults, []);
    assert.equal(version.manifest.onto, base.manifest.id);
    assert.equal((await readdir(join(version.out, "shard"))).length, 1);
    assert.deepEqual(await readdir(version.out), ["manifest.json", "shard"]);
    const [before, after] = [await recordsIn(base), await recordsIn(version, store)];
    assert.deepEqual(after, { ...before, "110005/1000": '{"price":77.77}' });
    assert.deepEqual(version.manifest.branches["1001"], base.manifest.branches["1001"]);
  });

  it("adds, replaces and removes rows, branches too; counts and bytes stay right", async () => {
    const prices = await file(csv([[1, "1000", 5], [110_001, "1001", 5], [1, "new", 9]]));
    const remove = await file("cprcode,branchId\n110002,1000\n110003,1001\n4,1000\n4,nowhere\n");
    const version = await built({ prices, remove, onto: true, keepZones: true }, store);
    const wanted = { ...(await recordsIn(base)), "1/1000": '{"price":5}', "110001/1001": '{"price":5}', "1/new": '{"price":9}' };
    delete wanted["110002/1000"];
    delete wanted["110003/1001"];
    const found = await recordsIn(version, store);
    assert.deepEqual(found, wanted);
    assert.deepEqual(version.notices, ["keys to remove that are not in use: 4 at 1000, 4 at nowhere"]);
    for (const [branchId, { records, bytes }] of Object.entries(version.manifest.branches)) {
      const own = Object.entries(found).filter(([key]) => key.endsWith(`/${branchId}`));
      assert.equal(records, own.length, branchId);
      assert.equal(bytes, own.reduce((sum, [key, record]) => sum + key.indexOf("/") + record.length + 2, 0), branchId);
    }
  });

  it("drops a branch whose records all go", async () => {
    const remove = await file(`cprcode,branchId\n${codes.map((code) => `${code},1001`).join("\n")}\n`);
    const version = await built({ remove, onto: true, keepZones: true }, store);
    assert.deepEqual(Object.keys(version.manifest.branches), ["1000"]);
  });

  it("splits the shards of a branch that grows far", async () => {
    const small = emptyStore();
    const first = await built({ prices: await file(csv([[5, "1000", 5], [6, "1000", 6]])) });
    await use(first, small);
    const many = Array.from({ length: 30_000 }, (_, index) => [110_000 + index, "1000", 1]);
    const version = await built({ prices: await file(csv(many)), onto: true, keepZones: true }, small);
    assert.equal(version.manifest.branches["1000"].shardCount, 16);
    assert.equal(Object.keys(await recordsIn(version, small)).length, many.length + 2);
  });

  it("refuses a key to price and to remove", async () => {
    const prices = await file(csv([[1, "1000", 5]]));
    const remove = await file("cprcode,branchId\n1,1000\n");
    const { faults } = await built({ prices, remove, onto: true, keepZones: true }, store);
    assert.equal(faults.length, 1);
    assert.match(faults[0], /^F:2: cprcode: expected each product once a branch, got 1 at branch 1000 again, as in F:2$/);
  });

  it("needs a version in use, whole and of a known format", async () => {
    const options = { prices: await file(csv([[110_005, "1000", 5]])), onto: true, keepZones: true };
    await assert.rejects(built(options), /nothing is in use yet: build without --onto current/);
    const other = emptyStore();
    other.texts.set("current", '{"format":2}');
    await assert.rejects(built(options, other), /current is refused: expected format 1, got 2; use the version of these commands that wrote it$/);
    const broken = emptyStore();
    for (const [key, text] of store.texts) if (!key.startsWith("shard:")) broken.texts.set(key, text);
    await assert.rejects(built(options, broken), /^Error: shard:[0-9a-f]{32} is missing: push the version/);
    for (const [key, text] of store.texts) if (key.startsWith("shard:")) broken.texts.set(key, `${text} `);
    await assert.rejects(built(options, broken), /^Error: shard:[0-9a-f]{32} is altered: push the version .* --again$/);
  });
});
