import * as whole from "order-cost";
import * as withoutBaskets from "order-cost/calculate";
import { hostFromFacts } from "order-cost/testing";
import { agreeing, deliveryZones, facts } from "../order.mjs";

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

export async function action({ request }) {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  return new Response(await pricer.calculateJson(await request.text()));
}
