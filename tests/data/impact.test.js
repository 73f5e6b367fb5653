// `activate --captures --max-impact`: the walk of a price file with a slip, which nothing but the money shows.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hashOf } from "../../pkg/catalogue/format.js";
import { createPricer } from "../../pkg/node.js";
import { recordingHost } from "../../pkg/testing.js";
import { processSurroundings } from "../../worker/command-line/surroundings.js";
import { main } from "../../worker/data/program.js";
import { push as pushVersion } from "../../worker/data/store/push.js";
import { refuseImpact } from "../../worker/data/versions/impact.js";
import { allAtNight } from "../effort.js";
import { temporaryFolder } from "../folder.js";
import { deliveredBy, squareZones } from "../zones.js";
import { MemoryStore, SILENT } from "./memory-store.js";
import { ENVIRONMENT, run } from "./run.js";

const MAIN = fileURLToPath(new URL("../../worker/data/main.js", import.meta.url));
const PRODUCTS = 50;
const ORDERS = allAtNight(30, 300);
/** The product of the slip: 12.50 becomes 1,250. */
const SLIP = 110_007;

const priceOf = (cprcode) => (cprcode === SLIP ? "12.50" : `${(cprcode % 100) + 10}.25`);
const codes = Array.from({ length: PRODUCTS }, (_, index) => 110_000 + index);
const rows = (priceAt) => ["cprcode,branchId,price", ...codes.map((code) => `${code},1000,${priceAt(code)}`), ""].join("\n");

const ZONES = JSON.stringify(squareZones(30));

const folder = temporaryFolder();
before(async () => {
  process.chdir(folder);
  await writeFile(join(folder, "zones.geojson"), ZONES);
  await writeCaptures();
});

const path = (name) => join(folder, name);

const data = (...words) => run(main, words);

/** Orders as a service captures them, priced with the version before. Each tenth one has the product of the slip. */
async function writeCaptures() {
  const hash = await hashOf(ZONES);
  await mkdir(path("captures/zones"), { recursive: true });
  await mkdir(path("captures/2026-11-25"));
  await writeFile(path(`captures/zones/${hash}`), ZONES);
  for (let index = 0; index < ORDERS; index += 1) {
    const host = recordingHost({ lookupPrices: (keys) => keys.map(({ cprcode }) => `{"price":${priceOf(cprcode)}}`) });
    const pricer = await createPricer(host, { deliveryZones: ZONES });
    const order = orderOf(index);
    const body = Buffer.from(await pricer.calculateJson(JSON.stringify(order))).toString();
    const head = {
      requestId: `r-${index}`,
      route: "calculatecost4",
      policy: {},
      limits: {},
      zones: hash,
      request: order,
      facts: host.facts,
    };
    await writeFile(path(`captures/2026-11-25/${index}`), `${JSON.stringify(head).slice(0, -1)},"new":{"status":200,"body":${body}}}`);
  }
}

function orderOf(index) {
  const lines = [index % 10 === 0 ? SLIP : 110_010 + (index % 40), 110_011 + (index % 39)];
  const shipping = deliveredBy("REGULAR");
  return { productList: lines.map((cprcode) => ({ cprcode, productName: "x", quantity: 2 })), ...(index % 3 === 0 && { shipping }) };
}

async function published(name, priceAt, store) {
  await writeFile(path(`${name}.csv`), rows(priceAt));
  const built = await data("build", "--prices", `${name}.csv`, "--zones", "zones.geojson", "--out", name, ...store);
  assert.equal(built.code, 0, built.err);
  const pushed = await data("push", name, ...store);
  assert.equal(pushed.code, 0, pushed.err);
  return JSON.parse(await readFile(path(`${name}/manifest.json`), "utf8")).id;
}

const gate = (share) => ["--captures", "captures", "--max-impact", share];

const FOLDER = ["a folder", ["--dir", "store"]];
for (const [kind, store] of allAtNight([FOLDER], [FOLDER, ["the store of this machine", ["--persist-to", "state"]]])) {
  describe(`a price file with one slip, on ${kind}`, () => {
    it("is passed by --force, and stopped by --max-impact, which leaves what is in use", async () => {
      const first = await published("first", priceOf, store);
      await data("activate", first, ...store);
      const slip = await published("slip", (code) => (code === SLIP ? "1250" : priceOf(code)), store);

      const checked = await data("activate", slip, ...gate("0.5%"), "--html", "first.html", ...store);
      assert.match(
        checked.err,
        /^data: \S+ was not activated: 1 price changes by more than 30% .*; --force passes the limits; it moves more .*, and --force does not pass that\n$/,
      );
      assert.match(checked.out, /\nThe same as a page: first\.html\n/);

      const stopped = await data("activate", slip, "--force", ...gate("0.5%"), "--html", "impact.html", ...store);
      assert.equal(stopped.code, 1);
      assert.match(
        stopped.out,
        /^ +110007 at 1000: 12\.5 → 1250 THB \(\+9,900%\)\nforced 1 price changes by more than 30%.*\n\n[\d.]+% of the captured money moves, 0\.5% may \(--max-impact\): stopped\n/m,
      );
      assert.match(
        stopped.out,
        new RegExp(`Under version ${slip}, ${ORDERS / 10} of ${ORDERS} orders would cost more, 0 less and ${ORDERS * 0.9} the same\n`),
      );
      const money = allAtNight("7,425.00", "74,250.00");
      assert.match(stopped.out, new RegExp(`\\n110007 +${ORDERS / 10} +${money} +0\\.00 +\\+${money}\\n`));
      assert.match(
        stopped.err,
        new RegExp(`^data: ${slip} was not activated: it moves more of the captured money than --max-impact 0\\.5%, and --force `),
      );
      assert.match(await readFile(path("impact.html"), "utf8"), /<strong>Stopped<\/strong>[^]*<time /);
      assert.match((await data("activate", first, ...store)).out, new RegExp(`^${first} is in use already `));
    });

    it("put right, is in use at once", async () => {
      const right = await published("right", (code) => (code === SLIP ? "12.55" : priceOf(code)), store);
      const { code, out, err } = await data("activate", right, ...gate("0.5%"), ...store);
      assert.equal(code, 0, err);
      assert.match(out, /passed\n/);
      assert.match(out, new RegExp(`\n${right} is in use `));
    });
  });
}

describe("the folder of a build", () => {
  const CLI = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
  const KEPT = "The delivery zones stay as captured: the catalogue was built without --zones";

  async function impactOf(dir, ...options) {
    const built = await data("build", "--prices", "prices.csv", ...options, "--out", "built", "--dir", dir);
    assert.equal(built.code, 0, built.err);
    const command = async (...more) =>
      (await promisify(execFile)(process.execPath, [CLI, "impact", "captures", "--catalogue", "built", ...more], { cwd: folder })).stdout;
    const [table, json] = [await command("--html", "built.html"), JSON.parse(await command("--format", "json"))];
    return { table, json, page: await readFile(path("built.html"), "utf8") };
  }
  before(() => writeFile(path("prices.csv"), rows(priceOf)));

  for (const [what, dir] of [
    ["in use", "store"],
    ["that nobody has published yet", "new-store"],
  ]) {
    it(`without zones leaves the captured ones, beside those ${what}, and the report says so`, async () => {
      const { table, json, page } = await impactOf(dir);
      assert.deepEqual([json.changed.zones, json.moved, json.wouldFail.orders], [null, "0", 0]);
      assert.ok(table.includes(`\n${KEPT}\n`), table);
      assert.ok(page.includes(`<li>${KEPT}.</li>`));
    });
  }

  it("with --no-zones has none", async () => {
    const { table, json } = await impactOf("new-store", "--no-zones");
    assert.deepEqual([json.changed.zones, json.wouldFail.orders], ["catalogue", ORDERS / 3]);
    assert.ok(!table.includes(KEPT), table);
  });

  it("onto a version has only what changed: a sentence names the store", async () => {
    await writeFile(path("change.csv"), "cprcode,branchId,price\n110001,1000,49\n");
    const { code, err } = await data("build", "--prices", "change.csv", "--onto", "current", "--out", "onto", "--dir", "store");
    assert.equal(code, 0, err);
    const { id, onto } = JSON.parse(await readFile(path("onto/manifest.json"), "utf8"));
    const failed = await promisify(execFile)(process.execPath, [CLI, "impact", "captures", "--catalogue", "onto"], { cwd: folder }).catch(
      (error) => error,
    );
    const sentence = `order-cost: onto: was built onto ${onto} and has only what changed: push it, and name the store with --catalogue-version ${id}\n`;
    assert.deepEqual([failed.code, failed.stderr], [2, sentence]);
  });

  it("says of its zones nothing that a store keeps", async () => {
    await impactOf("store");
    await data("push", "built", "--dir", "store");
    const manifest = JSON.parse(await readFile(path("built/manifest.json"), "utf8"));
    const published = JSON.parse(await readFile(path(`store/version/${manifest.id}`), "utf8"));
    assert.deepEqual([manifest.keepsZones, published.keepsZones], [true, undefined]);
  });
});

describe("the gate is closed", () => {
  const store = ["--dir", "store"];
  let slip;
  before(async () => {
    slip = await published("slip-again", (code) => (code === SLIP ? "1250" : priceOf(code)), store);
  });
  const inUse = async () => JSON.parse(await readFile(path("store/current"), "utf8")).id;

  it("if nobody reads its output to the end", async () => {
    const before = await inUse();
    const command = spawn(process.execPath, [MAIN, "activate", slip, "--force", ...gate("0.5%"), ...store], {
      env: ENVIRONMENT,
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    command.stdout.destroy();
    const [code] = await once(command, "exit");
    assert.equal(code, 141);
    assert.equal(await inUse(), before);
  });

  for (const captures of ["-h", "--help", "--version"]) {
    it(`if the captures are called ${captures}`, async () => {
      const before = await inUse();
      const { code, err } = await data("activate", slip, "--force", `--captures=${captures}`, "--max-impact", "1%", ...store);
      assert.equal(code, 1);
      assert.match(err, new RegExp(`^order-cost: cannot read ${captures}: `));
      assert.equal(await inUse(), before);
    });
  }
});

describe("what cannot be measured", () => {
  for (const [words, message] of [
    [["--max-impact", "1%"], "--max-impact: expected --captures FOLDER beside it"],
    [["--captures", "captures"], "--captures: expected --max-impact beside it"],
    [["--html", "page.html"], "--html: expected --max-impact beside it"],
    [[...gate("101%")], "Expected a percentage of at most 100%."],
  ]) {
    it(`${words.join(" ")} is wrong usage`, async () => {
      const { code, err } = await data("activate", "0123456789abcdef", ...words, "--dir", "store");
      assert.equal(code, 2);
      assert.ok(err.includes(message), err);
    });
  }

  it("captures that are not there leave what is in use, also by --force", async () => {
    const before = await readFile(path("store/current"), "utf8");
    const other = await published("other", (code) => (code === SLIP ? "12.60" : priceOf(code)), ["--dir", "store"]);
    const { code, err } = await data("activate", other, "--force", "--captures", "nowhere", "--max-impact", "1%", "--dir", "store");
    assert.equal(code, 1);
    assert.match(err, /cannot read nowhere: no such file or directory\n/);
    assert.match(err, new RegExp(`${other} was not activated: its impact cannot be told: see above`));
    assert.equal(await readFile(path("store/current"), "utf8"), before);
  });

  it("texts are read together from a store that counts requests, and hardly any twice", async () => {
    const store = new MemoryStore();
    const manifest = JSON.parse(await readFile(path("first/manifest.json"), "utf8"));
    await pushVersion(store, path("first"), SILENT);
    store.calls = [];
    await refuseImpact(store, manifest.id, { captures: path("captures"), maxImpact: 0 }, processSurroundings());
    const keys = store.calls.flatMap((call) => call.split(" ").slice(1));
    assert.ok(keys.length > 2 && keys.length <= 2 * new Set(keys).size, `${store.calls}`);
  });

  it("a store that fails meanwhile is named", async () => {
    const store = { get: async () => Promise.reject(new Error("the store burns")) };
    await assert.rejects(
      refuseImpact(store, "0123456789abcdef", { captures: path("captures"), maxImpact: 1 }, processSurroundings()),
      /the store burns/,
    );
  });
});
