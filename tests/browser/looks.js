// The page in eight looks: two sizes, two languages and two themes.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { BASKET, DESKTOP, PHONE, isFailed, isPriced, openShop } from "./shopper.js";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const HASH = `${BASKET.replace("&at", ".E2-20301121T1300.ND3-20301122T1000&at")}&k=TEN.MEMBER5.NOPE&v=WELCOME100-NT2P.REFUND-Z3SM`;

const SOLD_OUT = HASH.replace("420010-3", "110057-3");

const show = (page, hash) => page.evaluate((hash) => (location.hash = hash), hash);

export function looks() {
  for (const viewport of [PHONE, DESKTOP]) {
    let shop; // one page load for the four
    for (const language of ["en", "th"]) {
      for (const colorScheme of ["light", "dark"]) {
        test(`${viewport.width} px, ${language}, ${colorScheme}: fits, is accessible, and has no errors`, async () => {
          shop ??= await openShop(undefined, { viewport, reducedMotion: "reduce", hash: HASH });
          const { page, problems } = shop;
          await page.emulateMedia({ colorScheme });
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
          await check(page, "request and response");
          await page.keyboard.press("Escape");

          await page.locator(".line-remove").first().click();
          await page.locator("#undo").waitFor();
          await check(page, "a removed row");

          await show(page, SOLD_OUT);
          await isFailed(page);
          await check(page, "a sold-out row");
          await show(page, HASH);
          await isPriced(page);
          assert.deepEqual(problems, []);
        });
      }
    }
  }
}

async function check(page, state) {
  assert.deepEqual(await page.evaluate(overflowing), [], state);
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.addScriptTag({ path: AXE });
  const violations = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`,
      );
  });
  assert.deepEqual(violations, [], state);
}

/**
 * Runs in the page: elements that reach beyond the window or overflow. Swipeable elements and text cut off with dots
 * are allowed.
 */
function overflowing() {
  const scrolls = (node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
  const isSwiped = (node) =>
    node !== null && node !== document.documentElement && (scrolls(node) || isSwiped(node.parentElement));
  const isWider = (node) => node.clientWidth > 0 && node.scrollWidth > node.clientWidth && !node.matches("select");
  return [...document.querySelectorAll("html, body, body *")]
    .filter((node) => node.checkVisibility() && !node.closest(".visually-hidden, .skip, svg *") && !isSwiped(node))
    .filter((node) => {
      const { left, right } = node.getBoundingClientRect();
      return left < -0.5 || right > innerWidth + 0.5 || isWider(node);
    })
    .map((node) => `${node.tagName}#${node.id}.${node.className}`);
}
