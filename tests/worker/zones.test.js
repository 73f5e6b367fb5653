// The delivery zones alone, with a store that the test controls.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createZones } from "../../worker/src/zones.js";

/** A store whose reads the test settles, and a pricer that records its zones. */
function setUp(t, options) {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  t.mock.method(console, "error", () => {});
  const reads = [];
  const given = [];
  const store = { get: () => new Promise((resolve, reject) => reads.push({ resolve, reject })) };
  const pricer = { setDeliveryZones: (text) => given.push(text) };
  return { zones: createZones(store, { refreshMs: 0, deadlineMs: 0, ...options }), pricer, reads, given };
}

async function loaded(t, options) {
  const all = setUp(t, options);
  const first = all.zones.load(all.pricer);
  all.reads[0].resolve("first");
  await first;
  return all;
}

test("one refresh at a time, so that no older answer overwrites a newer one", async (t) => {
  const { zones, pricer, reads, given } = await loaded(t);
  assert.equal(zones.isDue(), true);
  for (const settle of [(read) => read.resolve("next"), (read) => read.reject(new Error("KV is down"))]) {
    const refresh = zones.refresh(pricer);
    assert.equal(zones.isDue(), false, "while it is in flight");
    settle(reads.at(-1));
    await refresh;
    assert.equal(zones.isDue(), true, "once it has ended");
  }
  assert.deepEqual(given, ["first", "next"]);
});

test("a refresh that dies with its request does not prevent later ones", async (t) => {
  for (const [deadlineMs, busyMs] of [
    [0, 30_000],
    [2000, 2000],
  ]) {
    await t.test(`deadline ${deadlineMs}`, async (t) => {
      const { zones, pricer } = await loaded(t, { deadlineMs });
      zones.refresh(pricer);
      t.mock.timers.setTime(busyMs - 1);
      assert.equal(zones.isDue(), false);
      t.mock.timers.setTime(busyMs);
      assert.equal(zones.isDue(), true);
    });
  }
});

test("they are due again after the refresh time, counted from the start of a load", async (t) => {
  const { zones } = await loaded(t, { refreshMs: 5000 });
  t.mock.timers.setTime(4999);
  assert.equal(zones.isDue(), false);
  t.mock.timers.setTime(5000);
  assert.equal(zones.isDue(), true);
});

test("a failed first load has a message for the client and a cause for the log", async (t) => {
  const failing = (error) => (actual) => {
    assert.deepEqual(actual.toJSON(), { error });
    assert.ok(actual.cause instanceof Error);
    return true;
  };
  const { zones, pricer, reads } = setUp(t, { deadlineMs: 300 });

  const failed = zones.load(pricer);
  reads[0].reject(new Error("KV is down at 10.1.2.3"));
  await assert.rejects(failed, failing("The zone store did not answer"));

  const late = zones.load(pricer);
  t.mock.timers.tick(300);
  await assert.rejects(late, failing("The zone store did not answer"));

  const refusing = { setDeliveryZones: mock.fn(() => assert.fail("Invalid deliveryZones: expected JSON")) };
  const refused = zones.load(refusing);
  reads[2].resolve("[");
  await assert.rejects(refused, failing("The delivery zones could not be read"));
});
