// The shop without a network: it prices from the version of the catalogue that the browser keeps.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { allAtNight } from "../effort.js";
import { pictureAt } from "./arrival.js";
import { assertTotal, baht, card, isFailed, isPriced, line, openShop, PHONE, total } from "./shopper.js";
import { parseSeed, seed, stopServer } from "./site.js";

const { products } = await parseSeed("products.json");
const branches = await parseSeed("branches.json");

const RICE = "110003/1000";

/** A first visit, to its end. */
async function visitOnce(t, options) {
  const shop = await openShop(t, { serviceWorkers: "allow", ...options });
  await shop.page.getByText("The page now works without a network too.").waitFor();
  return shop;
}

/** Some products of every aisle that a branch sells, for pickup: units by product code. */
function samplesOf({ branchId }) {
  const sold = products.filter(({ cprcode }) => seed.prices[`${cprcode}/${branchId}`]);
  return sold.filter((_, index) => index % allAtNight(180, 60) === 0).map(({ cprcode }, index) => ({ cprcode, units: (index % 7) + 1 }));
}

/** Runs in the page: replaces each kept shard that has a record, or deletes it. Returns the address of one. */
async function replaceShards([line, text]) {
  const cache = await caches.open("order-cost.catalogue");
  let found;
  for (const request of await cache.keys()) {
    if (!(await (await cache.match(request)).text()).includes(line)) continue;
    await (text === undefined ? cache.delete(request) : cache.put(request, new Response(text)));
    found = request.url;
  }
  return found;
}

const LINE = `${RICE.split("/")[0]} ${JSON.stringify(seed.prices[RICE])}\n`;

export function offline() {
  /** One visitor for all tests but the last. */
  let shop;
  before(async () => (shop = await visitOnce(undefined, { hash: "#b=1000&p=110003-2" })));
  after(() => shop?.context.close());

  test("the page can be installed: its manifest and icons are there, offline too", async () => {
    const { page, context, problems } = shop;
    const client = await context.newCDPSession(page);
    const { url, errors } = await client.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
    assert.deepEqual(
      installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"),
      [],
    );

    const response = await fetch(url);
    assert.match(response.headers.get("content-type"), /^application\/manifest\+json/);
    const manifest = await response.json();
    for (const { src, ...icon } of manifest.icons.filter(({ type }) => type === "image/png")) {
      const { type, sizes } = icon;
      assert.deepEqual(await pictureAt(src), { type, sizes });
    }
    const linked = ["manifest.webmanifest", "icons/icon.svg", "icons/icon-192.png"];
    const isKept = (files) => Promise.all(files.map(async (file) => (await caches.match(file))?.ok));
    assert.deepEqual(await page.evaluate(isKept, linked), [true, true, true]);
    assert.deepEqual(problems, []);
  });

  test("the browser keeps each file once: those of the catalogue apart from the page's", async () => {
    const { page } = shop;
    const kept = await page.evaluate(async () => {
      const pathsOf = async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
      return { catalogue: await pathsOf("order-cost.catalogue"), page: await pathsOf("order-cost") };
    });
    assert.ok(kept.catalogue.length > 2 && kept.catalogue.every((path) => path.startsWith("/catalogue/")), kept.catalogue.join());
    assert.deepEqual(
      kept.page.filter((path) => path.startsWith("/catalogue/")),
      [],
    );
  });

  test("a kept file that was spoilt is replaced from the server", async () => {
    const { page, problems } = shop;
    const shard = await page.evaluate(replaceShards, [LINE, LINE.replace(/"price":[\d.]+/, '"price":1')]);
    await page.reload();
    await assertTotal(page);
    assert.equal(await total(page), baht(seed.prices[RICE].price * 2));
    const kept = await page.evaluate(async (url) => (await caches.match(url)).text(), shard);
    assert.ok(kept.includes(LINE));
    assert.deepEqual(problems, []);
  });

  test("without a network, a file that is not kept makes a problem, not a wrong total, until the network is back", async () => {
    const { page, context } = shop;
    await page.evaluate(() => void (location.hash = "#b=1000&p=110003-2.420010-1"));
    await line(page, 1).waitFor();
    assert.ok(await page.evaluate(replaceShards, [LINE]));
    await (await context.newCDPSession(page)).send("Network.clearBrowserCache");
    await context.setOffline(true);
    await page.reload();
    await isFailed(page);
    await page.getByText("We could not load the prices. Please try again in a moment.").waitFor();
    assert.equal(await line(page, 0).locator(".line-unit").textContent(), "No price yet");
    assert.equal(await page.locator("#total-label").textContent(), "Total of what is known");
    await page.locator("#search").fill("110003");
    assert.equal(await card(page, "Jasmine").locator(".price, .mark").count(), 0, "whether the branch sells it is not known");

    await context.setOffline(false);
    await assertTotal(page);
    await card(page, "Jasmine")
      .locator(".price", { hasText: baht(seed.prices[RICE].price) })
      .waitFor();
  });

  // The last of the file: no test can have the server after it.
  test("after one visit the page opens without its server, and prices the products of all branches", async (t) => {
    const { page, context, problems } = await visitOnce(t, { viewport: PHONE });
    const version = await page.locator("#facts .code").textContent();
    await context.setOffline(true);
    await stopServer();
    await page.reload();
    await page.locator("html.is-ready").waitFor();
    for (const branch of branches) {
      const samples = samplesOf(branch);
      const priceOf = ({ cprcode }) => seed.prices[`${cprcode}/${branch.branchId}`].price;
      const satang = samples.reduce((sum, sample) => sum + Math.round(priceOf(sample) * 100) * sample.units, 0);
      const hash = `#b=${branch.branchId}&p=${samples.map(({ cprcode, units }) => `${cprcode}-${units}`).join(".")}`;
      await page.evaluate((hash) => void (location.hash = hash), hash);
      await page.locator("#basket-count", { hasText: `${samples.length} products` }).waitFor();
      await isPriced(page);
      assert.equal(await total(page), baht(satang / 100), branch.en);
      await page.locator("#search").fill(`${samples[0].cprcode}`);
      assert.equal(await page.locator("#products .price").textContent(), baht(priceOf(samples[0])));
    }
    assert.equal(await page.locator("#facts .code").textContent(), version);
    assert.deepEqual(problems, []);
  });
}
