import { hold } from "../core/index.js";
import { Pricer } from "../pricer/index.js";
import { Basket } from "./basket.js";
import { WeakList } from "./weak-list.js";

/** Cleans up after baskets that were collected without a call of free(). */
const lost = new FinalizationRegistry((onFree) => onFree());

/** A pricer with baskets: `Pricer` in index.d.ts. */
export class BasketPricer extends Pricer {
  /** The baskets in use: a change of the zones must reach them. */
  #baskets = new WeakList();
  #parts = Pricer.forBaskets(this, (pricing, isAnswer) => {
    const tell = isAnswer ? Basket.takeAnswer : Basket.takeZones;
    for (const basket of this.#baskets) tell(basket, pricing);
  });

  basket(order = { productList: [] }, options) {
    const parts = { ...this.#parts, basket: (...given) => this.basket(...given), onFree: () => onFree() };
    const basket = new Basket(order, options, parts);
    // After the constructor, so that a refused order registers nothing.
    const onFree = inTurn(hold(basket), this.#baskets.add(basket));
    lost.register(basket, onFree);
    return basket;
  }
}

/** Calls both. It holds nothing else: a function that is made beside a basket would keep it in use. */
const inTurn = (first, second) => () => {
  first();
  second();
};
