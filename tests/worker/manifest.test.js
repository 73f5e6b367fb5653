// Which values of `current` the Worker takes up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readManifest } from "../../worker/src/catalogue/manifest.js";

const HASH = "0123456789abcdef0123456789abcdef";
const RIGHT = { format: 1, id: HASH.slice(16), zones: HASH, branches: { 1000: { shardCount: 2, shards: [HASH, ""] } } };
const read = (manifest) => readManifest(JSON.stringify(manifest));

test("a manifest with lists of shards, or with names of such lists", () => {
  assert.deepEqual(read(RIGHT), RIGHT);
  for (const change of [{ zones: null }, { branches: {} }, { branches: { x: { shardCount: 4, list: HASH } } }]) {
    assert.deepEqual(read({ ...RIGHT, ...change }), { ...RIGHT, ...change });
  }
});

for (const change of [
  ...["", "a\nb", "ก", 5, null, `${HASH}0`].map((id) => ({ id })),
  ...["", "nothash", 5, undefined, [HASH], "x".repeat(600)].map((zones) => ({ zones })),
  ...[[], null, "x", undefined].map((branches) => ({ branches })),
  ...[
    null,
    {},
    { shardCount: 2, shards: [HASH] },
    { shardCount: 0, shards: [] },
    { shardCount: 2, shards: [1, 2] },
    { shardCount: 2, shards: [null, null] },
    { shardCount: 1, shards: ["x".repeat(600)] },
    { shardCount: 1.5, list: HASH },
    { shardCount: 2, list: "nothash" },
    { list: HASH },
  ].map((branch) => ({ branches: { 1000: branch } })),
]) {
  test(`refused: ${JSON.stringify(change).slice(0, 60)}`, () => {
    assert.throws(() => read({ ...RIGHT, ...change }), { message: "expected a manifest of format 1" });
  });
}

for (const [text, message] of [
  ["{", "expected JSON"],
  ["null", "expected format 1, got undefined"],
  ['{"format":2}', "expected format 1, got 2"],
]) {
  test(`refused: ${text}`, () => assert.throws(() => readManifest(text), { message }));
}
