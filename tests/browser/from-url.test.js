// A page of the package's own: prices from a catalogue's files, the next visit without a network, and a basket over a reload.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isNamedByContent } from "../../pkg/catalogue/keys.js";
import { openChromium } from "../chromium.js";
import { sendBomb, sendHuge } from "../huge.js";
import { listen } from "../ports.js";
import { entriesOf, makeVersion } from "../worker/catalogue.js";
import { squareZones } from "../zones.js";

const PACKAGE = fileURLToPath(new URL("../../pkg/", import.meta.url));
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };
const FOREVER = "public, max-age=31536000, immutable";
const IMPORTS = { "order-cost": "/pkg/url.js", "order-cost/catalogue": "/pkg/catalogue.js", "order-cost/keep": "/pkg/keep.js" };
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;
const ZONES = JSON.stringify(squareZones(60));

/** Two products in shards of their own. */
const PRICES = { "1/1000": '{"price":5}', "2/1000": '{"price":7.25}' };
const TEXTS = entriesOf(await makeVersion(PRICES, ZONES));

let browser;
before(async () => {
  browser = await openChromium();
});
after(() => browser?.close());

/**
 * The page, the package and the catalogue, as a web server has them. `asked` has the catalogue's names. `portal` is what a
 * network answers in place of the catalogue.
 */
async function serve(t) {
  const asked = [];
  const served = { asked };
  const server = http.createServer(async ({ url }, response) => {
    if (served.portal && url.startsWith("/catalogue/")) return served.portal(response);
    const { text, type, isFixed } = await fileAt(url);
    if (text === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": type, "cache-control": isFixed ? FOREVER : "no-cache" }).end(text);
  });
  async function fileAt(url) {
    if (url === "/") return { text: PAGE, type: "text/html", isFixed: true };
    if (url.startsWith("/pkg/")) {
      const text = await readFile(path.join(PACKAGE, url.slice("/pkg/".length))).catch(() => undefined);
      return { text, type: TYPES[path.extname(url)], isFixed: true };
    }
    const name = url.slice("/catalogue/".length).replace("/", ":");
    asked.push(name);
    return { text: TEXTS[name], type: "text/plain", isFixed: isNamedByContent(name) };
  }
  const address = await listen(server);
  const stop = () => server.close().closeAllConnections();
  t.after(stop);
  return Object.assign(served, { stop, address: `${address}/` });
}

/** What a visit makes of an order of these products: the grand total, or the error's message. */
async function visit(context, address, { codes, isStored }) {
  const page = await context.newPage();
  await page.goto(address);
  const answer = await page.evaluate(
    async ([codes, isStored]) => {
      const { createPricer } = await import("order-cost");
      const { createCatalogue, fromUrl } = await import("order-cost/catalogue");
      const cache = isStored ? await caches.open("catalogue") : undefined;
      const version = await createCatalogue({ read: fromUrl("catalogue", { cache }) }).version();
      const pricer = await createPricer({ lookupPrices: version.lookupPrices }, { deliveryZones: () => version.deliveryZones() });
      const order = {
        branchId: "1000",
        productList: codes.map((cprcode) => ({ cprcode, productName: "x", quantity: 2 })),
        shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }], shippingLat: 13.5, shippingLon: 100.5 },
      };
      return pricer.calculate(order).then(
        ({ grandTotal }) => grandTotal,
        ({ message }) => message,
      );
    },
    [codes, isStored],
  );
  await page.close();
  return answer;
}

for (const [what, isStored] of [
  ["Cache Storage", true],
  ["HTTP's own cache", false],
]) {
  test(`${what}: what never changes is asked for once, and after one visit no network is needed`, async (t) => {
    const { asked, stop, address } = await serve(t);
    const context = await browser.newContext();
    t.after(() => context.close());
    const order = { codes: [1], isStored };
    assert.equal(await visit(context, address, order), 2 * 5 + 60);
    const first = asked.splice(0);
    assert.deepEqual(first.map((name) => name.split(":")[0]).sort(), ["current", "shard", "zones"]);
    assert.equal(await visit(context, address, order), 2 * 5 + 60);
    assert.deepEqual(asked, ["current"]);

    stop();
    await context.setOffline(true);
    assert.equal(await visit(context, address, order), 2 * 5 + 60);
    const lacking = await visit(context, address, { ...order, codes: [1, 2] });
    assert.equal(lacking, "The price store did not answer", "a shard that was never read");
  });
}

test("a network that answers everything with JSON of its own takes no prices away, not even offline", async (t) => {
  const served = await serve(t);
  const context = await browser.newContext();
  t.after(() => context.close());
  const order = { codes: [1], isStored: true };
  assert.equal(await visit(context, served.address, order), 2 * 5 + 60);
  served.portal = (response) => response.writeHead(200, { "content-type": "application/json" }).end("{}");
  assert.equal(await visit(context, served.address, order), 2 * 5 + 60, "at once");
  served.stop();
  await context.setOffline(true);
  assert.equal(await visit(context, served.address, order), 2 * 5 + 60, "offline");
});

for (const [what, portal, reason] of [
  ["a huge text", sendHuge, "more than 26214400 bytes"],
  ["a gzip bomb", sendBomb, "more than 26214400 bytes"],
  ["a redirect", (response) => response.writeHead(302, { location: "/" }).end(), "with a redirect"],
]) {
  test(`a page takes ${what} for no answer`, async (t) => {
    const served = await serve(t);
    const page = await browser.newPage();
    t.after(() => page.close());
    await page.goto(served.address);
    served.portal = portal;
    const message = await page.evaluate(async () => {
      const { fromUrl } = await import("order-cost/catalogue");
      return fromUrl("catalogue")(["current"], { signal: new AbortController().signal }).catch(({ message }) => message);
    });
    assert.equal(message, `${served.address}catalogue/current answered ${reason}`);
  });
}

test("a basket prices an added product in the same turn, if its shard is there", async (t) => {
  const { asked, address } = await serve(t);
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(address);
  const seen = await page.evaluate(async () => {
    const { createPricer } = await import("order-cost");
    const { createCatalogue, fromUrl } = await import("order-cost/catalogue");
    const { lookupPrices } = await createCatalogue({ read: fromUrl("catalogue") }).version();
    const pricer = await createPricer({ lookupPrices });
    const product = (cprcode) => ({ cprcode, productName: "x", quantity: 2 });
    const basket = pricer.basket({ branchId: "1000", productList: [product(1)] });
    const states = [];
    const see = () => states.push([basket.status, basket.totals?.grandTotal]);
    await basket.settle();
    see();
    basket.addProduct(product(2));
    see();
    await basket.settle();
    basket.removeProduct(1);
    basket.addProduct(product(2));
    see();
    return states;
  });
  assert.deepEqual(seen[0], ["current", 10]);
  assert.notEqual(seen[1][0], "current", "its shard has to be read");
  assert.deepEqual(seen[2], ["current", 2 * 5 + 2 * 7.25]);
  assert.deepEqual(asked.map((name) => name.split(":")[0]).sort(), ["current", "shard", "shard"]);
});

test("a basket that is kept shows its total after a reload, vouchers and coupons included, and asks nothing", async (t) => {
  const { address } = await serve(t);
  const page = await browser.newPage();
  t.after(() => page.close());
  /** What the page shows at once and when it is settled, and what it has asked. */
  const visitAs = (ownerId) =>
    page.evaluate(async (ownerId) => {
      const { createPricer } = await import("order-cost");
      const { keep, restore } = await import("order-cost/keep");
      const asked = [];
      const pricer = await createPricer({
        lookupPrices: async (keys) => (asked.push("prices"), keys.map(() => ({ price: 140.25 }))),
        lookupVouchers: async (ids) => (
          asked.push("vouchers"), ids.map(() => ({ ownerId: "malee", value: 50, isActive: true, isUsed: false }))
        ),
        validateCoupons: async () => (asked.push("coupons"), { discounts: [{ coupon: "TEN", discount: 10 }] }),
      });
      const { basket } = restore(pricer, undefined, { ownerId });
      keep(basket, undefined, { vouchers: true });
      const { status, totals, rows } = basket.snapshot;
      if (rows.length === 0) {
        const productList = [{ cprcode: 1, productName: "x", quantity: 3 }];
        basket.replace({ ...basket.order, productList, voucherId: ["V1"], couponCodeList: ["TEN"] });
      }
      const { grandTotal } = await basket.settle();
      return { asked, shown: [status, totals.grandTotal], grandTotal };
    }, ownerId);
  await page.goto(address);
  assert.deepEqual((await visitAs("malee")).asked, ["prices", "vouchers", "coupons"]);
  await page.reload();
  assert.deepEqual(await visitAs("malee"), { asked: [], shown: ["current", 360.75], grandTotal: 360.75 });
  await page.reload();
  const other = await visitAs("somchai");
  assert.deepEqual([other.shown, other.asked.length, other.grandTotal], [["current", 0], 3, 410.75]);
});
