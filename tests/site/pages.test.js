// The pages of the documents: they load, fit, are accessible, and every link of all of them leads to a place that is there.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { violations } from "../accessibility.js";
import { allAtNight, someOf } from "../effort.js";
import { goTo, openTab, PAGES } from "./documents.js";
import { DESKTOP, PHONE } from "./player.js";
import { address, startServed, stopServed } from "./served.js";

const LOOKS = [
  { viewport: DESKTOP, colorScheme: "light" },
  { viewport: PHONE, colorScheme: "dark" },
];

/** The pages that TypeDoc writes, but one. */
const FROM_TYPES = /^reference\/package\/(?!react$)/;

/** The looks in which axe sees a page: in a change one or none, because all pages have the same frame and colours. */
const looksOf = (place, index) => allAtNight(FROM_TYPES.test(place) ? [] : LOOKS.slice(index % 4, (index % 4) + 1), LOOKS);

/** Tabs that no test uses now: to load another page in one takes half of the time. */
const free = [];

before(startServed);
after(stopServed);

describe("a page loads, fits and is accessible, large and light, small and dark", { concurrency: 3 }, () => {
  // A change sees a sixth of the pages.
  const seen = someOf(PAGES).filter((_, index) => index % allAtNight(2, 1) === 0);
  for (const [index, place] of seen.entries()) {
    test(`/docs/${place}`, async (t) => {
      const tab = free.pop() ?? (await openTab());
      t.after(() => free.push(tab));
      const { page, problems } = tab;
      await goTo(page, place);
      const withAxe = looksOf(place, index);
      for (const look of LOOKS) {
        const { viewport, colorScheme } = look;
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${viewport.width} px: it scrolls sideways`,
        );
        await page.waitForFunction((isDark) => document.documentElement.classList.contains("dark") === isDark, colorScheme === "dark");
        if (withAxe.includes(look)) assert.deepEqual(await violations(page), [], `${viewport.width} px, ${colorScheme}`);
      }
      assert.deepEqual(problems.splice(0), []);
    });
  }
});

test("every link leads to a page and a heading of the site", async () => {
  const { page, context } = await openTab();
  await goTo(page, "", false);
  const found = new Map(await page.evaluate(readAll, PAGES));
  await context.close();
  const links = [...found].flatMap(([place, { links }]) => links.map((link) => ({ place, link })));
  assert.ok(links.length > 300, "the pages have links");
  assert.deepEqual(
    links.filter(({ link }) => !isThere(link, found)),
    [],
  );
});

function isThere(link, found) {
  const { origin, pathname, hash } = new URL(link);
  // The reader's own machine, as a tutorial starts the service there, or another site.
  if (origin !== new URL(address).origin) return origin === "http://127.0.0.1:8787" || origin.startsWith("https:");
  const place = found.get(pathname.replace(/^\/docs\//, ""));
  return place !== undefined && (hash === "" || hash === "#" || place.ids.includes(decodeURIComponent(hash.slice(1))));
}

/** Runs in a page: what each place has, the names that a link may give and its links, from its HTML. */
async function readAll(places) {
  const read = async (place) => {
    const { href } = new URL(`/docs/${place}`, location);
    const page = new DOMParser().parseFromString(await (await fetch(href)).text(), "text/html");
    // The playground's own fragments are states.
    const links = [...page.querySelectorAll("a[href]")].map((link) => new URL(link.getAttribute("href"), href).href);
    return [
      place,
      { ids: [...page.querySelectorAll("[id]")].map(({ id }) => id), links: links.filter((link) => !/\/docs\/play#.+/.test(link)) },
    ];
  };
  return Promise.all(places.map(read));
}
