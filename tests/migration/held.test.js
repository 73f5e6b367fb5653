import assert from "node:assert/strict";
import { test } from "node:test";
import { copied } from "../../worker/migration/sides/body.js";
import { Held } from "../../worker/migration/src/held.js";
import { createShadow } from "../../worker/migration/src/shadow.js";

const MIB = 1_048_576;

/** workerd has it: a stream that keeps nothing. */
globalThis.IdentityTransformStream = class extends TransformStream {
  constructor() {
    super({}, { highWaterMark: 0 }, { highWaterMark: 0 });
  }
};

test("orders hold 16 MiB, then none holds more until one is released", () => {
  const held = new Held();
  const [one, other] = [{}, {}];
  assert.ok(held.take(one, 12 * MIB));
  assert.ok(held.take(other, 4 * MIB));
  assert.equal(held.take(one, 1), false);
  held.release(other);
  assert.ok(held.take(one, 4 * MIB));
  assert.equal(held.take(other, 1), false);
});

test("one that never ends counts for a minute", (context) => {
  context.mock.timers.enable({ apis: ["Date"] });
  const held = new Held();
  held.take({}, 16 * MIB);
  context.mock.timers.tick(59_000);
  assert.equal(held.take({}, 1), false);
  context.mock.timers.tick(2_000);
  assert.ok(held.take({}, 1));
});

/** A shadow Worker of these sides, what it has logged, and what goes on after its answers. */
function shadowOf(context, sides) {
  const { mock } = context.mock.method(console, "log", () => {});
  const after = [];
  const answer = createShadow(sides, undefined, {
    serve: {},
    share: 1,
    comparesCoupons: true,
    orderDeadlineMs: 10_000,
    maxBodyBytes: 4 * MIB,
  });
  return {
    after,
    lines: () => mock.calls.map(({ arguments: [text] }) => JSON.parse(text)),
    async send(bytes) {
      const order = { method: "POST", headers: { "x-request-id": "r-1" }, body: " ".repeat(bytes) };
      return (await answer(new Request("https://shop.example/calculatecost4", order), { waitUntil: (work) => after.push(work) })).text();
    },
  };
}

const leftOut = (reason) => ({ level: "info", event: "left-out", requestId: "r-1", route: "calculatecost4", reason });
const passed = async (request) => new Response(`passed ${(await request.text()).length}`);

test("where the other side hangs, orders beyond 16 MiB are served and left out", async (context) => {
  const legacy = { serve: async () => ({ response: new Response("served"), answer: { status: 200, copy: { text: "{}" } } }), pass: passed };
  const { send, after, lines } = shadowOf(context, { legacy, new: { ask: () => new Promise(() => {}) } });
  context.mock.timers.enable({ apis: ["setTimeout"] }); // the other side's 10 s never pass
  for (let count = 0; count < 4; count += 1) assert.equal(await send(4 * MIB), "served");
  assert.equal(await send(MIB), `passed ${MIB}`);
  assert.equal(after.length, 4);
  assert.deepEqual(lines(), [leftOut("memory")]);
});

test("where the serving side hangs, too", async (context) => {
  let served = 0;
  const legacy = { serve: () => new Promise(() => (served += 1)), pass: passed };
  const { send, lines } = shadowOf(context, { legacy, new: {} });
  for (let count = 0; count < 4; count += 1) send(4 * MIB);
  while (served < 4) await new Promise(setImmediate);
  assert.equal(await send(MIB), `passed ${MIB}`);
  assert.deepEqual(lines(), [leftOut("memory")]);
});

test("an answer that there is no room for reaches the client, and is not compared", async (context) => {
  const long = "x".repeat(3.5 * MIB);
  const legacy = {
    async serve(order, room) {
      const { readable, copy } = copied(new Response(long), room, 10_000);
      return { response: new Response(readable), answer: { status: 200, copy } };
    },
  };
  const asked = [];
  const { send, after, lines } = shadowOf(context, { legacy, new: { ask: (order) => asked.push(order) && new Promise(() => {}) } });
  context.mock.timers.enable({ apis: ["setTimeout"] });
  assert.equal(await send(4 * MIB), long);
  assert.equal(await send(4 * MIB), long);
  assert.equal(await send(1024), long);
  await after.at(-1);
  assert.equal(asked.length, 2);
  assert.deepEqual(lines(), [leftOut("memory")]);
});

test("the copy of an answer is what its reader has read: nothing is read ahead for it", async () => {
  let given = 0;
  const source = new ReadableStream(
    { pull: (controller) => controller.enqueue(new Uint8Array((given += 1) && 1000)) },
    { highWaterMark: 0 },
  );
  const { readable, copy } = copied(new Response(source), () => undefined, 10_000);
  const reader = readable.getReader();
  await reader.read();
  assert.equal(given, 1);
  await reader.cancel();
  assert.deepEqual(await copy, { reason: "hungUp" });
});
