import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailed, isPriced, openShop, requestOf, visit } from "./shopper.js";
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

  test("prices every example to the same byte, and refuses with the same message; all slots lie ahead, one after the other", async (t) => {
    const { page, problems } = await openShop(t);
    const lieAhead = async (title) => {
      const slots = (await requestOf(page)).shipping.scheduleList.map(({ dateTime }) => Date.parse(dateTime));
      assert.ok(slots.length > 0, title);
      slots.reduce((last, slot) => (assert.ok(slot > last, `${title}: ${slots}`), slot), Date.now());
    };
    await lieAhead("the first basket");
    for (const example of examples) {
      const { error } = example.outcome;
      await choose(page, example);
      await lieAhead(example.title.en);
      await check(page);
      await result(page, error ? "The edge refuses it in the same words" : "Same to the byte");
      if (error) await result(page, error);
    }
    assert.deepEqual(problems, ["500 /calculatecost4"]);
    await page.getByRole("button", { name: "Add a slot" }).click();
    await lieAhead("one more");
    const listed = page.locator("#schedules > li").first().getByLabel("When").locator("option");
    const values = await listed.evaluateAll((options) => options.map(({ value }) => value));
    assert.deepEqual(values, values.toSorted());

    await choose(page, examples[0]);
    await t.test("says so if nobody answers, or if the server is not the Worker", () => saysWhoAnswers(page));
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
    await page.route(
      "**/calculatecost4",
      answer((order) => ({ ...order, grandTotal: order.grandTotal + 1, basketName: 7, extra: true })),
    );
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

    await page.route(
      "**/calculatecost4",
      answer((order) => Object.fromEntries(Object.entries(order).reverse())),
    );
    await check(page);
    await result(page, "Same in every field");
    await choose(page, examples[0]);
    assert.equal(await page.locator("#edge-result").isVisible(), false);
    await page.unroute("**/calculatecost4");
  });

  async function saysWhoAnswers(page) {
    await page.route("**/calculatecost4", (route) => route.abort());
    await check(page);
    await result(page, "The edge cannot be reached. This page prices orders without it.");
    await page.unroute("**/calculatecost4");
    await page.route("**/calculatecost4", (route) => route.fulfill({ status: 500, json: { error: "No price for 1/2" } }));
    await check(page);
    await result(page, "The edge refuses it");
    await result(page, "No price for 1/2");
    await page.unroute("**/calculatecost4");
    await page.route("**/calculatecost4", (route) => route.fulfill({ status: 405, body: "<h1>Not allowed</h1>" }));
    await check(page);
    await result(page, "Nothing at this address prices orders (HTTP 405).");
  }
}
