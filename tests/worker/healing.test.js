// Damages the module while other orders are in flight in workerd, where a promise belongs to the request that made it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { allAtNight } from "../effort.js";
import { answerOf, makeOrders } from "../soak/orders.js";
import { exchange, startService } from "../soak/service.js";

/** At night workerd has optimised the hot code before the last ones. */
const ROUNDS = allAtNight(6, 60);
const IN_FLIGHT = 32;
const INTERNAL = answerOf({ error: "Internal error" });

const { orders, traps, facts } = makeOrders(allAtNight(30, 200), 5000);
let service;

before(async () => (service = await startService(facts, 5000)));
after(() => service?.workerd.stop());

test("the orders in flight are answered by the service itself, and those after them are priced", async () => {
  const send = (body) => exchange(`${service.url}/calculatecost4`, { method: "POST" }, body);
  let interrupted = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const chosen = Array.from({ length: IN_FLIGHT }, (_, index) => orders[(round * IN_FLIGHT + index) % orders.length]);
    const answers = chosen.map(({ body }) => send(body));
    assert.equal(await send(traps[round % traps.length].body), INTERNAL);
    for (const [index, answer] of (await Promise.all(answers)).entries()) {
      if (answer === INTERNAL) interrupted += 1;
      else assert.equal(answer, chosen[index].expected[0]);
    }
    const next = orders[round % orders.length];
    assert.equal(await send(next.body), next.expected[0]);
  }
  assert.ok(interrupted > ROUNDS, `only ${interrupted} orders were in flight when the module was damaged`);
});
