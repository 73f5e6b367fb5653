import assert from "node:assert/strict";
import { test } from "node:test";
import { allAtNight } from "../effort.js";
import { answersWait, asked, assertTotal, BASKET, baht, isFailed, isPriced, line, openShop, total, visit } from "./shopper.js";
import { seed } from "./site.js";

export function states() {
  const services = (page, name) => page.locator("#trouble").getByRole("button", { name }).click();
  const status = (page) => page.locator("#status").textContent();

  test("while look-ups run, the page names them, and the totals still follow edits", async (t) => {
    const page = await visit(t, `${BASKET}&k=TEN`);
    await answersWait(page);
    await services(page, "Slow answers");
    await page.locator("#status.is-pending").waitFor();
    await line(page, 0).locator("input").fill("7");
    assert.match(await status(page), /^Checking .*coupons/);
    await page.getByText("From what is known so far, rule by rule").waitFor();
    const rows = seed.prices["110003/1000"].price * 7 + seed.prices["420010/1000"].price * 3 + seed.prices["450002/1000"].price;
    const subtotal = await page.locator("#subtotal").textContent();
    await services(page, "All is well");
    assert.ok([baht(rows), "—"].includes(subtotal), subtotal);
    const { subTotal } = await assertTotal(page);
    assert.equal(subTotal, rows);
  });

  test("a service that is down gives a plain message; the total of what is known stays, and a retry succeeds", async (t) => {
    const page = await visit(t, `${BASKET}&k=TEN`);
    const before = await total(page);
    await services(page, "Coupons down");
    await isFailed(page);
    const alert = page.getByRole("alert").filter({ visible: true });
    assert.match(await alert.textContent(), /We could not check your coupons\. Please try again in a moment\./);
    assert.equal(await page.locator("#total-label").textContent(), "Total of what is known");
    assert.equal(await status(page), "No final price");

    await alert.getByRole("button", { name: "Try again" }).click();
    await isFailed(page);
    await page.locator("#trouble").getByRole("button", { name: "All is well" }).click();
    await isPriced(page);
    assert.equal(await alert.count(), 0);
    assert.equal(await total(page), before);
  });

  test("the bill is one picture, whichever state follows which: its steps lead to the total beside them", async (t) => {
    const page = await visit(t, `${BASKET}&k=TEN.MEMBER5`);
    await page.evaluate(watchBill);
    const acts = ["All is well", "Slow answers", "Coupons down", "Everything down", "Outside every zone", "Bangkok delivery"];
    // A change tries two that follow each.
    const followers = (index) =>
      allAtNight(
        [1, 2].map((step) => acts[(index + step) % acts.length]),
        acts,
      );
    const left = new Set(acts.flatMap((from, index) => followers(index).map((to) => `${from}, then ${to}`)));
    let last = acts[0];
    while (left.size > 0) {
      const next = acts.find((act) => left.has(`${last}, then ${act}`)) ?? [...left][0].split(", then ")[0];
      const pair = `${last}, then ${next}`;
      left.delete(pair);
      await page.getByRole("button", { name: next, exact: true }).click();
      if (next !== "Slow answers") await page.locator("#status:not(.is-pending)").waitFor();
      assert.deepEqual(await page.evaluate(() => window.faults.splice(0)), [], pair);
      last = next;
    }
    await services(page, "Everything down");
    await page.evaluate(() => (location.hash = "#b=1000&c=malee&p=110007-1")); // no other test asks for its price
    await page.locator("#ledger.is-none").waitFor({ state: "attached" });
    assert.deepEqual(await page.evaluate(() => window.faults), []);
    assert.deepEqual(await page.evaluate(() => [...window.pictures].sort()), ["current", "none", "partial"]);
    await page.evaluate(() => window.watcher.disconnect());
    await services(page, "All is well");
    await isPriced(page);
  });

  test("if everything is down, the button tries again", async (t) => {
    const page = await visit(t);
    await services(page, "Everything down");
    await isFailed(page);
    await page.getByText("We could not load the prices. Please try again in a moment.").waitFor();
    // In one go: the basket also tries again by itself, and the button goes.
    await page.getByRole("button", { name: "Try again" }).evaluate(async (button) => {
      const { trouble } = await import("./model/trouble.js");
      trouble.kind = "none";
      button.focus();
      button.click();
    });
    await isPriced(page);
    assert.equal(await page.evaluate(() => document.activeElement.id), "bill", "the button is gone");
    await assertTotal(page);
    await services(page, "All is well");
    await isPriced(page);
  });

  test("the basket repeats what failed, a few times and without a flicker", async (t) => {
    const { page, problems } = await openShop(t, { hash: BASKET, isCounted: true });
    await services(page, "Everything down");
    await isFailed(page);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.evaluate(() => {
      const count = (id) => {
        window[id] = 0;
        const observer = new MutationObserver(() => (window[id] += 1));
        observer.observe(document.getElementById(id), { childList: true, subtree: true, attributeFilter: ["hidden"] });
      };
      count("failure");
      count("announcement");
      window.asked.length = 0;
    });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.clock.runFor(6_800);
    const calls = await asked(page);
    assert.ok(calls.length >= 3 && calls.length <= 4 && calls.every((name) => name === "lookupPrices"), calls.join());
    const [failure, announcement] = await page.evaluate(() => [window.failure, window.announcement]);
    assert.ok(failure === 0 && announcement <= 1, "a screen reader would read the same again");
    assert.deepEqual(problems, []);
  });

  test("look-ups that repeat are announced only if the total changes", async (t) => {
    // A page of its own: on a shared one the last test's removal may still be announced.
    const { page, problems } = await openShop(t, { hash: BASKET, isCounted: true });
    const announcement = () => page.locator("#announcement").textContent();
    const said = `Total ${await total(page)}`;
    await page.getByRole("status").filter({ hasText: said }).waitFor({ state: "attached" });
    await answersWait(page);
    await page.clock.install();
    await services(page, "Slow answers");
    await page.locator("#status.is-pending").waitFor();
    assert.equal(`Total ${await total(page)}`, said);
    await page.clock.runFor(2_000);
    assert.equal(await announcement(), said);
    await line(page, 0).locator("input").fill("7");
    await page.clock.runFor(2_000);
    assert.equal(await announcement(), `Total so far ${await total(page)}, still checking`);
    assert.deepEqual(problems, []);
  });

  test("what failed is repeated at once when the browser is online again, or the page is seen again", async (t) => {
    const page = await visit(t);
    const calls = (type) =>
      page.evaluate(async (type) => {
        const { trouble } = await import("./model/trouble.js");
        trouble.kind = "none";
        const before = window.asked.length;
        (type === "online" ? window : document).dispatchEvent(new Event(type));
        return window.asked.slice(before);
      }, type);
    assert.deepEqual(await calls("online"), [], "nothing has failed");
    for (const type of ["online", "visibilitychange"]) {
      await services(page, "Everything down");
      await isFailed(page);
      assert.deepEqual(await calls(type), ["lookupPrices"], type);
      await isPriced(page);
    }
  });

  test("in the background nothing is asked; what is hours old is asked when the page is seen again", async (t) => {
    const { page, problems } = await openShop(t, { hash: BASKET, isCounted: true });
    const become = (state) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await page.waitForFunction(() => window.asked.includes("nationwideRate")); // of the slots, a moment after the order
    const before = (await asked(page)).length;
    await page.clock.install();
    await become("hidden");
    await page.clock.fastForward("03:00:00");
    assert.equal((await asked(page)).length, before);
    await become("visible");
    await page.clock.runFor(1_000);
    await isPriced(page);
    assert.ok((await asked(page)).slice(before).includes("lookupPrices"));
    assert.deepEqual(problems, []);
  });

  test("with the services down, the last complete total stays, what waits is named, and the bill heals by itself", async (t) => {
    const page = await visit(t, `${BASKET}&k=TEN`);
    const before = await total(page);
    const colour = (id) => page.locator(id).evaluate((node) => getComputedStyle(node).color);
    const ink = await colour("#total");
    assert.equal(await page.locator("#settled").isVisible(), false);
    await services(page, "Everything down");
    await page.locator("#search").fill("110018");
    await page.getByRole("button", { name: "Add Thung Kula" }).click();
    await line(page, 0).locator("input").fill("3");
    await isFailed(page);
    assert.equal(await page.locator("#settled").textContent(), `Last complete: ${before}`);
    assert.notEqual(await total(page), before);
    await page.waitForFunction((ink) => getComputedStyle(document.getElementById("total")).color !== ink, ink);
    assert.equal(await colour("#total"), await colour(".total-head"));
    const alert = page.getByRole("alert").filter({ visible: true });
    await alert.getByText("To be checked after that: coupons.").waitFor();
    await alert.getByText("The page also tries again by itself.").waitFor();

    await end(page);
    await isPriced(page);
    assert.equal(await alert.count(), 0);
    assert.equal(await page.locator("#settled").isVisible(), false);
    await page.waitForFunction((ink) => getComputedStyle(document.getElementById("total")).color === ink, ink);
    await assertTotal(page);
    await page.locator("#search").fill("");
  });

  test("a price that was never known is shown as such, while it is awaited and after that failed", async (t) => {
    const page = await visit(t);
    await answersWait(page);
    await services(page, "Slow answers");
    await page.locator("#search").fill("110005"); // no other test asks for its price, or that of the next
    await page.getByRole("button", { name: "Add Ruang Thong" }).click();
    const added = line(page, 3);
    assert.deepEqual(await added.locator(".line-unit, .line-total").allTextContents(), ["…", "…"]);
    assert.equal(await status(page), "Checking prices …");
    await services(page, "All is well");
    await isPriced(page);
    await added.getByText(baht(seed.prices["110005/1000"].price)).first().waitFor();
    await services(page, "Everything down");
    await page.locator("#search").fill("110006");
    await page.locator("#products .add").click();
    await line(page, 4).getByText("No price yet").waitFor();
    assert.equal(await line(page, 4).locator(".line-total").textContent(), "—");
    await page.locator("#search").fill("");
    await services(page, "All is well");
    await isPriced(page);
  });
}

/** Runs in the page: looks at the bill after every change of it. */
function watchBill() {
  window.faults = [];
  window.pictures = new Set();
  const byId = (id) => document.getElementById(id);
  const text = (id) => byId(id).textContent;
  const isSeen = (node) => node?.checkVisibility({ visibilityProperty: true });
  const satang = (amount) => Math.round(Number(amount.replace("−", "-").replace(/[฿,+]/g, "")) * 100);

  function look() {
    const status = byId("status").className.replace("status is-", "");
    const rows = [...document.querySelectorAll(".waterfall tr")].filter(isSeen);
    const bars = rows.filter(({ className }) => className !== "step-told").map((row) => row.querySelector(".amount").textContent);
    const isMarked = isSeen(byId("ledger-caption")) && /^From what is known/.test(text("ledger-caption"));
    const isPriceless = [...document.querySelectorAll(".line-total")].every((line) => "…—".includes(line.textContent));
    const must = (isTrue, what) => isTrue || window.faults.push(`${status}, ${text("total")}: ${what}`);

    window.pictures.add(byId("ledger").className.replace("ledger is-", ""));
    must(text("dock-total") === text("total"), `the dock shows ${text("dock-total")}`);
    must((text("total-label") === "Total to pay") === (status === "current"), text("total-label"));
    must(isPriceless === (text("total") === "—"), "an amount although no price is known, or none although one is");
    if (rows.length === 0) return;
    must(isMarked === (status !== "current"), `a waterfall with the caption ${text("ledger-caption")}`);
    must(bars.at(-1) === text("total"), `a waterfall to ${bars.at(-1)}`);
    const sum = bars.slice(0, -1).reduce((left, amount) => left + satang(amount), 0);
    must(sum === satang(text("total")), `the waterfall adds up to ${sum} satang`);
  }
  window.watcher = new MutationObserver(look);
  window.watcher.observe(document.querySelector("main"), { childList: true, subtree: true, attributes: true });
}

/** Ends the trouble without new look-ups. */
const end = (page) =>
  page.evaluate(async () => {
    const { trouble } = await import("./model/trouble.js");
    trouble.kind = "none";
  });
