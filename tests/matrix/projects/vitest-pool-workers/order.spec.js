import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { order } from "./order.mjs";

test("an order is priced", async () => {
  const request = new Request("https://example.com/calculatecost4", { method: "POST", body: JSON.stringify(order) });
  const response = await exports.default.fetch(request);
  await expect(await response.text()).toMatchFileSnapshot("priced.json");
});
