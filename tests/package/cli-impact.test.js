// `order-cost impact`: captured orders, priced with what is new.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { before, describe, test } from "node:test";
import { hashOf } from "../../pkg/catalogue/format.js";
import { allAtNight } from "../effort.js";
import { sendBomb } from "../huge.js";
import { listen } from "../ports.js";
import { collection, deliveredBy, squareZones } from "../zones.js";
import { file, measured, path, run, start } from "./command.js";
import { captureOf, writeCatalogue, writeZones } from "./impact-case.js";

const FACTS = { prices: { "1/1000": { price: 12.5 }, "2/1000": { price: 40 } }, rates: { DRY: { deliveryFee: 80 } } };
const COUPON_FACTS = { ...FACTS, coupons: { discounts: [{ coupon: "A", discount: 10 }], failedCoupons: [] } };
const line = (cprcode, quantity) => ({ cprcode, productName: "x", quantity });
const order = (...productList) => ({ productList });
const delivered = deliveredBy("REGULAR");

const zonesHash = await writeZones("captures", squareZones(30));
const zoned = { zones: squareZones(30), zonesHash, facts: FACTS };
const CAPTURES = [
  captureOf("r-0", { order: order(line(1, 4)), ...zoned }), // 50
  captureOf("r-1", { order: order(line(2, 1)), ...zoned }), // 40
  captureOf("r-2", { order: { ...order(line(1, 2), line(2, 1)), shipping: delivered }, ...zoned }), // 95
  captureOf("r-3", { order: order(line(9, 1)), ...zoned }), // failed
  captureOf("r-4", { order: { ...order(line(1, 1)), couponCodeList: ["A"] }, ...zoned, facts: COUPON_FACTS }), // 2.50
];
const all = file("captures/all.ndjson", `${CAPTURES.join("\n")}\n`);
const { id } = await writeCatalogue("same", { "1/1000": 12.5, "2/1000": 40 }, squareZones(30));
const dearer = await writeCatalogue("dearer", { "1/1000": 13, "2/1000": 40, "9/1000": 5 }, squareZones(35));
await writeCatalogue("gone", { "1/1000": 12.5 }, squareZones(30));

const impact = (...args) => run(["impact", ...args]);
const json = async (...args) => JSON.parse((await impact(...args, "--format", "json")).stdout);

describe("what moves", () => {
  let underSame;
  let underDearer;
  before(async () => {
    underSame = await json(all, "--catalogue", "same");
    underDearer = await json(all, "--catalogue", "dearer");
  });

  test("nothing, if the catalogue has the captured prices and zones", () => {
    const report = underSame;
    assert.deepEqual([report.changed.version, report.same, report.moved, report.net, report.share], [id, 4, "0", "0", "0"]);
    assert.deepEqual([report.largest, report.products, report.stillFailing], [[], [], 1]);
  });

  test("the grand totals, by cause, product and order", () => {
    const report = underDearer;
    assert.deepEqual(report.captured, { orders: 4, baht: "187.5" });
    assert.deepEqual([report.up, report.down, report.net], [{ orders: 3, baht: "8.5" }, { orders: 0, baht: "0" }, "8.5"]);
    assert.deepEqual(
      report.causes.map(({ cause, net }) => [cause, net]),
      [
        ["package", "0"],
        ["policy", "0"],
        ["zones", "5"],
        ["prices", "3.5"],
      ],
    );
    assert.deepEqual(report.products, [{ cprcode: "1", orders: 3, up: "3.5", down: "0", net: "3.5" }]);
    assert.deepEqual(report.largest[0], { requestId: "r-2", before: "95", after: "101", change: "6" });
    assert.deepEqual(report.newlyPriced, { orders: 1, baht: "5" });
    assert.equal(report.share, "4.5333");
  });

  test("a coupon's captured answer stays, and is open where the question is another one", () => {
    assert.deepEqual(underDearer.open, { orders: 1, baht: "10" });
    assert.deepEqual(underSame.open, { orders: 0, baht: "0" });
  });

  test("of a coupon worth more than the order, what it took off is open", async () => {
    const facts = { ...FACTS, coupons: { discounts: [{ coupon: "A", discount: 500 }], failedCoupons: [] } };
    const name = file(
      "captures/worth-more.ndjson",
      captureOf("r", { order: { ...order(line(1, 1)), couponCodeList: ["A"] }, ...zoned, facts }),
    );
    assert.deepEqual((await json(name, "--catalogue", "dearer")).open, { orders: 1, baht: "12.5" });
  });

  test("a failure has the code of its cause, not of a later one", async () => {
    const name = file("captures/both.ndjson", captureOf("r", { order: { ...order(line(2, 1)), shipping: delivered }, ...zoned }));
    const [{ code, cause }] = (await json(name, "--catalogue", "gone", "--zones", file("no-zones.geojson", collection()))).wouldFail.codes;
    assert.deepEqual([code, cause], ["BRANCH_NOT_AVAILABLE", "zones"]);
  });

  test("the products that move most: also those that go up and down alike", async () => {
    const changed = (change) => (text) => text.replace('"price":12.5', `"price":${12.5 + change}`);
    const one = (name, change) => captureOf(name, { order: order(line(1, 1)), ...zoned }, changed(change));
    const { products } = await json(
      file(
        "captures/churn.ndjson",
        [
          one("a", 5),
          one("b", -5),
          captureOf("c", { order: order(line(2, 1)), ...zoned }, (text) => text.replace('"price":40', '"price":39')),
        ].join("\n"),
      ),
      "--catalogue",
      "same",
    );
    assert.deepEqual(
      products.map(({ cprcode, net }) => [cprcode, net]),
      [
        ["1", "0"],
        ["2", "1"],
      ],
    );
  });

  test("an order that would fail counts its whole total, and stands apart", async () => {
    const report = await json(all, "--catalogue", "gone");
    assert.deepEqual([report.net, report.moved], ["0", "135"]);
    const first = { requestId: "r-1", message: "No price for 2/1000" };
    assert.deepEqual(report.wouldFail, {
      orders: 2,
      baht: "135",
      codes: [{ code: "PRODUCT_PRICE_NOT_FOUND", cause: "prices", orders: 2, baht: "135", first }],
    });
    const { stdout } = await impact(all, "--catalogue", "gone");
    assert.match(stdout, /, net 0\.00 THB without the orders that would fail, of 187\.50 THB captured\n/);
  });

  test("a policy and zones alone, without a catalogue", async () => {
    const zones = file("zones.geojson", squareZones(50));
    const { causes, changed } = await json(all, "--zones", zones, "--policy", "rowTotal=list", "freeShipping=waivesDelivery");
    assert.deepEqual(
      causes.map(({ net }) => net),
      ["0", "0", "20", "0"],
    );
    const hash = await hashOf(readFileSync(path(zones), "utf8"));
    assert.deepEqual(changed, { version: null, zones: hash, policy: { rowTotal: "list", freeShipping: "waivesDelivery" } });
  });

  test("zones of a file come before those of the catalogue", async () => {
    const zones = file("zones.geojson", squareZones(50));
    assert.deepEqual((await json(all, "--catalogue", "dearer", "--zones", zones)).causes[2].net, "20");
  });

  test("what another package has answered is the package's cause", async () => {
    const other = captureOf("r", { order: order(line(1, 1)), ...zoned }, (text) =>
      text.replace(/"grandTotal":12.5/g, '"grandTotal":12.499999999999999999'),
    );
    const { causes, largest } = await json(file("captures/other.ndjson", other));
    assert.equal(causes[0].net, "0.000000000000000001");
    assert.equal(largest[0].before, "12.499999999999999999");
  });

  test("many files, one capture a file, and many threads give the same report", async () => {
    const COUNT = allAtNight(100, 300);
    const many = Array.from({ length: COUNT }, (_, index) => CAPTURES[index % 4].replace(/"r-\d"/, `"r-${index}"`));
    const one = file("captures/many.ndjson", many.join("\n"));
    const whole = await json(one, "--catalogue", "dearer");
    assert.equal(whole.orders, COUNT);
    assert.equal(whole.net, `${2 * COUNT}`);
    assert.deepEqual(
      whole.largest.map(({ requestId }) => requestId),
      Array.from({ length: COUNT / 4 }, (_, index) => `r-${4 * index + 2}`)
        .sort()
        .slice(0, 10),
    );
    for (let index = 0; index < 40; index += 1) file(`captures/slot-${index}`, many[index]);
    const names = Array.from({ length: 40 }, (_, index) => `captures/slot-${index}`);
    assert.equal((await json(...names, "--catalogue", "dearer")).net, "80");
  });
});

describe("the catalogue", () => {
  test("of a URL, and of a folder that push has filled: the version in use, or another one", async () => {
    const manifest = JSON.parse(readFileSync(path("dearer/manifest.json"), "utf8"));
    const pushed = { ...manifest, pushedAt: "2026-11-23T09:00:00.000Z", pushedBy: "Ann" };
    const inUse = JSON.parse(readFileSync(path("same/manifest.json"), "utf8"));
    for (const kind of ["shard", "layer", "zones"]) {
      for (const name of ["same", "dearer"])
        for (const hash of readdirSync(path(`${name}/${kind}`)))
          fileIn(`pushed/${kind}/${hash}`, readFileSync(path(`${name}/${kind}/${hash}`)));
    }
    fileIn(`pushed/version/${manifest.id}`, JSON.stringify(pushed));
    fileIn("pushed/current", JSON.stringify({ ...inUse, activatedAt: inUse.builtAt, predecessors: [] }));
    assert.equal((await json(all, "--catalogue", "pushed")).changed.version, id);
    const other = await json(all, "--catalogue", "pushed", "--catalogue-version", manifest.id);
    assert.deepEqual([other.changed.version, other.net], [dearer.id, "8.5"]);

    const server = createServer((request, response) => {
      try {
        response.end(readFileSync(path(`pushed${request.url.replace("/shop", "")}`)));
      } catch {
        response.writeHead(404).end();
      }
    });
    const url = `${await listen(server)}/shop/`;
    const { code, stdout } = await impact(all, "--catalogue", url, "--catalogue-version", manifest.id, "--format", "json");
    server.close();
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).net, "8.5");
  });

  test("of a URL that unpacks to more than a manifest may have: exit code 2, with a sentence", async (t) => {
    const server = createServer((_, response) => sendBomb(response));
    t.after(() => server.close().closeAllConnections());
    const url = await listen(server);
    const { code, stderr } = await impact(all, "--catalogue", url);
    assert.equal(code, 2);
    assert.ok(stderr.includes(`${url}: ${url}/current answered more than 26214400 bytes`), stderr);
  });

  before(async () => {
    file("all.geojson", '{"type":"FeatureCollection"}');
    await writeCatalogue("damaged", { "1/1000": 77 });
    const [shard] = readdirSync(path("damaged/shard"));
    writeFileSync(path(`damaged/shard/${shard}`), "1 {}\n");
  });

  for (const [what, args, message] of [
    ["a folder that is not there", ["--catalogue", "nowhere"], "nowhere: no such file or directory"],
    [
      "a folder without a catalogue",
      ["--catalogue", "captures"],
      "captures: no catalogue in it: expected manifest.json, which build writes, or current, which activate writes",
    ],
    [
      "a version that nobody pushed",
      ["--catalogue", "same", "--catalogue-version", "0123456789abcdef"],
      "same: no catalogue in it: expected the version 0123456789abcdef, which was pushed",
    ],
    ["a URL that nobody serves", ["--catalogue", "http://127.0.0.1:9/x"], "http://127.0.0.1:9/x: "],
    ["a damaged text", ["--catalogue", "damaged"], "damaged: The price store is incomplete: try again: shard:"],
    ["zones that are none", ["--zones", "all.geojson"], "all.geojson: features: expected"],
    [
      "a policy that is unknown",
      ["--policy", "rowTotals=list"],
      "--policy rowTotals: unknown; a policy has rowTotal, freeShipping, expressSurcharge, subTotal, discountedRowTotal, settlementPrice, excludeControlled, foldedDiscounts",
    ],
    ["a rule with a wrong value", ["--policy", "rowTotal=cheap"], "--policy: Invalid options: policy.rowTotal: expected"],
    ["a policy before the captures", ["--policy", "rowTotal=list", all], "Expected rules such as rowTotal=list, behind the captures."],
    ["a limit that is none", ["--max-impact", "much"], "Expected a percentage from 0% to 100%"],
    ["a version without a catalogue", ["--catalogue-version", "0123456789abcdef"], "--catalogue-version: expected --catalogue beside it"],
  ]) {
    test(`${what} is exit code 2, with a sentence`, async () => {
      const { code, stderr, stdout } = args[0] === "--policy" && args.length === 3 ? await impact(...args) : await impact(all, ...args);
      assert.equal(code, 2, stdout);
      assert.ok(stderr.includes(message), stderr);
      assert.doesNotMatch(stderr, /\n {4}at /);
    });
  }
});

test("a damaged catalogue is no failure of an order, even of one that fails otherwise", async () => {
  const failing = { order: { ...order(line(1, 1)), shipping: deliveredBy("NATIONWIDE") }, zones: squareZones(30), zonesHash };
  const name = file("captures/no-rate.ndjson", captureOf("r", { ...failing, facts: { prices: FACTS.prices, rates: {} } }));
  const { code, stderr } = await impact(name, "--catalogue", "damaged");
  assert.equal(code, 2);
  assert.ok(stderr.includes("damaged: The price store is incomplete"), stderr);
});

describe("--max-impact", () => {
  test("is exact: at the limit passes, beyond it is exit code 1", async () => {
    // 8.50 of 187.50 are 4.5333… %
    assert.equal((await impact(all, "--catalogue", "dearer", "--max-impact", "4.54%")).code, 0);
    assert.equal((await impact(all, "--catalogue", "dearer", "--max-impact", "4.53%")).code, 1);
    const half = captureOf("r", { order: order(line(2, 1)), ...zoned });
    const name = file("captures/half.ndjson", half);
    assert.equal((await impact(name, "--catalogue", "gone", "--max-impact", "100%")).code, 0);
    assert.equal((await impact(name, "--catalogue", "gone", "--max-impact", "99.999999999999999999%")).code, 1);
    assert.equal((await impact(all, "--catalogue", "same", "--max-impact", "0")).code, 0);
  });

  test("money that moves where none was captured is beyond every limit", async () => {
    const free = { prices: { "1/1000": { price: 0 } } };
    const name = file("captures/free.ndjson", captureOf("r", { order: order(line(1, 1)), ...zoned, facts: free }));
    const { code, stdout } = await impact(name, "--catalogue", "same", "--max-impact", "100%");
    assert.equal(code, 1);
    assert.match(stdout, /^0\.00 THB were captured, of which no share can be told, 100% may \(--max-impact\): stopped\n/);
  });

  test("what moves is never shown as nothing", async () => {
    const other = captureOf("r", { order: order(line(1, 1)), ...zoned }, (text) =>
      text.replace(/"grandTotal":12.5/g, '"grandTotal":12.500000001'),
    );
    const { code, stdout } = await impact(file("captures/little.ndjson", other), "--catalogue", "same", "--max-impact", "0");
    assert.equal(code, 1);
    assert.match(stdout, /^0\.00000000\d+% of the captured money moves, 0% may \(--max-impact\): stopped\n/);
  });

  test("a captured total below 0 does not count: it would hide what moves", async () => {
    const negative = captureOf("r", { order: order(line(2, 1)), ...zoned }, (text) => text.replace(/"grandTotal":40/g, '"grandTotal":-40'));
    const { unusable, captured, moved } = await json(
      file("captures/negative.ndjson", `${negative}\n${CAPTURES[0]}`),
      "--catalogue",
      "dearer",
    );
    assert.deepEqual([unusable, captured, moved], [1, { orders: 1, baht: "50" }, "2"]);
  });

  test("output that is not read to its end is not a verdict", async () => {
    const command = start(["impact", all, "--catalogue", "gone", "--max-impact", "0"]);
    command.stdout.destroy();
    assert.deepEqual(await once(command, "exit"), [141, null]);
  });

  test("no capture with a total is exit code 2", async () => {
    const name = file("captures/failed.ndjson", CAPTURES[3]);
    const { code, stderr } = await impact(name, "--catalogue", "same", "--max-impact", "5%");
    assert.deepEqual([code, stderr], [2, `order-cost: ${name}: no capture has a total that could be compared\n`]);
  });
});

describe("captures", () => {
  test("one that cannot be read ends the command, and is named", async () => {
    const broken = file("captures/broken.ndjson", `${CAPTURES[0]}\n${CAPTURES[1].slice(0, -2)}\n`);
    const { code, stderr } = await impact(broken);
    assert.equal(code, 2);
    assert.match(stderr, /^order-cost: captures\/broken\.ndjson:2:\d+: expected a capture as JSON: /);
    for (const [name, text] of [
      ["two", CAPTURES[0] + CAPTURES[1]],
      ["more", `${CAPTURES[0]} x`],
      ["printed", JSON.stringify(JSON.parse(CAPTURES[0]), null, 2) + JSON.stringify(JSON.parse(CAPTURES[1]), null, 2)],
    ]) {
      const several = await impact(file(`captures/${name}`, text));
      assert.deepEqual([several.code, several.stdout], [2, ""]);
      assert.match(several.stderr, new RegExp(`^order-cost: captures/${name}:\\d+:\\d+: expected a capture as JSON: `));
    }
    const without = file("captures/without.ndjson", CAPTURES[0].replace('"facts"', '"fact"'));
    assert.equal((await impact(without)).stderr, "order-cost: captures/without.ndjson: facts: missing in the capture\n");
    const zones = file("captures/away.ndjson", CAPTURES[2].replaceAll(zonesHash, "0f3a"));
    assert.match((await impact(zones)).stderr, /its zones are missing/);
  });

  test("facts whose records are JSON in place of its text keep every digit", async () => {
    const text = CAPTURES[0].replace(/"1\/1000":"\{.*?\}"/, '"1/1000":{"price":12.5000000000000000001}');
    const { causes } = await json(file("captures/exact.ndjson", text));
    assert.equal(causes[0].net, "0.0000000000000000004");
  });

  test("one without an id is named by its hash; equal changes stand by the id, then by the hash", async () => {
    const orders = ["a", "b", "c"].map((remark) => captureOf("r-1", { order: { ...order(line(1, 2)), remark }, ...zoned }));
    const nameless = orders.map((text) => text.replace('"requestId":"r-1",', ""));
    const hashes = nameless.map((text) => createHash("sha256").update(text).digest("hex").slice(0, 32));
    const given = [orders[1].replace("r-1", "r-0"), ...orders, ...nameless];
    const report = async (texts) => (await impact(file("captures/nameless.ndjson", texts.join("\r\n")), "--catalogue", "dearer")).stdout;
    const found = await report(given);
    assert.equal(await report(given.toReversed()), found);
    const names = [...hashes, "r-0", "r-1", "r-1", "r-1"].sort();
    assert.deepEqual(
      Array.from(found.matchAll(/^(\S+) +25\.00 /gm), ([, name]) => name),
      names,
    );
    const single = file("captures/nameless", `${nameless[0]}\n`);
    assert.equal((await json(single, "--catalogue", "dearer")).largest[0].requestId, hashes[0]);
  });

  test("a capture without an answer is counted as unusable", async () => {
    const silent = CAPTURES[1].replace('"new":{"status":200', '"new":{"status":null');
    const { unusable, captured } = await json(file("captures/silent.ndjson", `${silent}\n${CAPTURES[0]}`));
    assert.deepEqual([unusable, captured.orders], [1, 1]);
  });
});

describe("the report", () => {
  test("says the verdict first, then the money; without a terminal no progress", async () => {
    const { stdout, stderr } = await impact(all, "--catalogue", "dearer", "--max-impact", "4%");
    assert.equal(stderr, "");
    assert.equal(
      stdout.split("\n\n")[0],
      [
        "4.5333% of the captured money moves, 4% may (--max-impact): stopped",
        `Under version ${dearer.id}, 3 of 4 orders would cost more, 0 less and 1 the same`,
        "8.50 THB up, 0.00 THB down, net +8.50 THB of 187.50 THB captured",
        "1 order would ask the coupon service something else, and nobody knows its answer: the 10.00 THB that their coupons took off are open, and stay as captured",
        "1 order failed when captured and would be priced now, at 5.00 THB",
      ].join("\n"),
    );
    assert.match(stdout, /\nthe delivery zones +fee +1 +5\.00 +0 +0\.00 +\+5\.00\n/);
    assert.match(stdout, /\nr-2 +95\.00 +101\.00 +\+6\.00\n/);
  });

  test("data controls neither the terminal nor the page", async () => {
    const evil = "\u001b[2Jr\u202e<script>alert(1)</script>\n'\"&";
    const text = captureOf(evil, { order: order(line(1, 4)), ...zoned });
    const { stdout } = await impact(file("captures/evil.ndjson", text), "--catalogue", "dearer", "--html", "evil.html");
    assert.ok(!stdout.includes("\u001b") && !stdout.includes("\u202e"), stdout);
    assert.ok(stdout.includes("\\u001b[2Jr\\u202e<script>"));
    const page = readFileSync(path("evil.html"), "utf8");
    assert.ok(
      !page.includes("<script") &&
        !page.includes("\u202e") &&
        page.includes("&lt;script&gt;alert(1)&lt;/script&gt;\\u000a&#39;&quot;&amp;"),
    );
  });

  test("a progress bar on a terminal", async () => {
    assert.match((await run(["impact", all, "--catalogue", "dearer"], { tty: ["stderr"] })).stderr, /█+ 100% · 5 orders · /);
  });

  test("the page needs nothing else, and replaces no input", async () => {
    assert.equal((await impact(all, "--catalogue", "dearer", "--html", "page.html", "--format", "json")).code, 0);
    const page = readFileSync(path("page.html"), "utf8");
    assert.match(page, /<html lang="en">/);
    assert.doesNotMatch(page, /<(script|link|img|iframe)|https?:|url\(|@import/);
    assert.equal((await impact(all, "--html", all)).stderr, `order-cost: ${all} is read and cannot be written\n`);
  });
});

test("memory stays bounded however many captures there are", async (context) => {
  // A change tries one size, for which the heap is too small.
  const [COUNTS, remark] = allAtNight([[100], "x".repeat(400_000)], [[22_500, 90_000], ""]);
  const text = `${captureOf("r", { order: { ...order(line(1, 4)), remark }, ...zoned })}\n`;
  const peaks = [];
  for (const count of COUNTS)
    peaks.push((await measured(["impact", file("captures/large.ndjson", text.repeat(count)), "--catalogue", "dearer"])).megabytes);
  const sizes = `${peaks.map(Math.round)} MB for ${COUNTS} captures`;
  context.diagnostic(sizes);
  assert.ok(peaks.at(-1) < 400 && peaks.at(-1) - peaks[0] < 50, sizes);
});

function fileIn(name, content) {
  mkdirSync(dirname(path(name)), { recursive: true });
  file(name, content);
}

test("a page among what is read is refused, and nothing is written", async () => {
  const before = readFileSync(path("same/manifest.json"), "utf8");
  for (const [html, name] of [
    ["same/manifest.json", "same"],
    ["captures/page.html", "captures"],
    ["captures/zones/page", "captures"],
  ]) {
    const { code, stderr } = await impact("captures", "--catalogue", "same", "--html", html);
    assert.deepEqual([code, stderr], [2, `order-cost: ${html} is in ${name}, which is read: name a file elsewhere\n`]);
  }
  assert.equal(readFileSync(path("same/manifest.json"), "utf8"), before);
});
