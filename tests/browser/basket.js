import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTotal, baht, isFailed, isPriced, line, total, visit } from "./shopper.js";
import { examples, seed } from "./site.js";

export function basket() {
  test("every total follows typing, before any look-up", async (t) => {
    const page = await visit(t);
    const shown = await page.evaluate(async () => {
      const input = document.querySelector("#basket-lines input");
      const text = (id) => document.getElementById(id).textContent;
      const seen = [];
      for (const typed of ["4", "40", "400"]) {
        input.value = typed;
        input.dispatchEvent(new Event("input"));
        await new Promise((resolve) => setTimeout(resolve)); // the basket fires its event in a later turn
        seen.push([text("subtotal"), text("total"), input.closest("li").querySelector(".line-total").textContent]);
      }
      return seen;
    });
    const of = (code) => seed.prices[`${code}/1000`].price;
    const rest = of(420010) * 3 + of(450002);
    const expected = [4, 40, 400].map((quantity) => {
      const row = of(110003) * quantity;
      return [row + rest, row + rest + 30, row].map(baht);
    });
    assert.deepEqual(shown, expected);
    await assertTotal(page);
  });

  test("has steppers, and removes a product below one", async (t) => {
    const page = await visit(t);
    const rice = line(page, 0);
    await rice.getByRole("button", { name: "One more" }).click();
    assert.equal(await rice.locator("input").inputValue(), "3");
    for (let i = 0; i < 3; i += 1) await rice.getByRole("button", { name: "One fewer" }).click();
    assert.equal(await page.locator("#basket-lines > li").count(), 2);
    assert.equal(await page.locator("#basket-count").textContent(), "2 products, 4 units");
    await assertTotal(page);
  });

  test("an empty quantity removes the product when the field loses the focus", async (t) => {
    const page = await visit(t);
    const count = line(page, 1).locator("input");
    await count.fill("");
    assert.equal(await page.locator("#basket-lines > li").count(), 3);
    await count.blur();
    assert.equal(await page.locator("#basket-lines > li").count(), 2);
    await assertTotal(page);
  });

  test("an invalid quantity is reset", async (t) => {
    const page = await visit(t);
    const count = line(page, 0).locator("input");
    await count.fill("two");
    await count.blur();
    assert.equal(await count.inputValue(), "2");
    await assertTotal(page);
  });

  test("a quantity can be typed in the catalogue too, digit by digit", async (t) => {
    const page = await visit(t);
    await page.locator("#search").fill("110003");
    const count = page.locator("#products input");
    await count.focus();
    await page.keyboard.type("12");
    assert.equal(await line(page, 0).locator("input").inputValue(), "12");
    assert.equal(await count.inputValue(), "12");
    await page.locator("#search").fill("");
    await assertTotal(page);
  });

  test("strikes the list price through only if the price is lower", async (t) => {
    const page = await visit(t);
    const { price, originalPrice } = seed.prices["420010/1000"];
    assert.equal(await line(page, 1).locator("s").textContent(), `list price ${baht(originalPrice)}`);
    assert.equal(await line(page, 1).locator(".line-unit .price").textContent(), baht(price));
    assert.equal(await line(page, 0).locator("s").count(), 0);
  });

  test("keeps the focus nearby when products are removed, until the basket is empty", async (t) => {
    const page = await visit(t);
    for (const left of [2, 1, 0]) {
      await line(page, left).getByRole("button", { name: "Remove" }).click();
      const id = await page.evaluate(() => document.activeElement.dataset.focus ?? document.activeElement.id);
      assert.equal(id, left === 0 ? "basket-title" : `line-${left - 1}-remove`);
    }
    await page.getByText("The basket is empty").waitFor();
    assert.equal(await total(page), baht(0));
    assert.equal(await page.locator("#status").textContent(), "Up to date");
  });

  test("starts from an example, and the back button restores the old basket", async (t) => {
    const page = await visit(t);
    for (const { title, outcome } of examples.filter(({ outcome }) => outcome.error === undefined)) {
      await page.getByRole("button", { name: title.en, exact: true }).click();
      await isPriced(page);
      assert.equal(await total(page), baht(outcome.grandTotal), title.en);
    }
    const before = examples.at(-2).order.productList.length;
    assert.equal(
      await page.locator("#basket-lines > li").count(),
      examples.filter(({ outcome }) => !outcome.error).at(-1).order.productList.length,
    );
    await page.goBack();
    await isPriced(page);
    assert.ok(before > 0);
    await assertTotal(page);
  });

  test("marks products that another branch does not sell; the other totals still follow edits", async (t) => {
    const page = await visit(t, "#b=1001&p=110057-1.110003-2");
    await page.locator("#branch").selectOption("1000");
    await isFailed(page);
    await line(page, 0).getByText("Not sold at Silom").waitFor();
    await page.getByRole("alert").getByText("Khun Yai Riceberry 5 kg is not sold at Silom").waitFor();
    assert.equal(await page.locator("#subtotal").textContent(), baht(seed.prices["110003/1000"].price * 2));
    await line(page, 1).getByRole("button", { name: "One more" }).click();
    assert.equal(await page.locator("#subtotal").textContent(), baht(seed.prices["110003/1000"].price * 3));
    await isFailed(page);
    await page.getByRole("button", { name: "Remove the product" }).click();
    await assertTotal(page);
  });
}
