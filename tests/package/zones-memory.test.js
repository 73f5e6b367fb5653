// The memory that delivery zones took comes back once their pricers are collected.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = `
  import { createPricer } from "order-cost";
  import { memoryBytes } from ${JSON.stringify(new URL("../../pkg/wasm/order_cost.js", import.meta.url).href)};
  const ring = Array.from({ length: 20_000 }, (_, index) => {
    const angle = (index / 20_000) * 2 * Math.PI;
    return [100 + Math.cos(angle), 13 + Math.sin(angle)];
  });
  const geometry = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
  const feature = { type: "Feature", properties: { brcode: 1000, deliveryFee: 60 }, geometry };
  const deliveryZones = JSON.stringify({ type: "FeatureCollection", features: Array(4).fill(feature) });
  const host = { lookupPrices: (keys) => keys.map(() => ({ price: 5 })) };
  const order = { productList: [{ cprcode: 1, productName: "x", quantity: 1 }] };
  let pricers = [];
  for (let count = 0; count < 28; count += 1) pricers.push(await createPricer(host, { deliveryZones }));
  const most = memoryBytes();
  const [last] = pricers.splice(-1);
  pricers = undefined;
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    gc();
    await last.calculate(order);
  }
  console.log(JSON.stringify({ most, now: memoryBytes() }));
`;

test("a collected pricer's zones do not keep the module's memory large", () => {
  const options = ["--expose-gc", "--input-type=module", "--eval", SCRIPT];
  const printed = execFileSync(process.execPath, options, { cwd: fileURLToPath(new URL("..", import.meta.url)), encoding: "utf8" });
  const { most, now } = JSON.parse(printed);
  assert.ok(most > 64 * 2 ** 20, `the pricers took only ${most} bytes`);
  assert.ok(now < most / 4, `${now} of ${most} bytes are left`);
});
