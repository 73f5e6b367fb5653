// The format of versions, which the commands write and the Worker reads.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { findRecord, hashOf, isShardText, recordsOf, shardOf, shardText } from "../../pkg/catalogue/format.js";
import fc, { cases } from "../property.js";
import { anyText, code, naiveRecords } from "./shard-texts.js";

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

/** A text that counts its searches, so that one without an end is seen. */
class Counted extends String {
  searches = 0;

  indexOf(...search) {
    this.searches += 1;
    if (this.searches > 1000) throw new EndlessSearch();
    return super.indexOf(...search);
  }
}

class EndlessSearch extends Error {}

function assertEnds(text, cprcode) {
  try {
    findRecord(new Counted(text), cprcode);
  } catch (error) {
    assert.equal(error.message, "expected the text of a shard");
  }
}

test("any text: a record is found as by reading all lines, or the text is not a shard's", () => {
  fc.assert(
    fc.property(anyText, code, (text, cprcode) => {
      const records = naiveRecords(text);
      assert.equal(isShardText(text), records !== undefined);
      if (records) {
        assert.equal(findRecord(text, cprcode), records.get(cprcode));
        assert.deepEqual(new Map(recordsOf(text).map(({ cprcode, record }) => [cprcode, record])), records);
        for (const [held, record] of records) assert.equal(findRecord(text, held), record);
        return;
      }
      assertEnds(text, cprcode);
    }),
    { numRuns: cases(5000) },
  );
});

for (const text of ["1 {}", "1 {}\n\n", "\n", "\n1 {}\n", "1 {}\n2 {}", "1 {}\n\n2 {}\n", " ", "1", "1{}\n"]) {
  test(`not a shard's text: ${JSON.stringify(text)}`, () => {
    assert.equal(isShardText(text), false);
    for (const cprcode of [0, 1, 2, 3]) assertEnds(text, cprcode);
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
