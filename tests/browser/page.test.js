// The page, served by the Worker on workerd with the seed data in KV, in headless Chromium.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { compareOrders } from "order-cost/compare";
import { chromium } from "playwright-core";
import { bundle, startWorkerd } from "../worker/workerd.js";
import { ZONES_KEY, priceKey, voucherKey } from "../../worker/src/keys.js";

const { CHROMIUM } = process.env;
if (!CHROMIUM) {
  throw new Error("CHROMIUM is not set: expected the path of a Chromium, as `cargo xtask test --only browser` sets it");
}

const WORKER = "order-cost";
const CONFIGS = ["", "services/nationwide/", "services/coupons/"].map((folder) => `worker/${folder}wrangler.jsonc`);
const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const SITE = fileURLToPath(new URL("../../target/site/", import.meta.url));
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

const readSeed = async (file) => readFile(new URL(`../../worker/seed/${file}`, import.meta.url), "utf8");
const parseSeed = async (file) => JSON.parse(await readSeed(file));

const prepared = await parseSeed("orders.json");
const prices = await parseSeed("prices.json");
const named = (file) => prepared.find((order) => order.file === `orders/${file}.json`);

let workerd;
let browser;
let site;

before(async () => {
  const [app, ...services] = await Promise.all(CONFIGS.map(bundle));
  const assets = { directory: SITE, routerConfig: { has_user_worker: true } };
  workerd = await startWorkerd([{ ...app, assets }, ...services]);
  await seed();
  site = await workerd.url(WORKER);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
});

after(async () => {
  await browser?.close();
  await workerd?.stop();
});

/** All vouchers and zones, and the prices of what the prepared orders hold: all 6,000 would take long to write. */
async function seed() {
  const orders = await Promise.all(prepared.map(({ file }) => parseSeed(file)));
  const wanted = new Set(orders.flatMap(({ productList }) => productList.map(({ cprcode }) => String(cprcode))));
  const [priceStore, voucherStore, zoneStore] = await Promise.all(
    ["PRICES", "VOUCHERS", "ZONES"].map((binding) => workerd.kv(WORKER, binding)),
  );
  const vouchers = Object.entries(await parseSeed("vouchers.json"));
  const priced = Object.entries(prices)
    .map(([key, record]) => [...key.split("/"), record])
    .filter(([cprcode]) => wanted.has(cprcode));
  await Promise.all([
    ...priced.map(([cprcode, branchId, record]) => priceStore.put(priceKey(cprcode, branchId), JSON.stringify(record))),
    ...vouchers.map(([id, voucher]) => voucherStore.put(voucherKey(id), JSON.stringify(voucher))),
    zoneStore.put(ZONES_KEY, await readSeed("zones.json")),
  ]);
}

// ---------------------------------------------------------------- the page, as its visitor has it

/**
 * A fresh page. What goes wrong in it is noted in `problems`.
 * @param {import("node:test").TestContext} t
 * @param {object} options of the browser's context, and
 * @param {(route: import("playwright-core").Route) => unknown} [options.edge] what answers in place of the Worker
 */
async function openPage(t, { edge, ...options } = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const problems = watch(page);
  if (edge) await page.route("**/calculatecost4", edge);
  t.after(() => context.close());

  const shown = {
    page,
    problems,
    card: (place) => page.locator(`#answer-${place}`),
    total: (place) => page.locator(`#answer-${place} .outcome`).textContent(),
    verdict: () => page.locator("#verdict .outcome").textContent(),
    differences: () =>
      page
        .locator("#differences tbody tr")
        .evaluateAll((rows) => rows.map(({ cells }) => [...cells].map((cell) => cell.textContent))),
    response: () => page.locator("#response").textContent(),
    bill: () => page.locator("#bill").innerText(),
    settled: () => page.locator('#answers[aria-busy="false"]').waitFor(),
    async choose(order) {
      await page.getByRole("radio", { name: order.title.en, exact: true }).check({ force: true });
      await shown.settled();
    },
    async show(place) {
      await page.locator(`[name="source"][value="${place}"]`).check();
    },
    /** Types an order in, and waits until it is read. */
    async type(text) {
      await page.locator("#order-text").fill(text);
      await page.locator("#prepared-description", { hasText: "An order of your own" }).waitFor();
      await shown.settled();
    },
  };
  await page.goto(site);
  await shown.settled();
  return shown;
}

function watch(page) {
  const problems = [];
  const pathOf = (url) => new URL(url).pathname;
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // What could not be loaded is noted below, with its address.
    const isOurs = !message.text().startsWith("Failed to load resource");
    if (isOurs && ["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("requestfailed", (request) => problems.push(`${request.failure().errorText} ${pathOf(request.url())}`));
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${pathOf(response.url())}`);
  });
  return problems;
}

/** As a Thai price tag has it, to the satang. */
function baht(amount) {
  const [whole, satang] = amount.toFixed(2).split(".");
  return `฿${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${satang}`;
}

/** The sum of a section of the bill, in satang, without what is only told. */
async function sumOf(page, section) {
  const rows = page.locator(`#bill tbody:has(th[scope="rowgroup"]:text-is("${section}")) tr:not(.grand)`);
  const amounts = await rows.locator("td:not(:has(.told))").allTextContents();
  return amounts.reduce((sum, amount) => sum + satang(Number(amount.replace("−", "-").replace(/[฿,]/g, ""))), 0);
}

const satang = (amount) => Math.round(amount * 100);

const rowOf = (page, name) => page.locator("#bill tr", { has: page.getByRole("rowheader", { name }) });

// ---------------------------------------------------------------- the tests

describe("the prepared orders", () => {
  test("are six, of which one fails", () => {
    assert.equal(prepared.length, 6);
    assert.equal(prepared.filter(({ outcome }) => outcome.error !== undefined).length, 1);
  });

  for (const order of prepared) {
    test(`${order.title.en}: the same in the browser and at the edge`, async (t) => {
      const { page, problems, ...shown } = await openPage(t);
      await shown.choose(order);
      const { grandTotal, error } = order.outcome;

      const responses = [];
      for (const place of ["browser", "edge"]) {
        await shown.show(place);
        assert.equal(await shown.total(place), error === undefined ? baht(grandTotal) : "No price");
        assert.equal(await shown.card(place).locator(".why").textContent(), error ?? "");
        const bill = await shown.bill();
        assert.ok(bill.includes(error ?? baht(grandTotal)), bill);
        responses.push(await shown.response());
      }
      const [response] = responses.map((text) => JSON.parse(text));
      assert.equal(response.grandTotal, grandTotal);
      assert.equal(response.error, error);
      assert.deepEqual(compareOrders(...responses), []);
      assert.equal(await shown.verdict(), "Same to the byte");
      assert.equal(await page.locator("#differences").isVisible(), false);
      assert.deepEqual(problems, error === undefined ? [] : ["500 /calculatecost4"]);
    });
  }

  for (const order of prepared.filter(({ outcome }) => outcome.error === undefined)) {
    test(`${order.title.en}: the bill adds up`, async (t) => {
      const { page, ...shown } = await openPage(t);
      await shown.choose(order);
      const response = JSON.parse(await shown.response());
      assert.equal(await sumOf(page, "Products"), satang(response.subTotal));
      assert.equal(await sumOf(page, "Delivery"), satang(response.deliveryFee + response.expressShippingCost));
      assert.equal(await sumOf(page, "Total"), satang(response.grandTotal));
      for (const { productName, quantity, price, rowTotal } of response.productList) {
        const text = await rowOf(page, productName).innerText();
        assert.ok(text.includes(`${quantity} × ${baht(price)}`) && text.trim().endsWith(baht(rowTotal)), text);
      }
    });
  }
});

describe("the bill", () => {
  test("tells what coupons and vouchers do, and what they do not", async (t) => {
    const { page, ...shown } = await openPage(t);
    await shown.choose(named("coupons-and-vouchers"));
    const { discountResult, productList, two4Discount, percentageDiscount } = JSON.parse(await shown.response());
    const text = async (name) => (await rowOf(page, name).allInnerTexts()).join("\n");

    assert.ok(discountResult.failedCoupons.length > 0);
    for (const code of discountResult.failedCoupons) assert.match(await text(code), /Not accepted/);
    for (const { coupon, discount } of discountResult.discounts.filter(({ discount }) => discount > 0)) {
      assert.ok((await text(coupon)).includes(`−${baht(discount)}`), coupon);
    }

    assert.match(await text("SODA2FOR25"), /Not subtracted/);
    assert.match(await text("MEMBER5"), /Not subtracted/);
    assert.match(await text("MEMBER5"), /5%/);
    assert.ok((await text("Two for one price")).includes(baht(two4Discount)));
    assert.ok((await text("Percentage discount")).includes(`฿${percentageDiscount}`), "no digit is lost");

    assert.match(await text("WELCOME100-KPNF"), /Not valid.*used already, not this customer’s/s);
    assert.match(await text("REFUND-Z3SM"), /Not valid.*not active, not this customer’s/s);
    assert.match(await text("WELCOME100-NT2P"), /−฿100\.00/);

    const discounted = productList.filter(({ rowTotal, discountedRowTotal }) => rowTotal !== discountedRowTotal);
    assert.ok(discounted.length > 0);
    for (const { productName, discountedRowTotal } of discounted) {
      assert.ok((await text(productName)).includes(`${baht(discountedRowTotal)} after coupons`), productName);
    }
    const cheaper = productList.filter(({ price, originalPrice }) => price < originalPrice);
    assert.ok(cheaper.length > 0);
    for (const { productName, originalPrice } of cheaper) {
      assert.equal(await rowOf(page, productName).locator("s").textContent(), `list price ${baht(originalPrice)}`);
    }
  });

  test("tells the delivery by slot, the express surcharge and controlled products", async (t) => {
    const { page, ...shown } = await openPage(t);
    await shown.choose(named("express"));
    const { shipping, productList } = JSON.parse(await shown.response());
    assert.match(await rowOf(page, "Express delivery").innerText(), /Slot 1 · 20 Nov 2026, 13:30/i);
    assert.match(await rowOf(page, "Regular delivery").innerText(), /Slot 2 · 20 Nov 2026, 18:00/i);
    assert.ok((await rowOf(page, "Regular delivery").innerText()).includes(baht(shipping.scheduleList[1].deliveryFee)));
    assert.ok((await rowOf(page, "Express surcharge").first().innerText()).includes(baht(50)));
    for (const { productName, isControlledProduct } of productList) {
      assert.equal(await rowOf(page, productName).getByText("Controlled product").count(), isControlledProduct ? 1 : 0);
    }
  });

  test("tells of the floor only where more is taken off than there is", async (t) => {
    const { grandTotal } = named("pickup").outcome;
    let discount;
    const { page, ...shown } = await openPage(t, {
      edge: async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        await route.fulfill({ response, json: { ...json, voucherDiscount: discount, grandTotal: 0 } });
      },
    });
    await shown.show("edge");
    for (const [above, isTold] of [
      [0, false],
      [0.01, true],
    ]) {
      discount = grandTotal + above;
      await shown.choose(named("regular"));
      await shown.choose(named("pickup"));
      const text = await rowOf(page, "Grand total").first().innerText();
      assert.equal(text.includes("A total is never below zero"), isTold, text);
    }
  });

  test("tells code and path of a failure in the browser, and the status at the edge", async (t) => {
    const { page, problems, ...shown } = await openPage(t);
    await shown.type('{"productList": [{"cprcode": 110003, "productName": "ข้าว", "quantity": "2"}]}');
    const message = "Invalid order: productList[0].quantity: expected an integer";
    assert.match(await shown.bill(), /VALIDATION_ERROR/);
    assert.deepEqual(await page.locator("#bill dd").allTextContents(), ["VALIDATION_ERROR", "productList[0].quantity"]);
    for (const place of ["browser", "edge"]) assert.equal(await shown.card(place).locator(".why").textContent(), message);
    await shown.show("edge");
    assert.deepEqual(await page.locator("#bill dd").allTextContents(), ["HTTP 500"]);
    assert.deepEqual(JSON.parse(await shown.response()), { error: message });
    assert.equal(await shown.verdict(), "Same to the byte");
    assert.deepEqual(problems, ["500 /calculatecost4"]);
  });
});

describe("editing", () => {
  const oneProduct = (quantity) =>
    JSON.stringify({ productList: [{ cprcode: 110003, productName: "ข้าว", quantity }] });
  const { price } = prices["110003/1000"];

  test("prices anew, in the browser and at the edge", async (t) => {
    const { problems, ...shown } = await openPage(t);
    for (const quantity of [3, 40]) {
      await shown.type(oneProduct(quantity));
      await shown.page.locator("#answer-browser", { hasText: baht(price * quantity) }).waitFor();
      await shown.settled();
      assert.equal(await shown.total("edge"), baht(price * quantity));
      assert.equal(await shown.verdict(), "Same to the byte");
    }
    assert.deepEqual(problems, []);
  });

  test("what is no JSON says so, and leaves the last price", async (t) => {
    const { page, problems, ...shown } = await openPage(t);
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    const total = await shown.total("browser");
    await shown.type('{"productList": [');
    assert.equal(await page.locator("#order-note").textContent(), "Not JSON yet");
    assert.match(await page.locator("#order-hint").textContent(), /JSON.*the last price stays/);
    assert.equal(await page.locator("#order-text").getAttribute("aria-invalid"), "true");
    assert.equal(await shown.total("browser"), total);
    assert.deepEqual(asked, []);

    await shown.choose(named("regular"));
    assert.equal(await page.locator("#order-text").getAttribute("aria-invalid"), "false");
    assert.equal(await page.locator("#order-hint").textContent(), "");
    assert.equal(await shown.total("edge"), baht(named("regular").outcome.grandTotal));
    assert.deepEqual(problems, []);
  });

  test("an answer to an older order is dropped", async (t) => {
    const [older, newer] = [named("regular"), named("express")];
    const held = [];
    const { page, problems, ...shown } = await openPage(t, {
      edge: (route) => (route.request().postData().includes("order-pickup") ? route.continue() : held.push(route)),
    });
    for (const order of [older, newer]) {
      await page.getByRole("radio", { name: order.title.en }).check({ force: true });
      await page.locator("#answer-browser", { hasText: baht(order.outcome.grandTotal) }).waitFor();
    }
    while (held.length < 2 || problems.length < 1) await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.deepEqual(problems, ["net::ERR_ABORTED /calculatecost4"]);
    assert.equal(await shown.total("edge"), "…");

    await held[1].continue();
    await shown.settled();
    assert.equal(await shown.total("edge"), baht(newer.outcome.grandTotal));
    assert.equal(await shown.verdict(), "Same to the byte");
  });
});

describe("the edge", () => {
  const [order] = prepared;

  const failing = [
    ["cannot be reached", (route) => route.abort(), "No answer", "The edge cannot be reached", "Nothing to compare"],
    [
      "is none, on a host of plain files",
      (route) => route.fulfill({ status: 405, contentType: "text/html", body: "<h1>Method Not Allowed</h1>" }),
      "No answer",
      "Nothing at this address prices orders (HTTP 405): the page may be served as plain files",
      "Nothing to compare",
    ],
    [
      "fails",
      (route) => route.fulfill({ status: 500, json: { error: "The price store did not answer" } }),
      "No price",
      "The price store did not answer",
      "Only one priced the order",
    ],
  ];
  for (const [what, edge, outcome, why, verdict] of failing) {
    test(`${what}: the browser prices alone`, async (t) => {
      const { page, ...shown } = await openPage(t, { edge });
      assert.equal(await shown.total("edge"), outcome);
      assert.equal(await shown.card("edge").locator(".why").textContent(), why);
      assert.equal(await shown.verdict(), verdict);
      assert.equal(await shown.total("browser"), baht(order.outcome.grandTotal));
      assert.equal(await page.locator("#differences").isVisible(), false);
      await shown.show("edge");
      assert.ok((await shown.bill()).includes(why));
    });
  }

  test("another answer is compared field by field, and shown with every digit", async (t) => {
    const total = "98765432109876543.2109876543210";
    const { problems, ...shown } = await openPage(t, {
      edge: async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        const totalled = text.replace(/"grandTotal":[\d.]+/g, `"grandTotal":${total}`);
        await route.fulfill({ response, body: totalled.replace(/"totalWeight":[\d.]+/, "$&e0") });
      },
    });
    assert.equal(await shown.verdict(), "3 fields differ");
    const { grandTotal } = order.outcome;
    const rows = await shown.differences();
    assert.deepEqual(rows.map(([path, left, , kind]) => [path, left, kind]), [
      ["grandTotal", String(grandTotal), "another value"],
      ["totalWeight", rows[1][2], "the same number, written otherwise"],
      ["summary.grandTotal", String(grandTotal), "another value"],
    ]);
    assert.equal(await shown.total("edge"), "฿98,765,432,109,876,543.210987654321");
    await shown.show("edge");
    assert.ok((await shown.response()).includes(`"grandTotal": ${total},`));
    assert.deepEqual(problems, []);
  });

  test("fields in another order are the same in every field", async (t) => {
    const shown = await openPage(t, {
      edge: async (route) => {
        const response = await route.fetch();
        const reversed = Object.fromEntries(Object.entries(await response.json()).reverse());
        await route.fulfill({ response, json: reversed });
      },
    });
    assert.equal(await shown.verdict(), "Same in every field");
  });
});

describe("the page", () => {
  test("says so when it cannot load what it prices with", async (t) => {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    await page.route("**/seed/prices.json", (route) => route.fulfill({ status: 503 }));
    await page.goto(site);
    const told = "The page could not be opened: seed/prices.json answered 503";
    await page.getByRole("alert").filter({ hasText: told }).waitFor();
  });

  test("is published with no more of the Worker's files than it loads", async (t) => {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    const loaded = new Set();
    page.on("request", (request) => loaded.add(new URL(request.url()).pathname.slice(1)));
    await page.goto(site);
    await page.locator('#answers[aria-busy="false"]').waitFor();

    const isOfTheWorker = (file) => /^(seed|services)\/.*\.\w+$/.test(file);
    const published = (await readdir(SITE, { recursive: true })).map((file) => file.replaceAll("\\", "/"));
    const files = published.filter(isOfTheWorker);
    const wanted = [...loaded].filter(isOfTheWorker);
    assert.ok(wanted.length > 0);
    assert.deepEqual(files.sort(), wanted.sort());
  });

  test("works behind a proxy that serves the Worker under a path and takes that off", async (t) => {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    const problems = watch(page);
    await page.route("**/*", async (route) => {
      const url = new URL(route.request().url());
      if (!url.pathname.startsWith("/shop/")) return route.fulfill({ status: 404 });
      url.pathname = url.pathname.slice("/shop".length);
      await route.fulfill({ response: await route.fetch({ url: url.href }) });
    });
    await page.goto(`${site}/shop/`);
    await page.locator('#answers[aria-busy="false"]').waitFor();
    assert.equal(await page.locator("#verdict .outcome").textContent(), "Same to the byte");
    assert.deepEqual(problems, []);
  });

  test("is worked by keyboard, and tells a screen reader what comes of it", async (t) => {
    const { page, ...shown } = await openPage(t);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    const [, second] = prepared;
    assert.equal(await page.getByRole("radio", { name: second.title.en }).isChecked(), true);
    const total = baht(second.outcome.grandTotal);
    const told = `In the browser ${total}. At the edge ${total}. Same to the byte.`;
    await page.getByRole("status").filter({ hasText: told }).waitFor({ state: "attached" });
    await shown.settled();

    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.getByRole("radio", { name: "At the edge" }).isChecked(), true);
    await page.keyboard.press("Tab");
    await page.locator("#order-text:focus").and(page.getByRole("textbox", { name: "Order", exact: true })).waitFor();
    await page.keyboard.press("Tab");
    await page.locator("#response:focus").and(page.getByRole("region", { name: "Raw response" })).waitFor();
  });

  for (const viewport of [{ width: 360, height: 740 }, PHONE, { width: 820, height: 1180 }, DESKTOP]) {
    test(`fits ${viewport.width} px`, async (t) => {
      const { page, ...shown } = await openPage(t, { viewport });
      for (const order of prepared) {
        await shown.choose(order);
        assert.deepEqual(await page.evaluate(overflowing), [], order.file);
      }
    });
  }

  for (const colorScheme of ["light", "dark"]) {
    test(`is legible in the ${colorScheme}`, async (t) => {
      const { page, ...shown } = await openPage(t, { colorScheme });
      for (const order of prepared) {
        await shown.choose(order);
        assert.deepEqual(await page.evaluate(illegible), [], order.file);
      }
    });
  }
});

/** In the page: what reaches beyond the window, or holds more than it is wide. */
function overflowing() {
  const isWider = (node) => node.clientWidth > 0 && node.scrollWidth > node.clientWidth;
  return [...document.querySelectorAll("html, body, body *")]
    .filter((node) => node.checkVisibility() && !node.closest(".visually-hidden"))
    .filter((node) => {
      const { left, right } = node.getBoundingClientRect();
      return left < -0.5 || right > innerWidth + 0.5 || isWider(node);
    })
    .map((node) => `${node.tagName}#${node.id}.${node.className}`);
}

/** In the page: texts whose contrast is below the 4.5 of WCAG AA. */
function illegible() {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => linear(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = (node) => {
    const color = getComputedStyle(node).backgroundColor;
    return channels(color)[3] === 0 ? backgroundOf(node.parentElement) : color;
  };
  const contrast = (node) => {
    const [light, dark] = [getComputedStyle(node).color, backgroundOf(node)].map(luminance).sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const hasText = (node) =>
    [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim() !== "");
  return [...document.querySelectorAll("body *:not(script, style, noscript)")]
    .filter((node) => node.checkVisibility() && hasText(node) && contrast(node) < 4.5)
    .map((node) => `${node.textContent.slice(0, 40)}: ${contrast(node).toFixed(2)}`);
}
