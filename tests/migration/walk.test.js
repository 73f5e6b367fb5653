import assert from "node:assert/strict";
import { test } from "node:test";
import { allAtNight } from "../effort.js";
import { temporaryFolder } from "../folder.js";
import { checks, walk } from "./walk.js";

const ORDERS = allAtNight(60, 100);

test(`${ORDERS} orders move from the old service to the new one and back, and nothing is lost or overlooked`, async (context) => {
  const found = await walk({ orders: ORDERS, folder: temporaryFolder(context) });
  const failed = checks(found).filter(({ holds }) => !holds);
  assert.deepEqual(failed, [], JSON.stringify(found, null, 1).slice(0, 20_000));
});
