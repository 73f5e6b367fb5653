// The pages of the documents, as tests open them.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { address, browser, SITE } from "./served.js";

const DOCS = path.join(SITE, "docs");

if (!existsSync(path.join(DOCS, "index.html"))) {
  throw new Error("target/site/docs has no index.html: expected the documents that `cargo xtask site` builds");
}

/** The addresses of all pages, below /docs/. */
export const PAGES = readdirSync(DOCS, { recursive: true })
  .filter((file) => file.endsWith(".html") && file !== "404.html")
  .map((file) =>
    file
      .replaceAll(path.sep, "/")
      .replace(/(^|\/)index\.html$/, "$1")
      .replace(/\.html$/, ""),
  )
  .toSorted();

/** Opens a page of the documents. `problems` collects what goes wrong, also a request to elsewhere. */
export async function open(t, place, options) {
  const opened = await openTab(options);
  t.after(() => opened.context.close());
  await goTo(opened.page, place);
  return opened;
}

/** A tab without a page. */
export async function openTab(options) {
  const context = await browser.newContext({ serviceWorkers: "block", reducedMotion: "reduce", ...options });
  const tab = await context.newPage();
  const problems = [];
  tab.on("pageerror", (error) => problems.push(`${error}`));
  tab.on("console", (message) => {
    const isOurs = !/Service Worker registration blocked/.test(message.text());
    if (isOurs && ["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  tab.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) problems.push(`a request to ${request.url()}`);
  });
  tab.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return { page: tab, context, problems };
}

/** @param {boolean} isTouched whether the pointer moves, which brings the page's code */
export async function goTo(tab, place, isTouched = true) {
  await tab.goto(`${address}/docs/${place}`, { waitUntil: "networkidle" });
  if (isTouched) await touch(tab);
}

/** Moves the pointer until the page's code is there: a page that is still being laid out may not hear of the first move. */
async function touch(tab) {
  for (let x = 9; !(await tab.evaluate(hasCode)); x += 1) {
    await tab.mouse.move(x, 9);
    await tab.waitForTimeout(50);
  }
  await tab.waitForLoadState("networkidle");
}

/** Whether the code of a page is there. Runs in the page. */
export const hasCode = () => document.querySelector("#app").__vue_app__ !== undefined;
