import assert from "node:assert/strict";
import { test } from "node:test";
import { customerText } from "order-cost/messages";
import { asked, assertTotal, BASKET, baht, isFailed, isPriced, line, total, visit } from "./shopper.js";
import { examples, parseSeed, seed } from "./site.js";

const { products } = await parseSeed("products.json");
const plain = (name) => name.replaceAll("\u00a0", " ");

export function basket() {
  test("every total follows typing, before any look-up", async (t) => {
    const page = await visit(t);
    const shown = await page.evaluate(() => {
      const input = document.querySelector("#basket-lines input");
      const text = (id) => document.getElementById(id).textContent;
      const seen = [];
      for (const typed of ["4", "40", "400"]) {
        input.value = typed;
        input.dispatchEvent(new Event("input"));
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
    await page.waitForFunction(() => document.querySelectorAll("#basket-lines > li").length === 2); // once the focus has moved on
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
    const focused = () => page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.id);
    for (const [removed, next] of [
      [1, "Remove Khai Suk Size 1 Chicken Eggs 30 eggs"],
      [1, "Remove Ruang Thong Jasmine Rice 5 kg"],
      [0, "basket-title"],
    ]) {
      await line(page, removed).getByRole("button", { name: "Remove" }).click();
      assert.equal(plain(await focused()), next);
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
    await line(page, 0).getByText("Khun Yai Riceberry 5 kg is not available at this branch.").waitFor();
    await page.getByRole("alert").getByText("A product in the basket has a problem.").waitFor();
    assert.equal(await page.locator("#subtotal").textContent(), baht(seed.prices["110003/1000"].price * 2));
    await line(page, 1).getByRole("button", { name: "One more" }).click();
    assert.equal(await page.locator("#subtotal").textContent(), baht(seed.prices["110003/1000"].price * 3));
    await isFailed(page);
    await page.getByRole("alert").getByRole("button", { name: "Show it" }).click();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Remove the product");
    await page.keyboard.press("Enter");
    await assertTotal(page);
  });

  test("one sold-out product of three: its row says so in both languages, and the others count", async (t) => {
    const hash = BASKET.replace("420010-3-1", "110057-3-1");
    const page = await visit(t, hash, isFailed);
    await page.evaluate(() => (window.asked.length = 0));
    const of = (code) => seed.prices[`${code}/1000`].price;
    const amounts = () => page.locator(".line-total").allTextContents();
    const told = () => page.locator(".line-problem p").filter({ visible: true }).allTextContents();
    const product = products.find(({ cprcode }) => cprcode === 110057);
    const problem = { code: "PRODUCT_PRICE_NOT_FOUND", subject: { line: 1 }, retryable: false };
    for (const [language, button] of [
      ["en", "EN"],
      ["th", "ไทย"],
    ]) {
      await page.getByRole("button", { name: button, exact: true }).click();
      const text = customerText(problem, language, { product: () => product[language] });
      assert.deepEqual((await told()).map(plain), [text]);
      assert.deepEqual(await amounts(), [baht(of(110003) * 2), "—", baht(of(450002))]);
    }
    await page.getByRole("button", { name: "EN", exact: true }).click();
    await line(page, 0).getByRole("button", { name: "One more" }).click();
    await line(page, 1).getByRole("button", { name: "One more" }).click();
    await line(page, 2).locator("input").fill("4");
    assert.deepEqual(await amounts(), [baht(of(110003) * 3), "—", baht(of(450002) * 4)]);
    assert.equal(await page.locator("#subtotal").textContent(), baht(of(110003) * 3 + of(450002) * 4));
    await page.waitForTimeout(400); // longer than the basket waits after an edit
    assert.deepEqual(await asked(page), []);
    await line(page, 1).getByRole("button", { name: "Remove the product" }).click();
    await assertTotal(page);
    const rate = "nationwideRate"; // for what a parcel would cost, which is said once all prices are known
    assert.deepEqual(
      (await asked(page)).filter((name) => name !== rate),
      [],
    );
  });
}
