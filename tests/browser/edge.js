import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailed, isPriced, openShop, visit } from "./shopper.js";
import { examples } from "./site.js";

export function edge() {
  const check = (page) => page.getByRole("button", { name: "Check at the edge" }).click();
  const result = (page, text) => page.locator("#edge-result", { hasText: text }).waitFor();
  const choose = async (page, { title, outcome }) => {
    await page.getByRole("button", { name: title.en, exact: true }).click();
    await (outcome.error ? isFailed(page) : isPriced(page));
  };
  const answer = (change) => async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) }).catch(() => {}); // the page may have been left
  };

  test("prices every example to the same byte, and refuses with the same message", async (t) => {
    const { page, problems } = await openShop(t);
    for (const example of examples) {
      await choose(page, example);
      await check(page);
      await result(page, example.outcome.error ? "The edge refuses it in the same words" : "Same to the byte");
      if (example.outcome.error) await result(page, example.outcome.error);
    }
    assert.deepEqual(problems, ["500 /calculatecost4"]);
  });

  test("prices from the version that the page names, too", async (t) => {
    const page = await visit(t);
    const [answered] = await Promise.all([page.waitForResponse("**/calculatecost4"), check(page)]);
    const version = await answered.headerValue("x-order-cost-data");
    assert.match(version, /^[0-9a-f]{16}$/);
    assert.equal(await page.locator("#facts .code").textContent(), version);
    await result(page, `prices of version ${version}`);
  });

  test("shows each different field, and disappears when the basket changes", async (t) => {
    const page = await visit(t);
    await choose(page, examples[1]);
    await page.route("**/calculatecost4", answer((order) => ({ ...order, grandTotal: order.grandTotal + 1, basketName: 7, extra: true })));
    await check(page);
    await result(page, "3 fields differ");
    const cells = await page
      .locator("#edge-result tbody tr")
      .evaluateAll((rows) => rows.map(({ cells }) => [...cells].map((cell) => cell.textContent)));
    const { grandTotal } = examples[1].outcome;
    assert.deepEqual(cells.sort(), [
      ["basketName", '""', "7", "different type"],
      ["extra", "—", "true", "missing on one side"],
      ["grandTotal", String(grandTotal), String(grandTotal + 1), "different value"],
    ]);
    await page.unroute("**/calculatecost4");

    await page.route("**/calculatecost4", answer((order) => Object.fromEntries(Object.entries(order).reverse())));
    await check(page);
    await result(page, "Same in every field");
    await choose(page, examples[0]);
    assert.equal(await page.locator("#edge-result").isVisible(), false);
    await page.unroute("**/calculatecost4");
  });

  test("says so if nobody answers, or if the server is not the Worker", async (t) => {
    const { page } = await openShop(t);
    await page.route("**/calculatecost4", (route) => route.abort());
    await check(page);
    await result(page, "The edge cannot be reached. This page prices orders without it.");
    await page.unroute("**/calculatecost4");
    await page.route("**/calculatecost4", (route) =>
      route.fulfill({ status: 500, json: { error: "No price for 1/2" } }),
    );
    await check(page);
    await result(page, "The edge refuses it");
    await result(page, "No price for 1/2");
    await page.unroute("**/calculatecost4");
    await page.route("**/calculatecost4", (route) => route.fulfill({ status: 405, body: "<h1>Not allowed</h1>" }));
    await check(page);
    await result(page, "Nothing at this address prices orders (HTTP 405).");
  });
}
