// The first visit: nothing jumps, and the site says what it is to links and home screens. The night measures how fast it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import en from "../../www/texts/en.js";
import { allAtNight } from "../effort.js";
import { DESKTOP, isFailed, isPriced, openShop, PHONE } from "./shopper.js";
import { address, browser } from "./site.js";

const MOST_SHIFT = 0.05;

/** A basket without a price: its bill is shorter than the room for it. */
const OUTSIDE = "#b=1001&c=anan&p=110003-2-0&s=R0&at=13.9126,100.6068";

const LOW = { width: 800, height: 1200 };
const HIGH = { width: 1440, height: 2400 };
const VISITS = [
  ["en-GB", "", isPriced],
  ["th-TH", "", isPriced],
  ["en-GB", OUTSIDE, isFailed],
];
const [english, thai, outside] = VISITS;

/** Each width and each visit, but not each with each. */
const SOME = [
  [PHONE, thai],
  [HIGH, english],
  [LOW, outside],
];
const ALL = [PHONE, DESKTOP, LOW, HIGH].flatMap((viewport) => VISITS.map((visit) => [viewport, visit]));

export function arrival() {
  for (const [viewport, [locale, hash, until]] of allAtNight(SOME, ALL)) {
    const what = `${viewport.width} by ${viewport.height} px, ${locale}, ${hash || "the first basket"}`;
    test(`${what}: nothing jumps while the page loads`, async (t) => {
      const { page, problems } = await openShop(t, { viewport, locale, hash, until, before: countShifts });
      await page.waitForTimeout(1000); // fonts, zones and the bill's steps come after the total
      const { shift, masthead } = await page.evaluate(() => window.seen);
      assert.ok(shift <= MOST_SHIFT, `layout shift ${shift}`);
      assert.equal(new Set(masthead).size, 1, `the masthead is ${masthead.join(", then ")} px high`);
      assert.deepEqual(problems, []);
    });
  }

  test("the markup already has the English texts", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(address);
    const texts = await page.locator("[data-text], [data-label], [data-hint]").evaluateAll((nodes) =>
      nodes.flatMap((node) => [
        [node.dataset.text, node.dataset.text && node.textContent],
        [node.dataset.label, node.getAttribute("aria-label")],
        [node.dataset.hint, node.getAttribute("placeholder")],
      ]),
    );
    await context.close();
    for (const [key, text] of texts.filter(([key]) => key)) assert.equal(text, en[key], key);
  });

  test("links show a title, a description and a picture of the page", async () => {
    const html = await (await fetch(address)).text();
    const metas = [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]+)"/g)];
    const { description, ...meta } = Object.fromEntries(metas.map(([, name, content]) => [name, content]));
    assert.match(html, new RegExp(`<title>${en["page.title"]}</title>`));
    assert.ok(description.length > 50 && description.length < 160, description);
    assert.deepEqual([meta["og:title"], meta["og:description"]], [en["page.title"], description]);
    assert.deepEqual(await pictureAt(meta["og:image"]), { type: "image/png", sizes: "1200x630" });
    assert.deepEqual([meta["og:image:width"], meta["og:image:height"]], ["1200", "630"]);
  });
}

/** Runs in the page before its own scripts: the layout shift that a visitor sees, and the heights of the masthead. */
function countShifts() {
  window.seen = { shift: 0, masthead: [] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.seen.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const isPainted = performance.getEntriesByType("paint").length > 0;
    const height = document.querySelector(".masthead")?.offsetHeight;
    if (isPainted && window.seen.masthead.at(-1) !== height) window.seen.masthead.push(height);
    requestAnimationFrame(look);
  };
  look();
}

/** A PNG begins with its width and height. */
export async function pictureAt(path) {
  const response = await fetch(`${address}/${path}`);
  assert.equal(response.status, 200, path);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.ok(bytes.length < 600_000, `${path} has ${bytes.length} bytes`);
  return { type: response.headers.get("content-type"), sizes: `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}` };
}
