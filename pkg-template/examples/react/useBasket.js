import { useEffect, useState, useSyncExternalStore } from "react";

/**
 * A live basket that lives as long as the component. `basket` is null until it is created; the other values follow each
 * change of the basket. The hook looks up missing facts at once.
 *
 * @param {import("order-cost").Pricer} pricer
 */
export function useBasket(pricer) {
  const [store, setStore] = useState(NOTHING);

  // In an effect, so that every basket is freed: StrictMode creates two.
  useEffect(() => {
    const basket = pricer.basket();
    setStore(storeOf(basket));
    return () => basket.free();
  }, [pricer]);

  const shown = useSyncExternalStore(store.subscribe, store.getSnapshot, NOTHING.getSnapshot);
  const { basket } = store;
  const { status } = shown;
  useEffect(() => {
    if (status === "pending") basket.settle().catch(() => {}); // `status` and `error` show the failure
  }, [basket, status]);

  return { basket, ...shown };
}

const EMPTY = { rows: [], totals: undefined, status: "current", error: null };
const NOTHING = { basket: null, subscribe: () => () => {}, getSnapshot: () => EMPTY };

/** React compares snapshots by identity: each change makes a new one, and between changes it stays the same. */
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
