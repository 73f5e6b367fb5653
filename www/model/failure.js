import { nameOf, t } from "../page/language.js";

/**
 * What went wrong, in plain words, and how the visitor can fix it.
 * @param {import("order-cost").PricingError} error
 * @param {import("./shop.js").Shop} shop
 * @param {import("./live-basket.js").LiveBasket} live
 * @returns {{text: string, mend?: {text: string, run: () => void}}}
 */
export function explainFailure({ code, message }, shop, live) {
  const { order } = live;
  const branch = shop.branches.find(({ branchId }) => branchId === order.branchId);
  const [, cprcode] = /^No price for (\d+)\//.exec(message) ?? [];
  const [, voucher] = /^Voucher (.*) not found$/.exec(message) ?? [];
  const product = cprcode && shop.catalogue.product(Number(cprcode));
  const text = t(`error.${code}`, {
    branch: nameOf(branch),
    product: product ? nameOf(product) : cprcode,
    voucher,
    postcode: order.shipping?.shippingPostcode,
  });
  return { text, mend: MENDS[code]?.({ live, branch, cprcode: Number(cprcode), voucher }) };
}

const MENDS = {
  PRODUCT_PRICE_NOT_FOUND: ({ live, cprcode }) => ({
    text: t("mend.removeProduct"),
    run: () =>
      live.edit((basket) =>
        basket.removeProduct(live.order.productList.findIndex((product) => product.cprcode === cprcode)),
      ),
  }),
  VOUCHER_NOT_FOUND: ({ live, voucher }) => ({
    text: t("mend.removeVoucher"),
    run: () => live.edit((basket) => basket.setVouchers(live.order.voucherId.filter((id) => id !== voucher))),
  }),
  BRANCH_NOT_IN_POLYGON: ({ live, branch }) => ({
    text: t("mend.movePin"),
    run: () => live.ship({ shippingLat: branch.lat, shippingLon: branch.lon }),
  }),
};
