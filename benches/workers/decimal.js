// The same routes in JavaScript, with decimal.js.
import facts from "facts";
import { competitor } from "../competitors/price.js";
import { arithmetic } from "../competitors/decimal.js";
import { keptHost } from "../hosts.js";

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
