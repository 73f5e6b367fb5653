// The rate limit of a process, and whose address it counts.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { createRateLimiter } from "../../worker/src/node/platform/rate-limiter.js";
import { someOf } from "../effort.js";
import { killAll, startProgram } from "./program.js";
import { ORDER, price, remove, shopFolder } from "./shop.js";

let folder;
before(async () => (folder = await shopFolder()));
after(() => remove(folder));
afterEach(killAll);

async function statusesOf(url, headers) {
  const statuses = [];
  for (const each of headers) statuses.push((await price(url, ORDER, each)).status);
  return statuses;
}

test("RATE_LIMIT orders in RATE_LIMIT_SECONDS, and retry-after says when there are more", async () => {
  const program = startProgram({ CATALOGUE_DIR: folder, RATE_LIMIT: "2", RATE_LIMIT_SECONDS: "3600" });
  const url = await program.url;
  assert.deepEqual(await statusesOf(url, [{}, {}, {}]), [200, 200, 429]);
  const { status, headers, body } = await price(url);
  assert.deepEqual([status, body], [429, { error: "Too many requests: try again later" }]);
  const seconds = Number(headers.get("retry-after"));
  assert.ok(seconds > 0 && seconds <= 3600, `${seconds}`);
});

test("after RATE_LIMIT_SECONDS there are more", async (t) => {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const limiter = createRateLimiter(1, 2);
  const limit = () => limiter.limit({ key: "k" });
  assert.deepEqual(await limit(), { success: true });
  t.mock.timers.tick(500);
  assert.deepEqual(await limit(), { success: false, retryAfterSeconds: 2 });
  t.mock.timers.tick(1_500);
  assert.deepEqual(await limit(), { success: true });
});

test("a clock that is set back lengthens no retry-after", async (t) => {
  const limiter = createRateLimiter(1, 3600);
  await limiter.limit({ key: "k" });
  const now = Date.now();
  t.mock.method(Date, "now", () => now - 7_200_000);
  assert.deepEqual(await limiter.limit({ key: "k" }), { success: false, retryAfterSeconds: 3600 });
});

describe("TRUST_PROXY: an address has one order", () => {
  const via = (...hops) => ({ "x-forwarded-for": hops.join(", ") });

  for (const [hops, what, headers, expected] of someOf([
    ["0", "forwarded headers say nothing", [via("1.1.1.1"), via("2.2.2.2"), { forwarded: "for=3.3.3.3" }], [200, 429, 429]],
    ["1", "the nearest proxy says it", [via("1.1.1.1"), via("2.2.2.2"), via("1.1.1.1")], [200, 200, 429]],
    ["1", "what a client puts in front is forged", [via("7.7.7.7", "1.1.1.1"), via("8.8.8.8", "1.1.1.1")], [200, 429]],
    [
      "2",
      "the second proxy says it",
      [via("1.1.1.1", "10.0.0.1"), via("2.2.2.2", "10.0.0.1"), via("9.9.9.9", "1.1.1.1", "10.0.0.2")],
      [200, 200, 429],
    ],
    [
      "1",
      "a port says nothing",
      [via("1.1.1.1:80"), via("1.1.1.1:81"), via("[2001:db8::1]:80"), via("[2001:db8::2]:81")],
      [200, 429, 200, 429],
    ],
    ["1", "a header that is no address changes nothing", [via("<b>"), via(""), via("\t")], undefined],
  ])) {
    test(`${hops}: ${what}`, async () => {
      const program = startProgram({ CATALOGUE_DIR: folder, RATE_LIMIT: "1", RATE_LIMIT_SECONDS: "3600", TRUST_PROXY: hops });
      const statuses = await statusesOf(await program.url, headers);
      if (expected) assert.deepEqual(statuses, expected);
      else
        assert.ok(
          statuses.every((status) => status === 200 || status === 429),
          `${statuses}`,
        );
      assert.deepEqual(program.records("fault"), []);
    });
  }
});
