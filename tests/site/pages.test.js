// Every page of the documents: it loads, fits, is accessible, and its links lead to a place that is there.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { DESKTOP, PHONE } from "../browser/shopper.js";
import { address } from "../browser/site.js";
import { PAGES, open, startSite, stopSite } from "./documents.js";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const LOOKS = [
  { name: "desktop, light", viewport: DESKTOP, colorScheme: "light" },
  { name: "phone, dark", viewport: PHONE, colorScheme: "dark" },
];

/** What each page has: the places that a link may name, and its links. */
const found = new Map();

before(startSite);
after(stopSite);

describe("every page", () => {
  for (const { name, ...look } of LOOKS) {
    for (const place of PAGES) {
      test(`/docs/${place}, ${name}: loads, fits and is accessible`, async (t) => {
        const { page, problems } = await open(t, place, look);
        found.set(place, await page.evaluate(readPlaces));
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it scrolls sideways");
        await page.addScriptTag({ path: AXE });
        const violations = await page.evaluate(accessibility, TAGS);
        assert.deepEqual(violations, []);
        assert.deepEqual(problems, []);
      });
    }
  }
});

test("every link leads to a page and a heading of the site", () => {
  const broken = [...found].flatMap(([place, { links }]) => links.filter((link) => !isThere(link)).map((link) => `/docs/${place}: ${link}`));
  assert.ok([...found.values()].flatMap(({ links }) => links).length > 300, "the pages have links");
  assert.deepEqual(broken, []);
});

function isThere(link) {
  const { origin, pathname, hash } = new URL(link);
  if (origin !== new URL(address).origin) return origin.startsWith("https:");
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

/** Runs in the page: what axe finds, of every impact. */
async function accessibility(tags) {
  const { violations, passes } = await globalThis.axe.run(document, { resultTypes: ["violations"], runOnly: tags });
  if (passes.length === 0) throw new Error("axe has checked nothing");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" · ")}`);
}
