// Runs the code of the READMEs unchanged, in an empty folder with the packed package installed.
import assert from "node:assert/strict";
import { execSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { freePort, serve } from "../matrix/commands.js";
import { pack } from "../pack.js";
import { blocksOf, promisesOf } from "./snippets.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PRINTED = new URL("printed.mjs", import.meta.url).href;
const READMES = ["pkg-template/README.md", "README.md"];

// The environment for child tests: without the variables of this test run.
const { NODE_TEST_CONTEXT, NODE_OPTIONS, NODE_V8_COVERAGE, ...env } = process.env;

const folder = mkdtempSync(path.join(tmpdir(), "order-cost-snippets-"));
after(() => rmSync(folder, { recursive: true }));

before(() => {
  const { tarball } = pack(folder);
  execSync(`npm install --offline --no-audit --no-fund "${tarball}"`, { cwd: folder, stdio: "ignore" });
});

const snippets = READMES.flatMap((readme) =>
  blocksOf(path.join(ROOT, readme))
    .filter(({ language }) => language === "js")
    .map((block, index) => ({ ...block, name: `${readme}:${block.line}, ${block.heading}`, file: fileOf(readme, index) })),
);

function fileOf(readme, index) {
  const where = readme.includes("/") ? "package" : "root";
  return path.join(folder, `snippet-${where}-${index}.mjs`);
}

const isServer = ({ code }) => code.includes(".listen(");

for (const { name, code, file } of snippets.filter((snippet) => !isServer(snippet))) {
  test(`${name}: runs, and prints what its comments say`, () => {
    writeFileSync(file, code);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", PRINTED, file], {
      cwd: folder,
      encoding: "utf8",
      env,
    });
    assert.equal(status, 0, stderr + stdout);
    assert.equal(stderr, "");
    const printed = printedIn(stdout);
    for (const [line, said] of promisesOf(code)) {
      assert.notDeepEqual(said, [], `line ${line}: a comment is to say what is printed`);
      const lines = printed.filter((log) => log.line === line).flatMap(({ text }) => text.split("\n"));
      if (said.at(-1) === "…") assert.deepEqual(lines.slice(0, said.length - 1), said.slice(0, -1));
      else assert.deepEqual(lines, said);
    }
  });
}

/** Only the marked lines: a test runner in a snippet prints too. */
function printedIn(stdout) {
  return stdout.split("\n").filter((line) => line.startsWith('{"line":')).map((line) => JSON.parse(line));
}

test("a price takes at most ten lines, a basket twelve", () => {
  for (const [heading, limit] of [["A first price", 10], ["The live basket", 12]]) {
    const { code } = snippets.find((snippet) => snippet.heading === heading);
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

test("the server of the package's README prices an order", async () => {
  const { code, file } = snippets.find(isServer);
  const port = await freePort();
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

describe("the Worker of the package's README", () => {
  const blocks = blocksOf(path.join(ROOT, READMES[0])).filter(({ heading }) => heading === "At the edge");
  const env = { PRICES: new Map([["1001/1000", '{"price":37.25}']]) };
  const handler = async () => {
    const { file, code } = snippets.find(({ heading, name }) => heading === "At the edge" && name.startsWith("pkg"));
    writeFileSync(file, code);
    return (await import(pathToFileURL(file).href)).default;
  };

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
