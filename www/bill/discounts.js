import { byId, element, icon, replaceKeepingFocus, whenChanged } from "../dom/index.js";
import { refusalOf } from "../model/index.js";
import { currentLanguage, customersWords, longDate, money, nameOf, percent, t } from "../page/index.js";

const ICONS = /** @type {const} */ ({ good: "check", told: "told", bad: "warning", waiting: "waiting" });

/**
 * Coupons and vouchers: the entered codes with their outcome, and those that the customer could use.
 * @typedef {import("order-cost").Basket["order"]} Order
 * @typedef {{ state: "good" | "told" | "bad" | "waiting", amount?: string, text?: string, note?: string }} Outcome
 *
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 */
export function createDiscountsView({ coupons, vouchers }, basket) {
  /** @param {string[]} codes */
  const setCoupons = (codes) => basket.setCoupons(codes);
  /** @param {string[]} ids */
  const setVouchers = (ids) => basket.setVouchers(ids);
  /** @param {Order} order */
  const codesOf = ({ couponCodeList }) => couponCodeList ?? [];
  /** @param {Order} order */
  const idsOf = ({ voucherId }) => voucherId ?? [];

  onEntered("coupon", (code) => setCoupons([...new Set([...codesOf(basket.order), code])]));
  onEntered("voucher", (id) => setVouchers([...new Set([...idsOf(basket.order), id])]));

  const render = whenChanged(() => {
    const { order, rows, discountResult, validVouchers, invalidVouchers, problems } = basket.snapshot;
    return [
      currentLanguage(),
      ...[order.couponCodeList, order.voucherId, order.ownerId],
      ...[discountResult, validVouchers, invalidVouchers, problems],
      ...[isChecked("coupons"), isChecked("vouchers"), isOnTheWay()],
      discountResult.failedCoupons.length > 0 && rows, // why a coupon fails depends on the rows
    ];
  }, draw);

  /** @param {import("order-cost").PendingPart} what */
  const isChecked = (what) => ![...basket.pending, ...basket.snapshot.blocked].includes(what);
  const isOnTheWay = () => basket.status === "pending" || basket.snapshot.isSettling;

  function draw() {
    const { order } = basket;
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

  /**
   * @param {"coupon" | "voucher"} kind
   * @param {readonly string[]} codes
   * @param {(code: string) => Outcome} outcomeOf
   * @param {(codes: string[]) => void} set
   * @param {(code: string) => string} promiseOf
   */
  function show(kind, codes, outcomeOf, set, promiseOf) {
    const items = codes.map((code, index) => {
      const { state, amount, text, note } = outcomeOf(code);
      const remove = () => set(codes.toSpliced(index, 1));
      return element(
        "li",
        { class: `outcome is-${state}` },
        icon(ICONS[state]),
        element(
          "div",
          {},
          element("b", { class: "code" }, code),
          element("p", {}, promiseOf(code)),
          text && element("p", { class: "reason" }, text),
          note && element("p", { class: "note" }, note),
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

  /**
   * @param {"coupon" | "voucher"} kind
   * @param {string[]} all
   * @param {readonly string[]} used
   * @param {(code: string) => string} promiseOf
   * @param {(codes: string[]) => void} set
   */
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

  /** @param {string} code */
  const couponPromise = (code) => {
    const coupon = coupons.find((candidate) => candidate.code === code);
    return coupon ? nameOf(coupon) : "";
  };

  /** @param {string} id */
  const voucherPromise = (id) => {
    const voucher = Object.hasOwn(vouchers, id) ? vouchers[id] : undefined;
    return voucher ? `${nameOf({ en: voucher.title, th: voucher.titleTh })} · ${money(voucher.value)}` : "";
  };

  /**
   * @param {string} code
   * @returns {Outcome}
   */
  function couponOutcome(code) {
    const { order, rows, discountResult } = basket.snapshot;
    const discount = discountResult.discounts.find(({ coupon }) => coupon === code);
    if (discount) return isChecked("coupons") && !haveCouponsFailed() ? granted(discount) : outdated(granted(discount));
    if (!isChecked("coupons") || !discountResult.failedCoupons.includes(code)) return unknown("coupons");
    const coupon = coupons.find((candidate) => candidate.code === code);
    const note = refusal(refusalOf(coupon, { ownerId: order.ownerId ?? "", productList: rows }));
    return { state: "bad", text: customersWords({ failedCoupon: code }), note };
  }

  const haveCouponsFailed = () => basket.snapshot.problems.some(({ code }) => code === "COUPON_SERVICE_FAILED");

  /**
   * What a coupon granted to an older basket. An edit is answered at once: a line that comes and goes would only jump.
   * @param {Outcome} granted
   * @returns {Outcome}
   */
  function outdated({ amount, text }) {
    return { state: "waiting", amount, text: isOnTheWay() && !haveCouponsFailed() ? text : t("discounts.notChecked") };
  }

  /**
   * @param {import("order-cost").Discount} discount
   * @returns {Outcome}
   */
  function granted({ discount, bogoDiscount, shippingDiscount, two4Discount, percentageDiscount, freeshipping }) {
    const off = discount + bogoDiscount + shippingDiscount;
    if (off > 0) return { state: "good", amount: money(-off), text: shippingDiscount > 0 ? t("coupon.offDelivery") : undefined };
    if (two4Discount > 0) return { state: "told", amount: money(two4Discount), text: t("coupon.notSubtracted") }; // rule 10
    if (percentageDiscount > 0) return { state: "told", amount: percent(percentageDiscount), text: t("coupon.notSubtracted") };
    return { state: "told", text: t(freeshipping ? "coupon.freeWithoutAmount" : "coupon.nothing") }; // D28
  }

  /** @param {ReturnType<typeof refusalOf>} refused */
  const refusal = ({ reason, date, missing }) =>
    t(`coupon.${reason}`, { date: date && longDate(date), missing: missing && money(Math.round(missing * 100) / 100) });

  /**
   * @param {string} id
   * @returns {Outcome}
   */
  function voucherOutcome(id) {
    const { validVouchers, invalidVouchers, problems } = basket.snapshot;
    const valid = validVouchers.find(({ voucherId }) => voucherId === id);
    if (valid) return { state: "good", amount: money(-valid.value) };
    const invalid = invalidVouchers.find(({ voucherId }) => voucherId === id);
    if (invalid) return { state: "bad", text: invalid.reasons.map((reason) => customersWords(reason)).join(" ") };
    const problem = problems.find(({ subject }) => subject?.voucherId === id);
    if (problem) return { state: "bad", text: customersWords(problem) };
    return unknown("vouchers");
  }

  /**
   * Coupons are not asked as long as a product or the delivery has a problem.
   * @param {import("order-cost").PendingPart} what
   * @returns {Outcome}
   */
  function unknown(what) {
    if (isChecked(what)) return { state: "bad", text: t("discounts.notChecked") };
    return { state: "waiting", text: t(isOnTheWay() ? "discounts.checking" : "discounts.notChecked") };
  }

  return { render };
}

/**
 * Codes are case-sensitive (D24). This shop's codes are in capitals.
 * @param {"coupon" | "voucher"} kind
 * @param {(code: string) => void} take
 */
function onEntered(kind, take) {
  byId(`${kind}-form`).addEventListener("submit", (event) => {
    event.preventDefault();
    const input = byId(`${kind}-code`, HTMLInputElement);
    const code = input.value.trim().toUpperCase();
    if (code !== "") take(code);
    input.value = "";
  });
}
