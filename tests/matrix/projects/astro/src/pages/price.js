import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { deliveryZones, facts } from "../order.mjs";

export const prerender = false;

export async function POST({ request }) {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  return new Response(await pricer.calculateJson(await request.text()));
}
