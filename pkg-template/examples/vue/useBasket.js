import { markRaw, onScopeDispose, shallowRef } from "vue";

/**
 * A live basket for as long as the component is there. `shown` is what it shows, and follows each of its changes. What
 * is not known yet is asked for at once.
 *
 * @param {import("order-cost").Pricer} pricer
 */
export function useBasket(pricer) {
  const basket = markRaw(pricer.basket()); // a reactive proxy of it would have none of its private fields
  const read = () => ({ rows: basket.rows, totals: basket.totals, status: basket.status, error: basket.error });
  const shown = shallowRef(read());

  basket.addEventListener("change", () => {
    shown.value = read();
    if (basket.status === "pending") basket.settle().catch(() => {}); // its status and error say so
  });
  onScopeDispose(() => basket.free());

  return { basket, shown };
}
