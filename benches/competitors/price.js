// Pricing in JavaScript as a careful engineer writes it: JSON.parse, every rule, JSON.stringify. The arithmetic decides
// what is exact. Each arithmetic gets its own copy of this module (see index.js), so that V8 specialises it. It skips
// most of order-cost's checks, which is in its favour.
import { zoneIndex } from "./zones.js";

const EXPRESS_FEE = 50;
const DEFAULT_WEIGHT = 0.25;
const NO_COUPONS = { discounts: [], failedCoupons: [], error: {} };

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/**
 * @template Read, Money, Weight, Share, Portion
 * @param {import("./arithmetic.js").Arithmetic<Read, Money, Weight, Share, Portion>} arithmetic
 * @returns {(host: import("order-cost").Host, options?: import("order-cost").PricerOptions) => {
 *   calculate(order: object, call?: object): Promise<object>, calculateJson(body: Uint8Array | ArrayBuffer, call?: object): Promise<Uint8Array<ArrayBuffer>> }}
 */
export function competitor(arithmetic) {
  return (host, { deliveryZones, policy = {} } = {}) => {
    const zones = zoneIndex(typeof deliveryZones === "string" ? JSON.parse(deliveryZones) : deliveryZones);
    const calculate = (order, call = {}) => price(arithmetic, host, zones, policy, order, call);
    return {
      calculate,
      calculateJson: async (body, call) => encoder.encode(JSON.stringify(await calculate(JSON.parse(decoder.decode(body)), call))),
    };
  };
}

const parsed = (answer) => (typeof answer === "string" ? JSON.parse(answer) : answer);
const distinct = (list) => [...new Set(list)];

async function price(arithmetic, host, zones, policy, request, call) {
  const order = withDefaults(request);
  const records = await lookUpPrices(host, order, call);
  const fees = order.shipping ? await deliveryFees(arithmetic, host, zones, order.shipping, policy, call) : [];
  const vouchers = await lookUpVouchers(arithmetic, host, order, call);
  const { rows, totals } = priceRows(arithmetic, order, records, policy, fees);
  const coupons = await askCoupons(host, order, rows, arithmetic, totals, call);
  const settled = settle(arithmetic, policy, rows, totals, vouchers, coupons);
  return response(arithmetic, order, rows, fees, vouchers, coupons, settled);
}

function withDefaults(order) {
  if (!order.productList?.length) throw new Error("Invalid order: productList: expected at least one product");
  return {
    branchId: order.branchId ?? "1000",
    basketName: order.basketName ?? "",
    basketId: order.basketId ?? "",
    orderId: order.orderId ?? "",
    orderDate: order.orderDate ?? 0,
    ownerId: order.ownerId ?? "",
    requestSubstitute: order.requestSubstitute ?? false,
    specialComment: order.specialComment ?? null,
    noPlasticBags: order.noPlasticBags ?? false,
    couponCodeList: order.couponCodeList ?? [],
    voucherId: order.voucherId ?? [],
    cartDiscountInfo: order.cartDiscountInfo ?? [],
    productList: order.productList,
    shipping: order.shipping ?? null,
  };
}

// ---------------------------------------------------------------- look-ups

async function lookUpPrices(host, { productList, branchId }, call) {
  const codes = distinct(productList.map(({ cprcode }) => cprcode));
  const answers = await host.lookupPrices(
    codes.map((cprcode) => ({ cprcode, branchId })),
    call,
  );
  const records = new Map();
  for (let i = 0; i < codes.length; i += 1) {
    const record = parsed(answers[i]);
    if (!record) throw new Error(`No price for ${codes[i]}/${branchId}`);
    records.set(codes[i], record);
  }
  return records;
}

async function lookUpVouchers(arithmetic, host, { voucherId, ownerId }, call) {
  const ids = distinct(voucherId);
  if (ids.length === 0) return [];
  const answers = await host.lookupVouchers(ids, call);
  return ids.map((id, i) => {
    const record = parsed(answers[i]);
    if (!record) throw new Error(`Voucher ${id} not found`);
    return checkVoucher(arithmetic, record, id, ownerId);
  });
}

function checkVoucher({ read, written }, record, id, ownerId) {
  const value = read(record.value);
  if (ownerId === "" || record.ownerId !== ownerId) {
    return { valid: false, value, echoed: { voucherId: id, reasons: ["ownerMismatch"] } };
  }
  const reasons = [];
  if (!record.isActive) reasons.push("inactive");
  if (record.isUsed) reasons.push("used");
  const echoed = record.voucherId === undefined ? { voucherId: id, ...record } : { ...record, voucherId: id };
  echoed.value = written(value);
  if (reasons.length === 0) return { valid: true, value, echoed };
  const { reasons: _, ...others } = echoed;
  return { valid: false, value, echoed: { ...others, reasons } };
}

async function deliveryFees(arithmetic, host, zones, shipping, { expressSurcharge }, call) {
  const { read } = arithmetic;
  const rates = new Map();
  const fees = [];
  const schedules = shipping.scheduleList ?? [];
  const isFirst = (index) => index === (expressSurcharge === "firstExpress" ? schedules.findIndex(({ mode }) => mode === "EXPRESS") : 0);
  for (const [index, { mode: sent, nationwideMode, nationwideConfig }] of schedules.entries()) {
    const mode = sent ?? "NATIONWIDE";
    const isDelivered = shipping.shippingType === "DELIVERY" && mode !== "PICKUP";
    const isExpress = isDelivered && mode === "EXPRESS";
    const expressFee = read(isExpress && isFirst(index) ? EXPRESS_FEE : 0);
    if (mode !== "NATIONWIDE") {
      const deliveryFee = read(isDelivered ? zones.feeAt(shipping) : 0);
      fees.push({ deliveryFee, isExpress, expressFee, nationwideConfig: "none" });
    } else if (!isDelivered) {
      fees.push({ deliveryFee: read(0), expressFee, nationwideConfig: nationwideConfig ?? null });
    } else {
      const key = { shippingPostcode: shipping.shippingPostcode ?? "10110", nationwideMode: nationwideMode ?? "DRY" };
      const rate = await lookUpRate(arithmetic, host, rates, key, call);
      const config = rate.nationwideConfig ?? nationwideConfig ?? null;
      fees.push({ deliveryFee: rate.deliveryFee, expressFee, nationwideConfig: config });
    }
  }
  return fees;
}

async function lookUpRate({ read }, host, rates, key, call) {
  const known = rates.get(key.nationwideMode);
  if (known) return known;
  const { deliveryFee, nationwideConfig } = parsed(await host.nationwideRate(key, call));
  const rate = { deliveryFee: read(deliveryFee), nationwideConfig };
  rates.set(key.nationwideMode, rate);
  return rate;
}

async function askCoupons(host, order, rows, arithmetic, totals, call) {
  if (order.couponCodeList.length === 0) return NO_COUPONS;
  const { ownerId, branchId, basketId, orderId, orderDate } = order;
  const request = {
    couponCodeList: distinct(order.couponCodeList),
    ownerId,
    branchId,
    basketId,
    orderId,
    orderDate,
    subTotal: arithmetic.amountOf(totals.subTotal),
    deliveryFee: arithmetic.amountOf(totals.deliveryFee),
    expressShippingCost: arithmetic.amountOf(totals.expressShippingCost),
    totalWeight: arithmetic.weightOf(totals.totalWeight),
    productList: rows,
  };
  const answer = parsed(await host.validateCoupons(request, call));
  return {
    discounts: (answer.discounts ?? []).map((discount) => readDiscount(arithmetic, discount)),
    failedCoupons: answer.failedCoupons ?? [],
    error: answer.error ?? {},
    lines: answer.lines ?? [],
  };
}

function readDiscount({ read }, discount) {
  return {
    coupon: discount.coupon,
    discount: read(discount.discount ?? 0),
    bogoDiscount: read(discount.bogoDiscount ?? 0),
    two4Discount: read(discount.two4Discount ?? 0),
    percentageDiscount: read(discount.percentageDiscount ?? 0),
    freeshipping: discount.freeshipping ?? false,
    shippingDiscount: read(discount.shippingDiscount ?? 0),
    lines: discount.lines ?? [],
  };
}

// ---------------------------------------------------------------- rules

function priceRows(arithmetic, order, records, policy, fees) {
  const { read, written, money, weight, zero, noWeight } = arithmetic;
  const { add, times, addWeights, timesWeight, atLeastZero, amountOf } = arithmetic;
  const { branchId } = order;
  let subTotal = zero;
  let controlled = zero;
  let totalWeight = noWeight;
  const rows = order.productList.map((product) => {
    const record = records.get(product.cprcode);
    const { quantity } = product;
    const { settlementPrice = null } = record;
    const price = read(record.price);
    const originalPrice = read(record.originalPrice ?? record.price);
    const unitWeight = read(record.weight ?? DEFAULT_WEIGHT);
    const effective = atLeastZero(times(money(price), quantity));
    const rowTotal = policy.rowTotal === "list" ? atLeastZero(times(money(originalPrice), quantity)) : effective;
    const isControlledProduct = record.isControlledProduct ?? false;
    subTotal = add(subTotal, policy.subTotal === "rowTotals" ? rowTotal : effective);
    totalWeight = addWeights(totalWeight, timesWeight(weight(unitWeight), quantity));
    if (isControlledProduct) controlled = add(controlled, policy.excludeControlled === "rowTotal" ? rowTotal : effective);
    const rowAmount = amountOf(rowTotal);
    return {
      cprcode: product.cprcode,
      productName: product.productName,
      quantity,
      scheduleId: product.scheduleId ?? 0,
      isPreOrder: product.isPreOrder ?? false,
      remark: product.remark ?? "",
      branchId,
      originalPrice: written(originalPrice),
      price: written(price),
      rowTotal: rowAmount,
      discountedRowTotal: policy.discountedRowTotal === "fromRowTotal" ? rowAmount : amountOf(effective),
      settlementPrice: settlementOf(
        arithmetic,
        policy,
        settlementPrice ?? (policy.settlementPrice === "record" ? record.price : null),
        rowAmount,
      ),
      weight: written(unitWeight),
      isControlledProduct,
    };
  });
  let deliveryFee = zero;
  let expressShippingCost = zero;
  for (const fee of fees) {
    deliveryFee = add(deliveryFee, money(fee.deliveryFee));
    expressShippingCost = add(expressShippingCost, money(fee.expressFee));
  }
  if (policy.expressSurcharge === "anyExpress")
    expressShippingCost = money(read(fees.some(({ isExpress }) => isExpress) ? EXPRESS_FEE : 0));
  return { rows, totals: { subTotal, controlled, totalWeight, deliveryFee, expressShippingCost } };
}

function settlementOf({ read, written }, policy, recorded, rowAmount) {
  return recorded === null || policy.settlementPrice === "rowTotal" ? rowAmount : written(read(recorded));
}

function settle(arithmetic, policy, rows, before, vouchers, { discounts, lines = [] }) {
  const { read, largest, money, share, add, subtract, atLeastZero, larger, portion, portionOf, addPortion, zero } = arithmetic;
  let [cart, bogo, two4, shippingDiscount, voucher] = [zero, zero, zero, zero, zero];
  let percentage = read(0);
  let isFreeShipping = false;
  for (const discount of discounts) {
    cart = add(cart, money(discount.discount));
    bogo = add(bogo, money(discount.bogoDiscount));
    two4 = add(two4, money(discount.two4Discount));
    shippingDiscount = add(shippingDiscount, money(discount.shippingDiscount));
    percentage = largest(percentage, discount.percentageDiscount);
    isFreeShipping ||= discount.freeshipping;
    discountRows(arithmetic, rows, discount.lines);
  }
  discountRows(arithmetic, rows, lines);
  for (const { valid, value } of vouchers) if (valid) voucher = add(voucher, money(value));
  const { subTotal, deliveryFee, expressShippingCost } = before;
  if (isFreeShipping && policy.freeShipping === "waivesDelivery") shippingDiscount = larger(shippingDiscount, deliveryFee);
  const percentageDiscount = portion(share(percentage), subTotal);
  const { foldedDiscounts = "none" } = policy;
  const isFolded = (name) => foldedDiscounts === name || foldedDiscounts === "both";
  if (isFolded("two4")) cart = add(cart, two4);
  if (isFolded("percentage")) cart = add(cart, money(read(portionOf(percentageDiscount)))); // a whole number of satang
  const discountedDeliveryFee = atLeastZero(subtract(deliveryFee, shippingDiscount));
  const charges = add(add(subTotal, discountedDeliveryFee), expressShippingCost);
  const grandTotal = atLeastZero(subtract(charges, add(add(cart, bogo), voucher)));
  const flat = add(add(add(cart, bogo), isFolded("two4") ? zero : two4), voucher);
  return amounts(arithmetic, {
    ...before,
    cart,
    bogo,
    two4,
    shippingDiscount,
    voucher,
    isFreeShipping,
    percentageDiscount,
    discountedDeliveryFee,
    grandTotal,
    totalDiscount: addPortion(flat, isFolded("percentage") ? portion(share(read(0)), subTotal) : percentageDiscount),
  });
}

function discountRows({ read, money, subtract, atLeastZero, amountOf }, rows, lines) {
  for (const { line, discount = 0 } of lines) {
    const row = rows[line];
    const before = money(read(row.discountedRowTotal));
    row.discountedRowTotal = amountOf(atLeastZero(subtract(before, money(read(discount)))));
  }
}

function amounts({ amountOf, weightOf, portionOf, subtract }, totals) {
  const deliveryFee = amountOf(totals.deliveryFee);
  return {
    subTotal: amountOf(totals.subTotal),
    grandTotal: amountOf(totals.grandTotal),
    totalExcludeControlledProducts: amountOf(subtract(totals.grandTotal, totals.controlled)),
    totalWeight: weightOf(totals.totalWeight),
    deliveryFee,
    discountedDeliveryFee: amountOf(totals.discountedDeliveryFee),
    expressShippingCost: amountOf(totals.expressShippingCost),
    shippingFee: deliveryFee,
    shippingPrice: deliveryFee,
    cartDiscount: amountOf(totals.cart),
    bogoDiscount: amountOf(totals.bogo),
    two4Discount: amountOf(totals.two4),
    percentageDiscount: portionOf(totals.percentageDiscount),
    shippingDiscount: amountOf(totals.shippingDiscount),
    voucherDiscount: amountOf(totals.voucher),
    totalDiscount: portionOf(totals.totalDiscount),
    isFreeShipping: totals.isFreeShipping,
  };
}

// ---------------------------------------------------------------- response

function response(arithmetic, order, rows, fees, vouchers, { discounts, failedCoupons, error }, totals) {
  const echoed = discounts.map((discount) => echoDiscount(arithmetic, discount));
  const discountResult = { discounts: echoed, failedCoupons, error };
  const { productList: _, shipping, ...passthrough } = order;
  return {
    ...passthrough,
    ...totals,
    productList: rows,
    shipping: shipping && echoShipping(arithmetic, shipping, fees),
    validVouchers: vouchers.filter(({ valid }) => valid).map(({ echoed }) => echoed),
    invalidVouchers: vouchers.filter(({ valid }) => !valid).map(({ echoed }) => echoed),
    discountResult,
    summary: {
      subTotal: totals.subTotal,
      grandTotal: totals.grandTotal,
      voucherDiscount: totals.voucherDiscount,
      cartDiscount: totals.cartDiscount,
      bogoDiscount: totals.bogoDiscount,
      two4Discount: totals.two4Discount,
      percentageDiscount: totals.percentageDiscount,
      shippingDiscount: totals.shippingDiscount,
      totalExcludeControlledProducts: totals.totalExcludeControlledProducts,
      expressShippingCost: totals.expressShippingCost,
      deliveryFee: totals.deliveryFee,
      discountedDeliveryFee: totals.discountedDeliveryFee,
      totalWeight: totals.totalWeight,
      discountResult,
    },
  };
}

function echoDiscount({ written }, discount) {
  return {
    coupon: discount.coupon,
    discount: written(discount.discount),
    bogoDiscount: written(discount.bogoDiscount),
    two4Discount: written(discount.two4Discount),
    percentageDiscount: written(discount.percentageDiscount),
    freeshipping: discount.freeshipping,
    shippingDiscount: written(discount.shippingDiscount),
  };
}

function echoShipping(arithmetic, shipping, fees) {
  return {
    shippingType: shipping.shippingType ?? "PICKUP",
    scheduleList: (shipping.scheduleList ?? []).map((schedule, index) => echoSchedule(arithmetic, schedule, fees[index])),
    shippingPostcode: shipping.shippingPostcode ?? "10110",
    shippingLat: shipping.shippingLat ?? 0,
    shippingLon: shipping.shippingLon ?? 0,
    shippingFirstName: shipping.shippingFirstName ?? "",
    shippingLastName: shipping.shippingLastName ?? "",
    shippingAddress: shipping.shippingAddress ?? "",
    shippingSubDistrict: shipping.shippingSubDistrict ?? "",
    shippingProvince: shipping.shippingProvince ?? "",
    shippingPhone: shipping.shippingPhone ?? "",
    shippingEmail: shipping.shippingEmail ?? "",
    shippingDate: shipping.shippingDate ?? 0,
    brcode: shipping.brcode ?? 1000,
  };
}

function echoSchedule({ written }, schedule, { deliveryFee, expressFee, nationwideConfig }) {
  return {
    scheduleId: schedule.scheduleId ?? 0,
    mode: schedule.mode ?? "NATIONWIDE",
    dateTime: schedule.dateTime ?? null,
    deliveryFee: written(deliveryFee),
    expressFee: written(expressFee),
    nationwideMode: schedule.nationwideMode ?? "DRY",
    nationwideConfig,
    pickingStatus: schedule.pickingStatus ?? null,
    date_slot: schedule.date_slot ?? null,
    booking_hour: schedule.booking_hour ?? 0,
  };
}
