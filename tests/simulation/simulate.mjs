// Simulates a shop for some seconds, from a seed: node tests/simulation/simulate.mjs --seconds N --seed S
import { parseArgs } from "node:util";
import { inWords, runSequence } from "./run.js";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "10" }, seed: { type: "string", default: "1" } } });
const [seconds, first] = [values.seconds, values.seed].map(Number);
if (!(seconds > 0) || !Number.isSafeInteger(first)) {
  console.error("expected --seconds N, a number above 0, and --seed S, an integer");
  process.exit(2);
}

console.log(`seed ${first}`);
const counts = {};
const began = performance.now();
let seed = first;
let failure;
do {
  failure = await runSequence(seed, counts);
  if (!failure) seed += 1;
} while (!failure && performance.now() - began < 1_000 * seconds);

console.log(`${seed - first + (failure ? 1 : 0)} sequences`);
for (const [kind, count] of Object.entries(counts).sort()) console.log(`${String(count).padStart(8)} ${kind}`);
if (failure) {
  console.log(inWords(seed, failure));
  process.exit(1);
}
