import { add, decimalText, isNegative, multiply, parseDecimal, roundToFit, subtract, sum, ZERO } from "./decimal.js";
import { askCoupons, NO_DISCOUNTS } from "./discounts.js";
import { covers, point, readZones } from "./zones.js";

/**
 * The ledger of a priced order, from the specification and the model's response: the steps, their operands and their
 * amounts.
 */

/** The shortest decimal of a double, whose exponent is never absurd. */
export const exact = (number) => /** @type {import("./decimal.js").Decimal} */ (parseDecimal(String(number)));

const negative = (value) => subtract(ZERO, value);
const total = (operands) => sum(Object.values(operands).map(exact));

/** D13, D19: a negative row that does not fit counts 0. */
function product(price, quantity) {
  return roundToFit(multiply(exact(price), exact(quantity))) ?? ZERO;
}

/** The amount of a step, by rule, from its operands alone. */
export const AMOUNTS = {
  zone: ({ deliveryFee, isChosen }) => (isChosen ? exact(deliveryFee) : ZERO),
  row: ({ price, quantity }) => product(price, quantity),
  rowTotal: ({ originalPrice, quantity }) => product(originalPrice, quantity),
  nationwideRate: ({ deliveryFee }) => exact(deliveryFee),
  deliveryFee: ({ fee }) => exact(fee ?? 0),
  expressFee: ({ shippingType, mode, isFirst, surcharge }) =>
    shippingType === "DELIVERY" && mode === "EXPRESS" && isFirst ? exact(surcharge) : ZERO,
  voucher: ({ value, inactive, used, ownerMismatch }) => (inactive || used || ownerMismatch ? ZERO : exact(value)),
  repeated: () => ZERO,
  coupon: ({ discount, bogoDiscount, shippingDiscount }) => total({ discount, bogoDiscount, shippingDiscount }),
  failedCoupon: () => ZERO,
  ignoredCoupon: () => ZERO,
  discountedRowTotal: ({ row, rowTotal, discountFromCoupon }) => subtract(exact(row ?? rowTotal), exact(discountFromCoupon)),
  two4Discount: total,
  percentageDiscount: ({ percentage, subTotal }) => product(percentage, subTotal),
  shippingDiscount: (terms) => negative(total(terms)),
  freeShipping: ({ freeShipping, deliveryFee, shippingDiscount }) => {
    const missing = subtract(exact(shippingDiscount), exact(deliveryFee));
    return freeShipping === "waivesDelivery" && isNegative(missing) ? missing : ZERO;
  },
  cartDiscount: ({ foldedDiscounts: _, ...terms }) => negative(total(terms)),
  bogoDiscount: (terms) => negative(total(terms)),
  voucherDiscount: (terms) => negative(total(terms)),
  floor: ({ value }) => negative(exact(value)),
  totalDiscount: total,
  totalExcludeControlledProducts: ({ excludeControlled: _, grandTotal, ...rows }) => subtract(exact(grandTotal), total(rows)),
};

const UNCOUNTED = [
  "zone",
  "rowTotal",
  "nationwideRate",
  "voucher",
  "repeated",
  "coupon",
  "failedCoupon",
  "ignoredCoupon",
  "discountedRowTotal",
  "two4Discount",
  "percentageDiscount",
  "totalDiscount",
  "totalExcludeControlledProducts",
];

/** Every step of a case that the model prices as `order`, with exact amounts. */
export function ledger(testCase, order, couponRequest) {
  const policy = testCase.options?.policy ?? {};
  const coupons = couponRequest ? askCoupons(testCase, couponRequest) : NO_DISCOUNTS;
  const steps = [
    ...zoneSteps(testCase, order),
    ...order.productList.flatMap((row, index) => rowSteps(row, index, policy)),
    ...deliverySteps(order, policy),
    ...voucherSteps(order),
    ...couponSteps(order, coupons),
    ...lineSteps(order, coupons, policy),
  ];
  return [...steps, ...totalSteps(order, policy, steps)];
}

/** Whether doubles hold every number of a text exactly. */
export function isShort(text) {
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/[\d.]+/g) ?? [];
  return numbers.every((number) => number.replace(/\D/g, "").length <= 15);
}

function step(rule, decision, path, operands) {
  const amount = AMOUNTS[rule](operands);
  return { rule, ...(decision && { decision }), path, operands, amount, counts: !UNCOUNTED.includes(rule) };
}

/** The floor step of a negative value. */
function floorOf(value, counts, path, decision) {
  if (!isNegative(value)) return [];
  const floor = step("floor", decision, path, { value: Number(decimalText(value)) });
  return [{ ...floor, amount: negative(value), counts }];
}

function withFloor(one, decision) {
  return [one, ...floorOf(one.amount, one.counts, one.path, decision)];
}

function zoneSteps({ zones }, { shipping }) {
  const zoned = ({ mode }) => mode === "REGULAR" || mode === "EXPRESS";
  if (shipping?.shippingType !== "DELIVERY" || !shipping.scheduleList.some(zoned)) return [];
  const { brcode, shippingLon, shippingLat } = shipping;
  const address = point(shippingLon, shippingLat);
  const { features } = typeof zones === "string" ? JSON.parse(zones) : zones;
  const named = readZones(zones).map((zone, feature) => ({ zone, feature, name: features[feature].properties.name }));
  const ofBranch = named.filter(({ zone }) => zone.brcode === brcode);
  const chosen = ofBranch.find(({ zone }) => covers(zone, address));
  return ofBranch.map((one) =>
    step("zone", "D34", "shipping", {
      brcode,
      shippingLon,
      shippingLat,
      feature: one.feature,
      deliveryFee: Number(decimalText(one.zone.deliveryFee)),
      covers: covers(one.zone, address),
      isChosen: one === chosen,
      ...(typeof one.name === "string" && { name: one.name }),
    }),
  );
}

/** What the policy adds up for subTotal counts (D48). */
function rowSteps({ price, originalPrice, quantity }, index, { rowTotal, subTotal }) {
  const path = `productList[${index}]`;
  const row = step("row", "D15", path, { price, quantity });
  if (rowTotal !== "list") return withFloor(row, "D13");
  const counts = subTotal === "rowTotals";
  const list = step("rowTotal", "D15", `${path}.rowTotal`, { originalPrice, quantity, ...(counts && { subTotal }) });
  return [...withFloor({ ...row, counts: !counts }, "D13"), ...withFloor({ ...list, counts }, "D13")];
}

function deliverySteps({ shipping }, { expressSurcharge = "firstSchedule" }) {
  if (!shipping) return [];
  const { shippingType, shippingPostcode, scheduleList } = shipping;
  const first = expressSurcharge === "firstSchedule" ? 0 : scheduleList.findIndex(({ mode }) => mode === "EXPRESS");
  const isDelivered = shippingType === "DELIVERY";
  const nationwide = scheduleList.filter(({ mode }) => isDelivered && mode === "NATIONWIDE");
  const fees = new Map(nationwide.map(({ nationwideMode, deliveryFee }) => [nationwideMode, deliveryFee]));
  const rates = Array.from(fees, ([nationwideMode, deliveryFee]) =>
    step("nationwideRate", "D36", "shipping.shippingPostcode", { shippingPostcode, nationwideMode, deliveryFee }),
  );
  const DECISIONS = { REGULAR: "D34", EXPRESS: "D34", NATIONWIDE: "D36", PICKUP: "D37" };
  const schedules = scheduleList.flatMap(({ mode, nationwideMode, deliveryFee: fee }, index) => {
    const path = `shipping.scheduleList[${index}]`;
    const delivery = step("deliveryFee", isDelivered ? DECISIONS[mode] : "D33", path, {
      shippingType,
      mode,
      ...(mode === "NATIONWIDE" && { nationwideMode }),
      ...(isDelivered && mode !== "PICKUP" && { fee }),
    });
    if (mode !== "EXPRESS") return [delivery];
    const operands = { shippingType, mode, expressSurcharge, isFirst: index === first, surcharge: 50 };
    return [delivery, step("expressFee", isDelivered ? "D38" : "D33", path, operands)];
  });
  return [...rates, ...schedules];
}

/** For each entry of a list of strings, the index of its first occurrence. */
function firstPlaces(list) {
  const handed = list.map((one) => one.toWellFormed());
  return handed.map((one) => handed.indexOf(one));
}

function voucherSteps({ voucherId, validVouchers, invalidVouchers }) {
  const isOf = (id) => (record) => record.voucherId.toWellFormed() === id.toWellFormed();
  return firstPlaces(voucherId).map((first, index) => {
    const id = voucherId[index];
    const path = `voucherId[${index}]`;
    if (first < index) return step("repeated", "D29", path, { first, voucherId: id });
    const refused = invalidVouchers.find(isOf(id));
    const against = (reason) => refused?.reasons.includes(reason) ?? false;
    // A voucher of another owner shows nothing except that fact.
    if (against("ownerMismatch")) return step("voucher", "D30", path, { voucherId: id, ownerMismatch: true });
    const { value } = refused ?? validVouchers.find(isOf(id));
    const reasons = { inactive: against("inactive"), used: against("used"), ownerMismatch: false };
    return step("voucher", "D30", path, { voucherId: id, value, ...reasons });
  });
}

function couponSteps({ couponCodeList, discountResult }, { error }) {
  const { discounts, failedCoupons } = discountResult;
  const answered = [...discounts.map(({ coupon }) => coupon), ...failedCoupons].map((code) => code.toWellFormed());
  const rest = firstPlaces(couponCodeList).flatMap((first, index) => {
    const coupon = couponCodeList[index];
    const path = `couponCodeList[${index}]`;
    if (first < index) return [step("repeated", "D24", path, { first, coupon })];
    return answered.includes(coupon.toWellFormed()) ? [] : [step("ignoredCoupon", "D27", path, { coupon })];
  });
  return [
    ...discounts.map((discount, index) => step("coupon", "D27", `discountResult.discounts[${index}]`, discount)),
    ...failedCoupons.map((coupon, index) => step("failedCoupon", "D27", `discountResult.failedCoupons[${index}]`, { coupon, error })),
    ...rest,
  ];
}

/** D16, D48. */
function lineSteps({ productList }, { lines }, policy) {
  const touched = productList.map((row, index) => ({ row, index, of: lines.filter(({ line }) => line === index) }));
  return touched
    .filter(({ of }) => of.length > 0)
    .flatMap(({ row: { price, quantity, rowTotal }, index, of }) => {
      const discountFromCoupon = Number(decimalText(sum(of.map(({ discount }) => discount))));
      const fromRowTotal = policy.discountedRowTotal === "fromRowTotal" && { discountedRowTotal: "fromRowTotal", rowTotal };
      const before = fromRowTotal || { row: Number(decimalText(charged(price, quantity))) };
      const path = `productList[${index}].discountedRowTotal`;
      return withFloor(step("discountedRowTotal", "D16", path, { ...before, discountFromCoupon }), "D16");
    });
}

/** What a row adds to `subTotal` (D13). */
const charged = (price, quantity) => (quantity < 0 ? ZERO : product(price, quantity));

function totalSteps(order, policy, before) {
  const { discounts } = order.discountResult;
  const terms = (name) =>
    Object.fromEntries(discounts.map((discount, index) => [`discountResult.discounts[${index}].${name}`, discount[name]]));
  const vouchers = order.validVouchers.map(({ value }, index) => [`validVouchers[${index}].value`, value]);
  const { excludeControlled, foldedDiscounts } = policy;
  const byRowTotal = excludeControlled === "rowTotal";
  const excluded = ({ price, quantity, rowTotal }) =>
    byRowTotal ? ["rowTotal", rowTotal] : ["row", Number(decimalText(charged(price, quantity)))];
  const controlled = order.productList.flatMap((row, index) => {
    const [field, amount] = excluded(row);
    return row.isControlledProduct ? [[`productList[${index}].${field}`, amount]] : [];
  });
  const { cartDiscount, bogoDiscount, two4Discount, voucherDiscount, percentageDiscount } = order;
  const counted = (steps) => sum(steps.filter(({ counts }) => counts).map(({ amount }) => amount));

  const notSubtracted = [
    step("two4Discount", undefined, "two4Discount", terms("two4Discount")),
    step("percentageDiscount", "D21", "percentageDiscount", {
      percentage: Math.max(0, ...discounts.map((discount) => discount.percentageDiscount)),
      subTotal: order.subTotal,
    }),
  ];
  const shipping = [step("shippingDiscount", "D28", "shippingDiscount", terms("shippingDiscount"))];
  if (order.isFreeShipping) {
    const operands = {
      freeShipping: policy.freeShipping ?? "asStated",
      deliveryFee: order.deliveryFee,
      shippingDiscount: Number(decimalText(negative(shipping[0].amount))),
    };
    shipping.push(step("freeShipping", "D28", "isFreeShipping", operands));
  }
  const delivery = before.filter(({ rule }) => rule === "deliveryFee");
  shipping.push(...floorOf(counted([...delivery, ...shipping]), true, "discountedDeliveryFee"));
  const isFolded = (name) => foldedDiscounts === "both" || foldedDiscounts === name;
  const [two4, percentage] = [isFolded("two4") && { two4Discount }, isFolded("percentage") && { percentageDiscount }];
  const folded = (two4 || percentage) && { foldedDiscounts, ...two4, ...percentage };
  const takenOff = [
    step("cartDiscount", undefined, "cartDiscount", { ...terms("discount"), ...folded }),
    step("bogoDiscount", undefined, "bogoDiscount", terms("bogoDiscount")),
    step("voucherDiscount", "D22", "voucherDiscount", Object.fromEntries(vouchers)),
  ];
  const floor = floorOf(counted([...before, ...shipping, ...takenOff]), true, "grandTotal");
  return [
    ...notSubtracted,
    ...shipping,
    ...takenOff,
    ...floor,
    step("totalDiscount", undefined, "totalDiscount", {
      cartDiscount,
      bogoDiscount,
      ...(!two4 && { two4Discount }),
      voucherDiscount,
      ...(!percentage && { percentageDiscount }),
    }),
    step("totalExcludeControlledProducts", "D20", "totalExcludeControlledProducts", {
      ...(byRowTotal && { excludeControlled }),
      grandTotal: order.grandTotal,
      ...Object.fromEntries(controlled),
    }),
  ];
}

/** The running totals of steps with exact amounts; null for a step that does not count. */
export function runningTotals(steps) {
  let running = ZERO;
  return steps.map(({ amount, counts }) => {
    if (counts) running = add(running, amount);
    return counts ? running : null;
  });
}
