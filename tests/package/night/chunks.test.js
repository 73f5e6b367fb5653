// Bodies in tiny chunks, against Node: small memory, and plain orders go on beside them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHarmless } from "../../hostile/chunks.js";
import { withNodeServer } from "../../hostile/node-server.js";

test("12 connections of a million chunks of a byte, with a heap of 512 MB", async (context) => {
  const { statuses } = await withNodeServer((url, pid) => assertHarmless(context, url, pid));
  assert.deepEqual(statuses, Array(12).fill(200));
});
