import assert from "node:assert/strict";
import { test } from "node:test";
import { Held } from "../../worker/shadow/src/held.js";
import { createShadow } from "../../worker/shadow/src/shadow.js";

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

test("where the other side hangs, orders beyond 16 MiB are served and left out", async (context) => {
  const { mock } = context.mock.method(console, "log", () => {});
  const begun = [];
  const legacy = {
    serve: async () => ({ response: new Response("served"), answer: { status: 200, text: "{}" } }),
    pass: async () => new Response("passed"),
  };
  const fresh = { ask: () => new Promise(() => {}) };
  const options = { serve: {}, share: 1, comparesCoupons: true, maxBodyBytes: 4 * MIB };
  const answer = createShadow({ legacy, new: fresh }, undefined, options);

  context.mock.timers.enable({ apis: ["setTimeout"] }); // the other side's 10 s never pass
  const order = { method: "POST", headers: { "x-request-id": "r-1" }, body: " ".repeat(4 * MIB) };
  const send = async () => (await answer(new Request("https://shop.example/calculatecost4", order), { waitUntil: (work) => begun.push(work) })).text();
  for (let count = 0; count < 4; count += 1) assert.equal(await send(), "served");
  assert.equal(await send(), "passed");
  assert.equal(begun.length, 4);
  const lines = mock.calls.map(({ arguments: [text] }) => JSON.parse(text));
  assert.deepEqual(lines, [{ level: "info", event: "left-out", requestId: "r-1", route: "calculatecost4", reason: "memory" }]);
});
