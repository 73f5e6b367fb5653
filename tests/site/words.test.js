// The documents stay short: each fact stands once, and so does why each dependency is there. The count is that of `wc -w`, with Thai cut into words.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

const ROOT = path.resolve(import.meta.dirname, "../..");
const MOST = 30_000;

const SEGMENTER = new Intl.Segmenter("th", { granularity: "word" });
const thai = (word) => (/[\u0e00-\u0e7f]/.test(word) ? [...SEGMENTER.segment(word)].filter(({ isWordLike }) => isWordLike).length : 1);
const words = (text) =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .reduce((sum, word) => sum + thai(word), 0);

test(`all documents together have at most ${MOST} words`, (t) => {
  const files = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
  const counts = files.map((file) => [file, words(readFileSync(path.join(ROOT, file), "utf8"))]);
  const sum = counts.reduce((sum, [, count]) => sum + count, 0);
  for (const [file, count] of counts.toSorted(([, one], [, other]) => other - one)) t.diagnostic(`${count} ${file}`);
  t.diagnostic(`${sum} in all`);
  assert.ok(sum <= MOST, `${sum} words`);
});

/** Manifests, and where the users of their dependencies stand. */
const MANIFESTS = {
  "Cargo.toml": ["src", "tests", "examples", "benches", "fuzz/src"],
  "worker/package.json": ["worker"],
  "xtask/package.json": ["xtask", "pkg-template", "biome.jsonc"],
  "tests/package.json": ["tests", "worker/examples"],
  "www/docs/package.json": ["www/docs"],
  "benches/package.json": ["benches"],
};
const NO_USERS = ["*.md", "*package.json", "*package-lock.json", "*Cargo.toml"].map((pattern) => `:!${pattern}`);

describe("each dependency has one line in CHANGELOG.md, and a user", () => {
  const [, ledger] = read("CHANGELOG.md").split("### Why each dependency is there\n");
  const listed = ledger.split(/^##/m)[0].match(/^- .*$/gm);
  const known = listed.flatMap((line) => Array.from(line.matchAll(/`([^`]+)`/g), ([, name]) => name));
  const linesOf = (name) => known.filter((word) => (word.endsWith("*") ? name.startsWith(word.slice(0, -1)) : word === name));

  for (const [file, users] of Object.entries(MANIFESTS)) {
    test(file, () => {
      const names = file === "Cargo.toml" ? cratesIn(read(file)) : packagesIn(file);
      assert.ok(names.length > 5, names.join());
      assert.deepEqual(
        names.filter((name) => linesOf(name).length !== 1),
        [],
        "no line, or several",
      );
      assert.deepEqual(
        names.filter((name) => !isUsed(name, file, users)),
        [],
        "no user",
      );
    });
  }
});

function read(file) {
  return readFileSync(path.join(ROOT, file), "utf8");
}

function cratesIn(text) {
  const sections = text.matchAll(/^\[(?:.*\.)?(?:dev-)?dependencies\]\n((?:[^[\n].*\n)*)/gm);
  return [...new Set(Array.from(sections, ([, lines]) => lines.match(/^[\w-]+(?= = )/gm)).flat())];
}

/** All but the package itself. */
function packagesIn(file) {
  const { dependencies, devDependencies } = JSON.parse(read(file));
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== "order-cost");
}

/** Named as a module, a crate, a file or a command; or a peer of another, which names it instead. */
function isUsed(name, file, users) {
  const word = file === "Cargo.toml" ? `\\b${name.replaceAll("-", "_")}::` : `["'\`/]${name.replace("@types/", "(node:)?")}(["'\`/]|$)`;
  if (spawnSync("git", ["grep", "-qE", "-e", word, "--", ...users, ...NO_USERS], { cwd: ROOT }).status === 0) return true;
  return file !== "Cargo.toml" && peersIn(file.replace("package.json", "package-lock.json")).includes(name);
}

function peersIn(lock) {
  const { packages } = JSON.parse(read(lock));
  const own = Object.keys({ ...packages[""].dependencies, ...packages[""].devDependencies });
  return own.flatMap((name) => Object.keys(packages[`node_modules/${name}`].peerDependencies ?? {}));
}
