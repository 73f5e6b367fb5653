// The commands in the guides, as they stand there, with the output that they show.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { capture, ORDER } from "./captured.js";
import { file, path, run } from "./command.js";
import { writeCatalogue } from "./impact-case.js";
import { guide, pages, placeOf } from "./pages.js";
import { served } from "./served.js";
import { blocksOf, outputsOf } from "./snippets.js";

const NPX = "npx order-cost ";
const ON_THE_COMMAND_LINE = guide("captures");

/** The arguments of each command under a heading of a page. */
function commandsOf(page, heading) {
  const { code } = blocksOf(placeOf(page)).find((block) => block.heading === heading && block.language === "sh");
  return code
    .trimEnd()
    .split("\n")
    .map((line) => {
      assert.ok(line.startsWith(NPX), line);
      return line.slice(NPX.length).split(" ");
    });
}

const textOf = (page) => readFileSync(placeOf(page), "utf8");

/** Three orders, and the facts that the guide shows. */
function writeOrders() {
  const [, facts] = textOf(ON_THE_COMMAND_LINE).match(/`(\{"prices".*?\})`/);
  const productList = [
    { cprcode: 1001, productName: "น้ำปลา", quantity: 3 },
    { cprcode: 1003, productName: "ข้าวหอมมะลิ 5 กก.", quantity: 1 },
  ];
  const order = (orderId) => ({ orderId, productList, couponCodeList: ["SAVE10"] });
  file("facts.json", facts);
  file("order.json", order("A-17"));
  return ["A-17", "A-18", "A-19"].map(order);
}

test("price: the bill", async () => {
  writeOrders();
  const [command] = commandsOf(ON_THE_COMMAND_LINE, "Pricing orders");
  const [output] = outputsOf(placeOf(ON_THE_COMMAND_LINE), "Pricing orders");
  assert.deepEqual(await run(command), { code: 0, stdout: output, stderr: "" });
});

test("verify: the report", async () => {
  file(
    "orders.ndjson",
    writeOrders()
      .map((order) => `${JSON.stringify(order)}\n`)
      .join(""),
  );
  const [first, second, third] = (await run(["price", "orders.ndjson", "--facts", "facts.json"])).stdout.trimEnd().split("\n");
  const list = second.replace('"price":37.25,"rowTotal":111.75', '"price":37.25,"rowTotal":120');
  const dearer = third.replace('"grandTotal":332.75', '"grandTotal":333');
  assert.ok(list !== second && dearer !== third);
  file("before.ndjson", [first, second, third].join("\n"));
  file("after.ndjson", [dearer, first, list].join("\n"));
  const [command] = commandsOf(ON_THE_COMMAND_LINE, "Comparing two sets of orders");
  const [output] = outputsOf(placeOf(ON_THE_COMMAND_LINE), "Comparing two sets of orders");
  assert.deepEqual(await run(command), { code: 1, stdout: output, stderr: "" });
});

test("replay, explain and impact: the captures give the captured answers", async () => {
  mkdirSync(path("captures"), { recursive: true });
  file("captures/r-17.json", await capture("r-17", ORDER));
  file("captures/r-18.json", await capture("r-18", ORDER));
  await writeCatalogue("catalogue", { "1/1000": 37.25 });
  const headings = ["Pricing captured orders again", "Explaining a captured order", "What new prices do to the money"];
  const commands = headings.flatMap((heading) => commandsOf(ON_THE_COMMAND_LINE, heading));
  const outputs = [];
  for (const command of commands) {
    const { code, stdout, stderr } = await run(command);
    assert.deepEqual([code, stderr], [0, ""], command.join(" "));
    outputs.push(stdout);
  }
  assert.deepEqual(
    commands.map(([name]) => name),
    ["replay", "replay", "explain", "impact"],
  );
  assert.match(outputs[2], /น้ำปลา/);
  assert.doesNotMatch(outputs[2], /r-18/);
});

test("a year in parts: the page of one run", async () => {
  const folder = "shop/captures";
  const names = ["2026-01-01", "2026-01-02"].map((day) => `${day}.ndjson.gz`);
  mkdirSync(path(`${folder}/zones`), { recursive: true });
  for (const name of ["zones", "tallies"]) mkdirSync(path(name), { recursive: true });
  for (const name of names) file(`${folder}/${name}`, gzipSync(await capture(name, ORDER)));
  await writeCatalogue("catalogue", { "1/1000": 38 });
  const { code: lines } = blocksOf(placeOf(guide("year"))).find(({ language }) => language === "sh");
  const [, object, part, merge] = lines.match(/^aws s3 cp s3:\/\/(\S+) - \| npx order-cost (.*)\nnpx order-cost (.*)\n$/);
  for (const name of names) {
    const ofDay = (text) => text.replaceAll("2026-01-01", name.slice(0, 10));
    const counted = await run(ofDay(part).split(" "), { input: readFileSync(path(ofDay(object))) });
    assert.deepEqual(counted, { code: 0, stdout: "", stderr: "" });
  }
  const tallies = readdirSync(path("tallies")).map((name) => `tallies/${name}`);
  const merged = await run(merge.split(" ").flatMap((word) => (word === "tallies/*.json" ? tallies : [word])));
  const page = readFileSync(path("impact.html"), "utf8");
  assert.deepEqual(merged, await run(["impact", folder, "--catalogue", "catalogue", "--html", "impact.html", "--max-impact", "0.5%"]));
  assert.equal(page, readFileSync(path("impact.html"), "utf8"));
  assert.equal(merged.code, 1, "2 % of the money moves");
});

test("serve: the first line is the address, and it answers", async () => {
  writeOrders();
  const page = guide("testing");
  const [[name, ...args]] = commandsOf(page, "Testing from any language");
  assert.equal(name, "serve");
  const { line, end } = await served(...args);
  const [output] = outputsOf(placeOf(page), "Testing from any language");
  const anyPort = (text) => text.trim().replace(/\d+$/, "<port>");
  assert.equal(anyPort(line), anyPort(output));
  assert.equal(await end(), 0);
});

test("no command of a guide is left out", () => {
  const tried = [
    [ON_THE_COMMAND_LINE, 5],
    [guide("testing"), 1],
    [guide("edge"), 1], // curl, in snippets.test.js
    [guide("year"), 2], // one of Spark, in tests/spark
  ];
  const guides = pages.filter((page) => page.startsWith(guide("").replace(".md", "")));
  const found = guides.map((page) => [page, blocksOf(placeOf(page)).filter(({ language }) => language === "sh").length]);
  assert.deepEqual(new Map(found.filter(([, count]) => count > 0)), new Map(tried));
});
