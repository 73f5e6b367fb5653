import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, assertTotal, BASKET, card, line, openShop, requestOf, total, visit } from "./shopper.js";

const TWO_SLOTS = BASKET.replace("420010-3-1", "420010-3-2").replace("R1-20301121T1000", "R1-20301121T1000.E2-20301121T1300");

export function undo() {
  const notice = (page) => page.locator("#undo").filter({ visible: true });
  const remove = (page, index) => line(page, index).getByRole("button", { name: "Remove" }).click();
  const takeBack = (page) => notice(page).getByRole("button", { name: "Undo" }).click();
  const keys = (page) => page.locator(".line-remove").evaluateAll((buttons) => buttons.map(({ dataset }) => dataset.focus));
  const focusedRow = (page) => page.evaluate(() => document.activeElement.closest("li")?.querySelector("h3").textContent);

  test("brings a removed row back: its place, quantity and slot, and nothing is asked", async (t) => {
    const page = await visit(t, TWO_SLOTS);
    const [order, calls, before, shown] = [await requestOf(page), await asked(page), await keys(page), await total(page)];
    await remove(page, 1);
    await notice(page).getByText("Removed Papaya 1 kg.").waitFor();
    await page.getByRole("status").filter({ hasText: "Removed Papaya 1 kg. You can undo this." }).waitFor({ state: "attached" });
    assert.equal((await assertTotal(page)).productList.length, 2);

    await takeBack(page);
    assert.deepEqual(await requestOf(page), order);
    const after = await keys(page);
    assert.deepEqual([after[0], after[2], after.length], [before[0], before[2], 3]);
    assert.equal(await total(page), shown);
    assert.equal(await page.locator("select[data-focus$=-schedule]").nth(1).inputValue(), "2");
    assert.equal(await notice(page).count(), 0);
    await page.waitForTimeout(400); // longer than the basket waits after an edit
    assert.deepEqual(await asked(page), calls);
  });

  test("Tab leads from the removed row to the notice, and Undo leads to the row that came back", async (t) => {
    const page = await visit(t);
    await remove(page, 0);
    assert.match(await focusedRow(page), /^Papaya/);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "undo-button");
    await page.keyboard.press("Enter");
    assert.match(await focusedRow(page), /^Ruang Thong Jasmine Rice/);

    await remove(page, 2);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    assert.equal(await notice(page).count(), 0);
    assert.match(await focusedRow(page), /^Papaya/);
    await assertTotal(page);
  });

  test("an emptied field can be undone, to the quantity before the visitor typed", async (t) => {
    const page = await visit(t, BASKET.replace("420010-3", "420010-12"));
    await line(page, 1).locator("input").focus();
    for (const key of ["End", "Backspace", "Backspace", "Tab"]) await page.keyboard.press(key);
    await page.locator("#basket-lines > li").nth(2).waitFor({ state: "detached" });
    assert.match(await focusedRow(page), /Eggs/);
    await takeBack(page);
    assert.equal(await line(page, 1).locator("input").inputValue(), "12");
    await line(page, 2).getByRole("button", { name: "One fewer" }).click();
    await takeBack(page);
    assert.equal(await line(page, 2).locator("input").inputValue(), "1");
    await assertTotal(page);
  });

  test("another removal replaces the notice, and edits made meanwhile stay", async (t) => {
    const page = await visit(t);
    await remove(page, 1);
    await remove(page, 1);
    await notice(page).getByText("Removed Khai Suk Size 1 Chicken Eggs 30 eggs.").waitFor();
    await line(page, 0).locator("input").fill("7");
    await takeBack(page);
    const { productList } = await requestOf(page);
    assert.deepEqual(
      productList.map(({ cprcode, quantity }) => [cprcode, quantity]),
      [
        [110003, 7],
        [450002, 1],
      ],
    );
    await assertTotal(page);
  });

  test("also brings back what was removed in the catalogue, in the visitor's language", async (t) => {
    const page = await visit(t);
    await page.locator("#search").fill("450002");
    await card(page, "Eggs").getByRole("button", { name: "One fewer" }).click();
    await notice(page).getByText("Removed Khai Suk").waitFor();
    await page.getByRole("button", { name: "ไทย" }).click();
    await notice(page).getByText("นำ ไข่ไก่ เบอร์ 1 ตราไข่สุข 30 ฟอง ออกแล้ว").waitFor();
    await page.getByRole("button", { name: "EN", exact: true }).click();
    await takeBack(page);
    assert.equal(await page.locator("#basket-lines > li").count(), 3);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.focus), "card-450002-plus");
    await page.locator("#search").fill("");
    await assertTotal(page);
  });

  test("the notice goes after some seconds, but not while the focus is in it, and with another basket", async (t) => {
    const { page, problems } = await openShop(t, { hash: BASKET });
    await page.clock.install();
    await remove(page, 0);
    await page.locator("#undo-button").focus();
    await page.clock.runFor(20_000);
    assert.equal(await notice(page).count(), 1);
    await page.locator("#search").focus();
    await page.clock.runFor(11_000);
    assert.equal(await notice(page).count(), 0);
    await remove(page, 0);
    assert.equal(await notice(page).count(), 1);
    await page.getByRole("button", { name: "Bangkok delivery" }).click();
    assert.equal(await notice(page).count(), 0);
    assert.deepEqual(problems, []);
  });
}
