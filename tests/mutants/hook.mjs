// Runs before each program of a test: notes which mutants each test reaches, or ends a program whose mutant loops or hangs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";

const {
  MUTANT_COVERAGE: folder,
  MUTANT_TEST_FILE: testFile,
  MUTANT_TEST: test,
  MUTANT_MOST_HITS: mostHits,
  MUTANT_TIMES: usual,
} = process.env;
const isTest = isMainThread && process.argv[1] === testFile;
// What the instrumented code reads and writes.
const stryker = (globalThis.__stryker__ ??= {});

if (mostHits) endLoops(Number(mostHits));
if (usual && isTest) await endHangs(JSON.parse(readFileSync(usual, "utf8")));
if (folder) await noteCoverage();

function endLoops(most) {
  let hits = 0;
  const set = (value) => {
    hits = value;
    if (hits <= most) return;
    fail(`the mutant was reached more than ${most} times`);
  };
  Object.defineProperty(stryker, "hitCount", { get: () => hits, set });
  stryker.hitLimit = Infinity;
}

/** Ends the program if a test takes far longer than it usually does, even on a busy machine. */
async function endHangs(times) {
  const { afterEach, beforeEach } = await import("node:test");
  // A test may fake the timers.
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map();
  beforeEach(({ fullName }) => {
    const end = () => fail(`${fullName} does not end`);
    timers.set(fullName, setTimeout(end, 10_000 + 10 * (times[fullName] ?? 0)).unref());
  });
  afterEach(({ fullName }) => clearTimeout(timers.get(fullName)));
}

function fail(why) {
  console.log(`not ok 1 - ${why}`);
  process.exit(1);
}

async function noteCoverage() {
  // A test may fake the clock.
  const now = performance.now.bind(performance);
  const tests = {};
  if (isTest) {
    const { afterEach, beforeEach } = await import("node:test");
    const running = [];
    const isRunning = () => (process.env.MUTANT_TEST = stryker.currentTestId = running.at(-1)?.fullName ?? "");
    beforeEach(({ name, fullName }) => {
      running.push({ name, fullName, since: now() });
      tests[fullName] = { ms: 0, within: running.map(({ fullName }) => fullName), names: running.map(({ name }) => name) };
      isRunning();
    });
    afterEach(({ fullName }) => {
      const place = running.findIndex((test) => test.fullName === fullName);
      if (place < 0) return;
      tests[fullName].ms = now() - running[place].since;
      running.splice(place, 1);
      isRunning();
    });
  } else {
    stryker.currentTestId = test;
  }
  process.on("exit", () => {
    const { static: outside = {}, perTest = {} } = stryker.mutantCoverage ?? {};
    writeFileSync(join(folder, `${process.pid}-${threadId}.json`), JSON.stringify({ tests, outside, perTest }));
  });
}
