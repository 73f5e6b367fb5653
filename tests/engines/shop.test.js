// What a shopper does on the page, in each engine: every total is the package's, and nothing goes wrong on the console.
import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { baht, DESKTOP, PHONE } from "../browser/shopper.js";
import { address, seed, startServer, stopServer, truth } from "../browser/site.js";
import { listen } from "../ports.js";
import { ENGINES } from "./engines.js";

const SPINACH = "water spinach 250";
const VOUCHER = "WELCOME100-NT2P";
const SLOTS = 'select[data-focus="schedule-0-mode"]';

before(startServer);
after(stopServer);

for (const [name, open] of Object.entries(ENGINES)) {
  describe(name, () => {
    let tab;
    let line;

    before(async () => {
      line = await openLine();
      tab = await open();
      await tab.resize(DESKTOP);
    });
    after(async () => {
      await tab?.close();
      line?.cut();
    });

    /** A step of the shopper's way. It must leave the console clean, but for what is `expected`. */
    const step = (title, act, expected = /^$/) =>
      test(title, async () => {
        await act();
        const problems = await tab.problems();
        assert.deepEqual(
          problems.filter((problem) => !expected.test(problem)),
          [],
        );
      });

    /** Without a network the page still asks which prices are in use. */
    const NO_NEWS = /refused.*\/catalogue\/current|\/catalogue\/current.*refused/i;

    step("opens the page and prices a basket", async () => {
      await tab.goto(line.address);
      const { productList, grandTotal } = await assertTotal(tab);
      assert.ok(productList.length > 0 && grandTotal > 0);
    });

    step("finds a product and adds it", async () => {
      const before = await tab.count("#basket-lines > li");
      await tab.fill("#search", SPINACH);
      await tab.click('#products [aria-label^="Add Water Spinach"]');
      assert.equal(await tab.count("#basket-lines > li"), before + 1);
      const { productList } = await assertTotal(tab);
      assert.equal(productList.at(-1).quantity, 1);
    });

    step("types another quantity, and presses one more", async () => {
      await tab.fill("#basket-lines > li:last-child input", "12");
      assert.equal((await assertTotal(tab)).productList.at(-1).quantity, 12);
      await tab.click('#basket-lines > li:last-child [data-focus$="-plus"]');
      assert.equal((await assertTotal(tab)).productList.at(-1).quantity, 13);
    });

    step("removes a product and takes that back", async () => {
      const before = await requestOf(tab);
      await tab.click("#basket-lines > li:first-child .line-remove");
      assert.equal((await assertTotal(tab)).productList.length, before.productList.length - 1);
      await tab.click("#undo-button");
      assert.deepEqual(await requestOf(tab), before);
      await assertTotal(tab);
    });

    step("picks up, or has it delivered, by express, to another zone", async () => {
      const { deliveryFee } = await assertTotal(tab);
      assert.ok(deliveryFee > 0);
      await tab.click('label:has([name="shippingType"][value="PICKUP"])');
      assert.equal((await assertTotal(tab)).deliveryFee, 0);
      await tab.click('label:has([name="shippingType"][value="DELIVERY"])');
      assert.equal((await assertTotal(tab)).deliveryFee, deliveryFee);
      await tab.choose(SLOTS, "EXPRESS");
      assert.ok((await assertTotal(tab)).expressShippingCost > 0);
      const before = await tab.text("#zones [aria-current]");
      await tab.click("#zones > li:last-child button");
      assert.notEqual(await tab.text("#zones [aria-current]"), before);
      await assertTotal(tab);
    });

    step("uses a coupon and a voucher", async () => {
      await tab.choose("#customer", "malee");
      await use(tab, "coupon", "ten");
      assert.ok((await assertTotal(tab)).cartDiscount > 0);
      await use(tab, "voucher", VOUCHER);
      assert.equal((await assertTotal(tab)).voucherDiscount, seed.vouchers[VOUCHER].value);
    });

    step("enters a voucher that does not exist, reads why, and removes it", async () => {
      const before = await tab.text("#total");
      await use(tab, "voucher", "GIFT-0000");
      await tab.shows("#status.is-failed");
      assert.match(await tab.text("#failure"), /There is no voucher GIFT-0000/);
      await tab.click('[data-focus="mend-0"]');
      await assertTotal(tab);
      assert.equal(await tab.text("#total"), before);
    });

    step("checks the bill at the edge: the same to the byte", async () => {
      await tab.click("#check-edge");
      await tab.shows("#edge-result");
      assert.match(await tab.text("#edge-result"), /Same to the byte/);
    });

    step("measures ten thousand edits", async () => {
      await tab.click("#measure");
      await tab.shows("#speed");
      assert.match(await tab.text("#speed-figure"), /^[\d.]+ µs per edit$/);
    });

    step("turns the screen: the map has one size for each width", async () => {
      const mapAt = async (size) => {
        await tab.resize(size);
        await tab.until(isMapDrawn);
        return tab.evaluate(() => document.getElementById("map").clientHeight);
      };
      const before = await mapAt(DESKTOP);
      for (const width of [700, 1000, PHONE.width]) await mapAt({ ...DESKTOP, width });
      assert.equal(await mapAt(DESKTOP), before);
    });

    step("reads Thai on a phone in the dark", async () => {
      await tab.resize(PHONE);
      await tab.click("[data-language=th]");
      await tab.click("#theme");
      assert.equal(await tab.text("#bill-title"), "ใบสรุปยอด");
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is too wide");
      await assertTotal(tab);
    });

    step(
      "comes back without a network: the same basket, priced again",
      async () => {
        await tab.shows("#offline");
        const before = [await tab.text("#total"), await requestOf(tab)];
        await tab.until((code) => decodeURIComponent(location.hash).includes(code), VOUCHER);
        line.cut();
        await assert.rejects(fetch(line.address), "the line is cut");
        await tab.evaluate(() => (globalThis.isOldPage = true));
        await tab.reload();
        assert.equal(await tab.evaluate(() => globalThis.isOldPage ?? false), false);
        await assertTotal(tab);
        assert.deepEqual([await tab.text("#total"), await requestOf(tab)], before);
        assert.equal(await tab.text("#bill-title"), "ใบสรุปยอด");
      },
      NO_NEWS,
    );
  });
}

/** Runs in the page. */
function isMapDrawn() {
  const map = document.getElementById("map");
  return map.getAttribute("viewBox") === `0 0 ${map.clientWidth} ${map.clientHeight}`;
}

async function use(tab, kind, code) {
  await tab.fill(`#${kind}-code`, code);
  await tab.click(`#${kind}-form button`);
}

/** The request that the page shows. */
async function requestOf(tab) {
  await tab.click("#show-raw");
  await tab.shows("#raw[open]");
  const request = JSON.parse(await tab.text("#raw-request"));
  await tab.click("#close-raw");
  return request;
}

/** Checks that the bill shows what the package in Node gives for the page's order. */
async function assertTotal(tab) {
  await tab.shows("html.is-ready #status.is-current");
  const order = await truth.calculate(await requestOf(tab));
  const shown = [await tab.text("#total"), await tab.text("#subtotal"), await tab.text("#dock-total")];
  assert.deepEqual(shown, [order.grandTotal, order.subTotal, order.grandTotal].map(baht));
  return order;
}

/** A line to the site, which can be cut like a network. */
async function openLine() {
  const sockets = new Set();
  const server = createServer((near) => {
    const far = connect(new URL(address).port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(from);
      from
        .on("error", () => to.destroy())
        .on("close", () => sockets.delete(from))
        .pipe(to);
    }
  });
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { address: `${await listen(server)}/`, cut };
}
