// Lighthouse's score of a page.
import assert from "node:assert/strict";
import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";
import { CHROMIUM_FLAGS } from "./chromium.js";

/** A score falls when others use the processor meanwhile, and never rises: the best of these is the page's own. */
const MOST_RUNS = 4;

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const mobile = { settings: { screenEmulation: { ...PHONE, mobile: true, deviceScaleFactor: 1.75, disabled: false } } };
const desktop = { settings: { screenEmulation: { ...DESKTOP, mobile: false, deviceScaleFactor: 1, disabled: false } } };

/** A phone and a desktop: the width, and what Lighthouse needs. */
export const CONFIGS = [
  [PHONE.width, { extends: "lighthouse:default", ...mobile }],
  [DESKTOP.width, { ...desktopConfig, settings: { ...desktopConfig.settings, ...desktop.settings } }],
];

/** The page's performance has at least this score. */
export async function isFast(t, url, config, least) {
  const scores = [];
  while (scores.length < MOST_RUNS && !(scores.at(-1) >= least)) scores.push(await scoreOf(url, config));
  t.diagnostic(`scores: ${scores.join(", ")}`);
  assert.ok(scores.at(-1) >= least, `scores: ${scores.join(", ")}`);
}

/** In a browser of its own, as Lighthouse wants it: a fresh profile and nothing beside it. */
async function scoreOf(url, config) {
  const alone = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: CHROMIUM_FLAGS });
  try {
    const { port } = new URL(alone.wsEndpoint());
    const flags = { port: Number(port), logLevel: "error", onlyCategories: ["performance"] };
    const { lhr } = await lighthouse(url, flags, config);
    assert.equal(lhr.runtimeError, undefined);
    assert.equal(lhr.configSettings.throttlingMethod, "simulate");
    return Math.round(lhr.categories.performance.score * 100);
  } finally {
    await alone.close();
  }
}
