import { byId, whenChanged } from "../dom/index.js";
import { fromHash, toHash } from "../model/index.js";
import { t } from "../page/index.js";

const PAUSE_MS = 250; // browsers refuse addresses that change too often

/**
 * Keeps the basket in the page's address, and follows the visitor's steps back and forward.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 * @param {(order: import("order-cost").OrderInput) => void} load shows another order
 * @param {Record<string, number>} leftOut what the shop cannot take of the address that the page opened with
 */
export function createAddress(shop, basket, load, leftOut) {
  let timer;
  let opened = { leftOut, order: basket.order };
  const write = () => {
    timer = undefined;
    history.replaceState(null, "", toHash(basket.order));
  };

  addEventListener("popstate", () => {
    clearTimeout(timer);
    timer = undefined;
    const { order, leftOut } = fromHash(location.hash, shop);
    if (order && toHash(order) !== toHash(basket.order)) load(order);
    opened = { leftOut, order: basket.order };
    tell();
    if (!order) write(); // a link within the page, or of another shop
  });

  /** What was left out of a link, until the visitor changes the order. */
  function tell() {
    const notice = byId("left-out");
    const parts = opened.order === basket.order ? Object.entries(opened.leftOut).filter(([, count]) => count > 0) : [];
    notice.hidden = parts.length === 0;
    notice.textContent = notice.hidden ? "" : t("link.leftOut", { parts: parts.map(([name, count]) => t(`link.${name}`, { count })) });
  }

  const button = byId("share");
  button.addEventListener("click", async () => {
    write();
    const told = await share(location.href);
    if (!told) return;
    for (const id of ["share-text", "announcement"]) byId(id).textContent = t(told);
    setTimeout(() => (byId("share-text").textContent = t("share.button")), 2500);
  });

  const writeSoon = whenChanged(
    () => [basket.order],
    () => (timer ??= setTimeout(write, PAUSE_MS)),
  );

  return {
    render: () => {
      tell();
      writeSoon();
    },
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
