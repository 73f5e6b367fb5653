// The format of versions, which the commands write and the Worker reads.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hashOf, isShardText, recordsOf, shardOf } from "../../pkg/catalogue/format.js";
import fc, { cases } from "../property.js";
import { anyText, naiveRecords } from "./shard-texts.js";

const MOST = Number.MAX_SAFE_INTEGER;
const CODES = [MOST, -MOST, MOST - 1, 0, 1, -1, 7, 10, 100, 110_001, 2 ** 31, 2 ** 32 + 1, -(2 ** 40)];

test("any text: its records are those of its lines, or the text is not a shard's", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const records = naiveRecords(text);
      assert.equal(isShardText(text), records !== undefined);
      if (records) assert.deepEqual(new Map(recordsOf(text).map(({ cprcode, record }) => [cprcode, record])), records);
    }),
    { numRuns: cases(5000) },
  );
});

for (const text of ["1 {}", "1 {}\n\n", "\n", "\n1 {}\n", "1 {}\n2 {}", "1 {}\n\n2 {}\n", " ", "1", "1{}\n"]) {
  test(`not a shard's text: ${JSON.stringify(text)}`, () => {
    assert.equal(isShardText(text), false);
  });
}

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
