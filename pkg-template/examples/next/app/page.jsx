import { Basket } from "./Basket.jsx";
import { serverPricer } from "./pricer.js";

export const dynamic = "force-dynamic"; // with the prices of now, not of the build

/** Sends the priced basket, and the facts with which the page goes on. */
export default async function Page() {
  const order = { productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 1 }] };
  const pricer = await serverPricer();
  const facts = pricer.facts();
  await pricer.calculate(order, { facts });
  return <Basket order={order} sent={facts.toJSON()} />;
}
