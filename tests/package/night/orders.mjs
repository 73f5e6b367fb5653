// Generated orders until a number or a time is reached: the package must give the model's bytes for each.
//   node tests/package/night/orders.mjs --seed=N (--orders=N | --seconds=N)
import { parseArgs } from "node:util";
import { generate } from "../../model/generate.js";
import { price } from "../../model/price.js";
import { differenceOf } from "../difference.js";

const { values } = parseArgs({
  options: { seed: { type: "string" }, orders: { type: "string" }, seconds: { type: "string" } },
});
const [first, orders, seconds] = [values.seed ?? 1, values.orders ?? 1e12, values.seconds ?? 1e9].map(Number);

/** Stops after this many differences. */
const MOST = 5;
const A_SECOND = 1_000;

const started = performance.now();
const elapsed = () => (performance.now() - started) / A_SECOND;

const differences = [];
let priced = 0;
let seed = first;
for (; seed < first + orders && elapsed() < seconds && differences.length < MOST; seed += 1) {
  const testCase = generate(seed);
  const expected = price(testCase);
  if (expected.text !== undefined) priced += 1;
  const difference = await differenceOf(testCase, expected);
  if (difference) differences.push({ seed, tags: testCase.tags, difference });
  if (seed % A_SECOND === 0) console.log(progress());
}

for (const { seed, tags, difference } of differences) {
  console.log(`\nseed ${seed} (${tags.join(", ")}):\n${difference}`);
  console.log(`  ORDER_COST_SEED=${seed} ORDER_COST_TIMES=0.0001 cargo xtask test --only package generated.test.js`);
}
const tried = seed - first;
console.log(`${tried} orders from seed ${first}, ${priced} of them priced: ${differences.length || "none"} differ`);
process.exitCode = differences.length > 0 ? 1 : 0;

/** In orders or in seconds, whichever ends the run. */
function progress() {
  return values.orders ? `progress ${seed - first}/${orders}` : `progress ${Math.round(elapsed())}/${seconds}`;
}
