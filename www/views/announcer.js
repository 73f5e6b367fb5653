import { byId } from "../page/dom.js";
import { money } from "../page/format.js";
import { t } from "../page/language.js";

const PAUSE_MS = 600;

/**
 * Announces the total to screen readers after editing has paused.
 * @param {import("../model/live-basket.js").LiveBasket} live
 */
export function createAnnouncer(live) {
  let timer;
  return {
    render() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        byId("announcement").textContent = t(`announce.${live.status}`, { total: money(live.totals.grandTotal) });
      }, PAUSE_MS);
    },
  };
}
