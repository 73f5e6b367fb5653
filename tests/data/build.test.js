// `npm run data -- build`: files in, a version or faults out.
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { hashOf, recordsOf, shardOf, TOMBSTONE } from "../../pkg/catalogue/format.js";
import { layerKey, mostBytesOf, shardKey, zonesKey } from "../../pkg/catalogue/keys.js";
import { keyFor, layerIn, shardsIn } from "../../pkg/catalogue/layer.js";
import { layersOf, readRecords } from "../../pkg/catalogue/records.js";
import { Fault } from "../../worker/command-line/fault.js";
import { build } from "../../worker/data/build/build.js";
import { TextFolder } from "../../worker/data/versions/texts.js";
import { fileOf, folderBefore, readManifest, readTexts } from "../../worker/data/versions/version.js";
import { allAtNight } from "../effort.js";
import { temporaryFolder } from "../folder.js";
import { box, collection, squareZones, zone } from "../zones.js";
import { makeVersion } from "./versions.js";

const folder = temporaryFolder();

const HEADER = "cprcode,branchId,price,originalPrice,settlementPrice,weight,isControlledProduct";
const ZONES = JSON.stringify(squareZones(60));

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
  const version = await build({ noZones: options.zones === undefined && !options.keepZones, ...options, out }, async () => store, report);
  const short = (text) =>
    [options.prices, options.remove, options.zones].reduce((left, name) => (name ? left.replaceAll(name, "F") : left), text);
  return { ...version, out, faults: faults.map(short), notices: notices.map(short) };
}

/** The records of a version, or of some of its branches, by "<cprcode>/<branchId>". */
async function recordsIn({ out }, store = emptyStore(), branchIds) {
  const texts = folderBefore(out, store);
  const read = (keys) => readTexts(texts, keys);
  const manifest = await readManifest(out);
  const all = {};
  for (const branchId of branchIds ?? Object.keys(manifest.branches)) {
    const records = new Map();
    for (const layer of await layersOf(manifest, branchId, read)) {
      for (const [cprcode, record] of await recordsOfLayer(layer, read)) if (!records.has(cprcode)) records.set(cprcode, record);
    }
    for (const [cprcode, record] of records) if (record !== TOMBSTONE) all[`${cprcode}/${branchId}`] = record;
  }
  return all;
}

async function recordsOfLayer(layer, read) {
  const found = [];
  for (const [index, hash] of shardsIn(layer).entries()) {
    if (hash === "") continue;
    for (const { cprcode, record } of recordsOf((await read([shardKey(hash)])).get(shardKey(hash)))) {
      assert.equal(shardOf(cprcode, layer.shardCount), index, "each record is in its shard");
      assert.equal(keyFor(layer, cprcode), `shard:${hash}`, "the filter knows each record");
      found.push([cprcode, record]);
    }
  }
  assert.equal(layer.records, found.length);
  assert.equal(
    layer.bytes,
    found.reduce((sum, [cprcode, record]) => sum + `${cprcode} ${record}\n`.length, 0),
  );
  return found;
}

/** The length of all texts in a version's folder. */
async function bytesIn({ out }) {
  let bytes = 0;
  for (const name of await readdir(out, { recursive: true })) {
    if (name.includes("/")) bytes += (await readFile(join(out, name), "utf8")).length;
  }
  return bytes;
}

/** How many files of a kind a version has in its folder. */
const filesOf = async ({ out }, kind) => (await readdir(join(out, kind)).catch(() => [])).length;

/** Puts a built version into a store, as the one in use. */
async function use({ out, manifest }, store) {
  for (const kind of ["shard", "layer", "branch", "changes", "zones"]) {
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
      "1001/A/1": '{"price":0.1,"originalPrice":100,"settlementPrice":0.05,"isControlledProduct":true}',
      "-7/1000": '{"price":12345678.25}',
    });
    assert.deepEqual(
      Object.entries(manifest.branches).map(([branchId, { records }]) => [branchId, records]),
      [
        ["1000", 2],
        ["A/1", 1],
      ],
    );
    assert.deepEqual(Object.keys(manifest), [
      "format",
      "id",
      "builtAt",
      "onto",
      "zones",
      "zonesFrom",
      "bases",
      "branches",
      "fields",
      "layers",
    ]);
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
    const map = new Map([
      ["cprcode", "SKU;x"],
      ["price", "UnitPrice"],
    ]);
    assert.deepEqual(await recordsIn(await built({ prices, map })), { "1/1000": '{"price":5}' });
  });

  it("says what is wrong with every row, at the line where the row begins", async () => {
    const rows = [
      ['1001,1000,"1,299.00",,,,', '2: price: expected an amount as a JSON number, such as 12.5, got "1,299.00"'],
      ['1002,1000,"12,50",,,,', '3: price: expected an amount as a JSON number, such as 12.5, got "12,50"'],
      ["1003,1000,,,,,", '4: price: expected an amount as a JSON number, such as 12.5, got ""'],
      ["1004,1000,#N/A,,,,", '5: price: expected an amount as a JSON number, such as 12.5, got "#N/A"'],
      ["1005,1000,-5.00,,,,", '6: price: expected an amount of 0 or more, got "-5.00"'],
      ["x,1000,5,,,,", '7: cprcode: expected an integer of at most 16 digits, without leading zeros, got "x"'],
      ["1.5,1000,5,,,,", '8: cprcode: expected an integer of at most 16 digits, without leading zeros, got "1.5"'],
      [
        "9007199254740993,1000,5,,,,",
        '9: cprcode: expected an integer of at most 16 digits, without leading zeros, got "9007199254740993"',
      ],
      ["1006,,5,,,,", '10: branchId: expected a text of 1 to 128 characters in UTF-8, without white space around it, got ""'],
      ["1007,1000,5,,,,yes", '11: isControlledProduct: expected true or false, got "yes"'],
      [
        "1008,1000,5,abc,,true,",
        '12: originalPrice: expected an amount as a JSON number, such as 12.5, got "abc"',
        '12: weight: expected an amount as a JSON number, such as 12.5, got "true"',
      ],
      ["1009,1000", "13: expected 7 columns, got 2"],
      ["1010,1000, 5,,,,", '14: price: expected an amount as a JSON number, such as 12.5, got " 5"'],
      ["1013,1000 ,5,,,,", '15: branchId: expected a text of 1 to 128 characters in UTF-8, without white space around it, got "1000 "'],
      ["1011,1000,05,,,,", '16: price: expected an amount as a JSON number, such as 12.5, got "05"'],
      ["1012,1000,5,,,,", undefined],
      ["1012,1000,6,,,,", "18: cprcode: expected each product once a branch, got 1012 at branch 1000 again, as in F:17"],
      ["1001,1000,6,,,,", "19: cprcode: expected each product once a branch, got 1001 at branch 1000 again, as in F:2"],
    ];
    const prices = await file(`${HEADER}\n${rows.map(([row]) => row).join("\n")}\n`);
    const { manifest, faults, out } = await built({ prices });
    assert.equal(manifest, undefined);
    assert.deepEqual(
      faults,
      rows
        .flatMap(([, ...wanted]) => wanted)
        .filter(Boolean)
        .map((fault) => `F:${fault}`),
    );
    await assert.rejects(readdir(out), { code: "ENOENT" }, "nothing is written");
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes(".building")),
      [],
    );
  });

  it("may have quotes inside names; one that is never closed is reported where its row begins", async () => {
    const text = 'name,cprcode,branchId,price\n5" pipe,1,1000,5\n"5""x",2,1000,5\n"never closed,3,1000,5\n4,1000,5\n';
    const { faults } = await built({ prices: await file(text) });
    assert.deepEqual(faults, ["F:4: expected a closing quote, got the end of the file"]);
  });

  for (const [what, text, message] of [
    ["an empty file", "", /:1: expected a line of column names, got an empty file$/],
    [
      "a missing column",
      "cprcode,branchId,UnitPrice\n1,2,3\n",
      /:1: price: expected a column of this name, got "cprcode, branchId, UnitPrice": --map price=… says which column it is$/,
    ],
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
    for (const [what, name] of [
      ["is not there", () => join(folder, "nowhere")],
      ["is a folder", () => folder],
    ]) {
      it(`as --${option} that ${what} is named before any other is read, and before the store is asked`, async () => {
        const done = [];
        const report = { fault: (text) => done.push(text), notice: (text) => done.push(text), progress: (text) => done.push(text) };
        const right = {
          prices: await file("cprcode,branchId,price\n1,1000,5\n"),
          remove: await file("cprcode,branchId\n2,1000\n"),
          zones: await file(ZONES),
        };
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
      'F:1: price: expected an amount as a JSON number, such as 12.5, got "5"',
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
    const three = await built({ prices: await file("cprcode,branchId,price\n1,1000,51e-1\n2,1000,0.6E+1\n") });
    assert.deepEqual(
      [one, two, three].map(({ manifest }) => manifest.id),
      Array(3).fill(one.manifest.id),
    );
    assert.match(one.manifest.id, /^[0-9a-f]{16}$/);
  });

  it("has shards of at most about 32 KiB", async () => {
    const [count, shards] = allAtNight([2500, 2], [10_000, 8]);
    const prices = await file(csv(products(["1000"], range(count, 110_000))));
    const version = await built({ prices });
    const names = await readdir(join(version.out, "shard"));
    assert.equal(names.length, shards);
    for (const hash of names) {
      const text = await readFile(join(version.out, "shard", hash), "utf8");
      assert.ok(text.length > 10_000 && text.length < 40_000, `${text.length}`);
      assert.equal(await hashOf(text), hash);
    }
    assert.equal(Object.keys(await recordsIn(version)).length, count);
    assert.deepEqual(version.written, { texts: shards + 1, bytes: await bytesIn(version) });
  });

  it("has copies of its layers in the manifest, while that has room for them", async () => {
    const few = await built({ prices: await file(csv(products(["1", "2"], range(10)))) });
    assert.ok(Object.keys(few.manifest.layers).length > 0);
    for (const [hash, text] of Object.entries(few.manifest.layers)) {
      assert.equal(await readFile(join(few.out, "layer", hash), "utf8"), text);
    }
    // A shard a product, so that the list of shards is long. It writes thousands of files.
    for (const count of allAtNight([], [9000])) {
      const many = await built({ prices: await file(csv(products(["1"], range(count)))), shardBytes: 10 });
      assert.equal(many.manifest.layers, undefined);
      assert.ok(JSON.stringify(many.manifest).length < 262_144);
    }
  });

  it("with one product more differs in one shard", async () => {
    const rows = products(["1000"], range(300, 110_000));
    const one = await built({ prices: await file(csv(rows)), shardBytes: 3000 });
    const two = await built({ prices: await file(csv([...rows, [7, "1000", "5"]])), shardBytes: 3000 });
    const [before, after] = await Promise.all([one, two].map(({ out }) => readdir(join(out, "shard"))));
    assert.equal(after.filter((hash) => !before.includes(hash)).length, 1);
  });

  it("finds the price lists that branches share, and writes only what a branch has instead", async () => {
    const count = allAtNight(40, 400);
    const codes = range(count, 110_000);
    const rows = products(["a", "b", "c"], codes).concat(
      codes.flatMap((code) => ["p", "q"].map((branchId) => [code, branchId, 7 + (code % 50)])),
    );
    const own = [[1, "a", 5], [2, "b", 6], ...codes.map((code) => [code, "alone", 1000 + code])];
    const without = rows.filter(([code, branchId]) => !(code === 110_003 && branchId === "c"));
    const version = await built({ prices: await file(csv([...without, ...own])) });
    const { bases, branches } = version.manifest;
    assert.deepEqual(
      Object.entries(branches).map(([branchId, { base, layers, records }]) => [branchId, base, layers.length, records]),
      [
        ["a", "1", 1, count + 1],
        ["alone", undefined, 1, count],
        ["b", "1", 1, count + 1],
        ["c", "1", 1, count - 1],
        ["p", "2", 0, count],
        ["q", "2", 0, count],
      ],
    );
    assert.deepEqual(
      Object.values(bases).map((layers) => layers.length),
      [1, 1],
    );
    const layers = await Promise.all(
      [...Object.values(bases), branches.c.layers].map(async ([hash]) =>
        layerIn(await readFile(fileOf(version.out, layerKey(hash)), "utf8")),
      ),
    );
    assert.deepEqual(
      layers.map(({ records, filter }) => [records, filter !== ""]),
      [
        [count, false],
        [count, false],
        [1, true],
      ],
    );
    const found = await recordsIn(version);
    assert.equal(Object.keys(found).length, without.length + own.length);
    for (const [code, branchId, price] of [...without, ...own]) assert.equal(found[`${code}/${branchId}`], `{"price":${Number(price)}}`);
  });

  it("gives branches that have half of their products in common a base, and others none", async () => {
    const branchesWith = (common) =>
      csv([
        ...products(["a", "b"], range(common)),
        ...range(10 - common, 100).flatMap((code) => [
          [code, "a", 1],
          [code, "b", 2],
        ]),
      ]);
    const baseOf = async (common) => (await built({ prices: await file(branchesWith(common)) })).manifest.branches.b.base;
    assert.deepEqual([await baseOf(5), await baseOf(4)], ["1", undefined]);
  });

  it("has branches of any name", async () => {
    const version = await built({
      prices: await file(
        csv([
          [1, "__proto__", 5],
          [1, "constructor", 6],
          [1, "ร้าน 1", 7],
        ]),
      ),
    });
    const wanted = JSON.parse('{"1/__proto__":"{\\"price\\":5}","1/constructor":"{\\"price\\":6}","1/ร้าน 1":"{\\"price\\":7}"}');
    assert.deepEqual(await recordsIn(version), wanted);
  });

  it("of many branches gains a level", async () => {
    const branchIds = range(1600).map((number) => `branch ${number} `.padEnd(128, "x"));
    const version = await built({ prices: await file(csv(products(branchIds, [1]))) });
    const { records, list, ...rest } = version.manifest.branches[branchIds[7]];
    assert.deepEqual([records, rest], [1, {}]);
    assert.match(list, /^[0-9a-f]{32}$/);
    const some = branchIds.filter((_, index) => index % allAtNight(200, 20) === 7);
    const before = await recordsIn(version, emptyStore(), some);
    assert.equal(Object.keys(before).length, some.length);
    const store = emptyStore();
    await use(version, store);
    const change = await built({ prices: await file(csv([[1, branchIds[7], 5]])), onto: true }, store);
    assert.deepEqual(await Promise.all(["shard", "layer", "branch", "changes"].map((kind) => filesOf(change, kind))), [1, 1, 1, 1]);
    assert.deepEqual(await recordsIn(change, store, some), { ...before, [`1/${branchIds[7]}`]: '{"price":5}' });
  });

  it("takes the zones of a file, after the package's checks", async () => {
    const prices = await file(csv([[1, "1000", 5]]));
    const { manifest, out } = await built({ prices, zones: await file(ZONES, "geojson") });
    assert.equal(manifest.zones, await hashOf(ZONES));
    assert.equal(await readFile(fileOf(out, zonesKey(manifest.zones)), "utf8"), ZONES);
    const wrong = await built({ prices, zones: await file(JSON.stringify(squareZones(-5)), "geojson") });
    assert.equal(wrong.manifest, undefined);
    assert.equal(wrong.faults.length, 1);
    assert.match(wrong.faults[0], /^F: features\[0\]\.properties\.deliveryFee: expected /);
    const empty = await built({ prices, zones: await file(JSON.stringify(collection()), "geojson") });
    assert.deepEqual(empty.faults, ["F: features: expected at least one zone; --no-zones says that the shop has none"]);
  });

  it("refuses zones that one value of the store cannot hold: 25 MiB", async () => {
    const prices = await file("cprcode,branchId,price\n1,1000,5\n");
    const text = JSON.stringify(collection(zone({ brcode: 1000, deliveryFee: 60, name: "ร้าน" }, box(100, 13))));
    const most = 25 * 2 ** 20;
    const tooMany = [most + 1, [`F: expected at most ${most} bytes, got ${most + 1}`]];
    for (const [bytes, faults] of allAtNight([tooMany], [[most, []], tooMany])) {
      const zones = await file(text + " ".repeat(bytes - Buffer.byteLength(text)), "geojson");
      assert.deepEqual((await built({ prices, zones })).faults, faults);
    }
  });

  it("writes no text that readers refuse for its size", async () => {
    const texts = new TextFolder(folder);
    const text = "x".repeat(mostBytesOf(shardKey("")));
    await texts.write(shardKey, text);
    const message = `${shardKey(await hashOf(`${text}y`))}: expected at most ${text.length} bytes, got ${text.length + 1}`;
    await assert.rejects(texts.write(shardKey, `${text}y`), { message });
  });

  it("keeps the zones in use if none are given, and says from which version", async () => {
    const store = emptyStore();
    const prices = await file(csv([[1, "1000", 5]]));
    const first = await built({ prices, zones: await file(ZONES, "geojson") });
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
    const prices = await file(csv(products(["1000"], range(500, 1))));
    await built({ prices, out });
    const both = await Promise.allSettled([built({ prices, out }), built({ prices, out })]);
    assert.ok(both.some(({ status }) => status === "fulfilled"));
    assert.equal(Object.keys(await recordsIn({ out })).length, 500);
  });
});

describe("--onto current", () => {
  const csv = (rows) => `cprcode,branchId,price\n${rows.map((row) => row.join(",")).join("\n")}\n`;
  const codes = Array.from({ length: allAtNight(900, 9000) }, (_, index) => 110_000 + index);
  const FOUR = ["1000", "1001", "1002", "1003"];
  let store;
  let base;

  before(async () => {
    store = emptyStore();
    const rows = FOUR.flatMap((branchId) => codes.map((code) => [code, branchId, code % 900]));
    base = await built({
      prices: await file(csv(rows)),
      zones: await file(ZONES, "geojson"),
      shardBytes: allAtNight(3000, undefined),
    });
    await use(base, store);
  });

  const onto = async (rows, options = {}, from = store) =>
    built({ ...(rows && { prices: await file(csv(rows)) }), onto: true, keepZones: true, ...options }, from);

  it("changes one price by a file of one line, and writes one layer of one shard", async () => {
    const version = await onto([[110_005, "1000", "77.77"]]);
    assert.deepEqual(version.faults, []);
    assert.equal(version.manifest.onto, base.manifest.id);
    assert.deepEqual(await readdir(version.out), ["changes", "layer", "manifest.json", "shard"]);
    assert.deepEqual([await filesOf(version, "shard"), await filesOf(version, "layer")], [1, 1]);
    const [before, after] = [await recordsIn(base), await recordsIn(version, store)];
    assert.deepEqual(after, { ...before, "110005/1000": '{"price":77.77}' });
    assert.deepEqual(version.manifest.branches["1001"], base.manifest.branches["1001"]);
    assert.deepEqual(version.manifest.bases, base.manifest.bases);
    const [hash] = version.manifest.changes;
    assert.equal(await readFile(fileOf(version.out, `changes:${hash}`), "utf8"), '["1000",110005,205,77.77]\n');
  });

  it("writes nothing for rows that change nothing", async () => {
    const version = await onto([[110_005, "1000", "205.00"]]);
    assert.deepEqual(await readdir(version.out), ["manifest.json"]);
    const { bases, branches, changes } = version.manifest;
    assert.deepEqual({ bases, branches, changes }, { bases: base.manifest.bases, branches: base.manifest.branches, changes: [] });
  });

  it("writes a change of most branches once, into their base; the others keep what they had", async () => {
    const version = await onto(["1000", "1001", "1003"].map((branchId) => [110_005, branchId, 7]));
    const { bases, branches } = version.manifest;
    assert.equal(bases["1"].length, 2);
    assert.deepEqual(
      FOUR.map((branchId) => branches[branchId].layers.length),
      [0, 0, 1, 0],
    );
    const wanted = { ...(await recordsIn(base)), "110005/1000": '{"price":7}', "110005/1001": '{"price":7}', "110005/1003": '{"price":7}' };
    assert.deepEqual(await recordsIn(version, store), wanted);
  });

  it("leaves a base as it is where records of the branches are fewer or as many", async () => {
    const five = emptyStore();
    const first = await built({
      prices: await file(csv(["a", "b", "c", "d", "e"].flatMap((branchId) => codes.slice(0, 9).map((code) => [code, branchId, 5])))),
    });
    await use(first, five);
    const { manifest } = await onto(
      ["a", "b", "c"].map((branchId) => [110_005, branchId, 7]),
      {},
      five,
    );
    assert.deepEqual(manifest.bases, first.manifest.bases);
    assert.deepEqual(
      Object.values(manifest.branches).map(({ layers }) => layers.length),
      [1, 1, 1, 0, 0],
    );
  });

  it("lets branches with equal changes share a layer", async () => {
    const version = await onto(["1000", "1001"].map((branchId) => [110_005, branchId, 7]));
    assert.deepEqual(version.manifest.branches["1000"], version.manifest.branches["1001"]);
    assert.equal(await filesOf(version, "layer"), 1);
  });

  it("takes a product out of a base that most branches lose", async () => {
    const remove = await file(`cprcode,branchId\n${FOUR.map((branchId) => `110005,${branchId}`).join("\n")}\n`);
    const version = await onto(undefined, { remove });
    assert.deepEqual(
      FOUR.map((branchId) => version.manifest.branches[branchId]),
      FOUR.map(() => ({ records: codes.length - 1, layers: [], base: "1" })),
    );
    const wanted = await recordsIn(base);
    for (const branchId of FOUR) delete wanted[`110005/${branchId}`];
    assert.deepEqual(await recordsIn(version, store), wanted);
  });

  it("adds, replaces and removes rows, branches too; counts stay right", async () => {
    const remove = await file("cprcode,branchId\n110002,1000\n110003,1001\n4,1000\n4,nowhere\n");
    const version = await onto(
      [
        [1, "1000", 5],
        [110_001, "1001", 5],
        [1, "new", 9],
      ],
      { remove },
    );
    const wanted = { ...(await recordsIn(base)), "1/1000": '{"price":5}', "110001/1001": '{"price":5}', "1/new": '{"price":9}' };
    delete wanted["110002/1000"];
    delete wanted["110003/1001"];
    const found = await recordsIn(version, store);
    assert.deepEqual(found, wanted);
    assert.deepEqual(version.notices, ["keys to remove that are not in use: 4 at 1000, 4 at nowhere"]);
    for (const [branchId, { records }] of Object.entries(version.manifest.branches)) {
      assert.equal(records, Object.keys(found).filter((key) => key.endsWith(`/${branchId}`)).length, branchId);
    }
  });

  it("drops a branch whose records all go, and a base that no branch has any more", async () => {
    const rows = (branchIds) =>
      `cprcode,branchId\n${branchIds.flatMap((branchId) => codes.map((code) => `${code},${branchId}`)).join("\n")}\n`;
    const one = await onto(undefined, { remove: await file(rows(["1001"])) });
    assert.deepEqual(Object.keys(one.manifest.branches), ["1000", "1002", "1003"]);
    assert.deepEqual(Object.keys(one.manifest.bases), ["1"]);
    assert.deepEqual(await readdir(one.out), ["changes", "manifest.json"]);
    const all = await onto([[1, "new", 5]], { remove: await file(rows(FOUR)) });
    assert.deepEqual([Object.keys(all.manifest.branches), all.manifest.bases], [["new"], {}]);
    assert.deepEqual(await recordsIn(all), { "1/new": '{"price":5}' });
  });

  it("is the same version for the same rows in another order", async () => {
    const rows = [
      [110_005, "1000", 7],
      [110_006, "1002", 7],
      [110_005, "1001", 8],
      [3, "new", 1],
    ];
    assert.equal((await onto(rows)).manifest.id, (await onto(rows.toReversed())).manifest.id);
  });

  it("merges the newest layers when there are more than eight, or all if those behind are small, and says so", async () => {
    for (const [size, layers] of [
      [100, [2, 3, 4, 5, 6, 7, 8, 2, 3, 4]],
      [4, [2, 3, 4, 5, 6, 7, 8, 1, 2, 3]],
    ]) {
      const one = emptyStore();
      let version = await built({ prices: await file(csv(Array.from({ length: size }, (_, code) => [code, "a", 5]))) });
      const counts = [];
      for (let price = 10; price < 20; price += 1) {
        await use(version, one);
        version = await onto([[price % 4, "a", price]], {}, one);
        counts.push(version.manifest.branches.a.layers.length);
        assert.deepEqual(version.merged, { bases: 0, branches: price === 17 ? 1 : 0 });
      }
      assert.deepEqual(counts, layers);
      const found = await recordsIn(version, one);
      assert.equal(Object.keys(found).length, size);
      for (const code of [0, 1, 2, 3]) assert.equal(found[`${code}/a`], `{"price":${16 + code}}`);
    }
  });

  it("refuses a key to price and to remove", async () => {
    const remove = await file("cprcode,branchId\n1,1000\n");
    const { faults } = await onto([[1, "1000", 5]], { remove });
    assert.equal(faults.length, 1);
    assert.match(faults[0], /^F:2: cprcode: expected each product once a branch, got 1 at branch 1000 again, as in F:2$/);
  });

  it("needs a version in use, whole and of a known format", async () => {
    const rows = [[110_005, "1000", 5.5]];
    await assert.rejects(onto(rows, {}, emptyStore()), /nothing is in use yet: build without --onto current/);
    const other = emptyStore();
    other.texts.set("current", '{"format":3}');
    await assert.rejects(
      onto(rows, {}, other),
      /current is refused: expected format 1 or 2, got 3; use the version of these commands that wrote it$/,
    );
    for (const kind of ["shard", "layer"]) {
      const broken = emptyStore();
      for (const [key, text] of store.texts) if (!key.startsWith(`${kind}:`)) broken.texts.set(key, text);
      await assert.rejects(onto(rows, {}, broken), new RegExp(`^Error: ${kind}:[0-9a-f]{32} is missing: push the version`));
      for (const [key, text] of store.texts) if (key.startsWith(`${kind}:`)) broken.texts.set(key, `${text} `);
      await assert.rejects(onto(rows, {}, broken), new RegExp(`^Error: ${kind}:[0-9a-f]{32} is altered: push the version .* --again$`));
    }
  });

  it("brings a store of format 1 to format 2 without any file; shards keep their names", async () => {
    for (const hasLists of [false, true]) {
      const old = emptyStore();
      const { manifest, texts } = await makeVersion({
        branches: {
          a: [
            [0, 5],
            [1, 3],
          ],
          b: [
            [0, 5],
            [1, 3],
          ],
        },
        hasLists,
        format: 1,
      });
      for (const [key, text] of texts) old.texts.set(key, text);
      old.texts.set("current", JSON.stringify({ ...manifest, activatedAt: "2026-11-23T00:00:00.000Z", predecessors: [] }));
      const version = await onto(undefined, {}, old);
      assert.deepEqual(await readdir(version.out), ["layer", "manifest.json"]);
      assert.equal(await filesOf(version, "layer"), 1);
      assert.deepEqual(version.manifest.changes, []);
      const keys = [0, 5, 1, 3].flatMap((code) => [`${code}/a`, `${code}/b`]);
      const read = async (from) => {
        const records = {};
        for (const key of keys) {
          const [cprcode, branchId] = key.split("/");
          [records[key]] = await readRecords(from, branchId, [Number(cprcode)], {
            read: (all) => readTexts(folderBefore(version.out, old), all),
          });
        }
        return records;
      };
      assert.deepEqual(await read(version.manifest), await read(manifest));
    }
  });
});

describe("a row that lacks what the record had", () => {
  it("replaces the record, and says what is lost", async () => {
    const store = emptyStore();
    const whole = `${HEADER}\n1,a,10,12,9,2,true\n2,a,10,,,,\n`;
    await use(await built({ prices: await file(whole) }), store);
    const { notices } = await built({ prices: await file("cprcode,branchId,price\n1,a,11\n2,a,11\n"), onto: true }, store);
    assert.deepEqual(notices, [
      "1 record loses its originalPrice, settlementPrice, weight, isControlledProduct: a row replaces the whole record, and the files do not have that",
    ]);
  });
});

describe("--cache-dir", () => {
  const csv = (rows) => `cprcode,branchId,price\n${rows.map((row) => row.join(",")).join("\n")}\n`;
  const rows = ["a", "b"].flatMap((branchId) => Array.from({ length: 50 }, (_, code) => [code, branchId, 5]));
  const counting = (store) => {
    const read = [];
    return { ...store, read, get: (keys) => (read.push(...keys), store.get(keys)) };
  };

  it("lets the next build read nothing from the store but what is in use", async () => {
    const store = emptyStore();
    const cache = join(folder, `cache-${++files}`);
    await use(await built({ prices: await file(csv(rows)), cache }), store);
    for (const [price, branchIds] of [
      [6, ["a"]],
      [7, ["a", "b"]],
      [8, ["b"]],
    ]) {
      const counted = counting(store);
      const prices = await file(csv(branchIds.map((branchId) => [9, branchId, price])));
      const version = await built({ prices, onto: true, cache }, counted);
      assert.deepEqual(counted.read, ["current"]);
      await use(version, store);
    }
  });

  it("is filled from the store, and healed; what neither version names goes", async () => {
    const store = emptyStore();
    const cache = join(folder, `cache-${++files}`);
    const first = await built({ prices: await file(csv(rows)) });
    await use(first, store);
    const change = { prices: await file(csv([[9, "a", 6]])), onto: true, cache };
    const one = await built(change, store);
    const [hash] = await readdir(join(first.out, "shard"));
    await writeFile(join(cache, "shard", hash), "altered");
    await writeFile(join(cache, "shard", "0".repeat(32)), "of long ago");
    await writeFile(join(cache, "mine.txt"), "mine");
    const two = await built(change, store);
    assert.equal(two.manifest.id, one.manifest.id);
    assert.equal(await hashOf(await readFile(join(cache, "shard", hash), "utf8")), hash);
    const left = (await readdir(cache, { recursive: true })).filter((name) => name.includes("/") || name === "mine.txt");
    assert.deepEqual(left.length, 5, "two shards, two layers, and what is not ours");
  });

  it("that cannot be written changes nothing", async () => {
    const cache = await file("no folder");
    assert.ok((await built({ prices: await file(csv(rows)), cache })).manifest);
  });
});
