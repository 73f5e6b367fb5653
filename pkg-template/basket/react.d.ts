import type { Basket, BasketSnapshot } from "order-cost";

/**
 * What a basket shows, in a React component: the component renders again when the snapshot changes. On a server and
 * during hydration it shows `initialSnapshot`. `null` gives `null`.
 *
 * ```jsx
 * const [basket] = useState(() => pricer.basket(order, { autoSettle: true }));
 * const { rows, totals } = useBasket(basket);
 * ```
 */
export function useBasket(basket: Basket): BasketSnapshot;
/** As above, while there may be no basket yet. */
export function useBasket(basket: Basket | null): BasketSnapshot | null;
/**
 * A part of what a basket shows: the component renders again only when `select` returns another value (`Object.is`).
 * `select` runs once for each snapshot, so it may build objects. Define it outside the component: a new function runs
 * at each render.
 *
 * ```jsx
 * const total = useBasket(basket, ({ totals }) => totals.grandTotal);
 * ```
 */
export function useBasket<T>(basket: Basket, select: (snapshot: BasketSnapshot) => T): T;
/** As above, while there may be no basket yet. */
export function useBasket<T>(basket: Basket | null, select: (snapshot: BasketSnapshot) => T): T | null;
