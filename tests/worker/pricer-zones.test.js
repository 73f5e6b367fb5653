// A pricer that asks for its zones, in real workerd: there a promise belongs to one request, and ends with it (D41).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { until } from "../until.js";
import { bundle, startWorkerd } from "./workerd.js";

let workerd;
let url;

before(async () => {
  workerd = await startWorkerd([await bundle("tests/worker/pricer-zones.jsonc")]);
  url = await workerd.url("pricer-zones");
});

after(() => workerd?.stop());

const get = async (path) => (await fetch(`${url}/${path}`)).json();

async function price(body, signal) {
  const response = await fetch(`${url}/price`, { method: "POST", body, signal });
  return response.json();
}

async function begin({ deadline, ms }) {
  await get(`new?deadline=${deadline}`);
  await get(`pause?ms=${ms}`);
}

test("the checks of order-cost/data need no pricer", async () => {
  assert.deepEqual(await get("checks"), [[{ column: "price", expected: "an amount of 0 or more" }], [{ path: "", expected: "JSON" }]]);
});

for (const deadline of [5_000, 0]) {
  test(`requests wait for one call, and each goes on in its own context (deadlineMs ${deadline})`, async () => {
    await begin({ deadline, ms: 300 });
    const bodies = Array.from({ length: 8 }, (_, index) => `body ${index}`);
    const orders = bodies.map((body) => price(body));
    assert.deepEqual(
      await Promise.all(orders),
      bodies.map((body) => [30, body]),
    );
    assert.equal(await get("calls"), 1);
  });
}

for (const deadline of [5_000, 0]) {
  test(`the request that asked is gone: nobody hangs for ever (deadlineMs ${deadline})`, async () => {
    await begin({ deadline, ms: 60_000 });
    const controller = new AbortController();
    const gone = price("gone", controller.signal).catch(() => {});
    await until("it has asked", async () => (await get("calls")) === 1);
    controller.abort();
    await gone;
    await get("pause?ms=10");
    const waiting = price("waiting");
    await wait(5_100); // without a deadline, too, a request asks anew after five seconds
    assert.deepEqual(await price("next"), [30, "next"]);
    const [outcome] = await waiting;
    assert.ok([30, `deliveryZones did not answer within ${deadline} ms`].includes(outcome), `${outcome}`);
    assert.equal(await get("calls"), 2);
  });
}
