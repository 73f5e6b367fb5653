import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTotal, BASKET, baht, isPriced, requestOf, visit } from "./shopper.js";
import { examples, truth } from "./site.js";

const FULL = `${BASKET.replace("R1-", "E1-").replace("20301121T1000", "20301121T1000.R2-20301121T1300")}&k=TEN.SHIP20.MEMBER5.SODA2FOR25&v=WELCOME100-NT2P`;

/** The bars of the waterfall: rule, amount and position. */
const barsOf = (page) =>
  page.locator(".waterfall tr").evaluateAll((rows) =>
    rows.map((row) => {
      const rect = row.querySelector("rect");
      const [left, width] = ["x", "width"].map((name) => Number(rect.getAttribute(name)));
      const name = row.querySelector("th").firstChild.textContent;
      const note = row.querySelector(".note")?.textContent;
      return { kind: row.className, name, note, amount: row.querySelector(".amount").textContent, left, right: left + width };
    }),
  );
const satang = (text) => Math.round(Number(text.replace("−", "-").replace(/[฿,+]/g, "")) * 100);

export function bill() {
  test("leads from the subtotal to the total; every bar names its rule", async (t) => {
    const page = await visit(t, FULL);
    const order = await assertTotal(page);
    const bars = await barsOf(page);
    assert.deepEqual(
      bars.map(({ name, note }) => [name, note]),
      [
        ["Subtotal", undefined],
        ["Delivery", "Slot 1: Silom and Sathon"],
        ["Express surcharge", "Slot 1 comes first"],
        ["Delivery", "Slot 2: Silom and Sathon"],
        ["Percentage", "shown, not subtracted"],
        ["Off delivery", "SHIP20"],
        ["Coupons", "TEN"],
        ["Vouchers", "WELCOME100-NT2P"],
        ["Total", undefined],
      ],
    );
    const [first, ...rest] = bars.filter(({ kind }) => kind !== "step-told");
    const last = rest.pop();
    assert.equal(
      [first, ...rest].reduce((sum, { amount }) => sum + satang(amount), 0),
      satang(last.amount),
    );
    assert.deepEqual([first.amount, last.amount], [order.subTotal, order.grandTotal].map(baht));
  });

  test("each bar begins where the previous one ended", async (t) => {
    const page = await visit(t, FULL);
    const [first, ...bars] = (await barsOf(page)).filter(({ kind }) => kind !== "step-told");
    let end = first.right;
    for (const { kind, name, left, right } of bars.slice(0, -1)) {
      const [from, to] = kind === "step-charge" ? [left, right] : [right, left];
      assert.ok(Math.abs(from - end) < 0.01, `${name} begins at ${from}, not ${end}`);
      assert.ok(right > left);
      end = to;
    }
    assert.ok(Math.abs(bars.at(-1).right - end) < 0.01, "the total ends where the last bar does");
    assert.equal(bars.at(-1).left, first.left);
  });

  for (const { title, order } of examples.filter(({ outcome }) => outcome.error === undefined)) {
    test(`adds up: ${title.en}`, async (t) => {
      const page = await visit(t);
      await page.getByRole("button", { name: title.en, exact: true }).click();
      await isPriced(page);
      const { grandTotal } = await truth.calculate(order);
      const bars = (await barsOf(page)).filter(({ kind }) => kind !== "step-told");
      const sum = bars.slice(0, -1).reduce((left, { amount }) => left + satang(amount), 0);
      assert.deepEqual([sum, satang(bars.at(-1).amount)], [Math.round(grandTotal * 100), Math.round(grandTotal * 100)]);
    });
  }

  test("shows the floor if the discounts exceed the order", async (t) => {
    const page = await visit(t, "#b=1000&c=malee&p=420010-1&v=GIFT500-ECYQ");
    assert.equal((await assertTotal(page)).grandTotal, 0);
    const floor = (await barsOf(page)).find(({ name }) => name === "Never below zero");
    assert.equal(floor.note, "The discounts exceed the order");
  });

  test("shows satang, also of an amount with more decimal places; the response keeps all of them", async (t) => {
    const page = await visit(t, FULL.replace("110003-2", "450002-3"));
    const { percentageDiscount } = await assertTotal(page);
    assert.ok(String(percentageDiscount).split(".")[1].length > 2, `${percentageDiscount} is whole satang`);
    const told = (await barsOf(page)).find(({ kind }) => kind === "step-told");
    assert.deepEqual([told.name, told.amount], ["Percentage", baht(percentageDiscount)]);
    const amounts = (await page.locator("body").innerText()).match(/฿\s*[\d.,]*\d/g);
    assert.ok(amounts.length > 30);
    for (const amount of amounts) assert.match(amount, /^฿[\d,]+\.\d\d$/);
  });

  test("shows the request and the response as they are sent", async (t) => {
    const page = await visit(t, FULL);
    const order = await requestOf(page);
    assert.deepEqual([order.branchId, order.ownerId, order.productList.length], ["1000", "malee", 3]);
    await page.getByRole("button", { name: "Request and response" }).click();
    const dialog = page.getByRole("dialog", { name: "Request and response" });
    const response = JSON.parse(await dialog.locator("#raw-response").textContent());
    assert.deepEqual(response, await truth.calculate(order));
    const steps = JSON.parse(await dialog.locator("#raw-ledger").textContent());
    assert.equal(steps.findLast(({ runningTotal }) => runningTotal !== null).runningTotal, response.grandTotal);
    await dialog.getByRole("button", { name: "Close" }).click();
    assert.equal(await dialog.count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.id), "show-raw");
  });

  test("measures 10,000 edits without changing the basket", async (t) => {
    const page = await visit(t, FULL);
    const before = await requestOf(page);
    await page.getByRole("button", { name: "10,000 edits" }).click();
    const figure = await page.locator("#speed-figure").textContent();
    const [, microseconds] = /^([\d.]+) µs per edit$/.exec(figure);
    assert.ok(Number(microseconds) > 0 && Number(microseconds) < 1000, figure);
    assert.match(await page.locator("#speed-note").textContent(), /^10,000 edits of 3 lines in [\d.,]+ ms: [\d,]+ edits per screen frame/);
    assert.deepEqual(await requestOf(page), before);
    await assertTotal(page);
  });
}
