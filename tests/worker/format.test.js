// The format of versions, which the commands write and the Worker reads.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { findRecord, hashOf, recordsOf, shardOf, shardText } from "../../worker/src/catalogue/format.js";

const MOST = Number.MAX_SAFE_INTEGER;
const CODES = [MOST, -MOST, MOST - 1, 0, 1, -1, 7, 10, 100, 110_001, 2 ** 31, 2 ** 32 + 1, -(2 ** 40)];

test("a record is found by its code, whatever other codes there are", () => {
  const record = (cprcode) => `{"price":${cprcode}, "weight":1}`;
  for (let count = 0; count <= CODES.length; count += 1) {
    const [held, others] = [CODES.slice(0, count), [...CODES.slice(count), 2, 11, 1100, MOST - 3]];
    const text = shardText(held.map((cprcode) => ({ cprcode, record: record(cprcode) })));
    for (const cprcode of held) assert.equal(findRecord(text, cprcode), record(cprcode));
    for (const cprcode of others) assert.equal(findRecord(text, cprcode), undefined, `${cprcode}`);
    assert.deepEqual(
      recordsOf(text).map(({ cprcode }) => cprcode),
      held.toSorted((left, right) => left - right),
    );
  }
});

test("consecutive codes spread evenly, and twice as many shards are halves of each", () => {
  const counts = Array(64).fill(0);
  for (let cprcode = 110_000; cprcode < 142_000; cprcode += 1) {
    const shard = shardOf(cprcode, 64);
    counts[shard] += 1;
    for (const fewer of [1, 2, 4, 8, 16, 32]) assert.equal(shardOf(cprcode, fewer), Math.floor((shard * fewer) / 64));
  }
  assert.ok(Math.min(...counts) > 400 && Math.max(...counts) < 600, `${counts}`);
  for (const cprcode of CODES) assert.ok(shardOf(cprcode, 256) >= 0 && shardOf(cprcode, 256) < 256);
});

test("a name is the first 128 bits of the text's SHA-256", async () => {
  for (const text of ["", "1 {}\n", "ราคา"]) {
    assert.equal(await hashOf(text), createHash("sha256").update(text).digest("hex").slice(0, 32));
  }
});
