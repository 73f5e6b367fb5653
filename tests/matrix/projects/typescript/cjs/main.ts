import { createPricer, type Host, type PricedOrder } from "order-cost";
import { compareOrders, type FieldDifference } from "order-cost/compare";
import { createNodeListener } from "order-cost/http";
import { hostFromFacts } from "order-cost/testing";
import { createPricer as createPricerOfUrl } from "order-cost/url";
import { createFetchHandler } from "order-cost/worker";
import { deliveryZones, facts, order } from "./order.js";

/** A context can be passed on. */
export const host: Host = {
  nationwideRate: (query, { signal, requestId }) => rateOf(query.nationwideMode, signal, requestId),
};
declare function rateOf(mode: "DRY" | "FRESH" | "MIX", signal: AbortSignal, requestId: string): { deliveryFee: number };

const pricing = createPricer(hostFromFacts(facts), { deliveryZones });

export const priced: Promise<Uint8Array> = pricing.then((pricer) => pricer.calculateJson(JSON.stringify(order)));

export async function differences(): Promise<FieldDifference[]> {
  const answer: PricedOrder = await (await pricing).calculate(order);
  return compareOrders(answer, await (await createPricerOfUrl(hostFromFacts(facts))).calculate(order));
}

export const handle = createFetchHandler(() => pricing);

export const listener = createNodeListener(handle);

/** A live basket accepts listeners. */
export const changes = pricing.then((pricer) => pricer.basket(order).addEventListener("change", () => {}));
