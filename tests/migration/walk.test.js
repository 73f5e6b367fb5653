import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { allAtNight } from "../effort.js";
import { checks, walk } from "./walk.js";

const ORDERS = allAtNight(60, 100);

test(`${ORDERS} orders move from the old service to the new one and back, and nothing is lost or overlooked`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "order-cost-walk-"));
  try {
    const found = await walk({ orders: ORDERS, folder });
    const failed = checks(found).filter(({ holds }) => !holds);
    assert.deepEqual(failed, [], JSON.stringify(found, null, 1).slice(0, 20_000));
  } finally {
    await rm(folder, { recursive: true });
  }
});
