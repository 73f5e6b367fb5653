// A signal during an order that never ends. It takes the ten seconds of the order's deadline.
import assert from "node:assert/strict";
import { test } from "node:test";
import { beginOrder, servedApart } from "../served.js";

test("a signal waits ten seconds for an order that does not go on", async () => {
  const { url, end } = await servedApart();
  await beginOrder(url, {});
  const started = Date.now();
  assert.equal(await end(), 0);
  const waited = Date.now() - started;
  assert.ok(waited > 5_000 && waited < 60_000, `${waited} ms`);
});
