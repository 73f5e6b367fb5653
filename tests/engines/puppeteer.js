// Chromium and Firefox, over WebDriver BiDi.
import puppeteer from "puppeteer-core";
import { Tab } from "./tab.js";

/** Longer than the longest evaluation: a run of the benchmark. */
const TIMEOUT_MS = 600_000;

class PuppeteerTab extends Tab {
  #browser;
  #page;

  constructor(name, version, browser, page) {
    super();
    this.name = name;
    this.version = version;
    this.#browser = browser;
    this.#page = page;
    page.on("console", (message) => this.hear(message.text(), ["error", "warn"].includes(message.type())));
    page.on("pageerror", (error) => this.hear(String(error), true));
    page.on("requestfailed", (request) => this.hear(`${request.failure()?.errorText} ${request.url()}`, true));
    page.on("response", (response) => {
      if (response.status() >= 400) this.hear(`${response.status()} ${response.url()}`, true);
    });
  }

  async goto(url) {
    await this.#page.goto(url);
  }

  async reload() {
    await this.#page.reload();
  }

  resize(size) {
    return this.#page.setViewport(size);
  }

  evaluate(run, ...values) {
    return this.#page.evaluate(run, ...values);
  }

  press(selector) {
    return this.#page.click(selector);
  }

  type(text) {
    return this.#page.keyboard.type(text);
  }

  /** The window's content as PNG. */
  picture() {
    return this.#page.screenshot();
  }

  close() {
    return this.#browser.close();
  }
}

/**
 * @param {string} name
 * @param {"chrome" | "firefox"} kind
 * @param {string} executablePath
 * @param {string[]} [args]
 */
export async function openPuppeteer(name, kind, executablePath, args) {
  const browser = await puppeteer.launch({ browser: kind, executablePath, args, protocol: "webDriverBiDi", protocolTimeout: TIMEOUT_MS });
  try {
    const [, version] = (await browser.version()).split("/");
    const [page] = await browser.pages();
    return new PuppeteerTab(name, version, browser, page);
  } catch (error) {
    await browser.close();
    throw error;
  }
}
