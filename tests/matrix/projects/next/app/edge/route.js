import * as whole from "order-cost";
import * as withoutBaskets from "order-cost/calculate";
import { hostFromFacts } from "order-cost/testing";
import { agreeing, deliveryZones, facts } from "../../order.mjs";

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

export const runtime = "edge";

export async function POST(request) {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  return new Response(await pricer.calculateJson(await request.text()));
}
