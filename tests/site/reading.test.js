// What a reader does: searches, switches language and theme, and reads without the site.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { goTo, hasCode, open, openTab, PAGES } from "./documents.js";
import { DESKTOP, isAccessible, PHONE } from "./player.js";
import { address, startServed, stopServed } from "./served.js";

before(startServed);
after(stopServed);

describe("search, without a server", () => {
  const search = async ({ page, problems }, text, title) => {
    await page.keyboard.press("Control+k");
    await page.locator("#localsearch-input").fill(text);
    const results = page.locator("#localsearch-list a.result");
    await results.filter({ hasText: title }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator("#localsearch-list").waitFor({ state: "detached" });
    assert.deepEqual(problems, []);
  };

  test("finds a word, and on the page that it leads to an error code", async (t) => {
    const tab = await open(t, "guides/basket", { viewport: DESKTOP });
    await search(tab, "settle", /settl/i);
    await search(tab, "PRICE_LOOKUP_FAILED", /error codes/i);
  });

  test("a page in Thai says so, and finds what is Thai", async (t) => {
    const tab = await open(t, "th/basket", { viewport: DESKTOP });
    assert.equal(await tab.page.evaluate(() => document.documentElement.lang), "th");
    await search(tab, "ยอดรวม", /ตะกร้า|ยอด/);
  });
});

describe("a page waits with its code for a visitor", () => {
  for (const [what, press] of [
    ["a click", (page) => page.evaluate(() => document.querySelector(".VPNavBarSearch button").click())],
    ["a key", (page) => page.keyboard.press("Control+k")],
  ]) {
    test(`${what} counts when the code has come`, async (t) => {
      const { page, context, problems } = await openTab({ viewport: DESKTOP });
      t.after(() => context.close());
      // Chromium now and then tells a page that lays itself out of a pointer, though none has moved.
      await page.addInitScript(() => addEventListener("pointermove", (event) => event.stopImmediatePropagation()));
      await goTo(page, "guides/basket", false);
      assert.equal(await page.evaluate(hasCode), false);
      await press(page);
      await page.locator("#localsearch-input").waitFor();
      assert.deepEqual(problems, []);
    });
  }
});

test("the reader's choice of dark or light holds on the next page", async (t) => {
  const { page } = await open(t, "guides/basket", { viewport: DESKTOP, colorScheme: "light" });
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
  assert.equal(await isDark(), false);
  await page.locator(".VPNavBarAppearance button").click();
  assert.equal(await isDark(), true);
  await page.goto(`${address}/docs/guides/host`);
  assert.equal(await isDark(), true);
});

test("on a phone one menu has the pages, the language and the colours, and leads on", async (t) => {
  const { page } = await open(t, "guides/basket", { viewport: PHONE });
  const buttons = page.locator("[aria-controls=VPSidebarNav]:visible, [aria-controls=VPNavScreen]:visible");
  assert.equal(await buttons.count(), 1);
  await buttons.click();
  const menu = page.locator(".VPNavScreen");
  await menu
    .getByText("ไทย")
    .or(menu.getByRole("button", { name: "English" }))
    .first()
    .waitFor();
  await menu.getByText("Appearance").waitFor();
  assert.equal(await menu.getByRole("link", { name: "Playground" }).and(page.locator(":visible")).count(), 1, "each page once");
  await isAccessible(page, "menu");
  await menu.getByRole("link", { name: "Runbook" }).click();
  await page.waitForURL(`${address}/docs/service/runbook`);
  await menu.waitFor({ state: "detached" });
  await buttons.click();
  await menu.getByRole("link", { name: "Runbook" }).click();
  await menu.waitFor({ state: "detached" });
});

test("a page without the list of pages has the same one menu", async (t) => {
  const { page } = await open(t, "", { viewport: PHONE });
  await page.locator("[aria-controls=VPNavScreen]").click();
  await page.locator(".VPNavScreen").getByRole("link", { name: "Playground" }).click();
  await page.waitForURL(`${address}/docs/play`);
});

for (const place of ["service/migrate", "service/runbook", "guides/captures"]) {
  for (const viewport of [PHONE, DESKTOP]) {
    test(`${viewport.width} px: every command of ${place} is seen whole, and so is its first table`, async (t) => {
      const { page } = await open(t, place, { viewport });
      const cut = (selector, most) =>
        page.locator(selector).evaluateAll(
          (nodes, [most]) =>
            nodes
              .slice(0, most)
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
              .map(({ textContent }) => textContent),
          [most],
        );
      assert.deepEqual(await cut(".language-sh pre", 1_000), []);
      assert.deepEqual(await cut(".vp-doc table", 1), []);
    });
  }
}

test("the bar stands where it stays when the code comes", async () => {
  const text = async (place) => (await fetch(`${address}/docs/${place}`)).text();
  assert.match(await text("service/runbook"), /class="VPNavBar top has-sidebar"/);
  assert.match(await text(""), /class="VPNavBar top"/);
});

describe("for programs", () => {
  const text = async (place) => {
    const response = await fetch(`${address}/docs/${place}`);
    assert.equal(response.status, 200, place);
    return response.text();
  };

  test("each page is there as Markdown", async () => {
    for (const place of PAGES) {
      const markdown = await text(`${place.replace(/(^|\/)$/, "$1index")}.md`);
      assert.doesNotMatch(markdown, /^<!-- made|^<(!DOCTYPE|html)/m, place);
      assert.ok(markdown.length > 100, place);
    }
  });

  test("llms.txt lists every page", async () => {
    const list = await text("llms.txt");
    assert.match(list, /^# order-cost\n\n> \w/);
    const listed = [...list.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, place]) => place.replace(/(index)?\.md$/, ""));
    assert.deepEqual(
      listed.toSorted(),
      PAGES.filter((place) => place !== ""),
    );
    const full = await text("llms-full.txt");
    assert.ok(full.includes("calculatecost4"));
  });
});
