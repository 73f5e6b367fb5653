// Which tests of a file reach which mutants. Kept until the file, its neighbours or the package change.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runTests } from "./program.mjs";
import { reportsIn } from "./reports.mjs";
import { ROOT, WORK } from "./sandbox.mjs";

/** Longer than any test file takes on a busy machine. */
const MOST_MS = 600_000;

/**
 * What a test file reaches.
 *
 * @typedef {object} Coverage
 * @property {string} file
 * @property {number} ms of the whole file
 * @property {boolean} isSound whether no test fails without a mutant, and each program has reported what it reaches
 * @property {Record<string, { ms: number, names: string[], within: string[] }>} tests by full name, with the names of the
 *   tests that a test is in and its own; without those that fail
 * @property {Record<string, string[]>} reachedBy by the number of a mutant, the tests that reach it
 * @property {Record<string, true>} outside the mutants that are reached outside of the tests, such as when a module loads
 * @property {Record<string, number>} hits by mutant
 */

const path = (folder, file) => join(WORK, folder, `${file.replaceAll("/", "-")}.json`);

/** The file that says how long each test of a file takes. */
export const timesOf = (file) => path("times", file);

/** @returns {Promise<Coverage>} */
export async function coverageOf(file, stamp) {
  const kept = path("coverage", file);
  const key = hash([stamp, ...neighbours(file)]);
  try {
    const last = JSON.parse(readFileSync(kept, "utf8"));
    if (last.key === key) return last;
  } catch {
    // It was not measured before.
  }
  const coverage = { key, ...(await measure(file)) };
  write(kept, coverage);
  write(timesOf(file), Object.fromEntries(Object.entries(coverage.tests).map(([name, { ms }]) => [name, ms])));
  return coverage;
}

function write(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

export const hash = (texts) => texts.reduce((digest, text) => digest.update(text).update("\0"), createHash("sha256")).digest("hex");

/** The text of a test file and of what is not a test beside it. */
function neighbours(file) {
  const folder = join(ROOT, dirname(file));
  const names = readdirSync(folder).filter((name) => /\.m?js$/.test(name) && !name.includes(".test."));
  return [join(ROOT, file), ...names.map((name) => join(folder, name))].map((path) => readFileSync(path));
}

async function measure(file) {
  const folder = join(WORK, "reached", file.replaceAll("/", "-"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const since = performance.now();
  const failed = await runTests(file, { env: { MUTANT_COVERAGE: folder }, mostMs: MOST_MS });
  const ms = performance.now() - since;
  const { reports, damaged } = reportsIn(folder);
  for (const report of damaged) console.log(`${file}: expected JSON in the report ${report}: what its program reaches is not known`);
  const isSound = failed.length === 0 && damaged.length === 0;
  const coverage = { file, ms, isSound, tests: {}, reachedBy: {}, outside: {}, hits: {} };
  // A program that crashes reports no tests.
  if (failed.includes(undefined)) return coverage;
  for (const { tests } of reports) Object.assign(coverage.tests, tests);
  for (const [name, { names }] of Object.entries(coverage.tests))
    if (names.some((name) => failed.includes(name))) delete coverage.tests[name];
  for (const { outside, perTest } of reports) {
    note(coverage, outside, (mutant) => (coverage.outside[mutant] = true));
    for (const [test, reached] of Object.entries(perTest)) {
      if (coverage.tests[test]) note(coverage, reached, (mutant) => (coverage.reachedBy[mutant] ??= []).push(test));
    }
  }
  return coverage;
}

function note(coverage, reached, add) {
  for (const [mutant, hits] of Object.entries(reached)) {
    coverage.hits[mutant] = (coverage.hits[mutant] ?? 0) + hits;
    add(mutant);
  }
}
