import assert from "node:assert/strict";
import { test } from "node:test";
import { Held } from "../../worker/shadow/src/held.js";

const MIB = 1_048_576;

test("comparisons hold 16 MiB, then no more begin until one ends", () => {
  const held = new Held();
  const [one, other] = [{}, {}];
  held.add(one, 10 * MIB);
  held.add(other, 4 * MIB);
  assert.equal(held.isFull, false);
  held.add(one, 2 * MIB);
  assert.equal(held.isFull, true);
  held.release(other);
  assert.equal(held.isFull, false);
});

test("one that never ends counts for a minute", (context) => {
  context.mock.timers.enable({ apis: ["Date"] });
  const held = new Held();
  held.add({}, 16 * MIB);
  context.mock.timers.tick(59_000);
  assert.equal(held.isFull, true);
  context.mock.timers.tick(2_000);
  assert.equal(held.isFull, false);
});
