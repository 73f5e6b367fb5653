import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTotal, baht, card, line, visit } from "./shopper.js";
import { parseSeed, seed } from "./site.js";

const { products } = await parseSeed("products.json");

export function catalogue() {
  const search = (page, words) => page.locator("#search").fill(words);
  const found = (page) => page.locator("#found").textContent();
  const names = (page) => page.locator("#products h3").allTextContents();
  const plain = (name) => name.replaceAll("\u00a0", " ");

  test("finds products by English name, Thai name and code, and shows the first of them", async (t) => {
    const page = await visit(t);
    await search(page, "");
    assert.equal(await found(page), "2,316 products");
    assert.equal(await page.locator("#products > li").count(), 12);

    await search(page, "jasmine RICE 5 kg");
    const rice = products.filter(({ en }) => /jasmine rice 5 kg/i.test(en));
    assert.ok(rice.length > 4);
    assert.deepEqual((await names(page)).map(plain).sort(), rice.map(({ en }) => en).sort());

    await search(page, "ไข่ไก่ เบอร์");
    assert.equal(await found(page), `${products.filter(({ th }) => th.includes("ไข่ไก่ เบอร์")).length} products`);
    for (const name of (await names(page)).map(plain)) assert.match(name, /Size \d Chicken Eggs/);
    await search(page, "110018");
    assert.deepEqual((await names(page)).map(plain), ["Thung Kula Jasmine Rice 5 kg"]);
    await search(page, "xyzzy");
    assert.equal(await found(page), "Nothing found. Try another word or aisle.");
    await search(page, "");
  });

  test("answers a search of all products at once, in the event of the key", async (t) => {
    const page = await visit(t);
    const counts = await page.evaluate(() => {
      const input = document.getElementById("search");
      return ["xyzzy", "rice", "xyzzy", ""].map((words) => {
        input.value = words;
        input.dispatchEvent(new Event("input"));
        return document.querySelectorAll("#products > li").length;
      });
    });
    assert.deepEqual(
      counts.map((count) => count > 0),
      [false, true, false, true],
    );
  });

  test("shows more on request, and moves the focus there", async (t) => {
    const page = await visit(t);
    await page.locator("#more").click();
    assert.equal(await page.locator("#products > li").count(), 36);
    const thirteenth = page.locator("#products > li").nth(12).locator("button, input").first();
    assert.ok(await thirteenth.evaluate((node) => node === document.activeElement));
    await search(page, " ");
  });

  test("has aisles, and offers whose list price is struck through", async (t) => {
    const page = await visit(t);
    const aisle = (name) => page.locator("#aisles").getByRole("button", { name, exact: true });
    await aisle("Drinks").click();
    assert.equal(await aisle("Drinks").getAttribute("aria-pressed"), "true");
    assert.equal(await found(page), `${products.filter(({ category }) => category > 20 && category < 30).length} products`);

    await aisle("Offers").click();
    const first = page.locator("#products > li").first();
    const cprcode = products.find(({ en }) => en === "Ruang Thong White Rice 1 kg").cprcode;
    const { price, originalPrice } = seed.prices[`${cprcode}/1000`];
    assert.equal(await first.locator(".price").textContent(), baht(price));
    assert.equal(await first.locator("s").textContent(), `list price ${baht(originalPrice)}`);
    assert.equal(await page.locator("#products s").count(), 12);
    await aisle("All").click();
  });

  test("adds to the basket, and the card shows the quantity", async (t) => {
    const page = await visit(t);
    await search(page, "water spinach 250 g");
    await page.getByRole("button", { name: "Add Water Spinach" }).click();
    await line(page, 3).getByText("Water Spinach").waitFor();
    const more = card(page, "Water Spinach").getByRole("button", { name: "One more Water Spinach" });
    assert.ok(await more.evaluate((node) => node === document.activeElement), "the focus is where one adds more");
    await more.press("Enter");
    assert.equal(await line(page, 3).locator("input").inputValue(), "2");
    const { productList } = await assertTotal(page);
    assert.deepEqual([productList[3].quantity, productList[3].scheduleId], [2, 1]);
    const fewer = card(page, "Water Spinach").getByRole("button", { name: "One fewer" });
    await fewer.click();
    await fewer.click();
    assert.equal(await page.locator("#basket-lines > li").count(), 3);
    await search(page, "");
  });

  test("marks controlled products, and those that the branch does not sell", async (t) => {
    const page = await visit(t);
    await search(page, "khun khao lager 320 ml × 6");
    await card(page, "Khun Khao").getByText("Controlled").waitFor();
    await search(page, "110057"); // not sold at Silom
    await card(page, "Riceberry").getByText("Not sold at Silom").waitFor();
    assert.equal(await card(page, "Riceberry").getByRole("button").isDisabled(), true);
    await page.locator("#branch").selectOption("1001");
    assert.equal(await card(page, "Riceberry").getByRole("button").isDisabled(), false);
    assert.equal(await card(page, "Riceberry").locator(".price").textContent(), baht(seed.prices["110057/1001"].price));
    await search(page, "");
    await assertTotal(page);
  });
}
