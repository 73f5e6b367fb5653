import { useEffect, useState, useSyncExternalStore } from "react";

/**
 * A live basket for as long as the component is there. `basket` is null until it has been made; the rest is what it
 * shows, and follows each of its changes. What is not known yet is asked for at once.
 *
 * @param {import("order-cost").Pricer} pricer
 */
export function useBasket(pricer) {
  const [store, setStore] = useState(NOTHING);

  // In an effect, so that each basket that is made is freed: StrictMode makes two.
  useEffect(() => {
    const basket = pricer.basket();
    setStore(storeOf(basket));
    return () => basket.free();
  }, [pricer]);

  const shown = useSyncExternalStore(store.subscribe, store.getSnapshot, NOTHING.getSnapshot);
  const { basket } = store;
  const { status } = shown;
  useEffect(() => {
    if (status === "pending") basket.settle().catch(() => {}); // its status and error say so
  }, [basket, status]);

  return { basket, ...shown };
}

const EMPTY = { rows: [], totals: undefined, status: "current", error: null };
const NOTHING = { basket: null, subscribe: () => () => {}, getSnapshot: () => EMPTY };

/** React compares snapshots by identity: a new one with each change, and none between. */
function storeOf(basket) {
  const read = () => ({ rows: basket.rows, totals: basket.totals, status: basket.status, error: basket.error });
  let snapshot = read();
  return {
    basket,
    getSnapshot: () => snapshot,
    subscribe(onChange) {
      const update = () => {
        snapshot = read();
        onChange();
      };
      basket.addEventListener("change", update);
      return () => basket.removeEventListener("change", update);
    },
  };
}
