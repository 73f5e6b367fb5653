import { host } from "../../pricer.js";

/** Answers the look-ups of pages. */
export async function POST(request) {
  return Response.json(await host.lookupPrices(await request.json()));
}
