// Every page of the documents: it loads, fits, is accessible, and its links lead to a place that is there.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { violations } from "../accessibility.js";
import { allAtNight } from "../effort.js";
import { PAGES, goTo, openTab } from "./documents.js";
import { DESKTOP, PHONE } from "./player.js";
import { address, startServed, stopServed } from "./served.js";

const LOOKS = [{ viewport: DESKTOP, colorScheme: "light" }, { viewport: PHONE, colorScheme: "dark" }];

/** The pages that TypeDoc writes, but one. */
const FROM_TYPES = /^reference\/package\/(?!react$)/;

/** The looks in which axe sees a page: in a change one, in turn, because all pages have the same frame and colours. */
const looksOf = (place, index) => allAtNight(FROM_TYPES.test(place) ? [] : [LOOKS[index % LOOKS.length]], LOOKS);

/** Tabs that no test uses now: to load another page in one takes half of the time. */
const free = [];

/** What each page has: the places that a link may name, and its links. */
const found = new Map();

before(startServed);
after(stopServed);

describe("every page loads, fits and is accessible, large and light, small and dark", { concurrency: 3 }, () => {
  for (const [index, place] of PAGES.entries()) {
    test(`/docs/${place}`, async (t) => {
      const tab = free.pop() ?? (await openTab());
      t.after(() => free.push(tab));
      const { page, problems } = tab;
      await goTo(page, place);
      found.set(place, await page.evaluate(readPlaces));
      const seen = looksOf(place, index);
      for (const look of LOOKS) {
        const { viewport, colorScheme } = look;
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${viewport.width} px: it scrolls sideways`);
        await page.waitForFunction((isDark) => document.documentElement.classList.contains("dark") === isDark, colorScheme === "dark");
        if (seen.includes(look)) assert.deepEqual(await violations(page), [], `${viewport.width} px, ${colorScheme}`);
      }
      assert.deepEqual(problems.splice(0), []);
    });
  }
});

test("every link leads to a page and a heading of the site", () => {
  const links = [...found].flatMap(([place, { links }]) => links.map((link) => ({ place, link })));
  assert.ok(links.length > 300, "the pages have links");
  assert.deepEqual(links.filter(({ link }) => !isThere(link)), []);
});

function isThere(link) {
  const { origin, pathname, hash } = new URL(link);
  // The reader's own machine, as a tutorial starts the service there, or another site.
  if (origin !== new URL(address).origin) return origin === "http://127.0.0.1:8787" || origin.startsWith("https:");
  const place = found.get(pathname.replace(/^\/docs\//, ""));
  return place !== undefined && (hash === "" || hash === "#" || place.ids.includes(decodeURIComponent(hash.slice(1))));
}

/** Runs in the page. */
function readPlaces() {
  return {
    ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
    // The playground's own fragments are states.
    links: [...document.querySelectorAll("a[href]")].map(({ href }) => href).filter((href) => !/\/docs\/play#.+/.test(href)),
  };
}
