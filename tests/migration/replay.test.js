// A redacted capture, priced again, gives the same answer and the same differences as the order itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cases } from "../effort.js";
import { hostFor, optionsFor } from "../golden/host.js";
import { bodyBytes } from "../model/body.js";
import { generate } from "../model/generate.js";
import { randomFrom } from "../model/generator/random.js";
import { changedAnswer } from "./changes.js";
import { captured, differencesOf, openCapture, priced } from "./exchange.js";

const CASES = cases(250);

function utf8Of(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function firstDifference(again, shown) {
  const at = [...again].findIndex((_, index) => again[index] !== shown[index]);
  return [again, shown].map((text) => text.slice(Math.max(at - 60, 0), at + 60)).join("\n");
}

test(`${CASES} generated orders`, async (context) => {
  const counts = { priced: 0, failed: 0, differences: 0, withVouchers: 0, moved: 0, lenient: 0, left: 0 };
  for (let seed = 1; seed <= CASES; seed += 1) {
    const testCase = generate(seed);
    const random = randomFrom(seed);
    const { deliveryZones, ...options } = optionsFor(testCase);
    const body = bodyBytes(testCase);
    const limits = { maxBodyBytes: 1_048_576, ...options.limits };
    if (body.length > limits.maxBodyBytes) continue;
    const zones = JSON.stringify(deliveryZones);
    const { answer, facts, isRepeatable } = await priced(body, hostFor(testCase).host, {
      ...options,
      deadlineMs: 50,
      limits,
      deliveryZones: zones,
    });
    if (!isRepeatable) continue;
    const legacy = { status: answer.status, text: random.chance(0.2) ? answer.text : changedAnswer(random, answer.text) };
    const capture = await captured({
      order: utf8Of(body),
      answer,
      facts,
      legacy,
      input: options.input,
      policy: options.policy,
      limits,
      zones,
    });
    if (capture === undefined) {
      counts.left += 1;
      continue;
    }
    const why = `seed ${seed} (${testCase.tags.join(", ")})`;
    const opened = openCapture(capture, zones);
    const again = await opened.pricedAgain();
    const shown = opened.part("new", "body");
    assert.ok(again.text === shown, `${why}: ${firstDifference(again.text, shown)}`);
    assert.equal(again.status, answer.status, why);
    const expected = differencesOf(legacy.text, answer.text);
    assert.deepEqual(differencesOf(opened.part("legacy", "body"), again.text), expected, why);
    counts[answer.status === 200 ? "priced" : "failed"] += 1;
    counts.differences += expected.length;
    counts.withVouchers += answer.text.includes('"validVouchers":[{') ? 1 : 0;
    counts.lenient += options.input === "lenient" ? 1 : 0;
    counts.moved += capture.includes('"shippingLat":') ? 1 : 0;
  }
  context.diagnostic(JSON.stringify(counts));
  const { left, ...others } = counts;
  assert.ok(left < CASES / 50, `${left} without a capture`); // those with a limit of a few bytes
  for (const [name, count] of Object.entries(others)) assert.ok(count > CASES / 50, `${name}: ${count}`);
});
