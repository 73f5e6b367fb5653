// Whether a test fails with a mutant.
import { timesOf } from "./coverage.mjs";
import { runTests } from "./program.mjs";

/** A busy machine must not make a mutant look like one that hangs. */
const patience = (ms) => 20_000 + 5 * ms;

/** Far more often than a program that ends reaches a mutant. */
const mostHits = (hits = 0) => 1_000 + 100 * hits;

/** Judges mutants by the tests that reach them: first the files that are quick and often notice a mutant of its file. */
export class Judge {
  #coverages;
  #patienceMs;
  /** By source and test file, how many mutants were tried and how many noticed. */
  #tallies = new Map();
  /** Whether a test passes without the others of its file: by file and name. */
  #alone = new Map();

  /**
   * @param {import("./coverage.mjs").Coverage[]} coverages
   * @param {number} patienceMs how long to look for a test that notices a mutant
   */
  constructor(coverages, patienceMs) {
    this.#coverages = coverages;
    this.#patienceMs = patienceMs;
  }

  /** The test that fails with the mutant, "" if none did in time, undefined if none reaches it. `siblings` are the mutants of its file. */
  async killer({ id, file }, siblings) {
    const runs = this.#coverages.flatMap((coverage) => [...chosenRun(coverage, id), ...wholeRun(coverage, id, siblings)]);
    if (runs.length === 0) return undefined;
    const cost = (run) => (run.ms * (this.#tally(file, run).tried + 2)) / (this.#tally(file, run).noticed + 1);
    runs.sort((one, other) => cost(one) - cost(other));
    const end = performance.now() + this.#patienceMs;
    for (const run of runs) {
      if (performance.now() > end) break;
      const failed = await this.#failed(run, id);
      const tally = this.#tally(file, run);
      tally.tried += 1;
      if (failed === undefined) continue;
      tally.noticed += 1;
      return failed;
    }
    return "";
  }

  #tally(file, { coverage }) {
    const key = `${file} ${coverage.file}`;
    if (!this.#tallies.has(key)) this.#tallies.set(key, { tried: 0, noticed: 0 });
    return this.#tallies.get(key);
  }

  async #failed({ coverage, names, ms }, id) {
    const { file } = coverage;
    const env = { __STRYKER_ACTIVE_MUTANT__: id, MUTANT_MOST_HITS: `${mostHits(coverage.hits[id])}`, MUTANT_TIMES: timesOf(file) };
    const failed = await runTests(file, { names, env, mostMs: patience(ms), bail: true });
    if (failed.length === 0) return undefined;
    if (!names || (await this.#standsAlone(coverage, failed[0]))) return `${file}: ${failed[0] ?? "it did not end well"}`;
    // The test needs those before it: only the whole file says more.
    if (!coverage.isSound) return undefined;
    return this.#failed({ coverage, ms: coverage.ms }, id);
  }

  #standsAlone(coverage, name) {
    if (name === undefined) return true;
    const key = `${coverage.file} ${name}`;
    if (!this.#alone.has(key)) this.#alone.set(key, passesAlone(coverage, name));
    return this.#alone.get(key);
  }
}

async function passesAlone(coverage, name) {
  const tests = Object.keys(coverage.tests).filter((test) => coverage.tests[test].names.at(-1) === name);
  if (tests.length === 0) return true; // a suite, or the hook itself
  const failed = await runTests(coverage.file, { names: namesOf(coverage, tests), mostMs: patience(coverage.ms) });
  return failed.length === 0;
}

function chosenRun(coverage, id) {
  const tests = coverage.reachedBy[id];
  if (!tests) return [];
  const all = Object.values(coverage.tests);
  const start = coverage.ms - sum(all);
  return [{ coverage, names: namesOf(coverage, tests), ms: Math.max(0, start) + sum(tests.map((test) => coverage.tests[test])) }];
}

/** Where a mutant is reached when a module loads, any test that uses the module may see it. */
function wholeRun(coverage, id, siblings) {
  if (!coverage.outside[id] || !coverage.isSound || !siblings.some((sibling) => coverage.reachedBy[sibling])) return [];
  return [{ coverage, ms: coverage.ms }];
}

/** The names of tests, of those that they are in, and of those in them. */
function namesOf({ tests }, wanted) {
  const chosen = Object.values(tests).filter(({ within }) => within.some((test) => wanted.includes(test)));
  return [...new Set(chosen.flatMap(({ names }) => names))];
}

const sum = (tests) => tests.reduce((ms, test) => ms + test.ms, 0);
