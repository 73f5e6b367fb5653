// The rate limit of a process, and whose address it counts.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
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
  const program = startProgram({ CATALOGUE_DIR: folder, RATE_LIMIT: "2", RATE_LIMIT_SECONDS: "2" });
  const url = await program.url;
  assert.deepEqual(await statusesOf(url, [{}, {}, {}]), [200, 200, 429]);
  const { status, headers, body } = await price(url);
  assert.deepEqual([status, body], [429, { error: "Too many requests: try again later" }]);
  const seconds = Number(headers.get("retry-after"));
  assert.ok(seconds === 1 || seconds === 2, `${seconds}`);
  await wait(1_000 * seconds + 50);
  assert.deepEqual(await statusesOf(url, [{}]), [200]);
});

describe("TRUST_PROXY: an address has one order", () => {
  const via = (...hops) => ({ "x-forwarded-for": hops.join(", ") });

  for (const [hops, what, headers, expected] of [
    ["0", "forwarded headers say nothing", [via("1.1.1.1"), via("2.2.2.2"), { forwarded: "for=3.3.3.3" }], [200, 429, 429]],
    ["1", "the nearest proxy says it", [via("1.1.1.1"), via("2.2.2.2"), via("1.1.1.1")], [200, 200, 429]],
    ["1", "what a client puts in front is forged", [via("7.7.7.7", "1.1.1.1"), via("8.8.8.8", "1.1.1.1")], [200, 429]],
    ["2", "the second proxy says it", [via("1.1.1.1", "10.0.0.1"), via("2.2.2.2", "10.0.0.1"), via("9.9.9.9", "1.1.1.1", "10.0.0.2")], [200, 200, 429]],
    ["1", "a header that is no address changes nothing", [via("<b>"), via(""), via("\t")], undefined],
  ]) {
    test(`${hops}: ${what}`, async () => {
      const program = startProgram({ CATALOGUE_DIR: folder, RATE_LIMIT: "1", TRUST_PROXY: hops });
      const statuses = await statusesOf(await program.url, headers);
      if (expected) assert.deepEqual(statuses, expected);
      else assert.ok(statuses.every((status) => status === 200 || status === 429), `${statuses}`);
      assert.deepEqual(program.records("fault"), []);
    });
  }
});
