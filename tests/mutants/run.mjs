// Plants faults in the package's JavaScript, one at a time, and lists those that no test notices.
//   node tests/mutants/run.mjs [--file zones.js …] [--since DAYS] [--seconds N] [--jobs N] [--patience SECONDS]
//     [--tests package/zones …] [--again] [--resume]
// `--since` takes the lines that have changed in this number of days; after `--patience` the search for a test that notices a
// mutant ends; `--tests` takes only the test files with this in their path, `--again` only what survived the last time.
// `--resume` goes on after a run that ended early: in a file that has not changed since, what it judged stays.
// Needs `cargo xtask build` and the packages that the tests need.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SEED } from "../effort.js";
import { coverageOf, hash } from "./coverage.mjs";
import { makeSandbox, ROOT, SOURCES, WORK } from "./sandbox.mjs";
import { checkKnown, printScore } from "./score.mjs";
import { Judge } from "./verdict.mjs";

/** The suites whose tests run in Node.js. In workerd no mutant can be switched on. */
const SUITES = ["package", "simulation", "worker", "migration", "model"];
const VERDICTS = join(WORK, "verdicts.json");

const { values } = parseArgs({
  options: {
    file: { type: "string", multiple: true },
    since: { type: "string" },
    seconds: { type: "string", default: "Infinity" },
    jobs: { type: "string", default: `${availableParallelism()}` },
    patience: { type: "string", default: "120" },
    tests: { type: "string", multiple: true, default: [""] },
    again: { type: "boolean" },
    resume: { type: "boolean" },
  },
});
const { texts, mutants } = await makeSandbox();
const all = mutants.map(described);
checkKnown(all);
const wanted = shuffled(all.filter(isChosen));
const judged = values.resume ? judgedBefore(wanted) : [];
const chosen = wanted.filter((mutant) => judged.every((other) => keyOf(other) !== keyOf(mutant)));
const stamp = hash([...texts.values(), readFileSync(join(ROOT, "pkg/wasm/order_cost_bg.wasm"))]);
const files = SUITES.flatMap(testFiles).filter((file) => values.tests.some((part) => file.includes(part)));
const started = performance.now();
const coverages = [];
await each(files, async (file) => coverages.push(await coverageOf(file, stamp)));
for (const { file, isSound } of coverages)
  if (!isSound) console.log(`${file} fails without a mutant, or a report is damaged: the whole file does not judge`);
console.log(`${files.length} test files measured in ${seconds()} s; ${chosen.length} mutants`);
const judge = new Judge(coverages, Number(values.patience) * 1000);
const end = started + Number(values.seconds) * 1000;
await each(chosen, async (mutant) => {
  if (performance.now() > end) return;
  const since = performance.now();
  const siblings = mutants.filter(({ fileName }) => fileName === mutant.fileName).map(({ id }) => id);
  const killer = await judge.killer(mutant, siblings);
  judged.push({ ...mutant, killer, ms: performance.now() - since });
  // Each time, for those who look before the end.
  writeFileSync(VERDICTS, JSON.stringify(judged, undefined, 1));
});
judged.sort((one, other) => (one.file === other.file ? one.start - other.start : one.file < other.file ? -1 : 1));
if (judged.length < wanted.length) console.log(`${wanted.length - judged.length} mutants are not judged: the time was over`);
const isEnough = printScore(judged);
console.log(`${seconds()} s`);
process.exitCode = isEnough ? 0 : 1;

function seconds() {
  return Math.round((performance.now() - started) / 1000);
}

function testFiles(suite) {
  const names = readdirSync(join(ROOT, "tests", suite));
  return names.filter((name) => name.endsWith(".test.js")).map((name) => `tests/${suite}/${name}`);
}

function isChosen({ fileName, location, id }) {
  if (values.file && !values.file.includes(fileName)) return false;
  if (values.again && !survivedLast().has(id)) return false;
  return !values.since || changed(fileName).some(({ from, to }) => from <= location.end.line + 1 && location.start.line + 1 <= to);
}

/** The numbers of the mutants that survived the last time. They hold while the sources stay the same. */
function survivedLast() {
  return (survivedLast.ids ??= new Set(JSON.parse(readFileSync(VERDICTS, "utf8")).flatMap(({ id, killer }) => (killer ? [] : [id]))));
}

/** What the last run said of these mutants, as far as it got. */
function judgedBefore(mutants) {
  const keys = new Set(mutants.map(keyOf));
  return JSON.parse(readFileSync(VERDICTS, "utf8")).filter((mutant) => keys.has(keyOf(mutant)));
}

/** A mutant of the same text of its file. */
function keyOf({ place, change, source }) {
  return `${source} ${place} ${change}`;
}

/** The lines of a file that have changed since. */
function changed(name) {
  const lines = (changed.lines ??= new Map());
  if (!lines.has(name)) lines.set(name, changedLines(`${SOURCES}/${name}`));
  return lines.get(name);
}

function changedLines(path) {
  const git = (...args) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" });
  const base = git("rev-list", "-1", `--before=${values.since} days ago`, "HEAD").trim();
  if (base === "") return [{ from: 1, to: Infinity }];
  const hunks = git("diff", "-U0", base, "--", path).matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm);
  return [...hunks].map(([, from, count = "1"]) => ({ from: Number(from), to: Number(from) + Number(count) - 1 }));
}

/** In a sequence from the seed, so that a night that ends early has seen something of everything. */
function shuffled(mutants) {
  const place = new Map(mutants.map(({ id }) => [id, hash([`${SEED} ${id}`])]));
  return mutants.sort((one, other) => (place.get(one.id) < place.get(other.id) ? -1 : 1));
}

function described(mutant) {
  const { fileName, location, replacement } = mutant;
  const { start, end } = location;
  const lines = texts.get(fileName).split("\n");
  const offset = ({ line, column }) => lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + column;
  const original = texts.get(fileName).slice(offset(start), offset(end));
  const short = (text) => text.replaceAll(/\s+/g, " ").replace(/^(.{60}).+(.{20})$/, "$1…$2");
  const file = `${SOURCES}/${fileName}`;
  return {
    ...mutant,
    file,
    place: `${file}:${start.line + 1}:${start.column + 1}`,
    start: offset(start),
    line: lines[start.line].trim(),
    change: `${short(original)} -> ${short(replacement)}`,
    source: hash([texts.get(fileName)]),
  };
}

/** Runs as many at once as there are jobs, and prints its progress. */
async function each(items, act) {
  const open = [...items];
  let done = 0;
  const work = async () => {
    for (let item = open.shift(); item !== undefined; item = open.shift()) {
      await act(item);
      console.log(`progress ${(done += 1)}/${items.length}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
}
