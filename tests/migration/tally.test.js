// How many orders at the end did not reach the old side.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Tally } from "../../worker/migration/collect/tally.js";

test("orders end in another sequence than they begin: those after the last that was reached count", () => {
  const tally = new Tally();
  const after = [];
  for (const [line, isReached] of [
    [1, false],
    [4, false],
    [3, true],
    [2, false],
    [5, false],
    [2, true],
    [5, true],
    [6, false],
  ]) {
    tally.note(line, isReached);
    after.push(tally.unreached);
  }
  assert.deepEqual(after, [1, 2, 1, 1, 2, 2, 0, 1]);
});

test("while the old side is down, an order costs no more than one before it", () => {
  const tally = new Tally();
  let compared = 0;
  const line = (number) => ({ valueOf: () => ((compared += 1), number) });
  const ORDERS = 1_000;
  for (let number = 1; number <= ORDERS; number += 1) tally.note(line(number), false);
  assert.equal(tally.unreached, ORDERS);
  assert.ok(compared <= ORDERS, `${compared} comparisons`);
});
