import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import * as imported from "order-cost/vue";
import { createApp, createSSRApp, effectScope, h, isReactive, nextTick, reactive, ref, shallowRef, watch } from "vue";
import { renderToString } from "vue/server-renderer";
import { vueCode } from "../components.js";
import { container } from "../dom.js";
import { exampleText, exportsOf } from "../examples.js";
import { formats } from "../formats.js";
import { allowNoWarning, assertAsksNothing, counted, newBasket, PRICE, sentBasket, settledBasket, shop, until } from "../shop.js";

const require = createRequire(import.meta.url);
for (const [format, entry] of formats(imported, require("order-cost/vue"))) testVue(format, entry);

function testVue(format, { useBasket }) {
  describe(`useBasket of ${format}`, () => {
    const complaints = allowNoWarning();

    /** A component that shows the total of its prop. It counts how often it renders. */
    function totalOf(counts = { renders: 0 }) {
      return {
        props: ["basket"],
        setup(props) {
          const shown = useBasket(() => props.basket);
          return () => {
            counts.renders += 1;
            return h("output", shown.value === null ? "none" : shown.value.totals.grandTotal);
          };
        },
      };
    }

    /** An app whose props can be changed. */
    function mounted(component, props) {
      const given = reactive({ ...props });
      const place = container();
      const app = createApp({ render: () => h(component, { ...given }) });
      app.mount(place);
      return { app, given, text: () => place.textContent };
    }

    describe("in a component", () => {
      test("follows the basket, and stops when it is gone", async () => {
        const basket = await settledBasket(2);
        const store = counted(basket);
        const counts = { renders: 0 };
        const { app, text } = mounted(totalOf(counts), { basket: store });
        assert.equal(text(), `${2 * PRICE}`);
        basket.setQuantity(0, 5);
        await nextTick();
        assert.equal(text(), `${6 * PRICE}`);
        assert.deepEqual([counts.renders, store.listeners], [2, 1]);
        app.unmount();
        assert.equal(store.listeners, 0);
      });

      test("shows a basket that settles by itself", async () => {
        const basket = await newBasket(2, { autoSettle: { debounceMs: 0 } });
        const { app, text } = mounted(totalOf(), { basket });
        assert.equal(text(), "0");
        await until(basket, ({ status }) => status === "current");
        await nextTick();
        assert.equal(text(), `${2 * PRICE}`);
        app.unmount();
      });

      test("follows a prop that changes, also to null and back", async () => {
        const [first, second] = [counted(await settledBasket(1)), counted(await settledBasket(3))];
        const { app, given, text } = mounted(totalOf(), { basket: first });
        const shows = async (basket, total) => {
          given.basket = basket;
          await nextTick();
          assert.equal(text(), total);
          assert.deepEqual(
            [first.listeners, second.listeners],
            [first, second].map((store) => Number(store === basket)),
          );
        };
        await shows(second, `${3 * PRICE}`);
        await shows(null, "none");
        await shows(first, `${PRICE}`);
        app.unmount();
      });

      test("of 200 rows renders only the one that is edited", async () => {
        const basket = await settledBasket(200);
        const rendered = [];
        const Row = { props: ["row"], render: ({ row }) => (rendered.push(row.key), h("li", row.quantity)) };
        const Rows = {
          setup() {
            const shown = useBasket(basket);
            return () => shown.value.rows.map((row) => h(Row, { key: row.key, row }));
          },
        };
        const { app, text } = mounted(Rows);
        assert.equal(rendered.length, 200);
        rendered.length = 0;
        basket.setQuantity(150, 2);
        await nextTick();
        assert.deepEqual(rendered, [basket.snapshot.rows[150].key]);
        assert.equal(text(), `${"1".repeat(150)}2${"1".repeat(49)}`);
        app.unmount();
      });
    });

    describe("in an effect scope", () => {
      test("follows the basket at once, until the scope ends", async () => {
        const basket = await settledBasket(2);
        const store = counted(basket);
        const scope = effectScope();
        const shown = scope.run(() => useBasket(store));
        assert.equal(shown.value, basket.snapshot);
        basket.setQuantity(0, 5);
        assert.equal(shown.value, basket.snapshot);
        scope.stop();
        const last = shown.value;
        basket.setQuantity(0, 1);
        assert.deepEqual([shown.value === last, store.listeners], [true, 0]);
      });

      test("follows a ref to another basket, and to none", async () => {
        const [first, second] = [await settledBasket(1), await settledBasket(3)];
        const source = shallowRef(null);
        const scope = effectScope();
        const shown = scope.run(() => useBasket(source));
        assert.equal(shown.value, null);
        for (const basket of [first, second]) {
          source.value = basket;
          assert.equal(shown.value, basket.snapshot);
        }
        first.setQuantity(0, 9);
        assert.equal(shown.value, second.snapshot);
        source.value = null;
        assert.equal(shown.value, null);
        scope.stop();
      });

      test("tells watchers of each snapshot, and nobody can write it", async () => {
        const basket = await settledBasket(2);
        const scope = effectScope();
        const seen = [];
        const shown = scope.run(() => {
          const shown = useBasket(basket);
          watch(shown, ({ totals }) => seen.push(totals.grandTotal), { flush: "sync" });
          return shown;
        });
        basket.setQuantity(0, 2);
        basket.setQuantity(0, 3);
        assert.deepEqual(seen, [3 * PRICE, 4 * PRICE]);
        shown.value = null;
        assert.match(complaints.pop(), /readonly/);
        assert.equal(shown.value, basket.snapshot);
        scope.stop();
      });
    });

    test("baskets and pricers work in ref and reactive", async () => {
      const { pricer, order } = await shop(2);
      const state = reactive({ pricer, basket: pricer.basket(order) });
      const { value: basket } = ref(state.basket);
      assert.deepEqual([state.pricer, state.basket, basket].map(isReactive), [false, false, false]);
      const scope = effectScope();
      const shown = scope.run(() => useBasket(() => state.basket));
      await state.basket.settle();
      basket.setQuantity(0, 4);
      assert.equal(shown.value.totals.grandTotal, 5 * PRICE);
      state.basket = state.pricer.basket({ productList: [] });
      assert.equal(shown.value.rows.length, 0);
      scope.stop();
    });

    describe("on a server", () => {
      const Shown = {
        props: ["basket"],
        setup(props) {
          const shown = useBasket(() => props.basket);
          const text = ({ rows }) => `${rows.length} ${rows[0].price ?? "…"}`;
          return () => h("p", shown.value === null ? "none" : text(shown.value));
        },
      };

      test("shows the basket as it was made, and does not listen", async () => {
        const basket = await newBasket(2);
        await basket.settle();
        const store = counted(basket);
        assert.equal(await renderToString(createSSRApp(Shown, { basket: store })), "<p>2 …</p>");
        assert.equal(await renderToString(createSSRApp(Shown, { basket: null })), "<p>none</p>");
        assert.equal(store.subscriptions, 0);
      });

      for (const isEarly of [true, false]) {
        test(`hydration takes its HTML over when the basket has settled ${isEarly ? "before" : "after"}`, async () => {
          const basket = await newBasket(2);
          const store = counted(basket);
          const place = container(await renderToString(createSSRApp(Shown, { basket })));
          const paragraph = place.firstElementChild;
          if (isEarly) await basket.settle();
          const app = createSSRApp(Shown, { basket: store });
          app.mount(place);
          assert.equal(place.textContent, "2 …");
          if (!isEarly) await basket.settle();
          await nextTick();
          assert.equal(place.textContent, `2 ${PRICE}`);
          assert.equal(place.firstElementChild, paragraph);
          app.unmount();
          assert.equal(store.listeners, 0);
        });
      }

      for (const [name, onServer, inPage, text] of [
        ["a component", totalOf(), totalOf(), (total) => `${total}`],
        ["the example", example({ ssr: true }), example({ ssr: false }), (total) => `THB\u00a0${total}.00`],
      ]) {
        test(`${name} shows the totals of known facts, and hydration goes on with them and asks nothing`, async () => {
          const sent = await sentBasket(2);
          const place = container(await renderToString(createSSRApp(onServer, { basket: sent.onServer })));
          const output = place.querySelector("output");
          assert.equal(output.textContent, text(2 * PRICE));
          const app = createSSRApp(inPage, { basket: sent.inPage });
          app.mount(place);
          await nextTick();
          assert.equal(output.textContent, text(2 * PRICE));
          sent.inPage.setQuantity(0, 5);
          await nextTick();
          assert.equal(output.textContent, text(6 * PRICE));
          assert.equal(place.querySelector("output"), output);
          await assertAsksNothing(sent);
          app.unmount();
        });
      }
    });
  });
}

/** The package's example, compiled for a server or for a page. */
function example({ ssr }) {
  return exportsOf(vueCode(exampleText("vue/Basket.vue"), { ssr }), require).default;
}
