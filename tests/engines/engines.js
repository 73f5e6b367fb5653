// The three engines. Each opens a tab in a browser of its own.
import { CHROMIUM_FLAGS } from "../chromium.js";
import { openPuppeteer } from "./puppeteer.js";
import { openWebKit } from "./webkit.js";

function program(variable) {
  const path = process.env[variable];
  if (path) return path;
  throw new Error(`${variable} is not set: expected the path of a program, as \`cargo xtask test --engines\` sets it`);
}

const [chromium, firefox] = ["CHROMIUM", "FIREFOX"].map(program);
const webkit = { display: program("XVFB"), driver: program("WEBKIT_WEBDRIVER"), gjs: program("GJS") };

/** @type {Record<string, () => Promise<import("./tab.js").Tab & import("./tab.js").Engine>>} */
export const ENGINES = {
  Chromium: () => openPuppeteer("Chromium", "chrome", chromium, CHROMIUM_FLAGS),
  Firefox: () => openPuppeteer("Firefox", "firefox", firefox),
  WebKitGTK: () => openWebKit(webkit),
};
