// What a basket of 200 lines tells without asking, and products that are added one by one.
import { measure } from "../measure/index.js";
import { keptHost } from "./hosts.js";
import { facts, work, zonesText } from "./work.mjs";

export const EXPLAIN = "basket.explain()";
export const QUOTES = "basket.quote() of five slots, facts known";
export const APPEND = "1,000 addProduct in a row";

const LINES = 200;
const SLOTS = 5;
const PRODUCTS = 1_000;

/** Microseconds of each, by round. */
export async function measureKnown(createPricer, budgetMs) {
  const [item] = work(LINES, "none");
  const pricer = await createPricer(keptHost(facts([item.order])), { deliveryZones: zonesText() });
  const store = pricer.facts();
  const basket = pricer.basket(item.order, { facts: store });
  await basket.settle();
  const { shipping, productList } = basket.order;
  const slots = Array.from({ length: SLOTS }, (_, booking_hour) => {
    const scheduleList = shipping.scheduleList.map((slot) => ({ ...slot, booking_hour }));
    return { shipping: { ...shipping, scheduleList } };
  });
  const append = () => {
    const other = pricer.basket(undefined, { facts: store });
    for (let place = 0; place < PRODUCTS; place += 1) other.addProduct(productList[place % LINES]);
    if (other.totals.grandTotal === 0) throw new Error("The products have no prices");
    other.free();
  };
  const entrants = [
    { name: EXPLAIN, run: () => basket.explain() },
    { name: QUOTES, run: () => Promise.all(slots.map((slot) => basket.quote(slot))) },
    { name: APPEND, run: append },
  ];
  return measure(entrants, [item], budgetMs);
}
