// The golden corpus over HTTP, in workerd: a third of the cases, each on one of the three routes, at night all on each, compared byte for byte.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { allAtNight, someOf } from "../effort.js";
import { readCorpus } from "../golden/corpus.mjs";
import { bundle, startWorkerd } from "./workerd.js";

const ROUTES = ["calculatecost2", "calculatecost3", "calculatecost4"];
const CORPUS = readCorpus();

/** A good order. Its pricer lives as long as the suite. */
const STEADY = CORPUS.find(({ file }) => file === "d01-full-order.json");

let workerd;
let harness;

before(async () => {
  workerd = await startWorkerd([await bundle("tests/worker/harness.jsonc")]);
  harness = await workerd.url("golden-harness");
  await put("steady", STEADY.text);
});

after(() => workerd?.stop());

for (const [index, { file, text, testCase }] of someOf(CORPUS).entries()) {
  test(`${file}: ${testCase.why}`, async () => {
    await put("case", text);
    const expected = answerOf(testCase.expect);
    for (const route of allAtNight([ROUTES[index % ROUTES.length]], ROUTES))
      assert.deepEqual(await post(`case/${route}`, testCase), expected, route);
    if (expected.status === 200) return;
    // D40: after any refusal, the same module instance prices the next order correctly.
    assert.deepEqual(await post("steady/calculatecost4", STEADY.testCase), answerOf(STEADY.testCase.expect));
  });
}

async function put(place, text) {
  assert.equal((await fetch(`${harness}/${place}`, { method: "PUT", body: text })).status, 204);
}

async function post(path, testCase) {
  const response = await fetch(`${harness}/${path}`, { method: "POST", body: bodyOf(testCase) });
  assert.equal(response.headers.get("content-type"), "application/json");
  return { status: response.status, body: await response.text() };
}

function bodyOf({ body, bodyBase64, order }) {
  if (body !== undefined) return body;
  return bodyBase64 === undefined ? JSON.stringify(order) : Buffer.from(bodyBase64, "base64");
}

function answerOf({ response, responseText, error, zonesError }) {
  if (zonesError !== undefined) return failure(zonesError);
  return error === undefined ? { status: 200, body: responseText ?? JSON.stringify(response) } : failure(error);
}

const failure = (error) => ({ status: 500, body: JSON.stringify({ error }) });
