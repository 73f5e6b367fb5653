import { createPricer } from "order-cost";
import { host } from "../../host.js";

let pricer;

/** Prices the order again: never trust a total that a browser sends. */
export async function POST(request) {
  try {
    pricer ??= await createPricer(host);
    const priced = await pricer.calculateJson(await request.text(), { signal: request.signal });
    return new Response(priced, { headers: { "content-type": "application/json" } });
  } catch (error) {
    return Response.json({ error: error.message }, { status: 500 });
  }
}
