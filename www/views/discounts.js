import { refusalOf } from "../model/coupon-terms.js";
import { byId, element, replaceKeepingFocus } from "../page/dom.js";
import { longDate, money, percent } from "../page/format.js";
import { icon } from "../page/icons.js";
import { currentLanguage, nameOf, t } from "../page/language.js";
import { whenChanged } from "../page/memo.js";

/**
 * Coupons and vouchers: the entered codes with their outcome, and those that the customer could use.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("../model/live-basket.js").LiveBasket} live
 */
export function createDiscountsView({ coupons, vouchers }, live) {
  const setCoupons = (codes) => live.edit((basket) => basket.setCoupons(codes));
  const setVouchers = (ids) => live.edit((basket) => basket.setVouchers(ids));
  const codesOf = ({ couponCodeList = [] }) => couponCodeList;
  const idsOf = ({ voucherId = [] }) => voucherId;

  onEntered("coupon", (code) => setCoupons([...new Set([...codesOf(live.order), code])]));
  onEntered("voucher", (id) => setVouchers([...new Set([...idsOf(live.order), id])]));

  const render = whenChanged(() => {
    const { couponCodeList, voucherId, ownerId } = live.order;
    return [currentLanguage(), couponCodeList, voucherId, ownerId, live.status, live.error?.code, live.priced];
  }, draw);

  function draw() {
    const { order } = live;
    show("coupon", codesOf(order), couponOutcome, setCoupons, couponPromise);
    show("voucher", idsOf(order), voucherOutcome, setVouchers, voucherPromise);
    offer(
      "coupon",
      coupons.map(({ code }) => code),
      codesOf(order),
      couponPromise,
      setCoupons,
    );
    const own = Object.values(vouchers).filter(({ ownerId }) => ownerId !== undefined && ownerId === order.ownerId);
    offer(
      "voucher",
      own.map(({ voucherId }) => voucherId),
      idsOf(order),
      voucherPromise,
      setVouchers,
    );
    byId("voucher-wallet-note").textContent = t(order.ownerId ? "vouchers.own" : "vouchers.guest");
  }

  function show(kind, codes, outcomeOf, set, promiseOf) {
    const items = codes.map((code, index) => {
      const { state, amount, text } = outcomeOf(code);
      const remove = () => set(codes.toSpliced(index, 1));
      return element(
        "li",
        { class: `outcome is-${state}` },
        icon({ good: "check", told: "told", bad: "warning", waiting: "waiting" }[state]),
        element(
          "div",
          {},
          element("b", { class: "code" }, code),
          element("p", {}, promiseOf(code)),
          text && element("p", { class: "reason" }, text),
        ),
        element("strong", {}, amount ?? ""),
        element(
          "button",
          {
            type: "button",
            class: "icon-button quiet",
            "aria-label": t("discounts.remove", { code }),
            "data-focus": `${kind}-${code}`,
            "data-focus-next": `${kind}-${codes[index - 1] ?? codes[index + 1]}`,
            click: remove,
          },
          icon("remove"),
        ),
      );
    });
    replaceKeepingFocus(byId(`${kind}-outcomes`), items);
  }

  function offer(kind, all, used, promiseOf, set) {
    const items = all.map((code) => {
      const isUsed = used.includes(code);
      const use = () => set(isUsed ? used.filter((other) => other !== code) : [...used, code]);
      return element(
        "li",
        {},
        element(
          "button",
          {
            type: "button",
            class: "ticket",
            "aria-pressed": String(isUsed),
            "data-focus": `offer-${code}`,
            click: use,
          },
          element("b", { class: "code" }, code),
          element("span", {}, promiseOf(code)),
        ),
      );
    });
    replaceKeepingFocus(byId(`${kind}-wallet`), items);
  }

  const couponPromise = (code) => {
    const coupon = coupons.find((candidate) => candidate.code === code);
    return coupon ? nameOf(coupon) : "";
  };

  const voucherPromise = (id) => {
    const voucher = Object.hasOwn(vouchers, id) ? vouchers[id] : undefined;
    return voucher ? `${nameOf({ en: voucher.title, th: voucher.titleTh })} · ${money(voucher.value)}` : "";
  };

  function couponOutcome(code) {
    const { discounts = [], failedCoupons = [] } = live.priced?.discountResult ?? {};
    const discount = discounts.find(({ coupon }) => coupon === code);
    if (discount) return granted(discount);
    if (failedCoupons.includes(code))
      return {
        state: "bad",
        text: refusal(
          refusalOf(
            coupons.find((coupon) => coupon.code === code),
            live.priced,
          ),
        ),
      };
    return unknown();
  }

  function granted({ discount, bogoDiscount, shippingDiscount, two4Discount, percentageDiscount, freeshipping }) {
    const off = discount + bogoDiscount + shippingDiscount;
    if (off > 0)
      return { state: "good", amount: money(-off), text: shippingDiscount > 0 ? t("coupon.offDelivery") : undefined };
    if (two4Discount > 0) return { state: "told", amount: money(two4Discount), text: t("coupon.notSubtracted") }; // rule 10
    if (percentageDiscount > 0)
      return { state: "told", amount: percent(percentageDiscount), text: t("coupon.notSubtracted") };
    return { state: "told", text: t(freeshipping ? "coupon.freeWithoutAmount" : "coupon.nothing") }; // D28
  }

  const refusal = ({ reason, date, missing }) =>
    t(`coupon.${reason}`, { date: date && longDate(date), missing: missing && money(Math.round(missing * 100) / 100) });

  function voucherOutcome(id) {
    const { validVouchers = [], invalidVouchers = [] } = live.priced ?? {};
    const valid = validVouchers.find(({ voucherId }) => voucherId === id);
    if (valid) return { state: "good", amount: money(-valid.value) };
    const invalid = invalidVouchers.find(({ voucherId }) => voucherId === id);
    if (invalid) return { state: "bad", text: invalid.reasons.map((reason) => t(`voucher.${reason}`)).join(" · ") };
    if (live.error?.code === "VOUCHER_NOT_FOUND" && !Object.hasOwn(vouchers, id))
      return { state: "bad", text: t("voucher.notFound") };
    return unknown();
  }

  const unknown = () =>
    live.status === "failed"
      ? { state: "bad", text: t("discounts.notChecked") }
      : { state: "waiting", text: t("discounts.checking") };

  return { render };
}

/** Codes are case-sensitive (D24). This shop's codes are in capitals. */
function onEntered(kind, take) {
  byId(`${kind}-form`).addEventListener("submit", (event) => {
    event.preventDefault();
    const input = byId(`${kind}-code`);
    const code = input.value.trim().toUpperCase();
    if (code !== "") take(code);
    input.value = "";
  });
}
