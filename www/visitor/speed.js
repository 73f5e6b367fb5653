import { byId } from "../dom/index.js";
import { count, measured, t } from "../page/index.js";

const EDITS = 10_000;
const FRAME_US = 1_000_000 / 60;

/**
 * Measures how long an edit of this basket takes, with the snapshot that it makes: 10,000 edits of a copy, so that the
 * customer's quantities stay.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 */
export function createSpeedView({ pricer, facts }, basket) {
  const button = byId("measure", HTMLButtonElement);
  let microseconds; // per edit, from the last measurement
  let lines;

  button.addEventListener("click", async () => {
    lines = basket.rows.length;
    microseconds = await measure(basket.order);
    render();
  });

  async function measure(order) {
    const copy = pricer.basket(order, { facts });
    try {
      await copy.settle().catch(() => {}); // a basket without prices can be edited too
      const start = performance.now();
      for (let edit = 0; edit < EDITS; edit += 1) copy.setQuantity(edit % lines, 1 + (edit % 9));
      return ((performance.now() - start) * 1000) / EDITS;
    } finally {
      copy.free();
    }
  }

  function render() {
    button.disabled = basket.rows.length === 0;
    byId("speed").hidden = microseconds === undefined;
    if (microseconds === undefined) return;
    byId("speed-figure").textContent = t("speed.figure", { time: measured(microseconds) });
    byId("speed-note").textContent = t("speed.note", {
      edits: count(EDITS),
      total: measured((microseconds * EDITS) / 1000),
      lines,
      perFrame: count(Math.floor(FRAME_US / microseconds)),
    });
  }

  return { render };
}
