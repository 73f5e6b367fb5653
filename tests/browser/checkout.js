// Placing an order: everything is asked again, and what became different needs one confirmation.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answersWait, asked, BASKET, baht, isFailed, isPriced, line, total, visit } from "./shopper.js";
import { parseSeed, seed } from "./site.js";

const { products } = await parseSeed("products.json");

const RISE = 5;

export function checkout() {
  const trouble = (page, name) => page.locator("#trouble").getByRole("button", { name }).click();
  const order = (page) => page.getByRole("button", { name: "Place the order" }).click();
  const dialog = (page, name) => page.getByRole("dialog", { name });
  const changes = (page) => page.locator("#checkout-changes li").allTextContents();
  const amount = async (page) => Number((await total(page)).replace(/[฿,]/g, ""));

  test("asks for everything again, and orders at once if all is as before", async (t) => {
    const page = await visit(t, `${BASKET}&k=TEN&v=WELCOME100-NT2P`);
    const before = await total(page);
    await page.evaluate(() => (window.asked.length = 0));
    await order(page);
    await dialog(page, "Thank you").getByText(`Your order comes to ${before}.`).waitFor();
    const calls = (await asked(page)).filter((name) => name !== "nationwideRate"); // for what a parcel would cost
    assert.deepEqual(calls.sort(), ["lookupPrices", "lookupVouchers", "validateCoupons"]);
    assert.deepEqual(await changes(page), []);
    assert.equal(await page.evaluate(() => document.activeElement.id), "checkout-back");
    await page.getByRole("button", { name: "Close" }).click();
    await dialog(page, "Thank you").waitFor({ state: "hidden" });
  });

  test("a price that has risen meanwhile is listed, and needs one confirmation", async (t) => {
    const page = await visit(t);
    const before = await amount(page);
    await trouble(page, "Prices rise");
    await page.waitForTimeout(400); // longer than the basket waits after an edit
    assert.equal(await amount(page), before, "nobody has asked");
    await order(page);
    const shown = dialog(page, "Please look again");
    await shown.waitFor();
    const expected = [110003, 420010, 450002].map((code) => {
      const { price } = seed.prices[`${code}/1000`];
      const { en } = products.find(({ cprcode }) => cprcode === code);
      return `${en} now costs ${baht(price + RISE)} instead of ${baht(price)}.`;
    });
    assert.deepEqual(
      (await changes(page)).map((text) => text.replaceAll("\u00a0", " ")),
      expected,
    );
    const after = before + RISE * 6; // six units
    await shown.getByText(`The total is now ${baht(after)}, not ${baht(before)}.`).waitFor();
    await shown.getByRole("button", { name: `Order for ${baht(after)}` }).click();
    await dialog(page, "Thank you")
      .getByText(`Your order comes to ${baht(after)}.`)
      .waitFor();
    assert.deepEqual(await changes(page), []);
    await page.keyboard.press("Escape");
    await trouble(page, "All is well");
    await isPriced(page);
    assert.equal(await amount(page), before);
  });

  test("whoever goes back to the basket has seen the new price: it is no change the next time", async (t) => {
    const page = await visit(t);
    const before = await amount(page);
    await trouble(page, "Prices rise");
    await order(page);
    await page.getByRole("button", { name: "Back to the basket" }).click();
    const price = seed.prices["450002/1000"].price + RISE;
    await line(page, 2).locator(".line-total").getByText(baht(price)).waitFor();
    assert.equal(await amount(page), before + RISE * 6);
    await order(page);
    await dialog(page, "Thank you").waitFor();
    await page.keyboard.press("Escape");
    await trouble(page, "All is well");
    await isPriced(page);
  });

  test("without an answer there is no order: the bill says why, and the prices stay", async (t) => {
    const page = await visit(t);
    const before = await total(page);
    await page.evaluate(async () => ((await import("./model/trouble.js")).trouble.kind = "all"));
    await order(page);
    await isFailed(page);
    await page.waitForFunction(() => document.getElementById("failure").contains(document.activeElement));
    assert.equal(await page.locator("#checkout").isVisible(), false);
    assert.equal(await total(page), before);
    await trouble(page, "All is well");
    await isPriced(page);
  });

  test("a product that was just added is no change; an edit while the shop is asked ends the order", async (t) => {
    const page = await visit(t);
    await page.locator("#search").fill("110020"); // no test before this one has asked for its price
    await page.getByRole("button", { name: "Add Thung Kula" }).waitFor();
    await page.evaluate(() => {
      document.querySelector("#products .add").click();
      document.getElementById("order").click(); // before the shop was asked for the price
    });
    await dialog(page, "Thank you").waitFor();
    await page.keyboard.press("Escape");

    await answersWait(page);
    await page.evaluate(async () => ((await import("./model/trouble.js")).trouble.kind = "slow"));
    await order(page);
    await line(page, 0).locator("input").fill("9");
    await page.locator("#order:not([aria-busy])").waitFor();
    assert.equal(await page.locator("#checkout").isVisible(), false);
    await trouble(page, "All is well");
    await isPriced(page);
    await page.locator("#search").fill("");
  });

  test("an empty basket cannot be ordered", async (t) => {
    const page = await visit(t);
    await page.evaluate(() => (location.hash = "#b=1000&c=malee"));
    await page.locator("#order:disabled").waitFor();
  });
}
