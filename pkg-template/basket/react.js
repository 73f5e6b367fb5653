"use client";

import { useMemo, useSyncExternalStore } from "react";

/** What a basket shows, in a React component. See react.d.ts. */
export function useBasket(basket, select = whole) {
  const { subscribe, shown, shownFirst } = useMemo(() => (basket ? storeOf(basket, select) : NO_BASKET), [basket, select]);
  return useSyncExternalStore(subscribe, shown, shownFirst);
}

const NO_BASKET = { subscribe: () => () => {}, shown: () => null, shownFirst: () => null };

function storeOf(basket, select) {
  return {
    subscribe: basket.subscribe,
    shown: () => selected(basket.snapshot, select),
    shownFirst: () => selected(basket.initialSnapshot, select),
  };
}

const whole = (snapshot) => snapshot;

/** What each `select` made of each snapshot; a result goes with either of them. */
const results = new WeakMap();

/**
 * Runs `select` once: React asks again and again, and takes another object for a change. A memo of the component would
 * not do, because React drops that of a render which it throws away or, in StrictMode, repeats.
 */
function selected(snapshot, select) {
  if (!results.has(select)) results.set(select, new WeakMap());
  const bySnapshot = results.get(select);
  if (!bySnapshot.has(snapshot)) bySnapshot.set(snapshot, select(snapshot));
  return bySnapshot.get(snapshot);
}
