// The access check: inside the order's deadline, whatever it waits for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { spentMs } from "../../pkg/core/symbols.js";
import { createAccess } from "../../worker/src/access/access.js";
import { takeLines } from "../../worker/src/log/log.js";

test("a rate limiter that hangs holds no order longer than its deadline", async () => {
  const lines = [];
  const giveBack = takeLines((line) => lines.push(JSON.parse(line)));
  const platform = { rateLimiter: { limit: () => new Promise(() => {}) }, addressOf: () => "", signing: {} };
  const { admit } = createAccess({ apiKeys: [], deadlineMs: 20 }, platform);
  const answer = admit(() => assert.fail("it is not let in"));
  const response = await answer(new Request("http://localhost/calculatecost4", { method: "POST" }), {});
  giveBack();
  assert.deepEqual([response.status, response.headers["x-order-cost-error"]], [500, "DEADLINE_EXCEEDED"]);
  assert.deepEqual(JSON.parse(response.body), { error: "The order was not priced within 20 ms" });
  assert.deepEqual(
    lines.map(({ message, cause }) => [message, cause]),
    [["The order was not priced within 20 ms", "the access check"]],
  );
});

test("what the check takes of the deadline is not the order's any more", async () => {
  const limit = () => new Promise((resolve) => setTimeout(() => resolve({ success: true }), 20));
  const platform = { rateLimiter: { limit }, addressOf: () => "", signing: {} };
  const { admit } = createAccess({ apiKeys: [], deadlineMs: 60_000 }, platform);
  const request = new Request("http://localhost/calculatecost4", { method: "POST" });
  await admit(() => {})(request, {});
  assert(request[spentMs] > 10, `${request[spentMs]} ms`);
});
