import { byId } from "../dom/index.js";
import { billOf } from "../model/index.js";
import { known, t } from "../page/index.js";

const PAUSE_MS = 600;

/**
 * Announces the total to screen readers after editing has paused. Look-ups that are repeated are not announced as long
 * as they change nothing.
 * @param {import("order-cost").Basket} basket
 */
export function createAnnouncer(basket) {
  let timer;
  let news = ""; // what to say before the total
  let said; // { total, text }: what was announced last

  function announce() {
    const bill = billOf(basket.snapshot);
    const total = known(bill.total);
    const text = t(`announce.${bill.status}${bill.total === null ? "Unknown" : ""}`, { total });
    const isSame = bill.status === "pending" ? said?.total === total : said?.text === text;
    if (isSame && news === "") return;
    byId("announcement").textContent = news === "" ? text : `${news} ${text}`;
    said = { total, text };
    news = "";
  }

  function render() {
    clearTimeout(timer);
    timer = setTimeout(announce, PAUSE_MS);
  }

  return {
    render,
    /** Says something with the next total. */
    say(text) {
      news = text;
      render();
    },
  };
}
