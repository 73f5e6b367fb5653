// The page that `order-cost impact --html` writes: on a telephone, on a desk, dark, and on paper.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { violations } from "../accessibility.js";
import { openChromium } from "../chromium.js";
import { file, path, run } from "../package/command.js";
import { captureOf, writeCatalogue, writeZones } from "../package/impact-case.js";
import { deliveredBy, squareZones } from "../zones.js";

const CODES = Array.from({ length: 30 }, (_, index) => 110_000 + index);
const FACTS = {
  prices: Object.fromEntries(CODES.map((code) => [`${code}/1000`, { price: code }])),
  coupons: { discounts: [{ coupon: "A", discount: 10 }], failedCoupons: [] },
};
const LONG_ID = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/** Orders that go up and down, that fail, that have a coupon, that failed before. */
async function writeCase() {
  const zonesHash = await writeZones("captures", squareZones(30));
  const texts = CODES.map((cprcode, index) => {
    const order = { productList: [{ cprcode, productName: "x", quantity: index === 0 ? 900 : 2 }] };
    if (index % 4 === 0) order.couponCodeList = ["A"];
    if (index % 3 === 0) order.shipping = deliveredBy("REGULAR");
    return captureOf(index === 1 ? LONG_ID : `r-${index}`, { order, zones: squareZones(30), zonesHash, facts: FACTS });
  });
  texts.push(captureOf("r-lost", { order: { productList: [{ cprcode: 9, productName: "x", quantity: 1 }] }, facts: FACTS }));
  file("captures/all.ndjson", texts.join("\n"));
  const prices = CODES.slice(0, 28).map((code, index) => [`${code}/1000`, code + (index % 2 ? -40.25 : 61.5)]);
  await writeCatalogue("new", Object.fromEntries(prices), squareZones(35));
}

let browser;
/** The addresses of the page of a limit that is exceeded, and of one without a limit. */
let stopped;
let measured;
before(async () => {
  await writeCase();
  stopped = await written("stopped.html", "--max-impact", "0.01%");
  measured = await written("measured.html");
  browser = await openChromium();
});
after(() => browser?.close());

/** The page of a verdict. */
async function written(name, ...limit) {
  const { code, stderr } = await run(["impact", "captures/all.ndjson", "--catalogue", "new", "--html", name, ...limit]);
  assert.equal(code, limit.length > 0 ? 1 : 0, stderr);
  return pathToFileURL(path(name)).href;
}

describe("the page of the impact", () => {
  for (const [what, viewport, media] of [
    ["on a telephone, dark", { width: 390, height: 844 }, { colorScheme: "dark" }],
    ["on a desk", { width: 1440, height: 900 }, { colorScheme: "light" }],
    ["on paper, from a dark screen", { width: 673, height: 1000 }, { colorScheme: "dark", media: "print" }],
  ]) {
    test(`${what}: fits, is accessible, and loads nothing`, async () => {
      const page = await browser.newPage({ viewport });
      const requests = [];
      page.on("request", (request) => requests.push(request.url()));
      try {
        await page.emulateMedia(media);
        await page.goto(stopped);
        if (process.env.PICTURES)
          await page.screenshot({ path: `${process.env.PICTURES}/${what.replaceAll(/\W+/g, "-")}.png`, fullPage: true });
        assert.deepEqual(requests, [stopped]);
        assert.deepEqual(await page.evaluate(overflowing), []);
        assert.deepEqual(await violations(page), []);
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(ground === "rgb(255, 255, 255)", media.media === "print" || media.colorScheme === "light", ground);
      } finally {
        await page.close();
      }
    });
  }

  test("says in its first lines what a manager has to know", async () => {
    const page = await browser.newPage();
    await page.goto(stopped);
    assert.match(
      await page.locator("h1").textContent(),
      /^[+-][\d,]+\.\d\d THB: Under version [0-9a-f]{16}, 14 of 30 orders would cost more, 14 less and 2 would fail\.$/,
    );
    assert.match(await page.locator(".verdict").textContent(), /^Stopped [\d.]+% of the captured money moves, 0\.01% may\.$/);
    assert.equal(
      await page.locator("tfoot td.number").last().textContent(),
      await page
        .locator("dd")
        .first()
        .evaluate((node) => node.firstChild.data.trim()),
    );
    await page.goto(measured);
    assert.match(await page.locator(".verdict").textContent(), /^Measured /);
    await page.close();
  });
});

/** Runs in the page: what reaches beyond the window. */
function overflowing() {
  return [...document.querySelectorAll("body, body *")]
    .filter(
      (node) => !node.closest("svg") && (node.getBoundingClientRect().right > innerWidth + 0.5 || node.getBoundingClientRect().left < -0.5),
    )
    .map((node) => `${node.tagName}.${node.className}: ${node.textContent.slice(0, 40)}`);
}
