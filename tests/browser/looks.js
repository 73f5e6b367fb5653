// The page in eight looks: two sizes, two languages and two themes. A change tries two looks that have nothing in common.
import assert from "node:assert/strict";
import { test } from "node:test";
import { violations } from "../accessibility.js";
import { allAtNight } from "../effort.js";
import { captureOf, chooseFiles, slot, ZONES } from "./captured.js";
import { answersWait, BASKET, DESKTOP, isFailed, isPriced, openShop, PHONE } from "./shopper.js";
import { examples } from "./site.js";

const HASH = `${BASKET.replace("&at", ".E2-20301121T1300.ND3-20301122T1000&at")}&k=TEN.MEMBER5.NOPE&v=WELCOME100-NT2P.REFUND-Z3SM`;

const SOLD_OUT = HASH.replace("420010-3", "110057-3");

const NATIONWIDE = BASKET.replace("s=R1-", "s=NF1-");
const EMPTY = "#b=1000&c=malee";

const lookOf = (viewport, language, colorScheme) => ({ viewport, language, colorScheme });
const OPPOSITES = [lookOf(PHONE, "th", "dark"), lookOf(DESKTOP, "en", "light")];
const ALL = [PHONE, DESKTOP].flatMap((size) =>
  ["en", "th"].flatMap((language) => ["light", "dark"].map((theme) => lookOf(size, language, theme))),
);

const show = (page, hash) => page.evaluate((hash) => (location.hash = hash), hash);

export function looks() {
  for (const look of allAtNight(OPPOSITES, ALL)) {
    const { viewport, language, colorScheme } = look;
    const check = checks(look);
    test(`${viewport.width} px, ${language}, ${colorScheme}: fits, is accessible, and has no errors`, async (t) => {
      const { page, problems } = await openShop(t, { viewport, colorScheme, reducedMotion: "reduce", hash: HASH, isCounted: true });
      if (viewport === PHONE) {
        const ground = await page.locator(".dock").evaluate((dock) => getComputedStyle(dock).backgroundColor);
        assert.match(ground, /^rgb\(/, "the dock hides what is under it: a colour with an alpha channel would begin otherwise");
      }
      await page.locator(`[data-language=${language}]`).click();
      await page.locator("#check-edge").click();
      await page.locator("#edge-result").waitFor();
      await page
        .locator(".wallet")
        .first()
        .evaluate((wallet) => (wallet.open = true));
      await check(page, "a full basket");

      await page.locator("#voucher-code").fill("GIFT-0000");
      await page.locator("#voucher-form button").click();
      await isFailed(page);
      await check(page, "a failure");

      await page.locator("[data-focus=mend-0]").click();
      await isPriced(page);
      await page.locator("#show-raw").click();
      await page.locator("#raw[open]").waitFor();
      await check(page, "request and response", "#raw");
      await page.keyboard.press("Escape");

      const { order } = examples[1];
      await chooseFiles(page, slot(await captureOf(order, { change: (body) => body.replace('"grandTotal":', '"grandTotal":1') })), ZONES);
      await check(page, "a captured order with another answer", "#captured");
      await page.keyboard.press("Escape");
      await chooseFiles(page, slot(await captureOf({ ...order, branchId: "9" })));
      await check(page, "a captured order that failed", "#captured");
      await page.keyboard.press("Escape");
      await chooseFiles(page, slot(await captureOf(order)));
      await check(page, "a captured order without its zones", "#captured");
      await page.keyboard.press("Escape");

      await page.locator("[data-focus=trouble-dearer]").click();
      await page.locator("#order").click();
      await page.locator("#checkout-confirm").waitFor();
      await check(page, "prices that have risen", "#checkout");
      await page.locator("#checkout-confirm").click();
      await page.locator("#checkout-confirm").waitFor({ state: "hidden" });
      await check(page, "an order", "#checkout");
      await page.keyboard.press("Escape");
      await page.locator("[data-focus=trouble-none]").click();
      await isPriced(page);

      await page.context().setOffline(true);
      await page.locator("#network:not([hidden])").waitFor();
      await check(page, "no network", "#bill");
      await page.context().setOffline(false);

      await page.locator(".line-remove").first().click();
      await page.locator("#undo").waitFor();
      await check(page, "a removed row", "#basket");

      await show(page, SOLD_OUT);
      await isFailed(page);
      await check(page, "a sold-out row", "#basket");

      await page.locator("[data-focus=example-5]").click();
      await isFailed(page);
      await check(page, "outside every zone", "#delivery");
      await page.locator("[data-focus=trouble-all]").click();
      await page.getByText("—", { exact: true }).first().waitFor();
      await check(page, "everything down", "#bill");
      await page.locator("[data-focus=trouble-none]").click();

      await show(page, NATIONWIDE);
      await isPriced(page);
      await check(page, "nationwide", "#delivery");
      await answersWait(page);
      await page.locator("[data-focus=trouble-slow]").click();
      await page.locator("#ledger.is-partial").waitFor();
      await check(page, "waiting", "#bill");
      await page.locator("[data-focus=trouble-none]").click();

      await show(page, EMPTY);
      await page.locator("#basket-empty").waitFor();
      await check(page, "an empty basket", "#basket");
      assert.deepEqual(problems, []);
    });
  }
}

/** What a look shows fits. Axe sees each state: in a change in one of the two looks, in turn, and only the part of the page that is new. */
function checks(look) {
  let states = OPPOSITES.indexOf(look);
  return async (page, state, part) => {
    assert.deepEqual(await page.evaluate(overflowing), [], state);
    states += 1;
    if (allAtNight(states % 2 === 0, true)) assert.deepEqual(await violations(page, allAtNight(part)), [], state);
  };
}

/**
 * Runs in the page: elements that reach beyond the window or overflow. Swipeable elements and text cut off with dots
 * are allowed.
 */
function overflowing() {
  const scrolls = (node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
  const isSwiped = (node) => node !== null && node !== document.documentElement && (scrolls(node) || isSwiped(node.parentElement));
  const isCut = (node) => node.matches("select") || getComputedStyle(node).textOverflow === "ellipsis";
  const isWider = (node) => node.clientWidth > 0 && node.scrollWidth > node.clientWidth && !isCut(node);
  return [...document.querySelectorAll("html, body, body *")]
    .filter((node) => node.checkVisibility() && !node.closest(".visually-hidden, .skip, svg *") && !isSwiped(node))
    .filter((node) => {
      const { left, right } = node.getBoundingClientRect();
      return left < -0.5 || right > innerWidth + 0.5 || isWider(node);
    })
    .map((node) => `${node.tagName}#${node.id}.${node.className}`);
}
