import assert from "node:assert/strict";
import { test } from "node:test";
import { customerText } from "order-cost/messages";
import { assertTotal, BASKET, baht, isFailed, isPriced, total, visit } from "./shopper.js";

export function discounts() {
  const outcome = (page, code) => page.locator(".outcome", { hasText: code });
  const reason = (page, code) => outcome(page, code).locator(".reason").textContent();
  const why = (page, code) => outcome(page, code).locator(".note").textContent();
  const use = async (page, kind, code) => {
    await page.getByLabel(kind === "coupon" ? "Coupon code" : "Voucher number").fill(code);
    await page.locator(`#${kind}-form`).getByRole("button", { name: "Use" }).click();
  };

  test("a typed coupon is subtracted", async (t) => {
    const page = await visit(t);
    await use(page, "coupon", "ten");
    const { cartDiscount } = await assertTotal(page);
    assert.ok(cartDiscount > 0);
    assert.match(
      await outcome(page, "TEN").textContent(),
      new RegExp(`10% off 300 or more.*${baht(-cartDiscount).replace(/[฿.]/g, "\\$&")}`),
    );
    await page.getByRole("button", { name: "Remove TEN" }).click();
    assert.equal((await assertTotal(page)).cartDiscount, 0);
  });

  test("what a coupon gave to an older basket is not drawn as accepted", async (t) => {
    const page = await visit(t, `${BASKET}&k=TEN`);
    await assertTotal(page);
    await page.locator(".outcome.is-good", { hasText: "TEN" }).waitFor();
    await page.locator("#trouble").getByRole("button", { name: "Coupons down" }).click();
    await isFailed(page);
    await page.locator(".outcome.is-waiting", { hasText: "Not checked yet" }).waitFor();
    assert.match(await outcome(page, "TEN").textContent(), /−฿/);
    await page.locator("#trouble").getByRole("button", { name: "All is well" }).click();
    await assertTotal(page);
    await page.locator(".outcome.is-good", { hasText: "TEN" }).waitFor();
  });

  test("one press uses a coupon of the shop, another one removes it", async (t) => {
    const page = await visit(t);
    await page.getByText("Coupons of the shop").click();
    const ticket = page.locator("#coupon-wallet").getByRole("button", { name: "RICE15" });
    await ticket.click();
    assert.equal(await ticket.getAttribute("aria-pressed"), "true");
    assert.equal((await assertTotal(page)).cartDiscount, 30);
    await ticket.click();
    assert.equal((await assertTotal(page)).cartDiscount, 0);
    await page.getByText("Coupons of the shop").click();
  });

  test("each coupon shows its outcome and the reason", async (t) => {
    const codes = ["SHIP20", "MEMBER5", "NOPE", "NEWYEAR2036", "SONGKRAN13", "MALEE99", "SNACK25", "SAVE200", "FREEDELIVERY"];
    const page = await visit(t, `${BASKET.replace("c=malee", "c=ploy")}&k=${codes.join(".")}`);
    await assertTotal(page);
    assert.match(await outcome(page, "SHIP20").textContent(), /Off the delivery fee−฿20\.00/);
    assert.match(await outcome(page, "MEMBER5").textContent(), /Shown on the bill only5%/);
    assert.equal(await reason(page, "NOPE"), customerText({ failedCoupon: "NOPE" }, "en"));
    assert.equal(await why(page, "NOPE"), "There is no such coupon");
    assert.equal(await why(page, "NEWYEAR2036"), "Not valid before 25 December 2035");
    assert.equal(await why(page, "SONGKRAN13"), "Ended on 17 April 2026");
    assert.equal(await why(page, "MALEE99"), "For other customers");
    assert.equal(await why(page, "SNACK25"), "No product in the basket qualifies");
    assert.match(await why(page, "SAVE200"), /^฿[\d,.]+ short of its minimum$/);
    assert.equal(await reason(page, "FREEDELIVERY"), "Free delivery without an amount: the fee stays as it is");
  });

  test("each voucher shows its outcome and the reason; the customer's own vouchers are listed", async (t) => {
    const page = await visit(t, `${BASKET}&v=WELCOME100-NT2P.WELCOME100-KPNF.REFUND-Z3SM`);
    const { voucherDiscount } = await assertTotal(page);
    assert.equal(voucherDiscount, 100);
    assert.match(await outcome(page, "WELCOME100-NT2P").textContent(), /Welcome gift · ฿100\.00−฿100\.00/);
    assert.equal(await reason(page, "WELCOME100-KPNF"), customerText("ownerMismatch", "en"));
    assert.equal(await reason(page, "REFUND-Z3SM"), customerText("ownerMismatch", "en"));

    await page.getByText("Vouchers of the customer").click();
    await page.locator("#voucher-wallet").getByRole("button", { name: "SORRY50-4T4D" }).click();
    assert.equal((await assertTotal(page)).voucherDiscount, 150);
    await page.getByText("Vouchers of the customer").click();

    await page.locator("#customer").selectOption("");
    assert.equal((await assertTotal(page)).voucherDiscount, 0);
    assert.equal(await reason(page, "WELCOME100-NT2P"), customerText("ownerMismatch", "en"));
    assert.equal(await page.locator("#voucher-wallet > li").count(), 0);
  });

  test("a voucher that does not exist stops the bill, and can be removed there", async (t) => {
    const page = await visit(t);
    const before = await total(page);
    await use(page, "voucher", "GIFT-0000");
    await isFailed(page);
    await page.getByRole("alert").getByText("There is no voucher GIFT-0000. Please check its number, or remove it.").waitFor();
    assert.match(await reason(page, "GIFT-0000"), /^There is no voucher GIFT-0000\./);
    assert.equal(await total(page), before);
    await page.getByRole("alert").getByRole("button", { name: "Remove the voucher" }).click();
    await isPriced(page);
    await assertTotal(page);
  });
}
