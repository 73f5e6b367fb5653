// Bodies and answers in tiny chunks, in workerd: memory stays small, deadlines hold, and plain orders go on beside them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { SHORT, assertSmall, isFew, waits } from "../hostile/chunks.js";
import { startCrumbs } from "../hostile/crumbs.js";
import { childNamed } from "../hostile/resident.js";
import { startFailing } from "./failing.js";

const MOST_TIMES = 3;

const DEADLINE_MS = 2_000;
/** Other load on this machine only makes an order later. The least late of so many counts. */
const ATTEMPTS = 5;

let crumbs;
let workerd;
let url;
before(async () => {
  crumbs = await startCrumbs();
  workerd = await startFailing({ DEADLINE_MS: String(DEADLINE_MS), COUPONS_URL: crumbs.url });
  url = await workerd.url("order-cost");
});
after(async () => {
  crumbs?.stop();
  await workerd?.stop();
});

test("2 connections of 200,000 chunks of a byte", async (context) => {
  await assertSmall(context, url, await childNamed("workerd"), SHORT);
});

test("a service whose answer is tiny chunks without an end: the look-up ends by its deadline", async (context) => {
  const order = JSON.stringify({ couponCodeList: ["C1"], productList: [{ cprcode: 1001, productName: "Rice", quantity: 1 }] });
  const alone = await waits(url, isFew);
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least > DEADLINE_MS + 100; attempt += 1) {
    let isOver = false;
    const start = performance.now();
    const late = fetch(`${url}/calculatecost4`, { method: "POST", body: order }).then(async (response) => {
      least = Math.min(least, performance.now() - start);
      isOver = true;
      return { status: response.status, ...(await response.json()) };
    });
    const [answer, beside] = await Promise.all([late, waits(url, () => !isOver)]);
    assert.deepEqual(answer, { status: 500, error: `validateCoupons did not answer within ${DEADLINE_MS} ms` });
    context.diagnostic(`the look-up took ${least.toFixed(0)} ms; a plain order alone ${alone.mean.toFixed(2)} ms, beside it ${beside.mean.toFixed(2)} ms`);
    assert.ok(beside.mean <= MOST_TIMES * alone.mean, `${beside.mean} ms, alone ${alone.mean} ms`);
  }
  assert.ok(least <= DEADLINE_MS + 100, `${least} ms`);
  assert.ok(crumbs.asked > 0);
  for (let tries = 0; tries < 500 && crumbs.open() > 0; tries += 1) await wait(20);
  assert.equal(crumbs.open(), 0, "the Worker still reads");
});
