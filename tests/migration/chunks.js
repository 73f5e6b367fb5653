// Bodies and answers in tiny chunks, or that never end, through the shadow Worker.
import assert from "node:assert/strict";
import http from "node:http";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { statusesOfShort, waits } from "../hostile/chunks.js";
import { eventually, send } from "./shop.js";
import { crumbs, shop } from "./started.js";

const ORDER = '{"productList":[{"cprcode":5000,"productName":"Rice","quantity":1}]}';

test("2 connections of 1,000 chunks of a byte are priced, and plain orders beside them", async () => {
  assert.deepEqual(await statusesOfShort(shop.urls.new), [200, 200]);
});

/** Sends the head of an order and a byte of it, again and again. */
function trickle(url, id) {
  const request = http.request(`${url}/calculatecost4`, {
    method: "POST",
    agent: false,
    headers: { "x-request-id": id, "transfer-encoding": "chunked" },
  });
  const timer = setInterval(() => request.write(" "), 20);
  return new Promise((resolve, reject) => {
    request.on("error", reject).on("response", async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, code: response.headers["x-order-cost-error"], id: response.headers["x-request-id"], body });
    });
  }).finally(() => {
    clearInterval(timer);
    request.destroy();
  });
}

test("a body that trickles fails by the order's deadline, as the pricing Worker fails it", async () => {
  const expected = { status: 500, code: "DEADLINE_EXCEEDED", id: "r-slow", body: '{"error":"The order was not priced within 300 ms"}' };
  assert.deepEqual(await trickle(shop.urls.hasty, "r-slow"), expected);
  const line = await eventually(() => shop.linesOf("left-out").find(({ requestId }) => requestId === "r-slow"), "the line");
  assert.deepEqual(line, { level: "info", event: "left-out", requestId: "r-slow", route: "calculatecost4", reason: "deadline" });
  assert.equal(
    shop.legacy.received.some(({ headers }) => headers["x-request-id"] === "r-slow"),
    false,
  );
});

// Both wait for the end of 10 s.
describe("an old service whose answer is tiny chunks without an end", { concurrency: true }, () => {
  test("asked second, it has failed in time, and orders go on", async () => {
    const { status } = await send(`${shop.urls.crumbsAsked}/calculatecost4`, { body: ORDER, headers: { "x-request-id": "r-asked" } });
    assert.equal(status, 200);
    let line;
    const comparison = shop.comparisonOf("r-asked").then((found) => (line = found));
    await Promise.all([comparison, waits(shop.urls.new, () => wait(250).then(() => !line))]);
    assert.deepEqual([line.outcome, line.reason], ["legacyFailed", { legacy: "timeout" }]);
    await eventually(() => crumbs.open() === 0, "the end of the answer");
  });

  test("as the side that serves: its client reads on, the comparison ends in time", async (context) => {
    let read = 0;
    const request = http.request(`${shop.urls.crumbsServed}/calculatecost4`, {
      method: "POST",
      agent: false,
      headers: { "x-request-id": "r-served" },
    });
    request
      .on("error", () => {})
      .on("response", (response) => response.on("data", (chunk) => (read += chunk.length)).on("error", () => {}));
    request.end(ORDER);
    try {
      const line = await shop.comparisonOf("r-served");
      context.diagnostic(`the copy was given up after ${line.ms.legacy} ms, when the client had read ${read} bytes`);
      assert.deepEqual([line.outcome, line.reason], ["legacyFailed", { legacy: "timeout" }]);
      const before = read;
      await eventually(() => read > before, "more of the answer");
    } finally {
      request.destroy();
    }
    await eventually(() => crumbs.open() === 0, "the end of the answer");
  });
});
