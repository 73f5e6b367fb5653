// How texts are read from KV in bulk.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createBulkReader } from "../../worker/src/cloudflare/bulk-reader.js";

const TOO_LONG = "x".repeat(513);

function setUp(texts) {
  const get = mock.fn(async (keys) => new Map([...keys].reverse().map((key) => [key, texts[key] ?? null])));
  return { get, read: createBulkReader("voucher store", { get }) };
}

test("the texts come in the order of the keys, and null for a key that is missing or that KV cannot hold", async () => {
  const { get, read } = setUp({ a: "A", b: "B" });
  const onRead = mock.fn();
  assert.deepEqual(await read(["b", TOO_LONG, "none", "a", "b"], onRead), ["B", null, null, "A", "B"]);
  assert.deepEqual(
    get.mock.calls.flatMap(({ arguments: [keys] }) => keys),
    ["b", "none", "a", "b"],
  );
  assert.deepEqual(
    onRead.mock.calls.map((call) => call.arguments),
    [[4]],
  );
});

test("100 keys at once, and none without a key", async () => {
  const { get, read } = setUp({});
  for (const [count, reads] of [
    [0, []],
    [100, [100]],
    [201, [100, 100, 1]],
  ]) {
    get.mock.resetCalls();
    assert.equal((await read(Array.from({ length: count }, (_, index) => `k${index}`))).length, count);
    assert.deepEqual(
      get.mock.calls.map(({ arguments: [keys] }) => keys.length),
      reads,
    );
  }
});
