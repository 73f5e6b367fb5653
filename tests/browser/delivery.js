import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, assertTotal, BASKET, baht, DESKTOP, isFailed, isPriced, openShop, PHONE, requestOf, visit } from "./shopper.js";
import { seed, truth } from "./site.js";

const zoneAt = (brcode, name) =>
  seed.zones.features.find(({ properties }) => properties.brcode === brcode && properties.name === name).properties;

const WAYS = [
  ["REGULAR", "Regular"],
  ["EXPRESS", "Express"],
  ["NATIONWIDE", "Nationwide"],
  ["PICKUP", "Pick up"],
];

/** What a slot of an order costs in this mode, by the package in Node. */
async function costOf(order, index, mode) {
  const slot = { ...order.shipping.scheduleList[index], mode, nationwideMode: "DRY" };
  const scheduleList = order.shipping.scheduleList.with(index, slot);
  const priced = await truth.calculate({ ...order, couponCodeList: [], shipping: { ...order.shipping, scheduleList } });
  return priced.shipping.scheduleList[index].deliveryFee + (index === 0 ? priced.expressShippingCost : 0);
}

export function delivery() {
  const schedule = (page, index) => page.locator("#schedules > li").nth(index);
  const mode = (page, index) => schedule(page, index).getByLabel("How");
  const lit = (page) => page.locator("#zones [aria-current]").textContent();
  const pin = (page) => page.getByRole("slider", { name: "Delivery address" });

  test("pickup has no fee, delivery has one", async (t) => {
    const page = await visit(t);
    const before = await assertTotal(page);
    assert.equal(before.deliveryFee, 30);
    await page.getByRole("radio", { name: "Pick up" }).check();
    await page.getByText("Picked up at the Silom branch").waitFor();
    const { deliveryFee, grandTotal, subTotal } = await assertTotal(page);
    assert.deepEqual([deliveryFee, grandTotal], [0, subTotal]);
    await page.evaluate(() => (window.asked.length = 0));
    await page.getByRole("button", { name: "All is well" }).click();
    await assertTotal(page);
    assert.deepEqual(await asked(page), ["lookupPrices"], "no rate for slots that nobody sees");
    await page.getByRole("radio", { name: "Deliver" }).check();
    assert.deepEqual((await assertTotal(page)).grandTotal, before.grandTotal);
  });

  test("adds, moves and removes slots, and the express surcharge follows the first", async (t) => {
    const page = await visit(t);
    await mode(page, 0).selectOption("EXPRESS");
    assert.equal((await assertTotal(page)).expressShippingCost, 50);
    await schedule(page, 0).getByText("and ฿50.00 for express").waitFor();

    await page.getByRole("button", { name: "Add a slot" }).click();
    const two = await assertTotal(page);
    assert.deepEqual([two.deliveryFee, two.expressShippingCost], [60, 50]);
    assert.equal(new Set(two.shipping.scheduleList.map(({ scheduleId }) => scheduleId)).size, 2);

    await page.getByRole("button", { name: "Move down: Slot 1" }).click();
    await page.waitForFunction(() => document.activeElement.dataset.focus === "schedule-0-down");
    const moved = await assertTotal(page);
    assert.deepEqual(
      moved.shipping.scheduleList.map(({ mode }) => mode),
      ["REGULAR", "EXPRESS"],
    );
    assert.equal(moved.expressShippingCost, 0);
    await schedule(page, 1).getByText("no surcharge: only the first slot pays it").waitFor();

    await page.getByRole("button", { name: "Remove: Slot 1" }).click();
    assert.equal((await assertTotal(page)).expressShippingCost, 50);
    await page.getByRole("button", { name: "Remove: Slot 1" }).click();
    await page.getByText("No slot chosen").waitFor();
    assert.equal((await assertTotal(page)).deliveryFee, 0);
  });

  /** Waits until the ways of a slot have these texts. */
  const assertWays = (page, index, texts) =>
    page.waitForFunction(
      ([index, texts]) => {
        const { options } = document.querySelector(`[data-focus=schedule-${index}-mode]`);
        return [...options].map(({ text }) => text).join() === texts.join();
      },
      [index, texts],
    );

  test("each way of a slot, and another slot, say what they would cost", async (t) => {
    const hash = `${BASKET.replace("R1-20301121T1000", "R1-20301121T1000.E2-20301121T1300")}&k=TEN.SHIP20`;
    const { page, problems } = await openShop(t, { hash, isCounted: true });
    const sent = await requestOf(page);
    for (const index of [0, 1]) {
      const texts = await Promise.all(WAYS.map(async ([mode, name]) => `${name} · ${baht(await costOf(sent, index, mode))}`));
      await assertWays(page, index, texts);
    }
    await page.getByRole("button", { name: "Add a slot · ฿30.00" }).waitFor();
    assert.deepEqual((await asked(page)).toSorted(), ["lookupPrices", "nationwideRate", "validateCoupons"]);

    await page.evaluate(() => (window.asked.length = 0));
    await mode(page, 0).selectOption("EXPRESS");
    await assertTotal(page);
    await page.waitForTimeout(400);
    assert.deepEqual(await asked(page), ["validateCoupons"], "all slots are priced from what is known");
    await page.getByRole("button", { name: "ไทย" }).click();
    await page.getByRole("button", { name: "฿30.00" }).and(page.locator("#add-schedule")).waitFor();
    assert.deepEqual(problems, []);
  });

  test("what cannot be had has no price, and everything else has one", async (t) => {
    const page = await visit(t, BASKET.replace("z=10500", "z=99999"));
    await assertWays(page, 0, ["Regular · ฿30.00", "Express · ฿80.00", "Nationwide", "Pick up · ฿0.00"]);
    await pin(page).focus();
    for (let i = 0; i < 12; i += 1) await page.keyboard.press("Shift+ArrowDown");
    await isFailed(page);
    await assertWays(page, 0, ["Regular", "Express", "Nationwide", "Pick up · ฿0.00"]);
    assert.equal(await page.locator("#add-schedule").textContent(), "Add a slot");
  });

  test("lets the visitor choose a time for a slot", async (t) => {
    const page = await visit(t);
    const slots = schedule(page, 0).getByLabel("When");
    assert.equal(await slots.locator("option:checked").textContent(), "Thu 21 Nov · 10:00");
    const next = await slots.locator("option").nth(2).getAttribute("value");
    await slots.selectOption(next);
    assert.equal((await requestOf(page)).shipping.scheduleList[0].dateTime, next);
  });

  test("moves a product to another slot and keeps its place", async (t) => {
    const page = await visit(t, BASKET.replace("R1-20301121T1000", "R1-20301121T1000.E2-20301121T1300"));
    const before = await requestOf(page);
    await page.getByLabel("Delivery slot of Papaya").selectOption({ label: "2 · Express" });
    const { productList } = await requestOf(page);
    assert.deepEqual(
      productList,
      before.productList.map((product, line) => (line === 1 ? { ...product, scheduleId: 2 } : product)),
    );
    await assertTotal(page);
  });

  test("the map: arrow keys move the pin; the fee and the highlight follow", async (t) => {
    const page = await visit(t);
    assert.equal(await lit(page), "Silom and Sathon฿30.00");
    assert.equal(await page.locator("#map .zone.is-own").count(), 4);
    assert.equal(await page.locator("#map .zone.is-lit").count(), 1);
    await pin(page).focus();
    for (let i = 0; i < 5; i += 1) await page.keyboard.press("Shift+ArrowUp");
    await page.locator("#zones [aria-current]", { hasText: "Siam and Pathum Wan" }).waitFor();
    const { deliveryFee, shipping } = await assertTotal(page);
    assert.equal(deliveryFee, zoneAt(1000, "Siam and Pathum Wan").deliveryFee);
    assert.equal(shipping.shippingLat, 13.7465);
    assert.match(await pin(page).getAttribute("aria-valuetext"), /^Siam and Pathum Wan, ฿40\.00, 13\.7465, 100\.5268$/);
    await pin(page).focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal((await requestOf(page)).shipping.shippingLon, 100.5263);
  });

  test("the map: the fee changes while the pin is dragged", async (t) => {
    const page = await visit(t);
    await page.locator("#map").scrollIntoViewIfNeeded();
    const from = await pin(page).locator(".pin-hole").boundingBox();
    const to = await page.locator("#map .zone-fee", { hasText: "฿55.50" }).boundingBox();
    await page.mouse.move(from.x + 4, from.y + 4);
    await page.mouse.down();
    const fees = new Set();
    for (let step = 1; step <= 12; step += 1) {
      const along = (start, end) => start + ((end - start) * step) / 12;
      await page.mouse.move(along(from.x, to.x), along(from.y, to.y));
      fees.add(await page.locator("#pin-zone").textContent());
      fees.add(await page.locator("#total").textContent());
    }
    await page.mouse.up();
    assert.ok(fees.size >= 4, [...fees].join());
    assert.equal(await lit(page), "Sukhumvit, Nana to Ekkamai฿55.50");
    assert.equal((await assertTotal(page)).deliveryFee, 55.5);
  });

  test("the map: a click on the map or on a zone's name moves the pin there", async (t) => {
    const page = await visit(t);
    await page.locator("#map").scrollIntoViewIfNeeded();
    const target = await page.locator("#map .zone-fee", { hasText: "฿45.00" }).boundingBox();
    await page.mouse.click(target.x + 5, target.y + 5);
    assert.equal((await assertTotal(page)).deliveryFee, 45);
    await page.locator("#zones").getByRole("button", { name: "Khlong San" }).click();
    assert.equal((await assertTotal(page)).deliveryFee, 50);
    assert.match(await lit(page), /^Khlong San/);
  });

  test("the map: outside every zone there is no price, and the page says what to do", async (t) => {
    const page = await visit(t);
    await pin(page).focus();
    for (let i = 0; i < 12; i += 1) await page.keyboard.press("Shift+ArrowDown");
    await isFailed(page);
    await page.getByRole("alert").getByText("This branch does not deliver to your address.").waitFor();
    assert.equal(await page.locator("#pin-zone").textContent(), "Outside the delivery zones of this branch");
    assert.equal(await page.locator("#map .is-lit").count(), 0);
    await page.getByRole("alert").getByRole("button", { name: "Pin to the branch" }).click();
    await assertTotal(page);
  });

  test("the pin goes to the branch of the shown basket, also where two baskets have the same problem", async (t) => {
    const page = await visit(t);
    await pin(page).focus();
    for (let i = 0; i < 12; i += 1) await page.keyboard.press("Shift+ArrowDown");
    await isFailed(page);
    await page.getByRole("button", { name: "Outside every zone" }).click();
    await isFailed(page);
    await page.getByRole("alert").getByRole("button", { name: "Pin to the branch" }).click();
    assert.equal((await assertTotal(page)).branchId, "1001");
  });

  test("the map: its size depends on the window's width alone, not on the widths before", async (t) => {
    const page = await visit(t);
    const heightAt = async (width) => {
      await page.setViewportSize({ ...DESKTOP, width });
      await page.waitForFunction(() => {
        const { clientWidth, clientHeight, viewBox } = document.getElementById("map");
        return viewBox.baseVal.width === clientWidth && viewBox.baseVal.height === clientHeight;
      });
      return page.locator("#map").evaluate((map) => map.clientHeight);
    };
    const before = await heightAt(DESKTOP.width);
    for (const width of [PHONE.width, 1000, 700]) await heightAt(width);
    assert.equal(await heightAt(DESKTOP.width), before);
  });

  test("another branch has its own zones, and the pin moves to it", async (t) => {
    const page = await visit(t);
    await page.locator("#branch").selectOption("1002");
    await isPriced(page);
    assert.equal(await page.locator("#map .branch.is-own text").textContent(), "Bang Na");
    assert.equal(
      await page.locator("#zones > li").count(),
      seed.zones.features.filter(({ properties }) => properties.brcode === 1002).length,
    );
    const { shipping, branchId } = await assertTotal(page);
    assert.deepEqual([branchId, shipping.brcode], ["1002", 1002]);
  });

  test("nationwide fees depend on the postcode and the parcel", async (t) => {
    const page = await visit(t);
    await mode(page, 0).selectOption("NATIONWIDE");
    await isPriced(page);
    assert.equal(await page.locator("#by-zone").isVisible(), false);
    const postcode = page.getByLabel("Postcode");
    await postcode.fill("50200");
    await page.locator("#postcode-note", { hasText: "North" }).waitFor();
    assert.equal((await assertTotal(page)).deliveryFee, seed.rates.zones.north.deliveryFee.DRY);
    await page.locator("[data-focus=schedule-0-parcel]").selectOption("FRESH");
    assert.equal((await assertTotal(page)).deliveryFee, seed.rates.zones.north.deliveryFee.FRESH);

    await postcode.fill("502");
    assert.equal(await postcode.getAttribute("aria-invalid"), "true");
    await page.getByText("Five digits, for example 50200").waitFor();
    assert.equal((await requestOf(page)).shipping.shippingPostcode, "50200");
    await postcode.fill("10110");
    await isPriced(page);
  });

  test("a postcode that is left half typed gives way to the one that the fees are for", async (t) => {
    const page = await visit(t, BASKET.replace("s=R1-", "s=ND1-"));
    const postcode = page.getByLabel("Postcode");
    await postcode.fill("83000");
    await assertTotal(page);
    for (const text of ["", "1234"]) {
      await postcode.fill(text);
      await postcode.press("Tab");
      assert.deepEqual([await postcode.inputValue(), await postcode.getAttribute("aria-invalid")], ["83000", "false"]);
    }
  });

  test("a postcode without a rate gives a message, and another postcode solves it", async (t) => {
    const page = await visit(t, BASKET.replace("s=R1-", "s=ND1-"));
    await page.getByLabel("Postcode").fill("99999");
    await isFailed(page);
    await page.getByRole("alert").getByText("We do not deliver to this address.").waitFor();
    await page.getByLabel("Postcode").fill("83000");
    assert.equal((await assertTotal(page)).deliveryFee, seed.rates.zones.south.deliveryFee.DRY);
  });
}
