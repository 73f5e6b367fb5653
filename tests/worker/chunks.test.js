// Bodies and answers in tiny chunks, in workerd: deadlines hold, and plain orders go on. The night measures the memory.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { nowAndThen, statusesOfShort, waits } from "../hostile/chunks.js";
import { startCrumbs } from "../hostile/crumbs.js";
import { until } from "../until.js";
import { DEADLINE_MS, startFailing } from "./failing.js";
import { workerd as onWorkerd } from "./on-workerd.js";

let crumbs;
let workerd;
let url;
before(async () => {
  crumbs = await startCrumbs();
  workerd = await startFailing(onWorkerd, { COUPONS_URL: crumbs.url });
  url = await workerd.url("order-cost");
});
after(async () => {
  crumbs?.stop();
  await workerd?.stop();
});

test("2 connections of 1,000 chunks of a byte are priced, and plain orders beside them", async () => {
  assert.deepEqual(await statusesOfShort(url), [200, 200]);
});

test("a service whose answer is tiny chunks without an end: the look-up ends by its deadline", async () => {
  const order = JSON.stringify({ couponCodeList: ["C1"], productList: [{ cprcode: 1001, productName: "Rice", quantity: 1 }] });
  let isOver = false;
  const late = fetch(`${await workerd.url("hasty")}/calculatecost4`, { method: "POST", body: order }).then(async (response) => {
    isOver = true;
    return { status: response.status, ...(await response.json()) };
  });
  const [answer] = await Promise.all([
    late,
    waits(
      url,
      nowAndThen(() => isOver),
    ),
  ]); // orders go on
  assert.deepEqual(answer, { status: 500, error: `validateCoupons did not answer within ${DEADLINE_MS} ms` });
  assert.ok(crumbs.asked > 0);
  await until("the Worker no longer reads", () => crumbs.open() === 0);
});
