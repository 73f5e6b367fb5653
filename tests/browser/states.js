import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import en from "../../www/texts/en.js";
import th from "../../www/texts/th.js";
import { BASKET, assertTotal, baht, isFailed, isPriced, line, total, visit } from "./shopper.js";
import { seed } from "./site.js";

export function states() {
  const services = (page, name) => page.locator("#trouble").getByRole("button", { name }).click();
  const status = (page) => page.locator("#status").textContent();

  test("while look-ups run, the page names them, and the totals still follow edits", async (t) => {
    const page = await visit(t, `${BASKET}&k=TEN`);
    await services(page, "Slow answers");
    await page.locator("#status.is-pending").waitFor();
    await line(page, 0).locator("input").fill("7");
    assert.match(await status(page), /^Checking .*coupons/);
    assert.equal(await page.locator("#ledger.is-stale").count(), 1);
    const rows =
      seed.prices["110003/1000"].price * 7 + seed.prices["420010/1000"].price * 3 + seed.prices["450002/1000"].price;
    const subtotal = await page.locator("#subtotal").textContent();
    await services(page, "All is well");
    assert.ok([baht(rows), baht(0)].includes(subtotal), subtotal);
    const { subTotal } = await assertTotal(page);
    assert.equal(subTotal, rows);
  });

  test("a service that is down gives a plain message; the last totals stay, and a retry succeeds", async (t) => {
    const page = await visit(t, `${BASKET}&k=TEN`);
    const before = await total(page);
    await services(page, "Coupons down");
    await isFailed(page);
    const alert = page.getByRole("alert").filter({ visible: true });
    assert.match(
      await alert.textContent(),
      /The coupons cannot be checked just now\.The amounts shown are the last ones known\./,
    );
    assert.equal(await status(page), "No final price");

    await alert.getByRole("button", { name: "Try again" }).click();
    await isFailed(page);
    await page.locator("#trouble").getByRole("button", { name: "All is well" }).click();
    await isPriced(page);
    assert.equal(await alert.count(), 0);
    assert.equal(await total(page), before);
  });

  test("if everything is down, the button tries again", async (t) => {
    const page = await visit(t);
    await services(page, "Everything down");
    await isFailed(page);
    await page.getByText("The prices cannot be reached just now.").waitFor();
    await page.evaluate(async () => {
      const { trouble } = await import("./model/trouble.js");
      trouble.kind = "none"; // without new look-ups
    });
    await page.getByRole("button", { name: "Try again" }).click();
    await assertTotal(page);
    await services(page, "All is well");
    await isPriced(page);
  });

  test("every error code has a text in both languages", async () => {
    const types = await readFile(new URL("../../pkg-template/index.d.ts", import.meta.url), "utf8");
    const codes = /type PricingErrorCode =(.*?)";/s.exec(types)[1].match(/(?<=\| ")[A-Z_]+/g);
    assert.ok(codes.length > 12);
    for (const texts of [en, th]) for (const code of codes) assert.ok(`error.${code}` in texts, code);
  });
}
