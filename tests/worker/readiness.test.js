// When /ready looks at the parts, and how long what it found holds.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createAccess } from "../../worker/src/access/access.js";
import { createReadiness } from "../../worker/src/operations/readiness.js";

/** A Worker whose rates and access check the test controls, and its clock. It has no zones to look at. */
function setUp(t, ask, access) {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_000_000 });
  const rates = mock.fn(ask);
  const version = { zones: null, deliveryZones: async () => '{"type":"FeatureCollection","features":[]}' };
  const catalogue = { current: async () => {}, state: () => ({ version }) };
  const ready = createReadiness(catalogue, { access, rates }, () => {});
  const tick = async (ms) => {
    await turn();
    t.mock.timers.tick(ms);
    await turn();
  };
  return { ready, looks: () => rates.mock.callCount(), advance: (ms) => t.mock.timers.setTime(Date.now() + ms), tick };
}

const turn = () => new Promise(setImmediate);

const LOST = { degraded: { rates: "The rates are down" } };

test("what it found holds for 5 seconds, whoever asks", async (t) => {
  let isDown = false;
  const { ready, looks, advance } = setUp(t, async () => {
    if (isDown) throw new Error("The rates are down");
  });
  assert.deepEqual(await ready(), { degraded: {} });
  isDown = true;
  advance(4_999);
  assert.deepEqual(await ready(), { degraded: {} });
  assert.equal(looks(), 1);
  advance(1);
  assert.deepEqual(await ready(), LOST);
  assert.equal(looks(), 2);
});

test("a clock that is set back does not keep it longer", async (t) => {
  const { ready, looks, advance } = setUp(t, async () => {});
  await ready();
  advance(-5_000);
  await ready();
  assert.equal(looks(), 2);
});

test("those who ask meanwhile wait for the same look", async (t) => {
  const { ready, looks, tick } = setUp(t, () => new Promise(() => {}));
  void ready();
  await tick(1_999);
  const second = ready();
  await tick(1);
  assert.deepEqual(await second, { degraded: { rates: "No answer within 2000 ms" } });
  assert.equal(looks(), 1);
});

test("a look whose request the runtime has ended counts for 2 seconds", async (t) => {
  const { ready, looks, advance } = setUp(t, () => new Promise(() => {}));
  for (const [ms, count] of [
    [0, 1],
    [1_999, 1],
    [1, 2],
    [-2_000, 3],
  ]) {
    advance(ms);
    void ready();
    assert.equal(looks(), count, `${ms}`);
  }
});

test("an access check that hangs answers no order, so that the service is not ready", async (t) => {
  const platform = { rateLimiter: { limit: () => new Promise(() => {}) }, signing: {} };
  const { ready, tick } = setUp(t, async () => {}, createAccess({ apiKeys: [] }, platform).probe);
  void ready();
  await tick(2_000);
  assert.deepEqual(await ready(), { fault: "The access check: No answer within 2000 ms", degraded: {} });
});

test("a rate limiter that fails stops no order", async (t) => {
  const platform = { rateLimiter: { limit: async () => assert.fail("the limiter is down") }, signing: {} };
  const { ready } = setUp(t, async () => {}, createAccess({ apiKeys: [] }, platform).probe);
  assert.deepEqual(await ready(), { degraded: {} });
});
