// The tests of order-cost/react, for each React that it supports.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { setImmediate as nextTask } from "node:timers/promises";
import { placeOf, README } from "../package/pages.js";
import { blocksOf } from "../package/snippets.js";
import { container } from "./dom.js";
import { exampleText, exportsOf } from "./examples.js";
import { allowNoWarning, assertAsksNothing, counted, newBasket, PRICE, sentBasket, settledBasket, shop, until } from "./shop.js";

/** Tests the `useBasket` of one module format with the React that it imports, and that `require` gives the example. */
export function testReact(format, { React, createRoot, hydrateRoot, renderToString, require, useBasket }) {
  describe(`useBasket of ${format}`, () => {
    const { act, createElement: h, Fragment, memo, Profiler, startTransition, StrictMode } = React;
    const { useDeferredValue, useEffect, useState } = React;
    const roots = new Set();

    const complaints = allowNoWarning();
    afterEach(() => {
      act(() => roots.forEach((root) => root.unmount()));
      roots.clear();
    });

    /** Renders into a new container. */
    function render(element) {
      const place = container();
      const root = createRoot(place);
      roots.add(root);
      act(() => root.render(element));
      return { place, root, text: () => place.textContent, show: (next) => act(() => root.render(next)) };
    }

    const Total = ({ basket }) => h("output", null, useBasket(basket).totals.grandTotal);

    class Boundary extends React.Component {
      state = {};

      static getDerivedStateFromError(error) {
        return { error };
      }

      render() {
        return this.state.error ? `caught ${this.state.error}` : this.props.children;
      }
    }

    describe("a component", () => {
      globalThis.IS_REACT_ACT_ENVIRONMENT = true;

      for (const [name, mode] of Object.entries({ Fragment, StrictMode })) {
        test(`follows its basket, and stops when it is gone, in a ${name}`, async () => {
          const basket = await settledBasket(2);
          const store = counted(basket);
          const { root, text } = render(h(mode, null, h(Total, { basket: store })));
          assert.equal(text(), `${2 * PRICE}`);
          act(() => void basket.setQuantity(0, 5));
          assert.equal(text(), `${6 * PRICE}`);
          assert.equal(store.listeners, 1);
          act(() => root.unmount());
          assert.equal(store.listeners, 0);
        });
      }

      test("shows a basket that settles by itself", async () => {
        const basket = await newBasket(2, { autoSettle: { debounceMs: 0 } });
        const { text } = render(h(StrictMode, null, h(Total, { basket })));
        assert.equal(text(), "0");
        await act(() => until(basket, ({ status }) => status === "current"));
        assert.equal(text(), `${2 * PRICE}`);
      });

      test("makes its basket with useState", async () => {
        const { pricer, order } = await shop(2);
        function Shop() {
          const [basket] = useState(() => pricer.basket(order));
          const { rows } = useBasket(basket);
          return h("button", { onClick: () => basket.addProduct(order.productList[0]) }, rows.length);
        }
        const { place, text } = render(h(StrictMode, null, h(Shop)));
        act(() => place.querySelector("button").click());
        assert.equal(text(), "3");
      });

      test("is the one of the package's README: it shows its total, and each press changes it", async () => {
        const { code } = blocksOf(placeOf(README)).find(({ language }) => language === "jsx");
        const made = [];
        const modules = { "react-dom/client": { createRoot: (place) => (made.push(createRoot(place)), made[0]) } };
        const place = container();
        place.id = "root";
        exportsOf(code, (name) => modules[name] ?? require(name));
        roots.add(made[0]);
        await withoutAct(() => settled(() => /Total 111\.75 $/.test(place.textContent)));
        assert.match(place.textContent, /^น้ำปลา \+ 3 = 111\.75 Total 111\.75 $/);
        act(() => place.querySelector("button").click());
        assert.match(place.textContent, /= 149 Total 149 $/);
        place.remove();
      });

      test("asks once if its baskets share a store, though StrictMode makes two", async () => {
        const { pricer, order, calls } = await shop(2);
        const facts = pricer.facts();
        const baskets = [];
        const newBasket = () => {
          baskets.push(pricer.basket(order, { facts, autoSettle: { debounceMs: 0 } }));
          return baskets.at(-1);
        };
        const Shop = () => useBasket(useState(newBasket)[0]).totals.grandTotal;
        const { text } = render(h(StrictMode, null, h(Shop)));
        await act(() => Promise.all(baskets.map((basket) => until(basket, ({ status }) => status === "current"))));
        assert.equal(text(), `${2 * PRICE}`);
        assert.deepEqual([baskets.length, calls.length], [2, 1]);
      });

      test("may edit the basket in an effect", async () => {
        const basket = await settledBasket(1);
        function AtMostFive() {
          const [{ quantity }] = useBasket(basket, ({ rows }) => rows);
          useEffect(() => {
            if (quantity > 5) basket.setQuantity(0, 5);
          }, [quantity]);
          return quantity;
        }
        const { text } = render(h(StrictMode, null, h(AtMostFive)));
        act(() => void basket.setQuantity(0, 9));
        assert.equal(text(), "5");
      });

      test("follows another basket when it gets one", async () => {
        const [first, second] = [counted(await settledBasket(1)), counted(await settledBasket(3))];
        const { text, show } = render(h(Total, { basket: first }));
        show(h(Total, { basket: second }));
        assert.equal(text(), `${3 * PRICE}`);
        assert.deepEqual([first.listeners, second.listeners], [0, 1]);
      });

      test("has null while there is no basket", async () => {
        const seen = [];
        function Maybe({ basket }) {
          seen.push(
            useBasket(basket),
            useBasket(basket, ({ rows }) => rows.length),
          );
          return null;
        }
        const { show } = render(h(Maybe, { basket: null }));
        assert.deepEqual(seen, [null, null]);
        const basket = await settledBasket(2);
        show(h(Maybe, { basket }));
        assert.deepEqual(seen.slice(2), [basket.snapshot, 2]);
        show(h(Maybe, { basket: null }));
        assert.deepEqual(seen.slice(-2), [null, null]);
      });

      test("of 200 rows renders only the one that is edited", async () => {
        const basket = await settledBasket(200);
        const rendered = [];
        const Row = memo(({ row }) => {
          rendered.push(row.key);
          return h("li", null, row.quantity);
        });
        const rowsOf = ({ rows }) => rows;
        const Rows = () => useBasket(basket, rowsOf).map((row) => h(Row, { key: row.key, row }));
        const { place } = render(h(Rows));
        assert.equal(rendered.length, 200);
        rendered.length = 0;
        act(() => void basket.setQuantity(150, 2));
        assert.deepEqual(rendered, [basket.snapshot.rows[150].key]);
        assert.equal(place.querySelectorAll("li")[150].textContent, "2");
      });
    });

    describe("select", () => {
      /** A component that shows what `select` gives, and counts. */
      function selecting(select) {
        const counts = { selects: 0, renders: 0 };
        const counting = (snapshot) => {
          counts.selects += 1;
          return select(snapshot);
        };
        function Selected({ basket }) {
          counts.renders += 1;
          return JSON.stringify(useBasket(basket, counting));
        }
        return { Selected, counts };
      }

      test("renders only when its result changes", async () => {
        const basket = await settledBasket(2);
        const { Selected, counts } = selecting(({ rows }) => rows.length);
        const { text } = render(h(Selected, { basket }));
        act(() => void basket.setQuantity(0, 5));
        assert.deepEqual(counts, { selects: 2, renders: 1 });
        act(() => void basket.removeProduct(0));
        assert.deepEqual(counts, { selects: 3, renders: 2 });
        assert.equal(text(), "1");
      });

      test("may build objects: it runs once for each snapshot", async () => {
        const basket = await settledBasket(2);
        const { Selected, counts } = selecting(({ rows, totals }) => ({ count: rows.length, total: totals.grandTotal }));
        const { text, show } = render(h(Selected, { basket }));
        show(h(Selected, { basket }));
        assert.deepEqual(counts, { selects: 1, renders: 2 });
        act(() => void basket.setQuantity(0, 2));
        assert.deepEqual(counts, { selects: 2, renders: 3 });
        assert.deepEqual(JSON.parse(text()), { count: 2, total: 3 * PRICE });
      });

      test("runs once for all components and renders that share it", async () => {
        const basket = await settledBasket(2);
        const { Selected, counts } = selecting(({ totals }) => ({ total: totals.grandTotal }));
        const pair = h(StrictMode, null, h(Selected, { basket }), h(Selected, { basket }));
        const { text } = render(pair);
        act(() => void basket.setQuantity(0, 2));
        assert.equal(counts.selects, 2);
        assert.equal(text(), `{"total":${3 * PRICE}}`.repeat(2));
      });

      test("that throws reaches the error boundary, and works again with the next snapshot", async () => {
        const basket = await settledBasket(1);
        const select = ({ rows }) => rows[0].quantity;
        const { text, show } = render(
          h(
            Boundary,
            { key: 1 },
            h(() => useBasket(basket, select)),
          ),
        );
        act(() => void basket.removeProduct(0));
        complaints.length = 0; // React reports what it caught
        assert.match(text(), /^caught TypeError/);
        act(() => void basket.addProduct({ cprcode: 1001, productName: "", quantity: 7 }));
        show(
          h(
            Boundary,
            { key: 2 },
            h(() => useBasket(basket, select)),
          ),
        );
        assert.equal(text(), "7");
      });

      test("may be a new function at each render, and build objects too", async () => {
        const basket = await settledBasket(2);
        let renders = 0;
        function Inline({ unit }) {
          renders += 1;
          return JSON.stringify(useBasket(basket, ({ totals }) => ({ total: `${totals.grandTotal} ${unit}` })));
        }
        const { text, show } = render(h(StrictMode, null, h(Inline, { unit: "THB" })));
        act(() => void basket.setQuantity(0, 2));
        assert.equal(text(), `{"total":"${3 * PRICE} THB"}`);
        show(h(StrictMode, null, h(Inline, { unit: "baht" })));
        assert.equal(text(), `{"total":"${3 * PRICE} baht"}`);
        assert.equal(renders, 6); // twice each: StrictMode
      });
    });

    describe("while React renders concurrently", () => {
      const SLOW = 60; // components, one millisecond each: React pauses after five

      test("a transition shows one snapshot everywhere in each commit", async () => {
        let open;
        function App({ basket }) {
          const [isOpen, setOpen] = useState(false);
          open = () => startTransition(() => setOpen(true));
          return [h(Cell, { key: "total", basket }), isOpen && h(Cells, { key: "cells", basket })];
        }
        checkCommits(await renderWhileEdited(App, () => open()));
      });

      test("a deferred value does not tear either", async () => {
        let change;
        const SlowCells = memo(({ basket }) => h(Cells, { basket }));
        function App({ basket }) {
          const [step, setStep] = useState(0);
          change = () => setStep(1);
          const deferred = useDeferredValue(step);
          return [h(Cell, { key: "total", basket }), h(SlowCells, { key: "cells", basket, step: deferred })];
        }
        checkCommits(await renderWhileEdited(App, () => change()));
      });

      let rendersSinceCommit = 0;

      function Cell({ basket }) {
        rendersSinceCommit += 1;
        burn(1);
        return h(
          "i",
          null,
          useBasket(basket, ({ rows }) => rows[0].quantity),
        );
      }

      const Cells = ({ basket }) => Array.from({ length: SLOW }, (_, index) => h(Cell, { key: index, basket }));

      /** Edits the basket task by task while `begin` makes React render; returns what each commit showed. */
      async function renderWhileEdited(App, begin) {
        const basket = await settledBasket(1);
        const place = container();
        const commits = [];
        const onRender = () => {
          rendersSinceCommit = 0;
          commits.push([...place.querySelectorAll("i")].map(({ textContent }) => textContent));
        };
        const root = createRoot(place);
        const editsInBetween = await withoutAct(async () => {
          root.render(h(Profiler, { id: "app", onRender }, h(App, { basket })));
          await settled(() => commits.length > 0);
          begin();
          let edits = 0;
          for (let quantity = 2; quantity < 8; quantity += 1) {
            await nextTask();
            await nextTask();
            if (rendersSinceCommit > 0) edits += 1;
            basket.setQuantity(0, quantity);
          }
          await settled(() => commits.at(-1).join("") === "7".repeat(SLOW + 1));
          return edits;
        });
        await nextTask(); // effects run before act is on again
        roots.add(root);
        return { commits, editsInBetween };
      }

      function checkCommits({ commits, editsInBetween }) {
        assert.ok(editsInBetween > 0, "no edit fell into a render");
        for (const shown of commits) assert.equal(new Set(shown).size, 1, shown.join());
      }
    });

    describe("on a server", () => {
      const Shown = ({ basket }) => {
        const { rows } = useBasket(basket);
        const first = useBasket(basket, ({ rows }) => ({ price: rows[0].price ?? "…" }));
        return h("p", null, rows.length, " ", first.price);
      };

      test("shows the basket as it was made", async () => {
        const basket = await newBasket(2);
        await basket.settle();
        basket.removeProduct(0);
        assert.match(renderToString(h(Shown, { basket })), /2.* .*…/);
        assert.equal(renderToString(h(() => JSON.stringify(useBasket(null)))), "null");
      });

      for (const isEarly of [true, false]) {
        test(`hydration takes its HTML over when the basket has settled ${isEarly ? "before" : "after"}`, async () => {
          const basket = await newBasket(2);
          const place = container(renderToString(h(Shown, { basket })));
          const paragraph = place.querySelector("p");
          assert.equal(place.textContent, "2 …");
          if (isEarly) await basket.settle();
          const faults = [];
          const element = h(StrictMode, null, h(Shown, { basket }));
          act(() => void roots.add(hydrateRoot(place, element, { onRecoverableError: (error) => faults.push(error) })));
          if (!isEarly) await act(() => basket.settle());
          assert.equal(place.textContent, `2 ${PRICE}`);
          assert.equal(place.querySelector("p"), paragraph);
          assert.deepEqual(faults, []);
        });
      }

      const { Basket: Example } = exportsOf(exampleText("react/Basket.jsx"), require);

      for (const [name, Shop, text] of [
        ["a component", Total, (total) => `${total}`],
        ["the example", Example, (total) => `THB\u00a0${total}.00`],
      ]) {
        test(`${name} shows the totals of known facts, and hydration goes on with them and asks nothing`, async () => {
          const sent = await sentBasket(2);
          const place = container(renderToString(h(Shop, { basket: sent.onServer })));
          const output = place.querySelector("output");
          assert.equal(output.textContent, text(2 * PRICE));
          const faults = [];
          const shown = [];
          const Page = () => {
            shown.push(useBasket(sent.inPage, ({ status, totals }) => `${status} ${totals.grandTotal}`));
            return h(Shop, { basket: sent.inPage });
          };
          act(() => void roots.add(hydrateRoot(place, h(Page), { onRecoverableError: (error) => faults.push(error) })));
          act(() => void sent.inPage.setQuantity(0, 5));
          assert.deepEqual(shown, [`current ${2 * PRICE}`, `current ${6 * PRICE}`]);
          assert.equal(output.textContent, text(6 * PRICE));
          assert.equal(place.querySelector("output"), output);
          assert.deepEqual(faults, []);
          await act(() => assertAsksNothing(sent));
        });
      }
    });
  });
}

/** As in a page: React renders in its own tasks, and may pause. */
async function withoutAct(run) {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  try {
    return await run();
  } finally {
    globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  }
}

async function settled(isReached) {
  while (!isReached()) await nextTask();
}

function burn(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
