// What a random test draws, the commit says: its seed is that of tests/effort.js, which only the night replaces.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Where the words may be: here, where fast-check gets its seed, and where each sequence of a simulation has one. */
const LEFT_OUT = ["package/seeds.test.js", "property.js", "simulation/run.js"].map((path) => `:!tests/${path}`);

/** What `git grep` finds in these paths, a line each. */
function found(pattern, paths, ...options) {
  const { stdout, stderr } = spawnSync("git", ["grep", "--untracked", "-E", ...options, "-e", pattern, "--", ...paths, ...LEFT_OUT], {
    cwd: ROOT,
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout.split("\n").slice(0, -1);
}

test("no test draws past the seed", () => {
  assert.deepEqual(found(String.raw`(Math\.random|getRandomValues|random(UUID|Bytes|Int))\(`, ["tests"]), []);
  assert.deepEqual(found('(from|import\\() ?"fast-check"', ["tests"]), [], "tests/property.js has fast-check");
});

test("no property has a seed of its own", () => {
  const properties = found('/property.js"', ["tests"], "--files-with-matches");
  assert.ok(properties.length > 10, `${properties}`);
  assert.deepEqual(found("seed:", properties, "--word-regexp"), []);
});
