import { markRaw, onScopeDispose, shallowRef } from "vue";

/**
 * A live basket that lives as long as the component. `shown` holds its current values and follows each change. The
 * basket looks up missing facts at once.
 *
 * @param {import("order-cost").Pricer} pricer
 */
export function useBasket(pricer) {
  const basket = markRaw(pricer.basket()); // a reactive proxy could not reach its private fields
  const read = () => ({ rows: basket.rows, totals: basket.totals, status: basket.status, error: basket.error });
  const shown = shallowRef(read());

  basket.addEventListener("change", () => {
    shown.value = read();
    if (basket.status === "pending") basket.settle().catch(() => {}); // `status` and `error` show the failure
  });
  onScopeDispose(() => basket.free());

  return { basket, shown };
}
