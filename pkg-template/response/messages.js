/** What a shop tells its customers about a problem. See messages.d.ts. */
export function customerText(problem, language, names) {
  const { reasons, failedCoupon, errors } = textsOf(language, englishProblems, thaiProblems);
  const { someProduct } = textsOf(language, englishWords, thaiWords);
  // A newer package may have reasons and codes that are not known here.
  if (typeof problem === "string") return Object.hasOwn(reasons, problem) ? reasons[problem] : errors.INTERNAL({});
  if ("failedCoupon" in problem) return failedCoupon(problem.failedCoupon);
  const code = Object.hasOwn(errors, problem.code) ? problem.code : "INTERNAL";
  const { subject, retryable } = problem;
  const line = subject?.line;
  // Undefined if the problem is not about one row.
  const product = line === undefined ? undefined : names?.product?.(line) || someProduct;
  return errors[code]({ product, voucherId: subject?.voucherId, retryable });
}

/** What became different in a basket without the customer's doing. See messages.d.ts. */
export function basketChanges(before, after) {
  return [...rowChanges(before, after), ...feeChanges(before, after), ...refusedVouchers(before, after), ...failedCoupons(before, after)];
}

/** What a shop tells its customers about a change of their basket. See messages.d.ts. */
export function changeText(change, language) {
  const { changes } = textsOf(language, englishChanges, thaiChanges);
  const { someProduct, money } = textsOf(language, englishWords, thaiWords);
  return changes[change.kind]({ ...change, productName: change.productName || someProduct, money });
}

/** What a shop tells its customers about a step of the calculation. See messages.d.ts. */
export function explainText(step, language, names) {
  const { steps, otherStep } = textsOf(language, englishSteps, thaiSteps);
  const { money } = textsOf(language, englishWords, thaiWords);
  // A newer package may have rules that are not known here.
  const text = Object.hasOwn(steps, step.rule) ? steps[step.rule] : otherStep;
  const number = numberIn(step.path);
  // Undefined if the step is not about one product.
  const product = step.path?.startsWith("productList[") ? names?.product?.(number - 1) || undefined : undefined;
  return text({ ...step, number, product, money });
}

/** What a shop tells its customers about a whole calculation. See messages.d.ts. */
export function explainTexts(steps, language, names, { withoutZeros = false } = {}) {
  const told = withoutZeros ? steps.filter(({ rule, amount }) => amount !== 0 || TELLING_ZEROS.includes(rule)) : steps;
  return told.map((step) => explainText(step, language, names));
}

/** Rules that say, also with 0, what has become of something that the customer entered. */
const TELLING_ZEROS = ["voucher", "repeated", "coupon", "failedCoupon", "ignoredCoupon", "freeShipping"];

/** The texts of a language. They are in parts: a page that shows no steps does not load their texts. */
function textsOf(language, english, thai) {
  if (typeof language === "object") return language;
  return language === "th" ? thai : english;
}

/** `productList[3].rowTotal` is about product 4. */
const numberIn = (path = "") => Number(/\[(\d+)\]/.exec(path)?.[1] ?? -1) + 1;

function rowChanges(before, after) {
  const rowsBefore = new Map(before.rows.map((row) => [row.key, row]));
  return after.rows.flatMap((row) => rowChange(rowsBefore.get(row.key), row));
}

function rowChange(before, after) {
  // Another product or branch is the customer's choice, and so is its price.
  if (!before || before.cprcode !== after.cprcode || before.branchId !== after.branchId) return [];
  const { key, productName } = after;
  if (isMissing(after)) return isMissing(before) ? [] : [{ kind: "unavailable", key, productName }];
  // While the price is asked for again, nobody knows whether there is one.
  if (after.price === null) return [];
  if (isMissing(before)) return [{ kind: "available", key, productName }];
  if (before.price === null || before.price === after.price) return [];
  return [{ kind: "price", key, productName, before: before.price, after: after.price }];
}

const isMissing = ({ problem }) => problem?.code === "PRODUCT_PRICE_NOT_FOUND";

function feeChanges(before, after) {
  if (!isFeeKnown(before) || !isFeeKnown(after)) return [];
  if (JSON.stringify(deliveryOf(before)) !== JSON.stringify(deliveryOf(after))) return [];
  const [fee, newFee] = [before, after].map(({ totals }) => totals.deliveryFee);
  return fee === newFee ? [] : [{ kind: "deliveryFee", before: fee, after: newFee }];
}

/** Whether there is a delivery, and each of its fees is known: an unknown one counts 0 in the totals. */
const isFeeKnown = ({ shipping }) => shipping?.scheduleList.every(({ deliveryFee }) => deliveryFee !== null);

/**
 * The customer's choices that a delivery fee may follow from: where to, and how. Neither the products nor the name of
 * the recipient change a fee. The branch does not either, but a host may have its rates by branch.
 */
function deliveryOf({ order, shipping }) {
  const { shippingType, shippingPostcode, shippingLat, shippingLon, brcode, scheduleList } = shipping;
  const ways = scheduleList.map(({ mode, nationwideMode }) => [mode, nationwideMode]);
  return [order.branchId, shippingType, shippingPostcode, shippingLat, shippingLon, brcode, ways];
}

function refusedVouchers(before, after) {
  // Another owner has other vouchers: the customer has signed in or out.
  if (before.order.ownerId !== after.order.ownerId) return [];
  const [then, now] = [before, after].map(({ invalidVouchers }) => invalidVouchers.map(({ voucherId }) => voucherId));
  const had = before.order.voucherId ?? [];
  return added(then, now)
    .filter((voucherId) => had.includes(voucherId))
    .map((voucherId) => ({ kind: "voucherRefused", voucherId }));
}

function failedCoupons(before, after) {
  const [then, now] = [before, after].map(({ discountResult }) => discountResult.failedCoupons);
  const isListed = (coupon) => [before, after].every(({ order }) => order.couponCodeList?.includes(coupon));
  return added(then, now)
    .filter(isListed)
    .map((coupon) => ({ kind: "couponFailed", coupon }));
}

/** What the second list has and the first has not, each once. */
const added = (then, now) => [...new Set(now)].filter((entry) => !then.includes(entry));

// No amount is rounded: two prices that differ never look the same, and an equation holds.
const TO_THE_SATANG = { minimumFractionDigits: 2, maximumFractionDigits: 20 };
const PERCENT = { style: "percent", maximumFractionDigits: 20 };

/** A number for people, who read a minus and not a hyphen. */
const withMinus = (number) => `${number}`.replace("-", "−");

// A product stands at the start of its sentence, so that `someProduct` fits wherever a name does.
const englishWords = {
  money: (amount) => `${amount < 0 ? "−" : ""}฿${Math.abs(amount).toLocaleString("en", TO_THE_SATANG)}`,
  someProduct: "A product in your basket",
};

const englishProblems = {
  reasons: {
    inactive: "This voucher cannot be used at the moment. Please choose another one.",
    used: "This voucher has already been used. Please choose another one.",
    ownerMismatch: "This voucher does not belong to your account. Please sign in with the account that received it.",
  },

  failedCoupon: (coupon) => `The coupon ${coupon} cannot be used with this basket. Please check the code and its conditions.`,
  errors: {
    INVALID_JSON: () => "We could not read your basket. Please reload the page and try again.",
    VALIDATION_ERROR: () => "Something in your basket is not right yet. Please check it and try again.",
    LIMIT_EXCEEDED: () => "Your basket is too large for one order. Please remove something, or place several orders.",
    PRODUCT_PRICE_NOT_FOUND: ({ product = englishWords.someProduct }) =>
      `${product} is not available at this branch. Please remove it, or choose another branch.`,
    PRICE_LOOKUP_FAILED: ({ product, retryable }) => {
      if (product) {
        const advice = retryable ? "Please try again in a moment." : "Please remove it, or try again later.";
        return `${product} has no correct price at the moment. We are sorry: the mistake is ours. ${advice}`;
      }
      return retryable
        ? "We could not load the prices. Please try again in a moment."
        : "We cannot show the prices right now. Please try again later.";
    },
    BRANCH_NOT_AVAILABLE: () =>
      "This branch does not deliver to your door. Please choose another branch or another way to receive your order.",
    BRANCH_NOT_IN_POLYGON: () => "This branch does not deliver to your address. Please choose another address, another branch or pickup.",
    NATIONWIDE_RATE_FAILED: ({ retryable }) =>
      retryable
        ? "We could not find out the delivery fee. Please try again in a moment."
        : "We cannot deliver nationwide right now. Please choose another way to receive your order, or try again later.",
    NATIONWIDE_RATE_NOT_FOUND: () =>
      "We do not deliver to this address. Please choose another address, or another way to receive your order.",
    COUPON_SERVICE_FAILED: ({ retryable }) =>
      retryable
        ? "We could not check your coupons. Please try again in a moment."
        : "We cannot accept coupons right now. Please order without them, or try again later.",
    VOUCHER_NOT_FOUND: ({ voucherId }) =>
      voucherId
        ? `There is no voucher ${voucherId}. Please check its number, or remove it.`
        : "One of your vouchers does not exist. Please check its number, or remove it.",
    VOUCHER_LOOKUP_FAILED: ({ voucherId, retryable }) => {
      const what = voucherId ? `the voucher ${voucherId}` : "your vouchers";
      return retryable
        ? `We could not check ${what}. Please try again in a moment.`
        : `We cannot accept ${what} right now. Please order without, or try again later.`;
    },
    DELIVERY_ZONES_FAILED: ({ retryable }) =>
      retryable
        ? "We could not check whether we deliver to your address. Please try again in a moment."
        : "We cannot deliver to your door right now. Please choose pickup, or try again later.",
    DEADLINE_EXCEEDED: () => "This is taking longer than usual. Please try again in a moment.",
    ABORTED: () => "The calculation was cancelled. Please try again if you would like to see your total.",
    NOT_KNOWN: () => "We have not looked up everything in your basket yet. Please try again in a moment.",
    OVERFLOW: ({ product }) =>
      product
        ? `${product} comes to an amount that is too large for us. Please lower its quantity.`
        : "Your total is too large for us. Please remove something, or lower the quantities.",
    INTERNAL: ({ retryable }) =>
      `Something went wrong, and we are sorry: the mistake is ours. Please try again ${retryable ? "in a moment" : "later"}.`,
  },
};

const englishChanges = {
  changes: {
    price: ({ productName, before, after, money }) => `${productName} now costs ${money(after)} instead of ${money(before)}.`,
    unavailable: ({ productName }) => `${productName} is not available at this branch.`,
    available: ({ productName }) => `${productName} is available now.`,
    deliveryFee: ({ before, after, money }) => `Delivery now costs ${money(after)} instead of ${money(before)}.`,
    voucherRefused: ({ voucherId }) => `The voucher ${voucherId} cannot be used for this order.`,
    couponFailed: ({ coupon }) => `The coupon ${coupon} does not apply to this basket.`,
  },
};

const englishProduct = (number) => `Product ${number}`;

const englishSteps = {
  steps: {
    zone: ({ operands: { name, feature, deliveryFee, covers, isChosen }, money }) => {
      const area = `the delivery area ${name || feature + 1}`;
      if (isChosen) return `Your address is in ${area}, where delivery costs ${money(deliveryFee)}.`;
      return covers ? `Your address is in ${area}, too, but another area decides the fee.` : `Your address is not in ${area}.`;
    },
    row: ({ number, product = englishProduct(number), operands: { quantity, price }, amount, money }) =>
      `${product}: ${withMinus(quantity)} × ${money(price)} = ${money(amount)}.`,
    rowTotal: ({ number, product = englishProduct(number), operands: { quantity, originalPrice }, amount, money }) =>
      `${product} at its list price: ${withMinus(quantity)} × ${money(originalPrice)} = ${money(amount)}.`,
    nationwideRate: ({ operands: { shippingPostcode, nationwideMode }, amount, money }) => {
      const goods = { DRY: "dry goods", FRESH: "fresh goods", MIX: "dry and fresh goods" }[nationwideMode];
      return `A delivery of ${goods} to the postcode ${shippingPostcode} costs ${money(amount)}.`;
    },
    deliveryFee: ({ number, operands: { mode, fee }, money }) => {
      if (fee === undefined) return `Delivery ${number} costs nothing: you collect it yourself.`;
      const way = { REGULAR: "from the branch", EXPRESS: "express", NATIONWIDE: "nationwide" }[mode];
      return `Delivery ${number}, ${way}: ${money(fee)}.`;
    },
    expressFee: ({ number, operands: { shippingType, expressSurcharge }, amount, money }) => {
      if (amount !== 0) return `Delivery ${number} is express: ${money(amount)} more.`;
      if (shippingType === "PICKUP") return `Delivery ${number} has no express surcharge: you collect it yourself.`;
      const first = expressSurcharge === "firstSchedule" ? "first delivery" : "first express delivery";
      return `Delivery ${number} has no express surcharge: only the ${first} pays it.`;
    },
    voucher: ({ operands: { voucherId, inactive, used, ownerMismatch }, amount, money }) => {
      if (ownerMismatch) return `The voucher ${voucherId} does not count: it does not belong to your account.`;
      if (inactive && used) return `The voucher ${voucherId} does not count: it is not active, and it has been used.`;
      if (inactive) return `The voucher ${voucherId} does not count: it is not active.`;
      if (used) return `The voucher ${voucherId} does not count: it has already been used.`;
      return `The voucher ${voucherId} is worth ${money(amount)}.`;
    },
    repeated: ({ operands: { coupon, voucherId } }) =>
      `The ${coupon === undefined ? `voucher ${voucherId}` : `coupon ${coupon}`} is listed more than once, and counts once.`,
    coupon: ({ operands: { coupon, freeshipping, shippingDiscount }, amount, money }) => {
      const worth = amount === 0 ? "is accepted" : `is worth ${money(amount)}`;
      // What that takes off, `freeShipping` says: a policy decides.
      const free = shippingDiscount === 0 ? " It is for free delivery, but names no amount." : " It is for free delivery.";
      return `The coupon ${coupon} ${worth}.${freeshipping ? free : ""}`;
    },
    failedCoupon: ({ operands: { coupon } }) => `The coupon ${coupon} does not apply to this basket.`,
    ignoredCoupon: ({ operands: { coupon } }) => `The coupon ${coupon} has no effect on this basket.`,
    discountedRowTotal: ({
      number,
      product = englishProduct(number),
      operands: { rowTotal, row = rowTotal, discountFromCoupon },
      amount,
      money,
    }) =>
      discountFromCoupon === 0
        ? `${product} has no discount of its own: ${money(row)}.`
        : `${product} after coupons: ${money(row)} - ${money(discountFromCoupon)} = ${money(amount)}.`,
    two4Discount: ({ amount, money }) =>
      amount === 0 ? "No two-for offer applies." : `Two-for offers come to ${money(amount)}. On their own they change no total.`,
    percentageDiscount: ({ operands: { percentage, subTotal }, amount, money }) =>
      percentage === 0
        ? "No coupon has a percentage."
        : `The largest percentage of your coupons: ${percentage.toLocaleString("en", PERCENT)} of ${money(subTotal)} ` +
          `is ${money(amount)}. On its own this changes no total.`,
    shippingDiscount: ({ amount, money }) =>
      amount === 0 ? "No coupon lowers the delivery fee." : `Coupons take ${money(-amount)} off delivery.`,
    freeShipping: ({ operands: { deliveryFee, shippingDiscount }, amount, money }) => {
      if (amount !== 0)
        return `A coupon grants free delivery, which takes ${shippingDiscount === 0 ? "" : "another "}${money(-amount)} off.`;
      if (!(shippingDiscount < deliveryFee)) return "A coupon is for free delivery, and no delivery fee is left to take off.";
      return shippingDiscount === 0
        ? `A coupon is for free delivery, but takes nothing off: delivery still costs ${money(deliveryFee)}.`
        : `A coupon is for free delivery, but coupons take only ${money(shippingDiscount)} off ${money(deliveryFee)}: ` +
            "you still pay the rest of the delivery.";
    },
    cartDiscount: ({ amount, money }) =>
      amount === 0 ? "No coupon lowers the price of the basket." : `Coupons take ${money(-amount)} off the basket.`,
    bogoDiscount: ({ amount, money }) =>
      amount === 0 ? "No buy-one-get-one offer applies." : `Buy-one-get-one offers take ${money(-amount)} off.`,
    voucherDiscount: ({ amount, money }) => (amount === 0 ? "No voucher takes anything off." : `Vouchers take ${money(-amount)} off.`),
    floor: ({ number, product = englishProduct(number), path, amount, money }) => {
      const part = { discountedDeliveryFee: "Delivery", grandTotal: "Your total" }[path] ?? product;
      return `${part} cannot be less than zero: ${money(amount)} is added back.`;
    },
    totalDiscount: ({ amount, money }) => `All discounts together come to ${money(amount)}.`,
    totalExcludeControlledProducts: ({ amount, money }) => `Your total without controlled products is ${money(amount)}.`,
  },

  otherStep: ({ amount, money }) => `Another amount: ${money(amount)}.`,
};

const thaiWords = {
  money: (amount) => `${withMinus(amount.toLocaleString("th", TO_THE_SATANG))} บาท`,
  someProduct: "สินค้าบางรายการในตะกร้า",
};

const thaiProblems = {
  reasons: {
    inactive: "บัตรกำนัลนี้ยังใช้ไม่ได้ในขณะนี้ กรุณาเลือกใบอื่น",
    used: "บัตรกำนัลนี้ถูกใช้ไปแล้ว กรุณาเลือกใบอื่น",
    ownerMismatch: "บัตรกำนัลนี้ไม่ใช่ของบัญชีนี้ กรุณาเข้าสู่ระบบด้วยบัญชีที่ได้รับบัตรกำนัล",
  },

  failedCoupon: (coupon) => `คูปอง ${coupon} ใช้กับตะกร้านี้ไม่ได้ กรุณาตรวจสอบรหัสและเงื่อนไขของคูปอง`,
  errors: {
    INVALID_JSON: () => "ขออภัย เปิดข้อมูลตะกร้าไม่ได้ กรุณาโหลดหน้านี้ใหม่แล้วลองอีกครั้ง",
    VALIDATION_ERROR: () => "ข้อมูลบางอย่างในตะกร้ายังไม่ถูกต้อง กรุณาตรวจสอบแล้วลองอีกครั้ง",
    LIMIT_EXCEEDED: () => "รายการในตะกร้ามากเกินไปสำหรับการสั่งซื้อครั้งเดียว กรุณานำบางรายการออก หรือแบ่งสั่งเป็นหลายครั้ง",
    PRODUCT_PRICE_NOT_FOUND: ({ product = thaiWords.someProduct }) => `${product} ไม่มีขายที่สาขานี้ กรุณานำออกจากตะกร้า หรือเลือกสาขาอื่น`,
    PRICE_LOOKUP_FAILED: ({ product, retryable }) => {
      if (product) {
        const advice = retryable ? "กรุณาลองใหม่ในอีกสักครู่" : "กรุณานำออกจากตะกร้า หรือลองใหม่ภายหลัง";
        return `${product} ยังไม่มีราคาที่ถูกต้องในขณะนี้ ขออภัยในความผิดพลาดของทางร้าน ${advice}`;
      }
      return retryable ? "โหลดราคาสินค้าไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่" : "ขออภัย ขณะนี้แสดงราคาสินค้าไม่ได้ กรุณาลองใหม่ภายหลัง";
    },
    BRANCH_NOT_AVAILABLE: () => "สาขานี้ไม่มีบริการส่งถึงบ้าน กรุณาเลือกสาขาอื่น หรือวิธีรับสินค้าแบบอื่น",
    BRANCH_NOT_IN_POLYGON: () => "ที่อยู่นี้อยู่นอกเขตจัดส่งของสาขา กรุณาเลือกที่อยู่อื่น สาขาอื่น หรือรับสินค้าเองที่สาขา",
    NATIONWIDE_RATE_FAILED: ({ retryable }) =>
      retryable ? "ตรวจสอบค่าจัดส่งไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่" : "ขออภัย ขณะนี้ยังจัดส่งทั่วประเทศไม่ได้ กรุณาเลือกวิธีรับสินค้าแบบอื่น หรือลองใหม่ภายหลัง",
    NATIONWIDE_RATE_NOT_FOUND: () => "ขออภัย เราไม่จัดส่งไปยังที่อยู่นี้ กรุณาเลือกที่อยู่อื่น หรือวิธีรับสินค้าแบบอื่น",
    COUPON_SERVICE_FAILED: ({ retryable }) =>
      retryable ? "ตรวจสอบคูปองไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่" : "ขออภัย ขณะนี้ยังใช้คูปองไม่ได้ กรุณาสั่งซื้อโดยไม่ใช้คูปอง หรือลองใหม่ภายหลัง",
    VOUCHER_NOT_FOUND: ({ voucherId }) =>
      voucherId ? `ไม่พบบัตรกำนัล ${voucherId} กรุณาตรวจสอบหมายเลข หรือนำออก` : "ไม่พบบัตรกำนัลบางใบที่ระบุ กรุณาตรวจสอบหมายเลข หรือนำออก",
    VOUCHER_LOOKUP_FAILED: ({ voucherId, retryable }) => {
      const what = voucherId ? `บัตรกำนัล ${voucherId} ` : "บัตรกำนัล";
      return retryable ? `ตรวจสอบ${what}ไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่` : `ขออภัย ขณะนี้ยังใช้${what}ไม่ได้ กรุณาสั่งซื้อโดยไม่ใช้บัตรกำนัล หรือลองใหม่ภายหลัง`;
    },
    DELIVERY_ZONES_FAILED: ({ retryable }) =>
      retryable ? "ตรวจสอบเขตจัดส่งไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่" : "ขออภัย ขณะนี้ยังจัดส่งถึงบ้านไม่ได้ กรุณาเลือกรับสินค้าเองที่สาขา หรือลองใหม่ภายหลัง",
    DEADLINE_EXCEEDED: () => "ระบบใช้เวลานานกว่าปกติ กรุณาลองใหม่ในอีกสักครู่",
    ABORTED: () => "ยกเลิกการคำนวณยอดแล้ว หากต้องการดูยอดรวม กรุณาลองอีกครั้ง",
    NOT_KNOWN: () => "ยังตรวจสอบข้อมูลในตะกร้าไม่ครบ กรุณาลองใหม่ในอีกสักครู่",
    OVERFLOW: ({ product }) =>
      product ? `${product} มียอดเงินสูงเกินกว่าที่ร้านรับได้ กรุณาลดจำนวน` : "ยอดรวมสูงเกินกว่าที่ร้านรับได้ กรุณานำบางรายการออก หรือลดจำนวน",
    INTERNAL: ({ retryable }) => `ขออภัย เกิดข้อผิดพลาดจากทางร้าน กรุณาลองใหม่${retryable ? "ในอีกสักครู่" : "ภายหลัง"}`,
  },
};

const thaiChanges = {
  changes: {
    price: ({ productName, before, after, money }) => `${productName} เปลี่ยนราคาจาก ${money(before)} เป็น ${money(after)}`,
    unavailable: ({ productName }) => `${productName} ไม่มีขายที่สาขานี้`,
    available: ({ productName }) => `${productName} มีขายแล้วในขณะนี้`,
    deliveryFee: ({ before, after, money }) => `ค่าจัดส่งเปลี่ยนจาก ${money(before)} เป็น ${money(after)}`,
    voucherRefused: ({ voucherId }) => `บัตรกำนัล ${voucherId} ใช้กับคำสั่งซื้อนี้ไม่ได้`,
    couponFailed: ({ coupon }) => `คูปอง ${coupon} ใช้กับตะกร้านี้ไม่ได้`,
  },
};

const thaiProduct = (number) => `สินค้ารายการที่ ${number}`;

const thaiSteps = {
  steps: {
    zone: ({ operands: { name, feature, deliveryFee, covers, isChosen }, money }) => {
      const area = `เขตจัดส่ง ${name || feature + 1}`;
      if (isChosen) return `ที่อยู่นี้อยู่ใน${area} ค่าจัดส่ง ${money(deliveryFee)}`;
      return covers ? `ที่อยู่นี้อยู่ใน${area} ด้วย แต่คิดค่าจัดส่งตามเขตอื่น` : `ที่อยู่นี้ไม่ได้อยู่ใน${area}`;
    },
    row: ({ number, product = thaiProduct(number), operands: { quantity, price }, amount, money }) =>
      `${product}: ${withMinus(quantity)} × ${money(price)} = ${money(amount)}`,
    rowTotal: ({ number, product = thaiProduct(number), operands: { quantity, originalPrice }, amount, money }) =>
      `${product} ตามราคาปกติ: ${withMinus(quantity)} × ${money(originalPrice)} = ${money(amount)}`,
    nationwideRate: ({ operands: { shippingPostcode, nationwideMode }, amount, money }) => {
      const goods = { DRY: "ของแห้ง", FRESH: "ของสด", MIX: "ของแห้งและของสด" }[nationwideMode];
      return `ค่าจัดส่ง${goods}ไปยังรหัสไปรษณีย์ ${shippingPostcode} คือ ${money(amount)}`;
    },
    deliveryFee: ({ number, operands: { mode, fee }, money }) => {
      if (fee === undefined) return `การจัดส่งรอบที่ ${number} ไม่มีค่าจัดส่ง เพราะรับสินค้าเอง`;
      const way = { REGULAR: "ส่งจากสาขา", EXPRESS: "ส่งด่วน", NATIONWIDE: "ส่งทั่วประเทศ" }[mode];
      return `การจัดส่งรอบที่ ${number} ${way}: ${money(fee)}`;
    },
    expressFee: ({ number, operands: { shippingType, expressSurcharge }, amount, money }) => {
      if (amount !== 0) return `การจัดส่งรอบที่ ${number} เป็นการส่งด่วน คิดเพิ่ม ${money(amount)}`;
      if (shippingType === "PICKUP") return `การจัดส่งรอบที่ ${number} ไม่มีค่าส่งด่วน เพราะรับสินค้าเอง`;
      const first = expressSurcharge === "firstSchedule" ? "รอบแรก" : "รอบส่งด่วนรอบแรก";
      return `การจัดส่งรอบที่ ${number} ไม่มีค่าส่งด่วน เพราะคิดเฉพาะ${first}`;
    },
    voucher: ({ operands: { voucherId, inactive, used, ownerMismatch }, amount, money }) => {
      if (ownerMismatch) return `ไม่นับบัตรกำนัล ${voucherId} เพราะไม่ใช่ของบัญชีนี้`;
      if (inactive && used) return `ไม่นับบัตรกำนัล ${voucherId} เพราะยังใช้ไม่ได้ และถูกใช้ไปแล้ว`;
      if (inactive) return `ไม่นับบัตรกำนัล ${voucherId} เพราะยังใช้ไม่ได้ในขณะนี้`;
      if (used) return `ไม่นับบัตรกำนัล ${voucherId} เพราะถูกใช้ไปแล้ว`;
      return `บัตรกำนัล ${voucherId} มีมูลค่า ${money(amount)}`;
    },
    repeated: ({ operands: { coupon, voucherId } }) =>
      `${coupon === undefined ? `บัตรกำนัล ${voucherId}` : `คูปอง ${coupon}`} ซ้ำกัน จึงนับเพียงครั้งเดียว`,
    coupon: ({ operands: { coupon, freeshipping, shippingDiscount }, amount, money }) => {
      const worth = amount === 0 ? "ใช้ได้" : `มีมูลค่า ${money(amount)}`;
      const free = shippingDiscount === 0 ? " เป็นคูปองส่งฟรี แต่ไม่ได้ระบุจำนวนเงิน" : " เป็นคูปองส่งฟรี";
      return `คูปอง ${coupon} ${worth}${freeshipping ? free : ""}`;
    },
    failedCoupon: ({ operands: { coupon } }) => `คูปอง ${coupon} ใช้กับตะกร้านี้ไม่ได้`,
    ignoredCoupon: ({ operands: { coupon } }) => `คูปอง ${coupon} ไม่มีผลกับตะกร้านี้`,
    discountedRowTotal: ({
      number,
      product = thaiProduct(number),
      operands: { rowTotal, row = rowTotal, discountFromCoupon },
      amount,
      money,
    }) =>
      discountFromCoupon === 0
        ? `${product} ไม่มีส่วนลดเฉพาะรายการ: ${money(row)}`
        : `${product} หลังหักคูปอง: ${money(row)} - ${money(discountFromCoupon)} = ${money(amount)}`,
    two4Discount: ({ amount, money }) =>
      amount === 0 ? "ไม่มีโปรโมชันซื้อคู่ราคาพิเศษ" : `โปรโมชันซื้อคู่ราคาพิเศษ ${money(amount)} แสดงไว้โดยไม่ได้หักจากยอดในขั้นนี้`,
    percentageDiscount: ({ operands: { percentage, subTotal }, amount, money }) =>
      percentage === 0
        ? "ไม่มีคูปองส่วนลดเปอร์เซ็นต์"
        : `ส่วนลดเปอร์เซ็นต์สูงสุดจากคูปอง ${percentage.toLocaleString("th", PERCENT)} ของ ${money(subTotal)} ` +
          `คือ ${money(amount)} แสดงไว้โดยไม่ได้หักจากยอดในขั้นนี้`,
    shippingDiscount: ({ amount, money }) => (amount === 0 ? "ไม่มีคูปองลดค่าจัดส่ง" : `คูปองลดค่าจัดส่ง ${money(-amount)}`),
    freeShipping: ({ operands: { deliveryFee, shippingDiscount }, amount, money }) => {
      if (amount !== 0) return `คูปองให้ส่งฟรี ลดค่าจัดส่ง${shippingDiscount === 0 ? "" : "เพิ่มอีก"} ${money(-amount)}`;
      if (!(shippingDiscount < deliveryFee)) return "เป็นคูปองส่งฟรี และไม่มีค่าจัดส่งเหลือให้ลดแล้ว";
      return shippingDiscount === 0
        ? `เป็นคูปองส่งฟรี แต่ไม่ได้ลดค่าจัดส่ง ยังคิดค่าจัดส่ง ${money(deliveryFee)}`
        : `เป็นคูปองส่งฟรี แต่คูปองลดค่าจัดส่งเพียง ${money(shippingDiscount)} จาก ${money(deliveryFee)} ยังคิดค่าจัดส่งส่วนที่เหลือ`;
    },
    cartDiscount: ({ amount, money }) => (amount === 0 ? "ไม่มีคูปองลดราคาตะกร้านี้" : `คูปองลดราคาตะกร้านี้ ${money(-amount)}`),
    bogoDiscount: ({ amount, money }) => (amount === 0 ? "ไม่มีโปรโมชันซื้อหนึ่งแถมหนึ่ง" : `โปรโมชันซื้อหนึ่งแถมหนึ่งลด ${money(-amount)}`),
    voucherDiscount: ({ amount, money }) => (amount === 0 ? "ไม่มีบัตรกำนัลที่หักจากยอด" : `บัตรกำนัลหักจากยอด ${money(-amount)}`),
    floor: ({ number, product = thaiProduct(number), path, amount, money }) => {
      const part = { discountedDeliveryFee: "ค่าจัดส่ง", grandTotal: "ยอดรวม" }[path] ?? product;
      return `${part} ต้องไม่ต่ำกว่าศูนย์ จึงบวกกลับ ${money(amount)}`;
    },
    totalDiscount: ({ amount, money }) => `ส่วนลดทั้งหมดรวมกัน ${money(amount)}`,
    totalExcludeControlledProducts: ({ amount, money }) => `ยอดรวมโดยไม่รวมสินค้าควบคุม ${money(amount)}`,
  },

  otherStep: ({ amount, money }) => `ยอดอื่น ${money(amount)}`,
};

// Marked as pure: whoever does not use a whole language does not load it.
export const english = /* @__PURE__ */ Object.assign({}, englishWords, englishProblems, englishChanges, englishSteps);
export const thai = /* @__PURE__ */ Object.assign({}, thaiWords, thaiProblems, thaiChanges, thaiSteps);
