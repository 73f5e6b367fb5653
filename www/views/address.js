import { byId } from "../page/dom.js";
import { t } from "../page/language.js";
import { whenChanged } from "../page/memo.js";
import { fromHash, toHash } from "../model/share.js";

const PAUSE_MS = 250; // browsers refuse addresses that change too often

/**
 * Keeps the basket in the page's address, and follows the visitor's steps back and forward.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 * @param {(order: object) => void} load shows another order
 */
export function createAddress(shop, basket, load) {
  let timer;
  const write = () => {
    timer = undefined;
    history.replaceState(null, "", toHash(basket.order));
  };

  addEventListener("popstate", () => {
    clearTimeout(timer);
    timer = undefined;
    const order = fromHash(location.hash, shop);
    if (order === undefined) return write(); // a link within the page
    if (toHash(order) !== toHash(basket.order)) load(order);
  });

  const button = byId("share");
  button.addEventListener("click", async () => {
    write();
    const told = await share(location.href);
    if (!told) return;
    for (const id of ["share-text", "announcement"]) byId(id).textContent = t(told);
    setTimeout(() => (byId("share-text").textContent = t("share.button")), 2500);
  });

  return {
    render: whenChanged(
      () => [basket.order],
      () => (timer ??= setTimeout(write, PAUSE_MS)),
    ),
  };
}

/**
 * Shares the address: phones show a share sheet, other browsers copy the link. Plain http has no clipboard. Returns the
 * message.
 */
async function share(url) {
  if (matchMedia("(pointer: coarse)").matches && navigator.share) {
    await navigator.share({ url }).catch(() => {}); // the visitor may cancel
    return undefined;
  }
  const isCopied = await navigator.clipboard?.writeText(url).then(
    () => true,
    () => false,
  );
  return isCopied ? "share.copied" : "share.inAddress";
}
