// Runs the code of the READMEs and of the site's pages unchanged, in an empty folder with the packed package installed.
import assert from "node:assert/strict";
import { execSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { temporaryFolder } from "../folder.js";
import { serve } from "../matrix/commands.js";
import { pack } from "../pack.js";
import { freePorts } from "../ports.js";
import { entriesOf, makeVersion } from "../worker/catalogue.js";
import { guide, pages, placeOf, README, ROOT } from "./pages.js";
import { blocksOf, promisesOf } from "./snippets.js";

const PRINTED = fileURLToPath(new URL("printed.mjs", import.meta.url));

// The environment for child tests: without the variables of this test run.
const { NODE_TEST_CONTEXT, NODE_OPTIONS, NODE_V8_COVERAGE, ...env } = process.env;

const folder = temporaryFolder();

before(() => {
  const { tarball } = pack(folder);
  execSync(`npm install --offline --no-audit --no-fund "${tarball}"`, { cwd: folder, stdio: "ignore" });
});

const snippets = pages
  .flatMap((page) => blocksOf(placeOf(page)).map((block) => ({ ...block, page })))
  .filter(({ language }) => language === "js")
  .map((block) => ({
    ...block,
    name: `${block.page}:${block.line}, ${block.heading}`,
    file: path.join(folder, `snippet-${block.page.replaceAll(/\W/g, "-")}-${block.line}.mjs`),
  }));

/** The snippet under a heading of a page. */
function snippetOf(page, heading) {
  const found = snippets.find((snippet) => snippet.page === page && snippet.heading === heading);
  assert.ok(found, `${page}: no code under "${heading}"`);
  return found;
}

const isServer = ({ code }) => code.includes(".listen(");

const programs = snippets.filter((snippet) => !isServer(snippet));
let printed;

test("the snippets run", () => {
  for (const { code, file } of programs) writeFileSync(file, code);
  const args = [PRINTED, ...programs.map(({ file }) => file)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env });
  assert.equal(status, 0, stderr + stdout);
  assert.equal(stderr, "");
  printed = printedIn(stdout);
});

for (const { name, code, file } of programs) {
  test(`${name}: prints what its comments say`, () => {
    for (const [line, said] of promisesOf(code)) {
      assert.notDeepEqual(said, [], `line ${line}: a comment is to say what is printed`);
      const lines = printed.filter((log) => file.endsWith(log.file) && log.line === line).flatMap(({ text }) => text.split("\n"));
      if (said.at(-1) === "…") assert.deepEqual(lines.slice(0, said.length - 1), said.slice(0, -1));
      else assert.deepEqual(lines, said);
    }
  });
}

/** Only the marked lines: a test runner in a snippet prints too. */
function printedIn(stdout) {
  return stdout
    .split("\n")
    .filter((line) => line.startsWith('{"line":'))
    .map((line) => JSON.parse(line));
}

test("a price takes at most ten lines, a basket twelve", () => {
  for (const [page, heading, limit] of [
    [README, "A first price", 10],
    [guide("basket"), "The live basket", 12],
  ]) {
    const { code } = snippetOf(page, heading);
    assert.ok(code.trimEnd().split("\n").length <= limit, heading);
  }
});

test("every snippet passes the type check", () => {
  for (const { code, file } of snippets) writeFileSync(file, code);
  const tsc = path.join(ROOT, "tests/node_modules/typescript/bin/tsc");
  const options = ["--allowJs", "--checkJs", "--strict", "--noImplicitAny", "false", "--noEmit", "--module", "nodenext"];
  const ofNode = ["--types", "node", "--typeRoots", path.join(ROOT, "tests/node_modules/@types")];
  const files = snippets.map(({ file }) => file);
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, "--target", "es2022", ...ofNode, ...files], {
    cwd: folder,
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout);
});

test("the server of the guide prices an order", async () => {
  const { code, file } = snippetOf(guide("edge"), "On Node's own server");
  const port = await freePorts();
  const url = `http://127.0.0.1:${port}/`;
  writeFileSync(file, code.replace("8787", `${port}`));
  const stop = await serve(process.execPath, [file], folder, url);
  try {
    const body = '{"productList":[{"cprcode":1001,"productName":"น้ำปลา","quantity":3}]}';
    const response = await fetch(`${url}calculatecost4`, { method: "POST", body });
    assert.equal((await response.json()).grandTotal, 111.75);
  } finally {
    await stop();
  }
});

describe("the Worker of the guide", () => {
  const blocks = blocksOf(placeOf(guide("edge"))).filter(({ heading }) => heading === "A Worker");
  const env = { PRICES: new Map([["1001/1000", '{"price":37.25}']]) };
  const handler = async () => (await exportsOf(snippetOf(guide("edge"), "A Worker"))).default;

  test("answers as the curl example shows", async () => {
    const { code: curl } = blocks.find(({ language }) => language === "sh");
    const { code: answer } = blocks.find(({ language }) => language === "json");
    const [, url, body] = curl.match(/^curl (\S+) -d '(.*)'$/m);
    const response = await (await handler()).fetch(new Request(url, { method: "POST", body }), env, { waitUntil() {} });
    assert.equal(response.status, 500);
    assert.equal(await response.text(), answer.trim());
  });

  test("prices a product that its store knows", async () => {
    const body = '{"productList":[{"cprcode":1001,"productName":"น้ำปลา","quantity":3}]}';
    const request = new Request("http://127.0.0.1:8787/calculatecost4", { method: "POST", body });
    const response = await (await handler()).fetch(request, env, { waitUntil() {} });
    assert.equal(response.status, 200);
    assert.equal((await response.json()).grandTotal, 111.75);
  });
});

describe("the recipes of the guides", () => {
  test("a catalogue's version is priced from the files at its URL", async (context) => {
    const version = await makeVersion({ "1001/1000": '{"price":37.25}' });
    const texts = entriesOf(version);
    const nameOf = (url) => new URL(url).pathname.replace("/catalogue/", "").replace("/", ":");
    context.mock.method(globalThis, "fetch", async (url) => {
      const text = texts[nameOf(url)];
      return new Response(text, { status: text === undefined ? 404 : 200 });
    });
    const { pricerFrom } = await exportsOf(snippetOf(guide("catalogue"), "Prices from a catalogue"));
    const pricer = await pricerFrom("https://shop.example/catalogue");
    assert.equal((await pricer.calculate({ productList: [PRODUCT] })).grandTotal, 111.75);
  });

  test("a checkout asks the customer only about what has changed", async () => {
    const { confirmed } = await exportsOf(snippetOf(guide("basket"), "At checkout"));
    const { pricer, prices } = await shop();
    const basket = pricer.basket({ productList: [PRODUCT] });
    await basket.settle();
    const asked = [];
    const answering = (answer) => (text) => (asked.push(text), answer);
    assert.equal((await confirmed(basket, "en", answering(false))).grandTotal, 111.75);
    assert.deepEqual(asked, []);
    prices.now = 39;
    assert.equal(await confirmed(basket, "en", answering(false)), undefined);
    assert.deepEqual(asked, ["น้ำปลา now costs ฿39.00 instead of ฿37.25.\n฿117"]);
    prices.now = 40;
    assert.equal((await confirmed(basket, "en", answering(true))).grandTotal, 120);
    basket.free();
  });
});

const PRODUCT = { cprcode: 1001, productName: "น้ำปลา", quantity: 3 };

/** A pricer of the packed package, its calls, and the price that it gives. */
async function shop() {
  const file = path.join(folder, "shop.mjs");
  writeFileSync(file, 'export * from "order-cost";');
  const { createPricer } = await import(pathToFileURL(file).href);
  const calls = [];
  const prices = { now: 37.25 };
  const lookupPrices = async (keys) => (calls.push(keys), keys.map(() => ({ price: prices.now })));
  return { pricer: await createPricer({ lookupPrices }), calls, prices };
}

/** What a snippet exports. */
async function exportsOf({ file, code }) {
  writeFileSync(file, code);
  return import(pathToFileURL(file).href);
}
