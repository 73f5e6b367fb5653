// Bodies in tiny chunks, against Node: none of them is kept. The night measures 12 connections of a million chunks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createPricer } from "order-cost";
import { createFetchHandler } from "order-cost/worker";
import { statusesOfShort } from "../hostile/chunks.js";
import { withNodeServer } from "../hostile/node-server.js";

test("2 connections of 1,000 chunks of a byte are priced, and plain orders beside them", async () => {
  assert.deepEqual(await withNodeServer(statusesOfShort), [200, 200]);
});

for (const isDeclared of [true, false])
  test(`a body of tiny chunks whose length is ${isDeclared ? "" : "not "}declared keeps none of them`, async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    const bytes = new TextEncoder().encode(
      " ".repeat(20_000) + JSON.stringify({ productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 2 }] }),
    );
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
    const request = new Request("http://shop.example/calculatecost4", {
      method: "POST",
      body,
      duplex: "half",
      headers: isDeclared ? { "content-length": `${bytes.length}` } : {},
    });
    const response = await handle(request, {}, { waitUntil() {} });
    assert.equal((await response.json()).grandTotal, 42);
    assert.equal(request.headers.has("content-length"), isDeclared);
    assert.equal(kept, 0);
  });
