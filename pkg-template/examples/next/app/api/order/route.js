import { serverPricer } from "../../pricer.js";

/** Prices the order again: never trust a total that a browser sends. */
export async function POST(request) {
  try {
    const pricer = await serverPricer();
    const priced = await pricer.calculateJson(await request.text(), { signal: request.signal });
    return new Response(priced, { headers: { "content-type": "application/json" } });
  } catch (error) {
    return Response.json({ error: error.message }, { status: 500 });
  }
}
