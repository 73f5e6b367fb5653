// Large reads take turns.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createTurns } from "../../worker/src/look-ups/turns.js";

test("at most the given number run at a time; all run, and one that fails ends its turn", async () => {
  const inTurn = createTurns(2);
  let running = 0;
  let most = 0;
  const work = (fails) => async () => {
    most = Math.max(most, (running += 1));
    await wait(10);
    running -= 1;
    if (fails) throw new Error("failed");
    return "done";
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => inTurn(work(index % 3 === 0))));
  assert.equal(most, 2);
  assert.deepEqual(
    outcomes.map(({ value, reason }) => value ?? reason.message),
    Array(3).fill(["failed", "done", "done"]).flat(),
  );
});

test("what is aborted waits no longer, and never runs", async () => {
  const inTurn = createTurns(1);
  let end;
  const first = inTurn(() => new Promise((resolve) => (end = resolve)));
  const order = new AbortController();
  const run = mock.fn();
  const second = inTurn(run, order.signal);
  order.abort(new Error("gone"));
  await assert.rejects(second, { message: "gone" });
  end();
  await first;
  assert.equal(run.mock.callCount(), 0);
});

test("a slow order keeps its turn until it ends", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  const inTurn = createTurns(1);
  let end;
  const first = inTurn(() => new Promise((resolve) => (end = resolve)));
  const next = mock.fn(async () => "done");
  const outcome = inTurn(next);
  const pass = async (ms) => {
    for (let passed = 0; passed < ms; passed += 5) {
      t.mock.timers.tick(5);
      for (let turns = 0; turns < 5; turns += 1) await null;
    }
  };
  await pass(10_000);
  assert.equal(next.mock.callCount(), 0);
  end();
  await first;
  await pass(10);
  assert.equal(await outcome, "done");
});

test("the turn of an order that the runtime ends is over two seconds later, also if the clock is set back", async (t) => {
  t.mock.method(globalThis, "setInterval", () => {}); // its timers end with it
  for (const [now, later] of [
    [10_000, 12_000],
    [10_000, 8_000],
  ]) {
    const clock = t.mock.method(Date, "now", () => now);
    const inTurn = createTurns(1);
    inTurn(() => new Promise(() => {}));
    const next = mock.fn(async () => "done");
    const outcome = inTurn(next);
    await wait(20);
    assert.equal(next.mock.callCount(), 0);
    clock.mock.mockImplementation(() => later);
    assert.equal(await outcome, "done");
    clock.mock.restore();
  }
});
