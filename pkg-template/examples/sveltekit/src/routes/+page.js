import { createPricer } from "order-cost";
import { browser } from "$app/environment";

/** @type {import("order-cost").Host} */
const host = {
  async lookupPrices(keys, { signal }) {
    const headers = { "content-type": "application/json" }; // SvelteKit takes a text for a form
    const response = await fetch("/prices", { method: "POST", headers, body: JSON.stringify(keys), signal });
    if (!response.ok) throw new Error(`/prices answered ${response.status}`);
    return response.json();
  },
};

let pricer; // created on first use

/** Runs on the server and in the page. Both know the facts that +page.server.js sent, and ask only for what they lack. */
export async function load({ data: { order, sent } }) {
  pricer ??= await createPricer(host);
  return { basket: pricer.basket(order, { facts: pricer.facts(sent), autoSettle: browser }) };
}
