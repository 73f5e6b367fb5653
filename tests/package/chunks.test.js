// Bodies in tiny chunks, against Node: small memory, and plain orders go on beside them.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createPricer } from "order-cost";
import { createFetchHandler } from "order-cost/worker";
import { assertHarmless } from "../hostile/chunks.js";

test("12 connections of a million chunks of a byte, with a heap of 512 MB", async (context) => {
  const server = fork(fileURLToPath(new URL("../hostile/node.js", import.meta.url)), { execArgv: ["--max-old-space-size=512"] });
  const died = once(server, "exit").then(([code, signal]) => assert.fail(`Node has died: ${code ?? signal}`));
  died.catch(() => {});
  try {
    const [port] = await Promise.race([once(server, "message"), died]);
    const { statuses } = await Promise.race([assertHarmless(context, `http://127.0.0.1:${port}`, server.pid), died]);
    assert.deepEqual(statuses, Array(12).fill(200));
  } finally {
    server.kill();
  }
});

test("a body of tiny chunks whose length is declared keeps none of them", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const bytes = new TextEncoder().encode(" ".repeat(20_000) + JSON.stringify({ productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 2 }] }));
  const early = [];
  let kept;
  let next = 0;
  const body = new ReadableStream({
    async pull(controller) {
      const chunk = bytes.slice(next, next + 1);
      if (next < 1_000) early.push(new WeakRef(chunk));
      next += 1;
      controller.enqueue(chunk);
      if (next < bytes.length) return;
      await new Promise((resolve) => setTimeout(resolve));
      collect();
      kept = early.filter((chunk) => chunk.deref()).length;
      controller.close();
    },
  });
  const handle = createFetchHandler(() => createPricer({ lookupPrices: () => [{ price: 21 }] }));
  const request = new Request("http://shop.example/calculatecost4", { method: "POST", body, duplex: "half", headers: { "content-length": `${bytes.length}` } });
  const response = await handle(request, {}, { waitUntil() {} });
  assert.equal((await response.json()).grandTotal, 42);
  assert.equal(request.headers.get("content-length"), `${bytes.length}`);
  assert.equal(kept, 0);
});
