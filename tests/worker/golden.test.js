// The golden corpus over HTTP, on workerd: every case on all three routes, compared to the byte.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readCorpus } from "../golden/corpus.mjs";
import { bundle, startWorkerd } from "./workerd.js";

const ROUTES = ["/calculatecost2", "/calculatecost3", "/calculatecost4"];

let workerd;
let harness;

before(async () => {
  workerd = await startWorkerd([await bundle("tests/worker/harness.jsonc")]);
  harness = await workerd.url("golden-harness");
});

after(() => workerd?.stop());

for (const { file, text, testCase } of readCorpus()) {
  test(`${file}: ${testCase.why}`, async () => {
    assert.equal((await fetch(harness, { method: "PUT", body: text })).status, 204);
    const expected = answerOf(testCase.expect);
    for (const route of ROUTES) {
      const response = await fetch(harness + route, { method: "POST", body: bodyOf(testCase) });
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.deepEqual({ status: response.status, body: await response.text() }, expected, route);
    }
  });
}

function bodyOf({ body, bodyBase64, order }) {
  if (body !== undefined) return body;
  return bodyBase64 === undefined ? JSON.stringify(order) : Buffer.from(bodyBase64, "base64");
}

function answerOf({ response, responseText, error, zonesError }) {
  // Zones that are refused are no fault of an order: the client is told nothing of them, the log is.
  if (zonesError !== undefined) return failure("Internal error");
  return error === undefined ? { status: 200, body: responseText ?? JSON.stringify(response) } : failure(error);
}

const failure = (error) => ({ status: 500, body: JSON.stringify({ error }) });
