// `order-cost replay --tally` and `merge`: tallies of parts, against one run over all of them.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc, { cases } from "../property.js";
import { deliveredBy } from "../zones.js";
import { capture, ORDER } from "./captured.js";
import { file, run } from "./command.js";
import { captures, content, grouped, split, succeed, talliesOf, tallyOf } from "./tallies.js";

const row = (change) => (body) => body.replace(/"rowTotal":[\d.]+/, change);
const added = (members) => (body) => body.replace(/^\{/, `{${members},`);
/** More keys that no specification has than a report has lines for. */
const keys = (first) => Array.from({ length: 700 }, (_, index) => `"key-${first + index}":1`).join(",");

/** What an old service answers in place of the body. */
const CHANGES = [
  (body) => body,
  row('"rowTotal":120'),
  (body) => body.replace(/"grandTotal":([\d.]+)/, (_, total) => `"grandTotal":${Number(total) + 1}`),
  (body) => body.replace(/"grandTotal":[\d.]+/, '"grandTotal":"free"'),
  (body) => body.replace(/"quantity":3/, '"quantity":3.0'),
  () => '{"error":"something went wrong"}',
  (body) => body.replace(/"subTotal":[\d.]+,/, "").replace(/"grandTotal":([\d.]+)/, '"grandTotal":7'),
  (body) => body.replace(/"specialComment":"[^"]*"/, '"specialComment":"other"'),
  added('"known":true'),
  (body) => row('"rowTotal":1')(body).replace(/"grandTotal":([\d.]+)/, (_, total) => `"grandTotal":${Number(total) - 2.5}`),
];

/** Orders that differ in all kinds of ways and by equal amounts; with equal ids, without one, and twice the same. */
const CAPTURES = await Promise.all(
  Array.from({ length: 60 }, async (_, index) => {
    const order = { ...ORDER, specialComment: `${index % 20}`, ...(index % 4 === 0 && { shipping: deliveredBy("NATIONWIDE") }) };
    const text = await capture(`r-${index % 13}`, order, { change: CHANGES[index % CHANGES.length] });
    return index % 9 === 1 ? text.replace(/"requestId":"r-\d+",/, "") : text;
  }),
);
for (const first of [0, 400]) CAPTURES.push(await capture(`many-${first}`, ORDER, { change: added(keys(first)) }));
CAPTURES.push(CAPTURES[1], (await capture("no-answer", ORDER)).replace(/"legacy":\{"status":200/, '"legacy":{"status":null'));
CAPTURES.push(await capture("failed", { productList: [] }));
// Two orders for each of three reasons: these stand in the sequence of their names.
for (const id of ["a", "b"]) {
  CAPTURES.push(await capture(`words-${id}`, { productList: [] }, { change: () => '{"error":"no products"}' }));
  CAPTURES.push(await capture(`flat-${id}`, ORDER, { change: (body) => body.replace('"isFreeShipping":false,', "") }));
}

const KNOWN = file("known.json", [
  { path: "known", reason: "they add it", until: "2099-12-31" },
  { path: "**", kind: "failed", side: "left", ids: ["r-2", "r-5"], reason: "it was down", until: "2099-12-31" },
  { path: "nothing", decision: "D15", ids: ["r-1"], reason: "never there", until: "2099-12-31" },
]);
const COMMAND = ["replay", "--against", "legacy", "--ignore", "underHalfSatang,numberFormat", "--ignore-path", "specialComment,nowhere"];
const ACCEPTING = [...COMMAND, "--accept", KNOWN];
const listing = (reason) => [...ACCEPTING, "--reason", reason, "--examples", "5"];
const all = captures("all.ndjson", CAPTURES);

const merged = (...args) => run(["merge", ...args]);

/** The same captures in other files are other parts. */
const withoutParts = (tally) => tally.replace(/"parts":\[.*?\]/, "");

/** All that a command reports: by `limit` also what it ends with. */
async function reportsOf([command, ...args]) {
  const reports = [];
  for (const options of [["--format", "json"], [], ["--max-different", "99%"]]) reports.push(await run([command, ...args, ...options]));
  return reports;
}

describe("the sum", () => {
  test("of all kinds of findings, and of equals", async () => {
    const [{ code, stdout, stderr }, , passed] = await reportsOf([...ACCEPTING, all]);
    assert.deepEqual([code, passed.code, stderr], [1, 0, "order-cost: --ignore-path: nowhere matches no difference\n"]);
    const report = JSON.parse(stdout);
    for (const name of [
      "same",
      "ignoredOrders",
      "acceptedOrders",
      "failedLeft",
      "withoutTotal",
      "ordersAtStake",
      "failedAlike",
      "acceptedWithoutTotal",
    ])
      assert.ok(report[name] > 0, name);
    assert.ok(report.fields.some(({ field }) => field === "(further fields)") && report.fields.length > 1_000);
    const pairs = report.explanations.filter(({ orders }) => orders === 2).map(({ decision }) => decision);
    assert.deepEqual(pairs, ["D1", "D2", "D11"]);
    assert.ok(new Set(report.differing.map(({ id }) => id)).size < report.differing.length);
    assert.deepEqual(
      report.accepted.map(({ count }) => count > 0),
      [true, true, false],
    );
  });

  for (const [title, command] of [
    ["", COMMAND],
    [" with --accept", ACCEPTING],
    [" with --reason", listing("unexplained")],
    [" with --match-rows", ["replay", "--match-rows", "cprcode", "--reason", "D15", "--against", "legacy"]],
  ])
    test(`is byte for byte that of one run${title}, however the captures are split and the tallies are merged`, async () => {
      const whole = await reportsOf([...command, all]);
      const name = `law${title.replaceAll(" ", "")}`;
      const one = content(await tallyOf(name, [all], command));
      let splits = 0;
      const law = fc.asyncProperty(fc.gen(), async (draw) => {
        splits += 1;
        const tallies = await talliesOf(split(draw, `${name}-${splits}`, CAPTURES), `${name}-${splits}`, command);
        for (let tree = 0; tree < 4; tree += 1) {
          const last = await grouped(draw, tallies, `${name}-${splits}-${tree}`);
          assert.equal(await succeed("merge", ...last, "--tally", "tallies/sum"), "");
          assert.equal(withoutParts(content("tallies/sum")), withoutParts(one));
          if (tree % 2 === 0) assert.deepEqual(await reportsOf(["merge", ...last]), whole);
        }
        assert.deepEqual(await reportsOf(["merge", "tallies/sum"]), whole);
      });
      await fc.assert(law, { numRuns: cases(3), endOnFailure: true, includeErrorInReport: true });
    });

  test("has the lines that --skip-broken leaves out, and names those that one run over the files does", async () => {
    const lines = CAPTURES.flatMap((text, index) => [text, [`nope ${index}`, "[1]", text.slice(0, -9)][index % 3]]);
    const command = [...ACCEPTING, "--skip-broken"];
    let splits = 0;
    const law = fc.asyncProperty(fc.gen(), async (draw) => {
      const name = `broken-${(splits += 1)}`;
      const runs = split(draw, name, lines);
      const one = await tallyOf("one-run", runs.flat(), command);
      const reports = await reportsOf([...command, ...runs.flat()]);
      const last = await grouped(draw, await talliesOf(runs, name, command), `${name}-tree`);
      assert.equal(await succeed("merge", ...last, "--tally", "tallies/sum"), "");
      assert.equal(content("tallies/sum"), content(one));
      assert.deepEqual(await reportsOf(["merge", ...last]), reports);
      assert.ok(JSON.parse(reports[0].stdout).broken.count > 10); // a file of nothing else is one
    });
    await fc.assert(law, { numRuns: cases(4), endOnFailure: true, includeErrorInReport: true });
  });

  test("of a part without captures is that of the others; --ids beside it has the orders of the part", async () => {
    const names = [await tallyOf("empty", [captures("empty.ndjson", [])], COMMAND)];
    const ids = [];
    for (const [index, part] of [CAPTURES.slice(0, 30), CAPTURES.slice(30)].entries()) {
      names.push(await tallyOf(`ids-${index}`, [captures(`ids-${index}.ndjson`, part)], [...COMMAND, "--ids", "part.txt"]));
      ids.push(content("part.txt"));
    }
    assert.deepEqual(await reportsOf(["merge", ...names]), await reportsOf([...COMMAND, all, "--ids", "all.txt"]));
    assert.equal(ids.join(""), content("all.txt"));
    assert.deepEqual(await merged(names[0]), { code: 2, stdout: "", stderr: "order-cost: tallies/empty: no captures in it\n" });
  });
});

describe("a tally", () => {
  test("names what it is of, and grows with fields, never with orders", async () => {
    const few = CAPTURES.filter((text) => !text.includes("key-"));
    const name = await tallyOf("of", [captures("few.ndjson", few)], ACCEPTING);
    const { tally, format, version, module, parts, against, matchRows, ignore, ignorePath, accept, reason, examples } = JSON.parse(
      content(name),
    );
    assert.deepEqual([tally, format, against, matchRows, reason, examples], ["replay", 1, "legacy", null, null, 10]);
    assert.deepEqual([ignore, ignorePath], ["numberFormat,underHalfSatang", "specialComment,nowhere"]);
    assert.match(`${version} ${module} ${parts} ${accept}`, /^\d+\.\d+\.\d+ [0-9a-f]{64} [0-9a-f]{32} known\.json [0-9a-f]{32}$/);
    const times = (count) => [captures("times.ndjson", Array.from({ length: count }, () => few).flat())];
    const [large, larger] = [await tallyOf("large", times(3), ACCEPTING), await tallyOf("larger", times(9), ACCEPTING)];
    assert.ok(content(larger).length < 1.1 * content(large).length, `${content(larger).length} ${content(large).length}`);
  });

  test("is written in place of a report: --suggest and options of a report beside it are wrong usage", async () => {
    const why = "order-cost: --suggest: expected no --tally beside it, because what fits a part may not fit the whole\n";
    assert.deepEqual(await run([...COMMAND, all, "--suggest", "--tally", "no"]), { code: 2, stdout: "", stderr: why });
    for (const [option, value] of [
      ["--max-different", "1%"],
      ["--format", "json"],
    ]) {
      const { code, stderr } = await run([...COMMAND, all, "--tally", "no", option, value]);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`^order-cost: option '--tally <file>' cannot be used with option '${option} <`));
    }
  });

  test("replaces nothing that is read", async () => {
    for (const output of [all, KNOWN])
      assert.equal((await run([...ACCEPTING, all, "--tally", output])).stderr, `order-cost: ${output} is read and cannot be written\n`);
  });
});

describe("merge refuses, with a sentence,", () => {
  let one;
  let other;
  before(async () => {
    one = await tallyOf("one", [captures("one.ndjson", CAPTURES.slice(0, 9))], ACCEPTING);
    other = await tallyOf("other", [captures("other.ndjson", CAPTURES.slice(9))], ACCEPTING);
  });
  const refused = async (sentence, ...args) =>
    assert.deepEqual(await merged(...args), { code: 2, stdout: "", stderr: `order-cost: ${sentence}\n` });

  test("tallies of impact beside those of replay, and the options of a report of the other one", async () => {
    const impact = await tallyOf("impact", [captures("impact.ndjson", CAPTURES.slice(9))], ["impact"]);
    await refused(`${impact}: a tally of impact, expected one of replay, as ${one} is`, one, impact);
    await refused(`${one}: a tally of replay, expected one of impact, as ${impact} is`, impact, one);
    await refused(`--max-impact: expected tallies of impact, ${one} is one of replay`, one, other, "--max-impact", "1%");
    await refused(`--html: expected tallies of impact, ${one} is one of replay`, one, "--html", "page.html");
    await refused(`--max-different: expected tallies of replay, ${impact} is one of impact`, impact, "--max-different", "1%");
  });

  test("what was asked otherwise", async () => {
    const rest = [captures("rest.ndjson", CAPTURES.slice(9))];
    const { accept } = JSON.parse(content(one));
    for (const [command, sentence] of [
      [[...ACCEPTING, "--match-rows", "cprcode"], "another --match-rows than ONE: cprcode, expected none"],
      [[...ACCEPTING, "--examples", "3"], "another --examples than ONE: 3, expected 10"],
      [[...ACCEPTING, "--reason", "D15"], "another --reason than ONE: D15, expected none"],
      [COMMAND, `another --accept than ONE: none, expected ${accept}`],
      [["replay", "--accept", KNOWN], "another --against than ONE: new, expected legacy"],
      [["replay", "--accept", KNOWN, "--against", "legacy"], "another --ignore than ONE: none, expected numberFormat,underHalfSatang"],
    ]) {
      const name = await tallyOf("asked", rest, command);
      await refused(`${name}: ${sentence.replace("ONE", one)}`, one, name);
    }
  });

  test("but not the same kinds to ignore in another sequence", async () => {
    const command = ACCEPTING.map((word) => (word === "underHalfSatang,numberFormat" ? "numberFormat,underHalfSatang,numberFormat" : word));
    const name = await tallyOf("kinds", [captures("kinds.ndjson", CAPTURES.slice(9))], command);
    assert.equal(content(name), content(other));
  });

  test("a part that is counted twice", async () => {
    await refused(`${one}: captures that ${one} has counted: expected each part once`, one, other, one);
  });

  for (const [member, value, expected] of [
    ["against", "old", "legacy or new"],
    ["examples", -1, "a number of examples"],
    ["orders", "1", "a number of orders"],
    ["net", 1, "a text"],
    ["net", "1e3", "an amount as text"],
    ["fields", {}, "a list"],
    ["fields", [1], "an object"],
    ["fields", [{ field: "a", kind: "value", why: "", rank: "2" }], "a rank"],
    ["accepted", [{ place: 1 }], "a text"],
    ["broken", { count: 1 }, "a list"],
  ])
    test(`a tally whose ${member} is ${JSON.stringify(value)}`, async () => {
      const name = file("wrong.json", { ...JSON.parse(content(other)), [member]: value });
      await refused(`${name}: ${member}: expected ${expected}`, name);
    });
});
