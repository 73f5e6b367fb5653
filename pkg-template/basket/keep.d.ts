import type { Basket, BasketOptions, FactStore, Pricer } from "order-cost";

/** Where a basket is kept: `localStorage`, `sessionStorage` or another store of texts. */
export interface KeepStorage {
  /** The text of this name; `null` if there is none. */
  getItem(name: string): string | null;
  /** Keeps a text. It may throw: then nothing is kept. */
  setItem(name: string, text: string): void;
}

/** What of a basket is kept, and where. Every option is optional. */
export interface KeepOptions {
  /** The name in the storage. Default `"order-cost.basket"`. */
  name?: string;
  /**
   * Whether to keep, too, the vouchers of the order's owner, as the host gave them, and the answer to its coupons. Whoever uses
   * the browser can read them. Nothing of another owner's voucher is kept (D30), nor anything for an order without
   * `ownerId` (D31). Default `false`.
   */
  vouchers?: boolean;
}

/** How a basket is restored: the basket's options and these. Every option is optional. */
export interface RestoreOptions extends Omit<BasketOptions, "facts"> {
  /** The name in the storage. Default `"order-cost.basket"`. */
  name?: string;
  /**
   * For how many milliseconds an answer counts as new: the `maxAgeMs` of the new store. Vouchers that are older are dropped, and
   * a coupon answer that was kept longer ago. Default 900_000: 15 minutes.
   */
  maxAgeMs?: number;
  /**
   * The customer who uses the page now, or `""`. It becomes the order's owner. Of what was kept for another owner, nothing is
   * restored. Default: the owner of the kept order; without vouchers and coupon answers.
   */
  ownerId?: string;
}

/**
 * Keeps a basket now, and whenever the page is hidden: its order, its facts and `settledTotals`. Returns a function that ends
 * this. Give the basket a fact store: a basket without one has no times, so that its prices are asked again. No failure of the
 * storage throws.
 *
 * Without a storage it is `localStorage`: to name it throws where a browser blocks it.
 *
 * ```js
 * const { basket } = restore(pricer, undefined, { ownerId, autoSettle: true });
 * keep(basket, undefined, { vouchers: true });
 * ```
 */
export function keep(basket: Basket, storage?: KeepStorage, options?: KeepOptions): () => void;

/**
 * The basket that was kept, and its store. It is empty if nothing was kept, or nothing that can be read.
 *
 * The basket is `current` at once, and asks nothing, if all that it needs was kept and is new. A coupon answer counts only for
 * the very request that it answered.
 */
export function restore(
  pricer: Pricer,
  storage?: KeepStorage,
  options?: RestoreOptions,
): {
  /** The basket. */
  basket: Basket;
  /** Its facts. */
  facts: FactStore;
};
