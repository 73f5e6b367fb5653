// Checks what npm would publish, before anybody installs it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { entrySizes } from "../../xtask/package/sizes.mjs";
import { temporaryFolder } from "../folder.js";
import { pack } from "../pack.js";
import { placeOf, README, ROOT_README } from "./pages.js";
import { blocksOf } from "./snippets.js";

const PACKAGE = fileURLToPath(new URL("../../pkg", import.meta.url));
const manifest = JSON.parse(readFileSync(path.join(PACKAGE, "package.json"), "utf8"));

const folder = temporaryFolder();
const { tarball, files } = pack(folder);
const packed = new Set(files.map((file) => `./${file}`));

test("publint finds nothing, not even a suggestion", async () => {
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const { messages } = await publint({ pack: { tarball: buffer } });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest)),
    [],
  );
});

test("are-the-types-wrong finds nothing in any resolution mode", () => {
  const attw = fileURLToPath(import.meta.resolve("@arethetypeswrong/cli/package.json"));
  // Files for a bundler or workerd: they are never loaded with require().
  const wasm = ["wasm", "calculate/wasm"];
  const internal = ["internal", "internal/order-schemas.json"]; // for nobody else
  const args = [path.join(attw, "../dist/index.js"), "--no-color", tarball, "--exclude-entrypoints", ...wasm, ...internal];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /No problems found/);
});

test("every file that the manifest names is in the tarball", () => {
  const targets = (value) => (typeof value === "string" ? [value] : Object.values(value ?? {}).flatMap(targets));
  const { exports, main, module, types, bin } = manifest;
  const missing = targets({ exports, main, module, types, bin }).filter((file) => !packed.has(file));
  assert.deepEqual(missing, []);
});

test("no field of the manifest is empty", () => {
  const emptyIn = (value, at) => {
    const inside = value !== null && typeof value === "object" ? Object.entries(value) : [];
    if (value === null || value === "" || (typeof value === "object" && inside.length === 0)) return [at];
    return inside.flatMap(([key, part]) => emptyIn(part, `${at}.${key}`));
  };
  assert.deepEqual(emptyIn(manifest, "package.json"), []);
});

test("the command line is one file beside the one that runs it, and the licences of its libraries are in the tarball", () => {
  assert.deepEqual([...packed].filter((file) => /cli|command|LICEN[CS]E/i.test(file)).sort(), [
    "./LICENSE",
    "./THIRD-PARTY-LICENSES.txt",
    "./cli.js",
    "./command.js",
    "./entries/cli.js",
  ]);
});

test("the tarball has the examples that the README lists, ready to copy", () => {
  const readme = readFileSync(path.join(PACKAGE, "README.md"), "utf8");
  const [, section] = readme.match(/^## Examples$([\s\S]*?)^## /m);
  const listed = [...section.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  const files = [...packed].filter((file) => file.startsWith("./examples/")).map((file) => file.split("/").slice(2));
  assert.deepEqual([...new Set(files.map(([name]) => name))].sort(), listed.sort());
  assert.deepEqual(
    files.filter((file) => /^(node_modules|dist|\..*|package-lock\.json)$/.test(file[1])),
    [],
  );
  for (const name of listed) {
    const { dependencies } = JSON.parse(readFileSync(path.join(PACKAGE, "examples", name, "package.json"), "utf8"));
    assert.equal(dependencies[manifest.name], `^${manifest.version}`, name);
  }
});

test("no page in the tarball links to a file outside it", () => {
  const pages = files.filter((file) => file.endsWith(".md"));
  const linked = pages.flatMap((page) => {
    const links = readFileSync(path.join(PACKAGE, page), "utf8").matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g);
    return [...links].map(([, link]) => `./${path.posix.join(path.posix.dirname(page), link)}`);
  });
  assert.ok(pages.includes("README.md"));
  assert.deepEqual(
    linked.filter((file) => !packed.has(file)),
    [],
  );
});

test("the README installs the package by its name", () => {
  const { code } = blocksOf(placeOf(README)).find(({ language }) => language === "sh");
  assert.equal(code, `npm install ${manifest.name}\n`);
});

test("CommonJS exports the same names as ES modules, entry by entry", async () => {
  const require = createRequire(import.meta.url);
  // tests/frameworks loads the entries of frameworks in both formats: it has the frameworks.
  const ofFrameworks = Object.keys(manifest.peerDependencies).map((name) => `./${name}`);
  for (const [entry, conditions] of Object.entries(manifest.exports)) {
    if (!conditions.require || ofFrameworks.includes(entry)) continue;
    const name = path.posix.join(manifest.name, entry);
    assert.deepEqual(Object.keys(require(name)).sort(), Object.keys(await import(name)).sort(), name);
  }
});

test("React's server components find a client's module in both formats", () => {
  for (const file of ["react.js", "react.cjs"]) {
    assert.match(readFileSync(path.join(PACKAGE, file), "utf8"), /^"use client";\n/, file);
  }
});

test("the entries around a basket import nothing of the package but types", () => {
  const imported = (file) => {
    const code = readFileSync(path.join(PACKAGE, file), "utf8");
    return [...code.matchAll(/(?:from |import |import\(|require\()"([^"]+)"/g)].map(([, name]) => name);
  };
  for (const [entry, room, names] of [
    ["messages", "response", []],
    ["react", "basket", ["react"]],
    ["vue", "basket", ["vue"]],
  ]) {
    assert.deepEqual(imported(`${entry}.js`), [`./${room}/${entry}.js`]);
    assert.deepEqual([imported(`${room}/${entry}.js`), imported(`${entry}.cjs`)], [names, names], entry);
  }
});

test("the READMEs say how large the entries are, within 2 %", async () => {
  const measured = new Map((await entrySizes(PACKAGE)).map(({ name, brotli }) => [name, brotli / 1000]));
  for (const readme of [README, ROOT_README]) {
    const stated = statedSizes(readFileSync(placeOf(readme), "utf8"));
    assert.deepEqual([...stated.keys()].sort(), ["order-cost", "order-cost/calculate", "order-cost/url"], readme);
    for (const [name, kilobytes] of stated) {
      const size = measured.get(name);
      const change = (size / kilobytes - 1) * 100;
      assert.ok(Math.abs(change) <= 2, `${readme}: ${name} is ${size.toPrecision(3)} kB with brotli, not ${kilobytes} kB`);
    }
  }
});

/** The sizes that a text names as `` 121 kB for `order-cost` ``, in kB. */
function statedSizes(text) {
  const sizes = text.matchAll(/([\d.]+) kB (?:\(brotli\) )?for `(order-cost[\w/]*)`/g);
  return new Map([...sizes].map(([, kilobytes, name]) => [name, Number(kilobytes)]));
}
