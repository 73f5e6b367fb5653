import { createPricer } from "order-cost";
import { host } from "$lib/server/host.js";

let pricer; // created on first use

/** Prices the basket on the server, and sends the facts with which the page goes on. */
export async function load() {
  const order = { productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 1 }] };
  pricer ??= await createPricer(host);
  const facts = pricer.facts();
  await pricer.calculate(order, { facts });
  return { order, sent: facts.toJSON() };
}
