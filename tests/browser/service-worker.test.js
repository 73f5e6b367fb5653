// The service worker of the demo and of the playground, each where it stands: pages of a real server, kept by a real Chromium.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { browser, origin, startBeside } from "./beside.js";

const WORKER = await readFile(new URL("../../www/sw.js", import.meta.url));
const TEXT = "0123456789";

startBeside((request, response) => {
  const { pathname } = new URL(request.url, origin);
  const send = (type, body, status = 200) => response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
  if (pathname.endsWith("/sw.js")) return send("text/javascript", WORKER);
  if (pathname.endsWith("/")) return send("text/html", `<!doctype html><link rel="icon" href="data:,"><title>${pathname}</title>`);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range) ?? [];
  if (first === undefined) return send("text/plain", TEXT);
  response.setHeader("content-range", `bytes ${first}-${last}/${TEXT.length}`);
  send("text/plain", TEXT.slice(Number(first), Number(last) + 1), 206);
});

/** Runs in the page: has the worker keep files, and waits until it has. */
async function keepFiles(files) {
  const { serviceWorker } = navigator;
  await serviceWorker.register("sw.js");
  const { active } = await serviceWorker.ready;
  const kept = new Promise((resolve) => serviceWorker.addEventListener("message", resolve, { once: true }));
  active.postMessage(files);
  await kept;
  if (serviceWorker.controller) return;
  await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
}

/** Runs in the page: what a store has, as paths. */
const keptIn = async (store) => (await (await caches.open(store)).keys()).map(({ url }) => url.slice(location.origin.length)).sort();

/** Runs in the page: the status and text of a file. */
async function fileAt([url, headers]) {
  const response = await fetch(url, { headers });
  return [response.status, await response.text()];
}

for (const [what, scope, store] of [
  ["demo", "/", "order-cost"],
  ["playground", "/docs/", "order-cost.docs"],
]) {
  const address = () => origin + scope;

  /** A visit after which the page and some files are kept. */
  async function visit(t, files = ["a.txt"]) {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(address());
    await page.evaluate(keepFiles, [scope, ...files]);
    return page;
  }

  test(`${what}: a full storage fails no address, and what is kept stays`, async (t) => {
    const page = await visit(t);
    const client = await page.context().newCDPSession(page);
    await client.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
    assert.equal((await page.goto(`${address()}new/`)).status(), 200);
    assert.deepEqual(await page.evaluate(fileAt, ["new.txt"]), [200, TEXT]);
    assert.deepEqual(await page.evaluate(keptIn, store), [scope, `${scope}a.txt`]);
  });

  test(`${what}: addresses that are asked for do not fill the storage`, async (t) => {
    const page = await visit(t);
    for (let visits = 1; visits <= 5; visits += 1) await page.goto(`${address()}?utm=${visits}`);
    assert.deepEqual(await page.evaluate(keptIn, store), [scope, `${scope}a.txt`]);
  });

  test(`${what}: a part of a file`, async (t) => {
    const page = await visit(t);
    for (const file of ["a.txt", "new.txt"]) assert.deepEqual(await page.evaluate(fileAt, [file, { range: "bytes=2-4" }]), [206, "234"]);
  });

  test(`${what}: without a network the last visit's files are there, whatever is asked behind a "?"`, async (t) => {
    const page = await visit(t, ["a.txt", "b.txt", "catalogue/current"]);
    await page.evaluate(keepFiles, [scope, "b.txt"]);
    await page.context().setOffline(true);
    await page.goto(`${address()}?utm=1`);
    assert.equal(await page.title(), scope);
    assert.deepEqual(await page.evaluate(fileAt, ["b.txt"]), [200, TEXT]);
    assert.deepEqual(await page.evaluate(keptIn, store), [scope, `${scope}b.txt`]);
  });
}
