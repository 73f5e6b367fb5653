// Random sequences of actions, one per seed, and the shortest one that fails.
import assert from "node:assert/strict";
import { anyPolicy } from "../model/generator/policy.js";
import { randomFrom } from "../model/generator/random.js";
import fc from "../property.js";
import { actionsOf } from "./actions.js";
import { Shop } from "./shop.js";

const UNHANDLED = ["unhandledRejection", "uncaughtException"];
const MOST_ACTIONS = 80;

const setting = fc.record({
  hasDeadline: fc.boolean(),
  asksZones: fc.boolean(),
  isHuge: fc.nat({ max: 9 }).map((one) => one === 9),
  policy: fc.option(
    fc.nat().map((seed) => anyPolicy(randomFrom(seed))),
    { nil: {} },
  ),
});

/** Runs the sequence of a seed. Returns undefined, or the failure in words. `counts` counts the actions. */
export async function runSequence(seed, counts) {
  const log = (kind) => (counts[kind] = (counts[kind] ?? 0) + 1);
  const random = randomFrom(seed);
  const sequence = fc.commands(actionsOf(random), { maxCommands: MOST_ACTIONS, size: "max" });
  let runs = 0;
  const property = fc.asyncProperty(setting, sequence, (options, commands) => live(options, commands, runs++ === 0 ? log : () => {}));
  const result = await fc.check(property, { seed: random.integer(0, 2 ** 31 - 1), numRuns: 1 });
  if (!result.failed) return undefined;
  const [options, commands] = result.counterexample;
  return { options, actions: [...commands].map(String), error: result.errorInstance };
}

async function live(options, commands, log) {
  const shop = await Shop.open(options);
  shop.log = log;
  const unhandled = (error) => shop.check(() => assert.fail(error));
  for (const event of UNHANDLED) process.on(event, unhandled);
  try {
    await fc.asyncModelRun(() => ({ model: shop, real: shop }), commands);
    await shop.end();
  } finally {
    shop.close();
    for (const event of UNHANDLED) process.off(event, unhandled);
  }
}

/** A failure in words. */
export function inWords(seed, { options, actions: done, error }) {
  const { hasDeadline, asksZones, isHuge, policy } = options;
  return [
    `seed ${seed} fails. The shortest sequence:`,
    `  a pricer ${hasDeadline ? "with a deadline" : "without a deadline"}, whose zones ${asksZones ? "a function gives" : "are given"}${isHuge ? ", in a world of huge prices" : ""}, ${JSON.stringify(policy)}`,
    ...done.map((words) => `  ${words}`),
    "",
    `${error.stack}`,
    "",
    `Repeat it: cargo xtask test --night simulation --seconds 1 --seed ${seed}`,
  ].join("\n");
}
