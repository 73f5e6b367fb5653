import { createPricer } from "order-cost";
import { host } from "../../host.js";

let pricer;

/** What a browser says of a total is not to be believed: the order is priced again here. */
export async function POST(request) {
  try {
    pricer ??= await createPricer(host);
    const priced = await pricer.calculateJson(await request.text(), { signal: request.signal });
    return new Response(priced, { headers: { "content-type": "application/json" } });
  } catch (error) {
    return Response.json({ error: error.message }, { status: 500 });
  }
}
