// The same routes in JavaScript, with decimal.js.
import facts from "facts";
import { arithmetic } from "../competitors/decimal.js";
import { competitor } from "../competitors/price.js";
import { keptHost } from "../orders/hosts.js";

const pricer = competitor(arithmetic)(keptHost(facts), { deliveryZones: facts.zones });

export default {
  async fetch(request) {
    try {
      const response = await pricer.calculateJson(await request.arrayBuffer());
      return new Response(response, { headers: { "content-type": "application/json" } });
    } catch (error) {
      return Response.json({ error: /** @type {Error} */ (error).message }, { status: 500 });
    }
  },
};
