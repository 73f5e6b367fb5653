// `order-cost merge`: tallies of parts, against one run over all of them.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync } from "node:fs";
import { before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import fc, { cases } from "../property.js";
import { deliveredBy, squareZones } from "../zones.js";
import { file, path, run } from "./command.js";
import { captureOf, writeCatalogue, writeZones } from "./impact-case.js";
import { captures, content, grouped, split, succeed, talliesOf, tallyOf } from "./tallies.js";

const CODES = Array.from({ length: 30 }, (_, index) => 100 + index);
const PRICES = Object.fromEntries(CODES.map((code) => [`${code}/1000`, { price: code / 4 }]));
const FACTS = { prices: PRICES, coupons: { discounts: [{ coupon: "A", discount: 10 }], failedCoupons: [] } };
const zonesHash = await writeZones("captures", squareZones(30));
const { id } = await writeCatalogue(
  "new",
  // Of 30 products three have gone, three stay, and the others move, many by as much as others do.
  Object.fromEntries(
    CODES.slice(3).map((code, index) => [`${code}/1000`, index < 3 ? code / 4 : code / 4 + [-1, -0.5, 0.25, 0.5, 1][index % 5]]),
  ),
  squareZones(35),
);
await writeCatalogue("other", { "100/1000": 1 }, squareZones(35));

/** Orders that go up and down by equal amounts, that fail, that failed; with equal ids, and without one. */
const CAPTURES = CODES.flatMap((code, index) => {
  const lines = [code, CODES[(7 * index) % 30]].map((cprcode) => ({ cprcode, productName: "x", quantity: 1 + (index % 3) }));
  const order = { productList: lines.slice(0, 1 + (index % 2)), remark: `${index}` };
  if (index % 4 === 0) order.couponCodeList = ["A"];
  if (index % 3 === 0) order.shipping = deliveredBy("REGULAR");
  const text = captureOf(`r-${index % 7}`, { order, zones: squareZones(30), zonesHash, facts: FACTS });
  if (index === 5) return [text.replace('"new":{"status":200', '"new":{"status":null')];
  return index % 6 === 1 ? [text.replace(/"requestId":"r-\d",/, "")] : [text];
});
const lost = { order: { productList: [{ cprcode: 9, productName: "x", quantity: 1 }] }, facts: FACTS };
CAPTURES.push(captureOf("r-lost", lost), captureOf("r-lost", { ...lost, order: { ...lost.order, remark: "again" } }));
CAPTURES.push(
  captureOf("r-new", { ...lost, order: { productList: [{ cprcode: 104, productName: "x", quantity: 1 }] }, facts: { prices: {} } }),
);

const CHANGE = ["--catalogue", "new", "--policy", "rowTotal=list", "freeShipping=waivesDelivery"];
const all = captures("all.ndjson", CAPTURES);
/** Writes the tally of captures, and returns its name. */
const tallied = (name, names, change = CHANGE) => tallyOf(name, names, ["impact", ...change]);

const merged = (...args) => run(["merge", ...args]);

/** All that a command reports: by `limit` also what it ends with. */
async function reportsOf(command) {
  const reports = [];
  for (const args of [
    ["--format", "json"],
    ["--max-impact", "100%", "--html", "page.html", "--at", "2026-11-29T08:00:00Z"],
  ])
    reports.push(await run([...command, ...args]));
  reports.push(await run([...command, "--max-impact", "0.01%"]));
  return [...reports, content("page.html")];
}

describe("the sum", () => {
  let whole;
  before(async () => {
    whole = await reportsOf(["impact", all, ...CHANGE]);
  });

  test("has all kinds of findings, and ties", () => {
    const report = JSON.parse(whole[0].stdout);
    assert.deepEqual([whole[0].code, whole[1].code, whole[2].code], [0, 0, 1]);
    for (const name of ["wouldFail", "open", "newlyPriced", "up", "down"]) assert.ok(report[name].orders > 0, name);
    assert.ok(report.stillFailing === 2 && report.unusable === 1 && report.otherProducts > 0);
    const ranks = report.largest.map(({ change }) => change.replace("-", ""));
    assert.ok(new Set(ranks).size < ranks.length, `${ranks}`);
    assert.match(whole[3], /<time datetime="2026-11-29T08:00:00.000Z">2026-11-29 08:00 UTC<\/time>/);
  });

  test("is byte for byte that of one run, however the captures are split and the tallies are merged", async () => {
    let splits = 0;
    const law = fc.asyncProperty(fc.gen(), async (draw) => {
      splits += 1;
      const tallies = await talliesOf(split(draw, splits, CAPTURES), splits, ["impact", ...CHANGE]);
      const sums = new Set();
      for (let tree = 0; tree < 25; tree += 1) {
        const last = await grouped(draw, tallies, `${splits}-${tree}`);
        assert.equal(await succeed("merge", ...last, "--tally", "tallies/sum"), "");
        sums.add(content("tallies/sum"));
        if (tree % 8 === 0) assert.deepEqual(await reportsOf(["merge", ...last]), whole);
      }
      assert.equal(sums.size, 1);
      assert.deepEqual(await reportsOf(["merge", "tallies/sum"]), whole);
    });
    await fc.assert(law, { numRuns: cases(4), endOnFailure: true, includeErrorInReport: true });
  });

  test("has the lines that --skip-broken leaves out, and names those that one run over the files does", async () => {
    const sound = captures("sound.ndjson", CAPTURES.slice(0, 5)); // counted without --skip-broken
    const lines = CAPTURES.slice(5).flatMap((text, index) => [text, brokenLine(index, text)]);
    const change = [...CHANGE, "--skip-broken"];
    let splits = 0;
    const law = fc.asyncProperty(fc.gen(), async (draw) => {
      const name = `broken-${(splits += 1)}`;
      const runs = split(draw, name, lines);
      const one = await tallied("one-run", [sound, ...runs.flat()], change);
      const reports = await reportsOf(["impact", sound, ...runs.flat(), ...change]);
      const tallies = [await tallied("sound", [sound]), ...(await talliesOf(runs, name, ["impact", ...change]))];
      for (let tree = 0; tree < 8; tree += 1) {
        const last = await grouped(draw, tallies, `${name}-${tree}`);
        assert.equal(await succeed("merge", ...last, "--tally", "tallies/sum"), "");
        assert.equal(content("tallies/sum"), content(one));
        assert.deepEqual(await reportsOf(["merge", ...last]), reports);
      }
    });
    await fc.assert(law, { numRuns: cases(4), endOnFailure: true, includeErrorInReport: true });
    const { count, first } = JSON.parse(content(await tallied("lines", [captures("lines.ndjson", lines)], change))).broken;
    const places = first.map((sentence) => sentence.split(":").slice(0, 2).join(":"));
    assert.deepEqual(
      [count, places],
      [lines.length / 2, Array.from({ length: 10 }, (_, index) => `captures/lines.ndjson:${2 * index + 2}`)],
    );
    assert.equal("broken" in JSON.parse(content("tallies/sound")), false);
  });

  const brokenLine = (index, text) => [`nope ${index}`, `[${index}]`, `{"requestId":"r-${index}"}`, text.slice(0, -9)][index % 4];

  test("of one tally is that tally, byte for byte", async () => {
    const one = await tallied("one", [all]);
    assert.equal(await succeed("merge", one, "--tally", "tallies/of-one"), "");
    assert.equal(content("tallies/of-one"), content(one));
  });

  test("of a folder counts it as one part, and of a part that has nothing nothing", async () => {
    mkdirSync(path("slots"));
    mkdirSync(path("slots/zones"));
    mkdirSync(path("nothing"));
    copyFileSync(path(`captures/zones/${zonesHash}`), path(`slots/zones/${zonesHash}`));
    for (const [index, text] of CAPTURES.entries()) file(`slots/${100 + index}`, text);
    const slots = await tallied("slots", ["slots"]);
    const parts = [await tallied("nothing", ["nothing"]), slots, await tallied("empty", [captures("empty.ndjson", []), "nothing"])];
    assert.deepEqual(await reportsOf(["merge", ...parts]), whole);
    assert.deepEqual(JSON.parse(content(slots)).parts.length, 1);
    assert.equal(content(slots), content(await tallied("all", [all])));
  });
});

describe("a tally", () => {
  test("names what it is of, and grows with products and codes, never with orders", async () => {
    const name = await tallied("of", [all]);
    const { tally, format, version, module, policy, catalogue, zones, parts } = JSON.parse(content(name));
    assert.deepEqual([tally, format, catalogue, zones], ["impact", 1, id, "catalogue"]);
    assert.deepEqual(policy, { freeShipping: "waivesDelivery", rowTotal: "list" });
    assert.match(`${version} ${module} ${parts}`, /^\d+\.\d+\.\d+ [0-9a-f]{64} [0-9a-f]{32}$/);
    const twice = await tallied("twice-as-many", [captures("twice.ndjson", [...CAPTURES, ...CAPTURES])]);
    assert.ok(content(twice).length < 1.1 * content(name).length);
  });

  test("has the zones of a file by their hash, as the report has", async () => {
    const names = ["zones-a.geojson", "zones-b.geojson"].map((name) => file(name, squareZones(30)));
    const tallies = [];
    for (const name of names) tallies.push(await tallied(name, [all], ["--zones", name]));
    assert.equal(content(tallies[0]), content(tallies[1]));
    assert.equal(JSON.parse(content(tallies[0])).zones, zonesHash);
    assert.match(await succeed("impact", all, "--zones", names[0]), new RegExp(`\nUnder the zones ${zonesHash}, `));
  });

  test("of standard input, packed or not, is that of its file", async () => {
    const file = await tallied("all", [all]);
    const piped = ["-", ...CHANGE, "--zones-dir", "captures/zones", "--tally", "tallies/piped"];
    for (const input of [content(all), gzipSync(content(all))]) {
      assert.deepEqual(await run(["impact", ...piped], { input }), { code: 0, stdout: "", stderr: "" });
      assert.equal(content("tallies/piped"), content(file));
    }
    const { stderr } = await run(["impact", all, ...piped], { input: content(all) });
    assert.equal(stderr, `order-cost: stdin: captures that ${all} has counted: expected each part once\n`);
  });

  test("is the same, byte for byte, by one thread, by two and by as many as there are cores", async () => {
    const lines = Array.from({ length: 20 }, (_, round) => [...CAPTURES, `nope ${round}`]).flat(); // several batches
    const names = [captures("threads.ndjson", lines)];
    const tallies = [];
    for (const threads of [["--threads", "1"], ["--threads", "2"], []])
      tallies.push(content(await tallied("threads", names, [...CHANGE, "--skip-broken", ...threads])));
    assert.equal(JSON.parse(tallies[0]).orders, 20 * CAPTURES.length);
    assert.deepEqual(tallies.slice(1), [tallies[0], tallies[0]]);
  });

  for (const option of [
    ["--html", "p.html"],
    ["--max-impact", "1%"],
    ["--format", "json"],
    ["--at", "2026-11-29"],
  ]) {
    test(`is written in place of a report: ${option[0]} beside it is wrong usage`, async () => {
      const { code, stderr } = await run(["impact", all, "--tally", "tallies/no", ...option]);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`^order-cost: option '--tally <file>' cannot be used with option '${option[0]} <`));
    });
  }

  test("replaces nothing that is read", async () => {
    const name = await tallied("kept", [all]);
    for (const args of [
      ["impact", all, "--tally", all],
      ["merge", name, "--tally", name],
      ["merge", name, "--html", name],
    ]) {
      const before = content(args[1]);
      assert.deepEqual(await run(args), { code: 2, stdout: "", stderr: `order-cost: ${args[1]} is read and cannot be written\n` });
      assert.equal(content(args[1]), before);
    }
  });
});

describe("merge refuses, with a sentence,", () => {
  let one;
  let other;
  before(async () => {
    one = await tallied("one", [captures("one.ndjson", CAPTURES.slice(0, 9))]);
    other = await tallied("other", [captures("other.ndjson", CAPTURES.slice(9))]);
  });
  const refused = async (sentence, ...args) =>
    assert.deepEqual(await merged(...args), { code: 2, stdout: "", stderr: `order-cost: ${sentence}\n` });
  const changed = (name, change) => file(name, { ...JSON.parse(content(other)), ...change });

  test("another catalogue, policy or zones", async () => {
    const rest = [captures("rest.ndjson", CAPTURES.slice(9))];
    const [, , ...policy] = CHANGE;
    const catalogue = await tallied("catalogue", rest, ["--catalogue", "other", ...policy]);
    const { catalogue: otherId } = JSON.parse(content(catalogue));
    await refused(`${catalogue}: another catalogue than ${one}: ${otherId}, expected ${id}`, one, other, catalogue);
    const zones = await tallied("zones", rest, [...CHANGE, "--zones", file("30.geojson", squareZones(30))]);
    await refused(`${zones}: other zones than ${one}: ${zonesHash}, expected catalogue`, one, zones);
    const none = await tallied("policy", rest, ["--catalogue", "new"]);
    await refused(`${one}: another policy than ${none}: freeShipping=waivesDelivery rowTotal=list, expected none`, none, one);
  });

  test("another version or module, which may be that of all", async () => {
    const { version, module } = JSON.parse(content(one));
    const old = changed("old.json", { version: "0.0.9" });
    await refused(`${old}: another version than this command: 0.0.9, expected ${version}`, one, old);
    await refused(`${old}: another version than this command: 0.0.9, expected ${version}`, old);
    const built = changed("built.json", { module: "0f" });
    await refused(`${built}: another module than this command: 0f, expected ${module}`, built);
  });

  test("a part that is counted twice, whatever it is called", async () => {
    await refused(`${one}: captures that ${one} has counted: expected each part once`, one, other, one);
    const again = captures("again.ndjson", CAPTURES.slice(0, 9));
    const both = await tallied("both", [again, captures("more.ndjson", CAPTURES.slice(20))]);
    await refused(`${both}: captures that ${one} has counted: expected each part once`, one, both);
    const { stderr } = await run(["impact", "captures/one.ndjson", again, "--tally", "tallies/no"]);
    assert.equal(stderr, `order-cost: ${again}: captures that captures/one.ndjson has counted: expected each part once\n`);
  });

  test("a file that stands twice, also in a folder", async () => {
    const names = ["captures", "captures/one.ndjson"];
    for (const command of [
      ["impact", ...names, "--policy", "rowTotal=list"],
      ["replay", ...names],
      ["explain", ...names],
    ]) {
      const { code, stderr } = await run(command);
      assert.deepEqual([code, stderr], [2, "order-cost: captures/one.ndjson stands twice: its captures would count twice\n"]);
    }
  });

  test("what is no tally, or no whole one", async () => {
    await refused(`${all}:2:1: expected a whole tally as JSON: the text goes on after its end`, one, all);
    const text = content(other);
    const cut = await merged(one, file("cut.json", text.slice(0, 200)));
    assert.match(cut.stderr, /^order-cost: cut\.json:1:\d+: expected a whole tally as JSON: /);
    assert.deepEqual([cut.code, cut.stdout], [2, ""]);
    await refused("nowhere: no such file or directory".replace(/^/, "cannot read "), "nowhere");
    const noTally = "no tally: expected what impact --tally or replay --tally writes";
    for (const [name, text] of [
      ["order.json", '{"productList":[]}'],
      ["null.json", "null"],
      ["list.json", "[]"],
    ])
      await refused(`${name}: ${noTally}`, file(name, text));
    await refused("next.json: a tally of format 2, expected 1", one, changed("next.json", { format: 2 }));
  });

  for (const [member, value, expected] of [
    ["orders", -1, "a number of orders"],
    ["orders", "1", "a number of orders"],
    ["captured", [1, 12.5], "an amount as text"],
    ["captured", [1, "-1"], "an amount as text"],
    ["open", {}, "a list"],
    ["causes", [[0, "0", 0, "0"]], "a list"],
    ["products", [[1, 1, "1", 0, "0"]], "a text"],
    ["failures", [["A", "weather", 1, "1", "r", "h", "m"]], "a cause: package, policy, zones, prices"],
    ["largest", [["r", "h", "1"]], "an amount as text"],
    ["parts", [1], "a text"],
    ["version", 1, "a text"],
    ["zones", 1, "a text, or null"],
    ["policy", { rowTotal: 1 }, "rules such as rowTotal, or null"],
    ["broken", null, "a number of lines"],
    ["broken", { count: 1 }, "a list"],
    ["broken", { count: 1, first: [1] }, "a text"],
  ]) {
    test(`a tally whose ${member} is ${JSON.stringify(value)}`, async () => {
      await refused(`wrong.json: ${member}: expected ${expected}`, changed("wrong.json", { [member]: value }));
    });
  }

  test("tallies without a capture to compare, as one run does", async () => {
    const failed = await tallied("failed", [captures("failed.ndjson", CAPTURES.slice(30, 32))]);
    await refused(`${failed}: no capture has a total that could be compared`, failed);
    const broken = await tallied("broken", [captures("broken.ndjson", ["nope"])], ["--skip-broken"]);
    const why = "captures/broken.ndjson:1:1: expected a capture as JSON: this is no value";
    await refused(`${broken}: no capture has a total that could be compared\norder-cost: ${why}`, broken);
  });
});
