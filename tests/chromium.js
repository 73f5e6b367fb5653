// The Chromium of the tests: each file starts its own.
import { chromium } from "playwright-core";

/** How the tests start Chromium: alone and silent. */
export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const { CHROMIUM } = process.env;

export async function openChromium() {
  if (CHROMIUM) return chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
  throw new Error("CHROMIUM is not set: expected the path of a Chromium, as `cargo xtask test` sets it");
}

/** Notes what a page copies, for `copied`: all contexts of one Chromium share the clipboard, so that tests cannot read it. */
export const noteCopies = (context) =>
  context.addInitScript(() => {
    const { writeText } = Clipboard.prototype;
    Clipboard.prototype.writeText = function (text) {
      globalThis.copied = text;
      return Reflect.apply(writeText, this, [text]);
    };
  });

/** The text that a page has copied last. */
export const copied = (page) => page.evaluate(() => globalThis.copied);
