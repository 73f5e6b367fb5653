import assert from "node:assert/strict";
import { test } from "node:test";
import { allAtNight, cases, SEED } from "../effort.js";
import { CATEGORIES, categories } from "../model/categories.js";
import { generate } from "../model/generate.js";
import { price } from "../model/price.js";
import { differenceOf } from "./difference.js";

const CASES = allAtNight(500, cases(1_500));
const ENOUGH = Math.floor(CASES / 200); // about 1 % of the cases are of the rarest category
const SHOWN = 5;

test(`${CASES} generated cases from seed ${SEED}: the package gives the model's bytes`, async (context) => {
  const counts = Object.fromEntries(CATEGORIES.map((category) => [category, 0]));
  const mismatches = [];
  for (let seed = SEED; seed < SEED + CASES; seed += 1) {
    const testCase = generate(seed);
    const expected = price(testCase);
    for (const category of categories(testCase, expected)) counts[category] += 1;
    const difference = await differenceOf(testCase, expected);
    if (difference) mismatches.push(`seed ${seed} (${testCase.tags.join(", ")}):\n${difference}`);
  }
  for (const [category, count] of Object.entries(counts)) context.diagnostic(`${String(count).padStart(6)} ${category}`);
  const shown = mismatches.slice(0, SHOWN).join("\n\n");
  assert.equal(mismatches.length, 0, `${mismatches.length} of ${CASES} differ. The first:\n\n${shown}\n`);
  const rare = CATEGORIES.filter((category) => counts[category] < ENOUGH);
  assert.deepEqual(rare, [], `fewer than ${ENOUGH} cases each`);
});
