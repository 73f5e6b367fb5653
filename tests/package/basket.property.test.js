// Random lives of a basket, edited while a slow and faulty host answers. After every step its snapshot is what the naive
// model makes of the same answers; in the end it equals `calculate` (D19, D25, D42).
import assert from "node:assert/strict";
import { test } from "node:test";
import { SEED, cases } from "../effort.js";
import { price } from "../model/price.js";
import { Life, runLives } from "./basket-life.js";

const SEQUENCES = cases(1_000);

test(`${SEQUENCES} random baskets from seed ${SEED}: always what the model and calculate say`, async (context) => {
  const enough = {
    "edited while answers were outstanding": 0.5,
    "settled in the end": 0.25,
    "failed in the end": 0.05,
    "an overflow": 0.01,
    "late answers": 0.02,
    "several problems": 0.1,
  };
  await runLives(context, ModelledLife, { sequences: SEQUENCES, firstSeed: SEED, enough });
});

class ModelledLife extends Life {
  /** The whole model prices the order, too: not by the parts of it that the naive basket uses. */
  async ended(order, { priced, error }) {
    const branchId = order.branchId ?? "1000";
    const postcode = order.shipping?.shippingPostcode ?? "10110";
    const host = { prices: {}, rates: {}, vouchers: {}, fails: {} };
    for (const { cprcode } of order.productList) host.prices[`${cprcode}/${branchId}`] = this.world.price(cprcode, branchId);
    for (const mode of ["DRY", "FRESH", "MIX"]) {
      if (mode !== "MIX" || postcode !== "50000" || this.world.isRestocked) host.rates[mode] = this.world.rate(mode, postcode);
    }
    for (const id of order.voucherId ?? []) host.vouchers[id] = this.world.voucher(id);
    const testCase = { order, zones: this.naive.zones, options: this.naive.options, host };
    const { couponRequest } = price(testCase);
    if (couponRequest) host.coupons = this.world.coupons(couponRequest);
    const expected = price(testCase);
    if (expected.text) assert.deepEqual(priced, JSON.parse(expected.text), "the model");
    else assert.deepEqual([error?.message, error?.code], [expected.error, expected.code], "the model");
  }
}
