// `order-cost copy-catalogue`: a folder of one version of a catalogue.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { before, describe, test } from "node:test";
import { listen } from "../ports.js";
import { squareZones } from "../zones.js";
import { file, path, run } from "./command.js";
import { captureOf, writeCatalogue } from "./impact-case.js";

const BRANCHES = ["1000", "1001", "1002"];
/** Branches of equal prices have one layer. */
const PRICES = { "1/1000": 13, "2/1000": 40, "1/1001": 13, "2/1001": 40, "1/1002": 9 };
const { id } = await writeCatalogue("shop", PRICES, squareZones(35));
const manifest = JSON.parse(readFileSync(path("shop/manifest.json"), "utf8"));

const captures = BRANCHES.map((branchId) =>
  captureOf(`r-${branchId}`, {
    order: { branchId, productList: [{ cprcode: 1, productName: "x", quantity: 4 }] },
    facts: { prices: { [`1/${branchId}`]: { price: 12.5 } } },
  }),
);
const all = file("all.ndjson", `${captures.join("\n")}\n`);
const copy = (...args) => run(["copy-catalogue", ...args]);
const COPIED = { code: 0, stdout: "", stderr: "" };

async function reportOf(...args) {
  const { code, stdout, stderr } = await run(["impact", all, "--catalogue", ...args, "--format", "json"]);
  assert.equal(code, 0, stderr);
  return stdout;
}

describe("of a URL", () => {
  let url;
  const asked = [];

  before(async () => {
    const { id: later } = await writeCatalogue("later", { "1/1000": 99 });
    const next = { id: later, at: "2999-01-01T00:00:00.000Z" };
    writeFileSync(path("shop/current"), JSON.stringify({ ...manifest, activatedAt: manifest.builtAt, predecessors: [], next }));
    const server = createServer((request, response) => {
      asked.push(request.url);
      const place = path(`shop${request.url}`);
      if (existsSync(place)) response.end(readFileSync(place));
      else response.writeHead(404).end();
    });
    url = await listen(server);
    server.unref();
  });

  test("the version in use: each file is read once, and the report is that of the URL", async () => {
    assert.deepEqual(await copy(url, "copy"), COPIED);
    const files = ["branch", "layer", "shard", "zones"].flatMap((kind) =>
      existsSync(path(`shop/${kind}`)) ? readdirSync(path(`shop/${kind}`)).map((hash) => `${kind}/${hash}`) : [],
    );
    assert.deepEqual(asked.toSorted(), ["/current", ...files.map((name) => `/${name}`)].toSorted());
    for (const name of files) assert.equal(readFileSync(path(`copy/${name}`), "utf8"), readFileSync(path(`shop/${name}`), "utf8"));
    const report = await reportOf("copy");
    assert.equal(report, await reportOf(url));
    assert.deepEqual([JSON.parse(report).changed.version, JSON.parse(report).net], [id, "-10"]);
  });

  test("does not learn what is planned: all machines count with the same prices whenever they begin", async () => {
    assert.equal(JSON.parse(readFileSync(path("copy/current"), "utf8")).next, undefined);
  });
});

test("of a folder: what was built, and of a store the version that is named", async () => {
  const { id: other } = await writeCatalogue("store", { "1/1000": 20, "1/1001": 12.5, "1/1002": 12.5 });
  assert.deepEqual(await copy("store", "built"), COPIED);
  mkdirSync(path("store/version"));
  renameSync(path("store/manifest.json"), path(`store/version/${other}`));
  assert.deepEqual(await copy("store", "named", "--catalogue-version", other), COPIED);
  for (const name of ["built", "named"]) assert.equal(JSON.parse(await reportOf(name)).net, "30");
});

describe("exit code 2, with a sentence", () => {
  before(async () => {
    for (const name of ["whole", "altered"]) await writeCatalogue(name, { "1/1000": 77 });
  });
  test("a damaged text: the copy is no catalogue", async () => {
    for (const hash of readdirSync(path("altered/shard"))) writeFileSync(path(`altered/shard/${hash}`), "1 {}\n");
    const { code, stderr } = await copy("altered", "damaged");
    assert.equal(code, 2);
    assert.match(stderr, /^order-cost: altered: shard:[0-9a-f]{32} of version [0-9a-f]{16} is altered\n$/);
    assert.ok(!existsSync(path("damaged/current")));
  });

  test("a folder that has something in it, or in the catalogue", async () => {
    assert.deepEqual(await copy("whole", "altered"), {
      code: 2,
      stdout: "",
      stderr: "order-cost: altered: expected a folder that is empty or not there\n",
    });
    assert.match((await copy("whole", "")).stderr, /^order-cost: the folder of the copy has no name\n$/);
    assert.match((await copy("whole", "whole/copy")).stderr, /^order-cost: whole\/copy is in whole, which is read/);
  });

  test("no catalogue, or a version that nobody pushed", async () => {
    assert.match((await copy("nowhere", "none")).stderr, /^order-cost: nowhere: no such file or directory\n$/);
    const { code, stderr } = await copy("whole", "none", "--catalogue-version", "0123456789abcdef");
    assert.equal(code, 2);
    assert.match(stderr, /whole: no catalogue in it: expected the version 0123456789abcdef, which was pushed/);
  });
});
