// Runs before each program of a test that is told the name of its mutant or the folder for its coverage: notes which
// mutants each test reaches, and ends a program whose mutant loops.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";

const { MUTANT_COVERAGE: folder, MUTANT_TEST_FILE: testFile, MUTANT_TEST: test, MUTANT_MOST_HITS: mostHits } = process.env;
// What the instrumented code reads and writes.
const stryker = (globalThis.__stryker__ ??= {});

if (mostHits) endLoops(Number(mostHits));
if (folder) await noteCoverage();

function endLoops(most) {
  let hits = 0;
  const set = (value) => {
    hits = value;
    if (hits <= most) return;
    console.log(`not ok 1 - the mutant was reached more than ${most} times`);
    process.exit(1);
  };
  Object.defineProperty(stryker, "hitCount", { get: () => hits, set });
  stryker.hitLimit = Infinity;
}

async function noteCoverage() {
  // A test may fake the clock.
  const now = performance.now.bind(performance);
  const tests = {};
  if (isMainThread && process.argv[1] === testFile) {
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
