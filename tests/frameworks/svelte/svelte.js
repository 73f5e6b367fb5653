// Svelte takes a basket for a store: it needs no entry of the package.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { container } from "../dom.js";
import { allowNoWarning, assertAsksNothing, counted, newBasket, PRICE, sentBasket, settledBasket } from "../shop.js";
import { compiled } from "./compiled.js";

const COMPONENTS = `
  export { default as Rows } from "./Rows.svelte";
  export { default as Example } from "../../../pkg-template/examples/svelte/Basket.svelte";
`;
const page = await compiled(`${COMPONENTS} export { flushSync, hydrate, mount, unmount } from "svelte";`, "client");
const server = await compiled(`${COMPONENTS} export { render } from "svelte/server";`, "server");

const { flushSync, hydrate, mount, Rows, unmount } = page;

describe("$basket", () => {
  allowNoWarning();

  const items = (place) => [...place.querySelectorAll("li")];
  const shown = (place) => [...items(place), place.querySelector("output")].map(({ textContent }) => textContent);

  test("follows the basket, and stops when the component is gone", async () => {
    const basket = await newBasket(2);
    const store = counted(basket);
    const target = container();
    const component = mount(Rows, { target, props: { basket: store } });
    assert.deepEqual(shown(target), ["product 1001: 1 × …", "product 1002: 1 × …", "0"]);
    await basket.settle();
    basket.setQuantity(0, 3);
    flushSync();
    assert.deepEqual(shown(target), [`product 1001: 3 × ${PRICE}`, `product 1002: 1 × ${PRICE}`, `${4 * PRICE}`]);
    assert.ok(store.listeners > 0);
    await unmount(component);
    assert.equal(store.listeners, 0);
  });

  test("of 200 rows touches only the one that is edited", async () => {
    const basket = await settledBasket(200);
    const target = container();
    const component = mount(Rows, { target, props: { basket } });
    const before = items(target);
    const touched = observed(target);
    basket.setQuantity(150, 2);
    flushSync();
    assert.deepEqual(new Set(touched()), new Set([before[150], target.querySelector("output")]));
    assert.match(before[150].textContent, /: 2 ×/);
    await unmount(component);
  });

  test("a row keeps its element when another one goes", async () => {
    const basket = await settledBasket(3);
    const target = container();
    const component = mount(Rows, { target, props: { basket } });
    const [, second, third] = items(target);
    basket.removeProduct(0);
    flushSync();
    assert.deepEqual(items(target), [second, third]);
    await unmount(component);
  });

  test("may be null", async () => {
    const target = container();
    const component = mount(Rows, { target, props: { basket: null } });
    assert.equal(target.querySelector("ul"), null);
    await unmount(component);
  });

  test("is rendered on a server, and hydrated when it has settled", async () => {
    const basket = await newBasket(2);
    const store = counted(basket);
    const { body } = server.render(server.Rows, { props: { basket: store } });
    assert.equal(store.listeners, 0);
    const target = container(body);
    const before = items(target);
    assert.equal(before[0].textContent, "product 1001: 1 × …");
    await basket.settle();
    const component = hydrate(Rows, { target, props: { basket } });
    flushSync();
    assert.deepEqual(items(target), before);
    assert.deepEqual(shown(target), [`product 1001: 1 × ${PRICE}`, `product 1002: 1 × ${PRICE}`, `${2 * PRICE}`]);
    await unmount(component);
  });

  for (const [name, text] of [
    ["Rows", (total) => `${total}`],
    ["Example", (total) => `THB\u00a0${total}.00`],
  ]) {
    test(`${name} shows the totals of known facts, and hydration goes on with them and asks nothing`, async () => {
      const sent = await sentBasket(2);
      const target = container(server.render(server[name], { props: { basket: sent.onServer } }).body);
      const [before, output] = [items(target), target.querySelector("output")];
      assert.equal(output.textContent, text(2 * PRICE));
      const touched = observed(target);
      const component = hydrate(page[name], { target, props: { basket: sent.inPage } });
      flushSync();
      assert.ok(!touched().some((element) => before.includes(element)));
      sent.inPage.setQuantity(0, 5);
      flushSync();
      assert.equal(output.textContent, text(6 * PRICE));
      assert.deepEqual([items(target), target.querySelector("output")], [before, output]);
      await assertAsksNothing(sent);
      await unmount(component);
    });
  }
});

/** Returns a function that lists the elements in which something has changed. */
function observed(target) {
  const observer = new window.MutationObserver(() => {});
  observer.observe(target, { subtree: true, childList: true, characterData: true, attributes: true });
  const elementOf = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node);
  return () => observer.takeRecords().map(({ target }) => elementOf(target));
}
