// Coming back: a shared address, a chosen language and theme, no network. Also: what the site publishes.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import http from "node:http";
import { test } from "node:test";
import { rateFor } from "../../worker/services/nationwide/rates.js";
import en from "../../www/texts/en.js";
import th from "../../www/texts/th.js";
import { copied } from "../chromium.js";
import { allAtNight } from "../effort.js";
import { until } from "../until.js";
import { captureOf, chooseFiles, slot, ZONES } from "./captured.js";
import { asked, assertTotal, BASKET, baht, isFailed, isPriced, line, openShop, PHONE, requestOf, total, visit, watch } from "./shopper.js";
import { address, browser, examples, SITE, seed } from "./site.js";

/** Jasmine rice by parcel. */
const PARCEL = "#b=1000&p=110003-2-1&s=NF1-20301121T1000&z=10500";
const RICE = seed.prices["110003/1000"].price * 2;
const feeOf = (nationwideMode) => rateFor({ shippingPostcode: "10500", nationwideMode }, seed.rates).deliveryFee;

export function visits() {
  test("a shared address contains the basket", async (t) => {
    const hash = `${BASKET.replace("R1-", "E1-").replace("&at", ".NF2-20301122T1300&at")}&k=TEN.SHIP20&v=WELCOME100-NT2P`;
    const { page, problems } = await openShop(t, { hash, permissions: ["clipboard-write"] });
    const order = await requestOf(page);
    assert.deepEqual(
      order.productList.map(({ cprcode, quantity, scheduleId }) => [cprcode, quantity, scheduleId]),
      [
        [110003, 2, 1],
        [420010, 3, 1],
        [450002, 1, 1],
      ],
    );
    assert.deepEqual([order.couponCodeList, order.voucherId], [["TEN", "SHIP20"], ["WELCOME100-NT2P"]]);
    assert.deepEqual(order.shipping.scheduleList, [
      { scheduleId: 1, mode: "EXPRESS", dateTime: "2030-11-21T10:00:00+07:00" },
      { scheduleId: 2, mode: "NATIONWIDE", nationwideMode: "FRESH", dateTime: "2030-11-22T13:00:00+07:00" },
    ]);

    await line(page, 0).getByRole("button", { name: "One more" }).click();
    await assertTotal(page);
    const shown = await total(page);
    await page.getByRole("button", { name: "Share the basket" }).click();
    await page.locator("#share-text", { hasText: "Link copied" }).waitFor();
    const link = await copied(page);
    assert.ok(link.length < address.length + 220, link);

    await page.setViewportSize(PHONE);
    await page.locator(".dock").getByRole("link", { name: "Bill", exact: true }).click();
    await page.waitForFunction((basket) => location.hash === basket, new URL(link).hash);
    await page.waitForFunction(() => document.getElementById("total").getBoundingClientRect().top < innerHeight);

    const other = await visit(t, new URL(link).hash);
    assert.equal(await total(other), shown);
    assert.deepEqual(await requestOf(other), await requestOf(page));
    assert.deepEqual(problems, []);
  });

  test("the valid part of a damaged address is read", async (t) => {
    const page = await visit(t);
    await page.evaluate(() => (location.hash = "#b=1000&p=110003-2.nonsense.999999-1.420010-x&s=Q9.R1&k=%E0&at=here"));
    await line(page, 1).waitFor({ state: "detached" });
    const { productList, shipping } = await requestOf(page);
    assert.deepEqual(
      productList.map(({ cprcode }) => cprcode),
      [110003],
    );
    assert.deepEqual(
      shipping.scheduleList.map(({ mode }) => mode),
      ["REGULAR"],
    );
    await assertTotal(page);
    const left = "Left out: 3 products, 1 delivery, the place on the map.";
    assert.equal(await page.locator("#left-out").textContent(), `The shop cannot take all of this link. ${left}`);
    await line(page, 0)
      .getByRole("button", { name: /^One more/ })
      .click();
    await page.locator("#left-out").waitFor({ state: "hidden" });
    await page.evaluate(() => (location.hash = "#b=7&p=110003-2"));
    await page.locator("#left-out", { hasText: "the shop has no such branch" }).waitFor();
    await assertTotal(page);
  });

  test("an address with an order that is too large opens with the first basket, and says so", async (t) => {
    const { page, problems } = await openShop(t, { hash: `#b=1000&p=110003-2&k=${"A".repeat(1_100_000)}` });
    assert.equal(
      await page.locator("#left-out").textContent(),
      "The shop cannot take all of this link. Left out: the order, because it is too large.",
    );
    await assertTotal(page);
    assert.deepEqual(problems, []);
  });

  const entries = (count, entry) => Array.from({ length: count }, (_, index) => entry(index)).join(".");
  for (const [what, fields, taken, left] of [
    ["101 coupons", `k=${entries(101, (index) => `C${index}`)}`, { couponCodeList: 100 }, "1 coupon"],
    [
      "103 vouchers and 102 deliveries",
      `v=${entries(103, (index) => `V${index}`)}&s=${entries(102, (index) => `R${index}`)}`,
      { voucherId: 100 },
      "3 vouchers, 2 deliveries",
    ],
    ["6,000 rows", `p=${entries(6_000, () => "110003-1")}`, { productList: 5_000 }, "1,000 products"],
  ]) {
    test(`an address with ${what} opens without what is too much, and says so`, async (t) => {
      const { page, problems } = await openShop(t, {
        hash: `#b=1000&c=malee&${fields.startsWith("p") ? "" : "p=110003-2&"}${fields}`,
        until: async () => {},
      });
      const notice = page.locator("#left-out");
      await notice.waitFor();
      assert.equal(await notice.evaluate((node) => node.getBoundingClientRect().top < innerHeight), true, "it is seen at once");
      assert.equal(await notice.textContent(), `The shop cannot take all of this link. Left out: ${left}.`);
      const order = await requestOf(page);
      for (const [name, count] of Object.entries(taken)) assert.equal(order[name].length, count);
      await page.locator("[data-language=th]").click();
      await page.locator("#left-out", { hasText: "ส่วนที่ตัดออก" }).waitFor();
      assert.deepEqual(problems, []);
    });
  }

  test("the visitor's language and theme are remembered", async (t) => {
    const { page, problems } = await openShop(t, {
      colorScheme: "dark",
      locale: "th-TH",
      hash: `${BASKET}.NM2&k=TEN.NOPE.SAVE200&v=REFUND-Z3SM`,
    });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    assert.equal(await page.locator("html").getAttribute("lang"), "th");
    await t.test("in Thai, only codes, units and web terms are English", () => assertThai(page));

    await page.getByRole("button", { name: "EN", exact: true }).click();
    await page.getByRole("button", { name: "Switch to the light theme" }).click();
    const light = await ground();
    assert.notEqual(light, dark);
    await page.reload();
    await isPriced(page);
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    assert.equal(await page.locator("#bill-title").textContent(), "Bill");
    assert.equal(await ground(), light);
    await page.getByRole("button", { name: "ไทย" }).click();
    assert.equal(await page.locator("#bill-title").textContent(), "ใบสรุปยอด");
    assert.deepEqual(problems, []);
  });

  /** The page starts although its store is of no use, and language and theme can be chosen. */
  async function startsInEnglish({ page, problems }) {
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    await page.getByRole("button", { name: "ไทย" }).click();
    await page.getByRole("button", { name: "เปลี่ยนเป็นธีมมืด" }).click();
    assert.equal(await page.locator("#bill-title").textContent(), "ใบสรุปยอด");
    assert.deepEqual(problems, []);
  }

  test("localStorage with all access forbidden: the page starts with the first basket, and language and theme can be chosen", async (t) => {
    const before = () =>
      Object.defineProperty(window, "localStorage", {
        get: () => {
          throw new DOMException("blocked", "SecurityError");
        },
      });
    const shop = await openShop(t, { before, hash: "#nothing" });
    assert.equal(await shop.page.locator("#basket-lines > li").count(), 5);
    await startsInEnglish(shop);
  });

  test("both languages say the same things", () => {
    assert.deepEqual(Object.keys(th), Object.keys(en));
    for (const [key, text] of Object.entries(en)) assert.equal(typeof th[key], typeof text, key);
  });

  test("after one visit the page opens and prices without a network: with the prices of the visit, also of other products, and says of when they are", async (t) => {
    const hash = `${BASKET.replace("&at", ".ND2-20301121T1300&at")}`;
    const { page, context, problems } = await openShop(t, { serviceWorkers: "allow", viewport: PHONE, hash });
    const amounts = () => page.locator(".line-total, #subtotal, #total").allTextContents();
    const before = await amounts();
    await page.getByText("The page now works without a network too.").waitFor();
    assert.equal(await page.locator("#network").isVisible(), false);
    await context.setOffline(true);
    await page.reload();
    await page.locator("html.is-ready").waitFor();
    await isPriced(page);
    assert.deepEqual(await amounts(), before);
    const network = page.locator("#network");
    assert.equal(await network.textContent(), "No network. Prices are as of 23 November 2026.");
    assert.equal(await page.locator("#status").textContent(), "Not checked: no network");

    await page.getByRole("button", { name: "Add a slot" }).click();
    await isPriced(page);
    await page.locator("#search").fill("110018");
    await page.getByRole("button", { name: "Add Thung Kula" }).click();
    await page.getByRole("button", { name: "ไทย" }).click();
    await line(page, 0).locator("input").fill("9");
    const { subTotal } = await assertTotal(page);
    assert.ok(subTotal > 9 * 200);
    assert.deepEqual(await page.evaluate(() => [...document.fonts].filter(({ status }) => status === "error").length), 0);
    await t.test("a captured order opens, too", async () => {
      await chooseFiles(page, slot(await captureOf(examples[1].order)), ZONES);
      await page.getByText("ตรงกับคำตอบที่บันทึกไว้ทุกไบต์").waitFor();
      await page.keyboard.press("Escape");
    });
    assert.deepEqual(problems, []);
    await page.getByRole("button", { name: "edge" }).click();
    await page.getByText("ติดต่อ edge ไม่ได้").waitFor();
    problems.length = 0; // the answer that did not come
    await page.getByRole("button", { name: "EN", exact: true }).click();

    await context.setOffline(false);
    await assertTotal(page);
    assert.equal(await network.isVisible(), false);
    assert.deepEqual(problems, []);

    await t.test("coupons cannot be checked: the prices stay, the bill says so, and heals with the network", async () => {
      await page.evaluate((hash) => void (location.hash = hash), `${BASKET}&k=TEN`);
      await line(page, 3).waitFor({ state: "detached" });
      await isPriced(page);
      const before = await total(page);
      await context.setOffline(true);
      await page.reload();
      await isFailed(page);
      await page.getByRole("alert").getByText("We could not check your coupons.").waitFor();
      const rows = [
        ["110003", 2],
        ["420010", 3],
        ["450002", 1],
      ].map(([code, units]) => seed.prices[`${code}/1000`].price * units);
      assert.deepEqual(await page.locator(".line-total").allTextContents(), rows.map(baht));
      assert.equal(await total(page), baht(rows.reduce((sum, row) => sum + row, 30)));
      await context.setOffline(false);
      await isPriced(page);
      assert.equal(await total(page), before);
      assert.deepEqual(problems, []);
    });
  });

  test("a machine that serves the page to itself needs no network", async (t) => {
    const page = await visit(t);
    await page.evaluate(() => Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false }));
    await page.evaluate((hash) => (location.hash = hash), `${BASKET}&k=TEN`);
    await page.locator(".outcome", { hasText: "TEN" }).waitFor();
    await assertTotal(page);
    await page.evaluate(() => delete navigator.onLine);
  });

  test("a kept rate is not asked again for an hour; an older one counts until it is", async (t) => {
    const keep = `localStorage.setItem("order-cost.rates", JSON.stringify({
      rates: { "10500/FRESH": '{"deliveryFee":1,"nationwideConfig":"kept"}', "10500/DRY": '{"deliveryFee":2,"nationwideConfig":"kept"}' },
      at: { rates: { "10500/FRESH": Date.now() - 59 * 60_000, "10500/DRY": Date.now() - 61 * 60_000 } } }))`;
    const hash = PARCEL.replace("&z", ".ND2-20301122T1000&z");
    const { page, problems } = await openShop(t, { hash, before: { content: keep }, isCounted: true });
    assert.equal(await total(page), baht(RICE + 1 + feeOf("DRY")));
    assert.deepEqual(await asked(page), ["lookupPrices", "nationwideRate"]);
    assert.deepEqual(problems, []);
  });

  const SPOILT = ['{"rates":{"10500/FRESH":{"deliveryFee":"free"}}}', "{"];
  for (const kept of allAtNight(SPOILT.slice(0, 1), SPOILT)) {
    test(`localStorage with an unknown language and ${kept} for rates: the page starts, asks, and language and theme can be chosen`, async (t) => {
      const before = {
        content: `localStorage.setItem("order-cost.language", "xx"); localStorage.setItem("order-cost.rates", ${JSON.stringify(kept)})`,
      };
      const shop = await openShop(t, { hash: PARCEL, before, isCounted: true });
      assert.equal(await total(shop.page), baht(RICE + feeOf("FRESH")));
      assert.deepEqual(await asked(shop.page), ["lookupPrices", "nationwideRate"]);
      await startsInEnglish(shop);
    });
  }

  test("what the shop has answered is kept at most once a second, and when the page goes", async (t) => {
    const { page, problems } = await openShop(t, { hash: PARCEL, isCounted: true });
    const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem("order-cost.rates")));
    await page.waitForFunction(() => localStorage.getItem("order-cost.rates"));
    assert.deepEqual(Object.keys((await kept()).rates), ["10500/FRESH"]);
    assert.equal((await kept()).prices, undefined, "the catalogue has them, of its version");
    await page.waitForTimeout(1100);
    await page.evaluate(() => {
      window.writes = 0;
      window.started = performance.now();
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (...item) {
        window.writes += 1;
        return Reflect.apply(setItem, this, item);
      };
    });
    for (let units = 1; units <= 9; units += 1) await line(page, 0).locator("input").fill(`${units}`);
    await page.locator("#postcode").fill("50000");
    await isPriced(page);
    const { writes, seconds } = await page.evaluate(() => ({ writes, seconds: (performance.now() - started) / 1000 }));
    assert.ok(writes <= Math.floor(seconds) + 2, `${writes} in ${seconds} s`);
    assert.deepEqual(problems, []);
    await page.goto(`${address}/icons/icon.svg`);
    assert.ok(Object.keys((await kept()).rates).includes("50000/FRESH"));
  });

  test("says so if it cannot load its data", async (t) => {
    const context = await browser.newContext({ serviceWorkers: "block", locale: "en-GB" });
    t.after(() => context.close());
    const page = await context.newPage();
    for (const [file, reason] of [
      ["catalogue/current", "The price store did not answer"],
      ["seed/products.json", "seed/products.json answered 503"],
    ]) {
      await page.unrouteAll();
      await page.route(`**/${file}`, (route) => route.fulfill({ status: 503 }));
      await page.goto(address);
      await page
        .getByRole("alert")
        .filter({ hasText: `The shop could not be opened: ${reason}. Reload the page.` })
        .waitFor();
    }
  });

  test("publishes only the files that it loads", async (t) => {
    const context = await browser.newContext({ serviceWorkers: "block" });
    t.after(() => context.close());
    const page = await context.newPage();
    const loaded = new Set();
    page.on("request", (request) => loaded.add(new URL(request.url()).pathname.slice(1) || "index.html"));
    await page.goto(address);
    await isPriced(page);
    await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));

    const isOfTheWorker = (file) => /^(seed|services)\/.*\.\w+$/.test(file);
    const published = (await readdir(SITE, { recursive: true })).map((file) => file.replaceAll("\\", "/"));
    const ofThePage = published.filter((file) => /^(?!seed|services|order-cost|docs\/)[\w/-]+\.(js|css|html|woff2)$/.test(file));
    // The page goes on to load behind its first prices.
    await until("the page has loaded all but the service worker", () => ofThePage.every((file) => loaded.has(file) || file === "sw.js"));
    assert.ok([...loaded].some(isOfTheWorker));
    assert.deepEqual(published.filter(isOfTheWorker).sort(), [...loaded].filter(isOfTheWorker).sort());
    const ofTheCatalogue = published.filter((file) => /^catalogue\/(current$|\w+\/)/.test(file));
    assert.deepEqual(
      ofTheCatalogue.filter((file) => !loaded.has(file) && !file.startsWith("catalogue/layer/")),
      [],
      "the manifest has copies of the layers",
    );
    assert.ok(ofThePage.includes("sw.js") && !loaded.has("sw.js"));
  });

  test("works behind a proxy that serves it under a path and removes that path", async (t) => {
    const proxy = http.createServer((request, response) => {
      if (!request.url.startsWith("/shop/")) return response.writeHead(404).end();
      const { method, headers } = request;
      const asked = http.request(address + request.url.slice("/shop".length), { method, headers }, (answer) =>
        answer.pipe(response.writeHead(answer.statusCode, answer.headers)),
      );
      request.pipe(asked.on("error", () => response.destroy()));
    });
    await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const context = await browser.newContext({ serviceWorkers: "block", locale: "en-GB" });
    t.after(async () => {
      await context.close();
      proxy.close();
    });
    const page = await context.newPage();
    const problems = watch(page);
    await page.goto(`http://127.0.0.1:${proxy.address().port}/shop/`);
    await isPriced(page);
    await page.getByRole("button", { name: "Pickup at Silom" }).click();
    await page.getByRole("button", { name: "Check at the edge" }).click();
    await page.getByText("Same to the byte").waitFor();
    assert.deepEqual(problems, []);
  });

  test("works with the keyboard, and tells a screen reader the total", async (t) => {
    const page = await visit(t);
    await page.evaluate(() => {
      document.body.tabIndex = -1; // so that tabbing starts at the top of the page
      document.body.focus();
      document.body.removeAttribute("tabindex");
    });
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the bill");
    await page.locator("#search").focus();
    await page.keyboard.type("water spinach 250");
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement.ariaLabel?.startsWith("Add Water"))) break;
    }
    await page.keyboard.press("Enter");
    const { grandTotal } = await assertTotal(page);
    const announced = page.getByRole("status").filter({ hasText: `Total ${baht(grandTotal)}` });
    await announced.waitFor({ state: "attached" });
    await page.locator("#search").fill("");
  });
}

async function assertThai(page) {
  await page.getByText("คูปองของร้าน").click();
  const left = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isText = !node.parentElement.closest("script, noscript, .code, h1, [lang=en]");
      if (isText && /[A-Za-z]{2,}/.test(node.data)) found.add(node.data.trim());
    }
    for (const node of document.querySelectorAll("[aria-label], [placeholder]")) {
      for (const name of ["aria-label", "placeholder"]) {
        const text = node.getAttribute(name) ?? "";
        if (/[A-Za-z]{2,}/.test(text)) found.add(text);
      }
    }
    return [...found];
  });
  const isAllowed = (text) => text.replace(/\b(edge|eggs|UHT|3in1|[A-Z0-9]{2,}(-[A-Z0-9]{4})?)\b/g, "").search(/[A-Za-z]{2,}/) < 0;
  assert.deepEqual(
    left.filter((text) => !isAllowed(text)),
    [],
  );
}
