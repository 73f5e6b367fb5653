import type { Basket, BasketSnapshot } from "order-cost";
import type { MaybeRefOrGetter, ShallowRef } from "vue";

/**
 * What a basket shows, as a ref that follows the basket until its component or effect scope ends. The source may be a
 * basket, a ref or a getter, and may change. On a server and during hydration the ref holds `initialSnapshot`. `null`
 * gives `null`.
 *
 * ```js
 * const basket = pricer.basket(order, { autoSettle: true });
 * const shown = useBasket(basket);
 * const total = computed(() => shown.value.totals.grandTotal);
 * ```
 */
export function useBasket(source: MaybeRefOrGetter<Basket>): Readonly<ShallowRef<BasketSnapshot>>;
/** As above, while there may be no basket yet. */
export function useBasket(source: MaybeRefOrGetter<Basket | null>): Readonly<ShallowRef<BasketSnapshot | null>>;
