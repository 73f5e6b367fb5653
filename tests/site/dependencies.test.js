// CONTRIBUTING.md says why each dependency is there: of the project, not of the matrix' consumers and the package's examples.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const ROOT = path.resolve(import.meta.dirname, "../..");
const OTHERS = /^(tests\/matrix|pkg-template)\//;
/** A name, or the beginning of a family's names and a `*`. */
const LINE = /^`([^`]+)`: ./;

const [, ledger] = read("CONTRIBUTING.md").split("\n## Dependencies\n");
const lines = Array.from(ledger.split("\n## ")[0].matchAll(/^- (.*)$/gm), ([, line]) => line);
const listed = lines.flatMap((line) => line.match(LINE)?.[1] ?? []);

const crates = tracked("*Cargo.toml").flatMap((manifest) => cratesIn(manifest).map((name) => ({ manifest, name })));
const packages = tracked("*package.json").flatMap(packagesIn);
const fromPyPI = tracked("*requirements.in").flatMap((file) => read(file).match(/^[\w-]+(?===)/gm));
const programs = [...git("grep", "-ohE", '"cargo-[a-z-]+"', "xtask/src")].map((name) => name.replaceAll('"', ""));
const names = [...new Set([crates.map(({ name }) => name), packages, fromPyPI, programs].flat())].sort();

test("each kind of dependency is found", () => {
  for (const found of [crates, packages, fromPyPI, programs]) assert.ok(found.length > 3, `${found}`);
});

test("each line names one dependency or family, and why", () => {
  assert.deepEqual(
    lines.filter((line) => !LINE.test(line)),
    [],
  );
});

test("each dependency has one line", () => {
  assert.deepEqual(
    names.filter((name) => listed.filter((entry) => isOf(name, entry)).length !== 1),
    [],
  );
});

test("each line has a dependency", () => {
  assert.deepEqual(
    listed.filter((entry) => !names.some((name) => isOf(name, entry))),
    [],
  );
});

// `cargo xtask check` finds the unused packages, and the unused crates but those of tests.
test("each crate is used", () => {
  const isUsed = ({ manifest, name }) => {
    const use = `\\b${name.replaceAll("-", "_")}::`;
    const files = [`${path.posix.dirname(manifest)}/**.rs`, ...(manifest === "Cargo.toml" ? [":!xtask"] : [])];
    return spawnSync("git", ["grep", "-qE", use, "--", ...files], { cwd: ROOT }).status === 0;
  };
  assert.deepEqual(
    crates.filter((crate) => !isUsed(crate)),
    [],
  );
});

function isOf(name, entry) {
  return entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry;
}

function cratesIn(manifest) {
  const sections = read(manifest).matchAll(/^\[(?:.*\.)?(?:dev-|build-)?dependencies\]\n((?:[^[\n].*\n)*)/gm);
  const names = Array.from(sections, ([, section]) => section.match(/^[\w-]+(?= = |\.)/gm)).flat();
  return names.filter((name) => name !== "order-cost");
}

function packagesIn(manifest) {
  const { dependencies, devDependencies } = JSON.parse(read(manifest));
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== "order-cost");
}

function tracked(pattern) {
  return git("ls-files", pattern).filter((file) => !OTHERS.test(file));
}

function git(...args) {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
}

function read(file) {
  return readFileSync(path.join(ROOT, file), "utf8");
}
