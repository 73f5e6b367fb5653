import { json } from "@sveltejs/kit";
import { host } from "$lib/server/host.js";

/** Answers the look-ups of pages. */
export async function POST({ request }) {
  return json(await host.lookupPrices(await request.json()));
}
