// An order of the demo shop with 20 lines, coupons and vouchers, and the answers to it.
import { readFileSync } from "node:fs";
import { createPricer } from "order-cost";
import { createSeedHost } from "../../worker/demo/index.js";
import { seededOrder } from "../node/index.js";

const LINES = 20;

const read = (name) => JSON.parse(readFileSync(new URL(`../../worker/seed/${name}.json`, import.meta.url), "utf8"));

/** The order, and what `readyHost` of ../hosts.js answers to it. */
export async function given() {
  const [prices, vouchers, rates, coupons, deliveryZones] = ["prices", "vouchers", "rates", "coupons", "zones"].map(read);
  const order = seededOrder(LINES);
  const answers = {};
  const host = createSeedHost({ prices, vouchers, rates, coupons, now: () => order.orderDate * 1_000 });
  const pricer = await createPricer(
    {
      lookupPrices: (keys, call) => (answers.prices = host.lookupPrices(keys, call)),
      lookupVouchers: (ids, call) => (answers.vouchers = host.lookupVouchers(ids, call)),
      validateCoupons: (request, call) => (answers.coupons = host.validateCoupons(request, call)),
    },
    { deliveryZones },
  );
  await pricer.calculate(order);
  return { order, answers, deliveryZones };
}
