// A wrong address of the documents, as Cloudflare and the Node service of the demo shop answer it. In place of the Worker stands
// one that says "the service".
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openChromium } from "../chromium.js";
import { assetsOf, startWorkerd } from "../worker/workerd.js";
import { DESKTOP, isAccessible, PHONE, watch } from "./player.js";

const SERVICE = {
  name: "order-cost",
  modules: true,
  script: 'export default { fetch: () => new Response("the service") }',
  compatibilityDate: "2026-04-26",
};

let workerd;
let browser;
let address;
before(async () => {
  workerd = await startWorkerd([{ ...SERVICE, assets: assetsOf("worker/wrangler.dev.jsonc") }]);
  address = await workerd.url(SERVICE.name);
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  await workerd?.stop();
});

for (const mode of ["navigate", "cors"]) {
  test(`it is a page with status 404, for ${mode}; orders and other addresses stay the service's`, async () => {
    const ask = (path, method = "GET") => fetch(`${address}${path}`, { method, headers: { "sec-fetch-mode": mode } });
    for (const path of ["/docs/nothing", "/docs/guides/nothing", "/docs/th/nothing"]) {
      const response = await ask(path);
      assert.deepEqual([response.status, response.headers.get("content-type")], [404, "text/html; charset=utf-8"], path);
      assert.match(await response.text(), /No such page/, path);
    }
    for (const path of ["/docs/", "/docs/play", "/"]) assert.equal((await ask(path)).status, 200, path);
    for (const path of ["/calculatecost4", "/health", "/nothing"])
      assert.equal(await (await ask(path, "POST")).text(), "the service", path);
    for (const path of ["/health", "/nothing"]) assert.equal(await (await ask(path)).text(), "the service", path);
  });
}

for (const [place, title, way, first] of [
  ["guides/nothing", "No such page", "To the first page", "/docs/"],
  ["th/nothing", "ไม่พบหน้านี้", "ไปหน้าแรก", "/docs/th/"],
]) {
  for (const viewport of [PHONE, DESKTOP]) {
    test(`${viewport.width} px: ${place} says so at once, and leads on`, async (t) => {
      const page = await browser.newPage({ viewport });
      t.after(() => page.close());
      const problems = watch(page);
      // Nobody touches the page.
      await page.addInitScript(() =>
        ["pointermove", "focusin", "scroll"].forEach((type) => addEventListener(type, (event) => event.stopImmediatePropagation())),
      );
      await page.goto(`${address}/docs/${place}`);
      await page.getByRole("heading", { name: title }).waitFor();
      await isAccessible(page, place);
      await page.getByRole("link", { name: way }).click();
      await page.waitForURL(`${address}${first}`);
      assert.deepEqual(
        problems.filter((problem) => !/404/.test(problem)),
        [],
      );
    });
  }
}

test("without scripts it says so, too", async (t) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  t.after(() => page.close());
  await page.goto(`${address}/docs/nothing`);
  assert.match(await page.locator("noscript").innerText(), /^No such page\s+There is no page at this address\./);
  await page.locator("noscript a").click();
  await page.waitForURL(`${address}/docs/`);
});
