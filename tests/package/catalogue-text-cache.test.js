import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextCache } from "../../pkg/catalogue/text-cache.js";

test("the least recently used text goes first", () => {
  const cache = createTextCache(10);
  cache.keep("a", "aaaa");
  cache.keep("b", "bbbb");
  assert.equal(cache.get("a"), "aaaa");
  cache.keep("c", "cccc");
  assert.deepEqual(["a", "b", "c"].map(cache.get), ["aaaa", undefined, "cccc"]);
  assert.equal(cache.bytes, 8);
});

test("a text kept again counts once", () => {
  const cache = createTextCache(10);
  for (const text of ["aaaa", "aaaa", "aaaaaa"]) cache.keep("a", text);
  assert.deepEqual([cache.get("a"), cache.bytes], ["aaaaaa", 6]);
});

test("a text that does not fit pushes nothing out", () => {
  const cache = createTextCache(10);
  cache.keep("a", "a".repeat(10));
  cache.keep("b", "b".repeat(11));
  assert.deepEqual([cache.get("a")?.length, cache.get("b"), cache.bytes], [10, undefined, 10]);
  const none = createTextCache(0);
  none.keep("a", "a");
  assert.deepEqual([none.get("a"), none.bytes], [undefined, 0]);
});

test("Thai text takes two bytes a character", () => {
  const cache = createTextCache(10);
  cache.keep("th", "ไทย");
  assert.equal(cache.bytes, 6);
});

test("whatever is kept, the sum stays within the bound and is right", () => {
  const cache = createTextCache(1000);
  const names = Array.from({ length: 50 }, (_, index) => `${index}`);
  for (let step = 0; step < 5000; step += 1) {
    const name = names[(step * 7 + (step >> 3)) % names.length];
    if (step % 3 === 0) cache.get(name);
    else cache.keep(name, "x".repeat((step * 13) % 400));
    assert.ok(cache.bytes <= 1000);
  }
  const kept = names.map(cache.get).filter((text) => text !== undefined);
  assert.equal(kept.join("").length, cache.bytes);
});
