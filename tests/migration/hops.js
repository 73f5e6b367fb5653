// What holds for one hop ends at the shadow Worker. What is for the other end passes, rightly encoded or not.
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { DELIVERED } from "./orders.js";
import { send } from "./shop.js";
import { newId, post, shop } from "./started.js";

const BODY = JSON.stringify(DELIVERED);

const deliver = (shadow, mode, headers) => post(shadow, BODY, { "x-legacy-mode": mode, ...headers });

/** The headers with which an order has come to the old service. */
const receivedOf = (id) => shop.legacy.received.find(({ headers }) => headers["x-request-id"] === id).headers;

/** An order of a client that waits for `100 Continue` before it sends the body, but not for long: workerd says nothing. */
async function sendAfterContinue(shadow) {
  const headers = {
    "x-legacy-mode": "answers",
    "x-request-id": newId(),
    expect: "100-continue",
    "content-length": Buffer.byteLength(BODY),
  };
  const request = http.request(`${shop.urls[shadow]}/calculatecost4`, { method: "POST", agent: false, headers });
  request.flushHeaders();
  const answered = once(request, "response");
  await Promise.race([once(request, "continue"), answered, wait(200)]);
  request.end(BODY);
  const [response] = await answered;
  return { status: response.statusCode, body: Buffer.concat(await response.toArray()) };
}

for (const shadow of ["legacy", "passed", "new", "passedNew"]) {
  describe(`an order: ${shadow}`, () => {
    test("with Expect: 100-continue gets its answer", async () => {
      const { status, body } = await sendAfterContinue(shadow);
      assert.equal(status, 200);
      assert.equal(JSON.parse(body).grandTotal, JSON.parse((await deliver(shadow, "answers")).body).grandTotal);
    });

    test("has its own headers at the other end, and none for one hop", async () => {
      const hop = {
        connection: "close, x-named",
        "x-named": "1",
        "proxy-connection": "close",
        "proxy-authorization": "Basic planted",
        te: "trailers",
        "x-kept": "1",
      };
      const { status, id } = await deliver(shadow, "answers", hop);
      assert.equal(status, 200);
      if (/new/i.test(shadow)) return;
      const received = receivedOf(id);
      for (const name of ["x-named", "proxy-connection", "proxy-authorization", "te", "expect"])
        assert.equal(received[name], undefined, name);
      assert.equal(received["x-kept"], "1");
    });
  });
}

for (const shadow of ["legacy", "passed"]) {
  describe(`an answer of the old service: ${shadow}`, () => {
    test("has no headers for one hop", async () => {
      const { headers } = await deliver(shadow, "hops");
      for (const name of ["x-named", "proxy-connection", "proxy-authenticate"]) assert.equal(headers[name], undefined, name);
      assert.equal(headers["x-legacy"], "1");
      assert.deepEqual(headers["set-cookie"], ["a=1", "b=2"]);
    });

    for (const [mode, reason] of [["brotli"], ["mislabels", "encoding"], ["invents", "encoding"]]) {
      test(`is what the service sends, byte for byte: it ${mode}`, async () => {
        const sent = { "x-legacy-mode": mode, "accept-encoding": "gzip, br" };
        const given = await send(`${shop.legacy.url}/calculatecost4`, { body: BODY, headers: sent });
        const answer = await post(shadow, BODY, sent);
        assert.equal(answer.status, 200);
        for (const name of ["content-encoding", "content-length", "content-type"])
          assert.equal(answer.headers[name], given.headers[name], name);
        assert.ok(answer.body.equals(given.body));
        if (shadow === "passed") return;
        const line = await shop.comparisonOf(answer.id);
        assert.deepEqual([line.outcome, line.reason], reason ? ["legacyFailed", { legacy: reason }] : ["same", {}]);
      });
    }
  });
}

test("the answer to HEAD keeps its length and type", async () => {
  const direct = await send(`${shop.legacy.url}/health`, { method: "HEAD" });
  const answer = await send(`${shop.urls.passed}/health`, { method: "HEAD" });
  for (const name of ["content-type", "x-legacy"]) assert.equal(answer.headers[name], direct.headers[name], name);
  assert.equal(answer.body.length, 0);
});
