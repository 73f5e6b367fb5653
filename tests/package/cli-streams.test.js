// Captures that are no plain files: standard input, gzip and zstd; and lines that are no captures.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { deliveredBy, squareZones } from "../zones.js";
import { file, path, run, start } from "./command.js";
import { captureOf, writeZones } from "./impact-case.js";

const capture = (index, quantity) =>
  JSON.stringify({
    requestId: `r-${index}`,
    request: { productList: [{ cprcode: 1, productName: "x", quantity }] },
    facts: { prices: { 1: '{"price":12.5}' } },
    new: { grandTotal: 12.5 * quantity },
  });
const LINES = [capture(0, 4), capture(1, 2), capture(2, 1)];
const TEXT = `${LINES.join("\n")}\n`;
const BAHT = "87.5";

/** TEXT, as `zstd -19` has packed it: one frame with its checksum. */
const ZSTD = Buffer.from(
  "KLUv/WTlAIUEAEKIGhlgrw7AV3j5FLfodp6jODSniSzphBiEBj4BQLsH33NA9wD5T7QSMqNYm1/+RaO37jcUnuMryj3fUelUVkbmrZcm+Jl1bBQt6u3Y+RSKR3N8OiVZJ/mbOIaV1pTq9MtvH4J6/ixsRS2K1t8NIACj0W3gAAC9ibJJi6jMo7ek0KObUrgDyuP5SJHCXwQLA4oA9cA=",
  "base64",
);
const GZIP = gzipSync(TEXT);
/** A frame that says nothing: pzstd begins with one. */
const SKIPPED = Buffer.from("502a4d1802000000abcd", "hex");

const impact = (names, options) => run(["impact", ...[names].flat(), "--format", "json"], options);
const captured = async (names, options) => {
  const { code, stdout, stderr } = await impact(names, options);
  assert.equal(code, 0, stderr);
  const { captured: all, moved } = JSON.parse(stdout);
  assert.equal(moved, "0");
  return all;
};
const ALL = { orders: 3, baht: BAHT };

describe("standard input", () => {
  test("is read by its name, -, alone or beside files, whatever ends its lines and however it is cut", async () => {
    const [first, ...rest] = LINES;
    for (const input of [
      TEXT,
      LINES.join("\n"),
      LINES.join("\r\n"),
      `\ufeff${TEXT}`,
      `\n${TEXT}\n`,
      JSON.stringify(LINES.map((line) => JSON.parse(line))),
    ])
      for (const chunk of [1, 7, 65_536]) assert.deepEqual(await captured("-", { input, chunk }), ALL, JSON.stringify([input, chunk]));
    assert.deepEqual(await captured([file("first.ndjson", first), "-"], { input: rest.join("\n") }), ALL);
    assert.deepEqual(await captured(["-", file("first.ndjson", first)], { input: rest.join("\n") }), ALL);
  });

  test("replay and explain read it, too", async () => {
    assert.match((await run(["replay", "-"], { input: TEXT })).stdout, /^3 captures: 3 different\n/); // they have only a total
    const { stdout } = await run(["explain", "-", "--format", "json"], { input: TEXT });
    assert.deepEqual(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).requestId),
      ["r-0", "r-1", "r-2"],
    );
  });

  test("what is wrong with it is one sentence", async () => {
    const latin = Buffer.from(`${LINES[0]}\n${LINES[1].replace("x", "\u00e9")}\n`, "latin1");
    const zones = LINES[0].replace("{", '{"zones":"0f3a",');
    for (const [args, input, sentence] of [
      [["impact", "-"], "", "stdin: no capture has a total that could be compared"],
      [["replay", "-"], "", "stdin: no captures in it"],
      [["explain", "-"], "\n", "stdin: no captures in it"],
      [["impact", "-", "-"], TEXT, "- stands twice: standard input can be read once"],
      [["replay", "-", "none", "-"], TEXT, "- stands twice: standard input can be read once"],
      [["replay", "-", "--suggest"], TEXT, "--suggest: expected files, because it reads them twice"],
      [["impact", "-"], `${TEXT}nope\n`, "stdin:4:1: expected a capture as JSON: this is no value"],
      [["replay", "-"], `${TEXT}nope\n`, "stdin:4:1: expected a capture as JSON: this is no value"],
      [["impact", "-"], latin, "stdin:2:74: expected a capture as JSON: a character is not UTF-8"],
      [["impact", "-"], `${zones}\n${TEXT}`, "stdin: its zones are missing: name their folder with --zones-dir"],
      [["explain", "-"], `${zones}\n${TEXT}`, "stdin: its zones are missing: name their folder with --zones-dir"],
    ])
      assert.deepEqual(await run(args, { input }), { code: 2, stdout: "", stderr: `order-cost: ${sentence}\n` });
  });

  test("a broken line ends the command although the pipe stays open, also a packed one", async () => {
    const broken = `${TEXT}nope\n`;
    for (const input of [broken, gzipSync(broken), rawFrames(Buffer.from(broken))]) {
      const child = start(["replay", "-"]);
      child.stdin.write(input);
      assert.equal(await new Promise((resolve) => child.once("close", resolve)), 2);
    }
  });
});

describe("gzip and zstd", () => {
  test("are read by their first bytes, of files and of standard input, in one piece and in several", async () => {
    const halves = [`${LINES[0]}\n${LINES[1].slice(0, 50)}`, `${LINES[1].slice(50)}\n${LINES[2]}`];
    const members = Buffer.concat(halves.map((half) => gzipSync(half)));
    for (const [name, packed, orders] of [
      ["a.ndjson.gz", GZIP, 3],
      ["two.gz", members, 3],
      ["filled.gz", Buffer.concat([GZIP, Buffer.alloc(40_000)]), 3],
      ["gzip", GZIP, 3],
      ["a.ndjson.zst", ZSTD, 3],
      ["two.zst", Buffer.concat([SKIPPED, ZSTD, ZSTD, SKIPPED]), 6],
      ["zstd", ZSTD, 3],
    ]) {
      assert.equal((await captured(file(name, packed))).orders, orders, name);
      for (const chunk of [1, 100, 65_536])
        assert.equal((await captured("-", { input: packed, chunk })).orders, orders, `${name} ${chunk}`);
    }
    mkdirSync(path("packed"));
    file("packed/1.ndjson.gz", GZIP);
    file("packed/2.ndjson.zst", ZSTD);
    file("packed/3.ndjson", TEXT);
    assert.equal((await captured("packed")).orders, 9);
    assert.match((await run(["replay", "packed"])).stdout, /^9 captures: /);
  });

  test("large ones come unpacked in pieces, across the borders of members and frames", async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => capture(index, 1));
    const packed = Buffer.concat([gzipSync(`${many.slice(0, 1_000).join("\n")}\n`), gzipSync(many.slice(1_000).join("\n"), { level: 0 })]);
    assert.equal((await captured(file("large.gz", packed))).orders, 3_000);
    assert.equal((await captured(file("large.zst", rawFrames(Buffer.from(many.join("\n")))))).orders, 3_000);
  });

  test("one that is cut off anywhere, changed or followed by something is refused and named, never short", async () => {
    const cuts = (packed) => Array.from({ length: packed.length - 4 }, (_, index) => packed.subarray(0, index + 4));
    const flipped = (packed, at) => Buffer.from(packed.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    const inside = (packed) => Array.from({ length: packed.length - 20 }, (_, index) => flipped(packed, 12 + index));
    for (const [format, packed] of [
      ["gzip", GZIP],
      ["zstd", ZSTD],
    ]) {
      const two = Buffer.concat([packed, packed]);
      const damaged = [
        ...cuts(packed).filter((_, index) => index % 5 === 0),
        packed.subarray(0, -1),
        ...inside(packed).filter((_, index) => index % 9 === 0),
        flipped(packed, packed.length - (format === "gzip" ? 8 : 4)), // in the checksum
        two.subarray(0, packed.length + 3),
        two.subarray(0, -1),
        Buffer.concat([packed, Buffer.from("more")]),
      ];
      for (const bytes of damaged) {
        for (const options of [{ input: bytes }, { input: bytes, chunk: 10 }]) {
          const { code, stdout, stderr } = await impact("-", options);
          assert.deepEqual([code, stdout], [2, ""], bytes.toString("hex"));
          assert.match(stderr, new RegExp(`^order-cost: stdin: damaged or cut off ${format}: .+\n$`));
        }
      }
      const name = file(`cut.ndjson.${format}`, two.subarray(0, -1));
      for (const command of ["impact", "replay", "explain"])
        assert.match(
          (await run([command, name])).stderr,
          new RegExp(`order-cost: cut.ndjson.${format}: damaged or cut off ${format}: unexpected end of file\n$`),
        );
    }
  });

  test("a file whose name promises what it is not is refused: an upload that failed leaves an empty one", async () => {
    for (const [name, content, format] of [
      ["empty.ndjson.gz", "", "gzip"],
      ["plain.gz", TEXT, "gzip"],
      ["empty.zst", "", "zstd"],
      ["other.zst", GZIP, "zstd"],
    ]) {
      const { code, stderr } = await impact([file("plain.ndjson", TEXT), file(name, content)]);
      assert.deepEqual([code, stderr], [2, `order-cost: ${name}: expected ${format}, as its name says\n`]);
    }
  });

  test("a progress bar goes by what is read of a packed file", async () => {
    assert.match((await run(["impact", file("bar.gz", GZIP)], { tty: ["stderr"] })).stderr, /█+ 100% · 3 orders · /);
    assert.match((await run(["impact", "-"], { input: GZIP, tty: ["stderr"] })).stderr, /0\.0 MB read · 3 orders · /);
  });
});

/** Frames of blocks that are as they were: nothing here packs zstd. */
function rawFrames(bytes) {
  const frames = [];
  for (let start = 0; start < bytes.length; start += 100_000) {
    const part = bytes.subarray(start, start + 100_000);
    const block = Buffer.alloc(3);
    block.writeUIntLE((part.length << 3) | 1, 0, 3); // the last of its frame
    frames.push(Buffer.from("28b52ffd0058", "hex"), block, part);
  }
  return Buffer.concat(frames);
}

describe("captured zones", async () => {
  const facts = { prices: { "1/1000": { price: 12.5 } } };
  const order = { productList: [{ cprcode: 1, productName: "x", quantity: 4 }], shipping: deliveredBy("REGULAR") };
  const zones = squareZones(30);
  const zonesHash = await writeZones("geo", zones); // geo/zones/<hash>
  const text = captureOf("r", { order, zones, zonesHash, facts }); // 80 baht
  mkdirSync(path("apart"));
  const name = file("apart/captures.ndjson", text);
  const missing = `order-cost: ${name}: its zones are missing: apart/zones/${zonesHash}\n`;

  test("of --zones-dir, for standard input and in place of a folder near the files", async () => {
    for (const command of ["replay", "explain", "impact"]) {
      assert.equal((await run([command, name])).stderr, missing);
      for (const input of [name, "-"]) {
        const { code, stderr } = await run([command, input, "--zones-dir", "geo/zones"], { input: text });
        assert.deepEqual([code, stderr], [0, ""], command);
      }
    }
    assert.deepEqual(await captured([name, "--zones-dir", "geo/zones"]), { orders: 1, baht: "80" });
  });

  test("a folder or a file of zones that is not there is named, and --html replaces none", async () => {
    for (const command of ["replay", "impact"]) {
      assert.equal(
        (await run([command, name, "--zones-dir", "nowhere"])).stderr,
        "order-cost: cannot read nowhere: no such file or directory\n",
      );
      assert.equal((await run([command, name, "--zones-dir", name])).stderr, `order-cost: ${name}: expected a folder of zones\n`);
      assert.equal((await run([command, name, "--zones-dir", "apart"])).stderr, missing.replace("apart/zones", "apart"));
    }
    const html = `geo/zones/${zonesHash}`;
    const { stderr } = await run(["impact", name, "--zones-dir", "geo/zones", "--html", html]);
    assert.equal(stderr, `order-cost: ${html} is in geo/zones, which is read: name a file elsewhere\n`);
  });

  test("a link named zones leads to them", async () => {
    mkdirSync(path("linked/2026-11-23"), { recursive: true });
    symlinkSync(path("geo/zones"), path("linked/zones"));
    file("linked/2026-11-23/r", text);
    for (const command of ["replay", "explain", "impact"]) assert.equal((await run([command, "linked"])).code, 0, command);
  });
});

describe("--skip-broken", () => {
  const head = '"requestId":"r","request":{},"facts":{}';
  const BAD = [
    ["nope", "1: expected a capture as JSON: this is no value"],
    [LINES[0].slice(0, -20), "137: expected a capture as JSON: a string does not end"],
    ["[1]", " expected a capture, an object"],
    ['{"requestId":"r"}', " request: missing in the capture"],
    [`{${head}}`, " new: missing in the capture"],
    [`{${head},"new":{},"zones":"../x"}`, " zones: expected the name of a file in zones/"],
    ['{"request":{},"new":{},"facts":{"price":{}}}', " facts: price: unknown; facts are prices, vouchers, rates, coupons, deliveryZones"],
    [`{${head},"new":{"status":"200","body":{}}}`, " new.status: expected a number such as 200, or null"],
    [`{${head},"new":{"status":200,"body":{"grandTotal" 5}}}`, "83: expected a capture as JSON: a colon is missing"],
  ];
  const mixed = file("mixed.ndjson", `${BAD.map(([line], index) => `${line}\n${LINES[index] ?? LINES[0]}`).join("\n")}\n`);
  const sentences = BAD.map(([, why], index) => `mixed.ndjson:${2 * index + 1}:${why}`);

  test("leaves out lines that are no captures, counts them and says why; the exit code is that of the rest", async () => {
    const { code, stdout } = await run(["impact", mixed, "--skip-broken", "--html", "broken.html", "--format", "json"]);
    assert.equal(code, 0);
    const report = JSON.parse(stdout);
    assert.deepEqual(report.broken, { count: BAD.length, first: sentences });
    assert.equal(report.captured.orders, BAD.length);
    const page = readFileSync(path("broken.html"), "utf8");
    for (const text of [`${BAD.length} lines are no captures and were skipped:`, sentences[1]]) assert.ok(page.includes(text), text);
    const shown = (await run(["impact", mixed, "--skip-broken"])).stdout;
    assert.ok(shown.includes(`\n${BAD.length} lines are no captures and were skipped:\n${sentences.join("\n")}\n\n`), shown);

    const replayed = await run(["replay", mixed, "--skip-broken", "--format", "json"]);
    assert.deepEqual([replayed.code, JSON.parse(replayed.stdout).orders], [1, BAD.length]);
    assert.deepEqual(JSON.parse(replayed.stdout).broken, { count: BAD.length, first: sentences });
    assert.ok((await run(["replay", mixed, "--skip-broken"])).stdout.includes(`skipped:\n${sentences.join("\n")}\n`));
    const explained = await run(["explain", mixed, "--skip-broken", "--format", "json"]);
    assert.equal(explained.stdout.trimEnd().split("\n").length, BAD.length);
    assert.ok(explained.stderr.includes(`\norder-cost: ${sentences.at(-1)}\n`), explained.stderr);
  });

  test("without it the first one ends the command, and a report of nothing broken says nothing", async () => {
    for (const command of ["impact", "replay", "explain"]) {
      const { code, stderr } = await run([command, mixed]);
      assert.deepEqual([code, stderr], [2, `order-cost: ${sentences[0]}\n`], command);
    }
    assert.equal("broken" in JSON.parse((await impact("-", { input: TEXT })).stdout), false);
    const { stdout } = await run(["impact", "-", "--skip-broken", "--format", "json"], { input: TEXT });
    assert.deepEqual(JSON.parse(stdout).broken, { count: 0, first: [] });
    assert.doesNotMatch((await run(["impact", "-", "--skip-broken"], { input: TEXT })).stdout, /skipped/);
  });

  test("names the first ten in their sequence, whichever thread has met them; --suggest counts them once", async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => (index % 100 === 50 ? `nope ${index}` : capture(index, 1)));
    const expected = Array.from(
      { length: 10 },
      (_, index) => `many.ndjson:${100 * index + 51}:1: expected a capture as JSON: this is no value`,
    );
    const name = file("many.ndjson", many.join("\n"));
    const { captured, broken } = JSON.parse((await run(["impact", name, "--skip-broken", "--threads", "3", "--format", "json"])).stdout);
    assert.deepEqual([captured.orders, broken], [2_970, { count: 30, first: expected }]);
    assert.match((await run(["impact", name, "--skip-broken"])).stdout, /\n30 lines are no captures and were skipped, the first 10:\nmany/);
    const { stdout } = await run(["replay", mixed, "--skip-broken", "--suggest", "--format", "json"]);
    assert.equal(JSON.parse(stdout).broken.count, BAD.length);
  });

  test("reads on where the first lines are broken, and takes a file that is no line of JSON as one", async () => {
    const first = ["# log of the day", "{", ...LINES].join("\n");
    for (const input of [first, `\ufeff${first}`]) {
      const { stdout } = await run(["impact", "-", "--skip-broken", "--format", "json"], { input });
      const { captured, broken } = JSON.parse(stdout);
      assert.deepEqual([captured.orders, broken.count], [3, 2]);
    }
    const printed = JSON.stringify(JSON.parse(LINES[0]), null, 2);
    const { stdout } = await run([
      "impact",
      file("cut.json", printed.slice(0, -3)),
      file("whole.json", printed),
      "--skip-broken",
      "--format",
      "json",
    ]);
    assert.deepEqual([JSON.parse(stdout).captured.orders, JSON.parse(stdout).broken.count], [1, 1]);
  });

  test("a capture whose policy is none is broken, too; one without its zones ends the command", async () => {
    const wrong = LINES[0].replace("{", '{"policy":{"rowTotal":"cheap"},');
    for (const command of ["impact", "replay"]) {
      const { stdout } = await run([command, "-", "--skip-broken", "--format", "json"], { input: `${TEXT}${wrong}\n` });
      const { count, first } = JSON.parse(stdout).broken;
      assert.equal(count, 1);
      assert.match(first[0], /^stdin:4: Invalid options: policy\.rowTotal: expected /);
      const zones = LINES[0].replace("{", '{"zones":"0f3a",');
      assert.equal((await run([command, "-", "--skip-broken"], { input: `${TEXT}${zones}\n` })).code, 2);
    }
  });

  test("a file of nothing else is exit code 2, and the sentences say why", async () => {
    for (const [command, sentence] of [
      ["impact", "no capture has a total that could be compared"],
      ["replay", "no captures in it"],
      ["explain", "no captures in it"],
    ]) {
      const { code, stderr } = await run([command, "-", "--skip-broken"], { input: "nope\n" });
      const why = "stdin:1:1: expected a capture as JSON: this is no value";
      assert.deepEqual([code, stderr], [2, `order-cost: stdin: ${sentence}\norder-cost: ${why}\n`], command);
    }
  });
});

describe("--threads", () => {
  test("any number gives the same report", async () => {
    const reports = [];
    for (const threads of ["1", "2", "5"])
      reports.push((await run(["impact", "-", "--threads", threads, "--format", "json"], { input: TEXT.repeat(200) })).stdout);
    assert.equal(JSON.parse(reports[0]).captured.orders, 600);
    assert.deepEqual(reports.slice(1), [reports[0], reports[0]]);
  });

  test("as many are started as it says, once there is work for them", async () => {
    const input = TEXT.repeat(2_000);
    for (const [threads, most] of [
      ["1", 1],
      ["3", 3],
    ]) {
      const child = start(["impact", "-", "--threads", threads], ["--import", `data:text/javascript,${encodeURIComponent(COUNTING)}`]);
      child.stdin.end(input);
      const lines = [];
      for await (const chunk of child.stderr.setEncoding("utf8")) lines.push(chunk);
      assert.equal(lines.join("").trim(), `${most}`);
    }
  });

  test("is a whole number from 1 to 64", async () => {
    for (const number of ["0", "65", "1.5", "-1", "many"]) {
      const { code, stderr } = await run(["impact", "-", "--threads", number]);
      assert.equal(code, 2);
      assert.match(stderr, /Expected (1 to 64 threads|a whole number)\./);
    }
  });
});

/** Says at the end how many threads there were. */
const COUNTING = `
import { isMainThread } from "node:worker_threads";
if (isMainThread) {
  let threads = 0;
  process.on("worker", () => (threads += 1));
  process.on("exit", () => console.error(threads));
}`;
