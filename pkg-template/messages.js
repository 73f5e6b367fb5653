/** What a shop tells its customers about a problem. See messages.d.ts. */
export function customerText(problem, language, names) {
  const { reasons, failedCoupon, errors, someProduct } = language === "th" ? THAI : ENGLISH;
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

// A product stands at the start of its sentence, so that `someProduct` fits wherever a name does.

const ENGLISH = {
  someProduct: "A product in your basket",

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
    PRODUCT_PRICE_NOT_FOUND: ({ product = ENGLISH.someProduct }) =>
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
    BRANCH_NOT_IN_POLYGON: () =>
      "This branch does not deliver to your address. Please choose another address, another branch or pickup.",
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
    OVERFLOW: ({ product }) =>
      product
        ? `${product} comes to an amount that is too large for us. Please lower its quantity.`
        : "Your total is too large for us. Please remove something, or lower the quantities.",
    INTERNAL: ({ retryable }) =>
      `Something went wrong, and we are sorry: the mistake is ours. Please try again ${retryable ? "in a moment" : "later"}.`,
  },
};

const THAI = {
  someProduct: "สินค้าบางรายการในตะกร้า",

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
    PRODUCT_PRICE_NOT_FOUND: ({ product = THAI.someProduct }) =>
      `${product} ไม่มีขายที่สาขานี้ กรุณานำออกจากตะกร้า หรือเลือกสาขาอื่น`,
    PRICE_LOOKUP_FAILED: ({ product, retryable }) => {
      if (product) {
        const advice = retryable ? "กรุณาลองใหม่ในอีกสักครู่" : "กรุณานำออกจากตะกร้า หรือลองใหม่ภายหลัง";
        return `${product} ยังไม่มีราคาที่ถูกต้องในขณะนี้ ขออภัยในความผิดพลาดของทางร้าน ${advice}`;
      }
      return retryable
        ? "โหลดราคาสินค้าไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่"
        : "ขออภัย ขณะนี้แสดงราคาสินค้าไม่ได้ กรุณาลองใหม่ภายหลัง";
    },
    BRANCH_NOT_AVAILABLE: () => "สาขานี้ไม่มีบริการส่งถึงบ้าน กรุณาเลือกสาขาอื่น หรือวิธีรับสินค้าแบบอื่น",
    BRANCH_NOT_IN_POLYGON: () => "ที่อยู่นี้อยู่นอกเขตจัดส่งของสาขา กรุณาเลือกที่อยู่อื่น สาขาอื่น หรือรับสินค้าเองที่สาขา",
    NATIONWIDE_RATE_FAILED: ({ retryable }) =>
      retryable
        ? "ตรวจสอบค่าจัดส่งไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่"
        : "ขออภัย ขณะนี้ยังจัดส่งทั่วประเทศไม่ได้ กรุณาเลือกวิธีรับสินค้าแบบอื่น หรือลองใหม่ภายหลัง",
    NATIONWIDE_RATE_NOT_FOUND: () => "ขออภัย เราไม่จัดส่งไปยังที่อยู่นี้ กรุณาเลือกที่อยู่อื่น หรือวิธีรับสินค้าแบบอื่น",
    COUPON_SERVICE_FAILED: ({ retryable }) =>
      retryable
        ? "ตรวจสอบคูปองไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่"
        : "ขออภัย ขณะนี้ยังใช้คูปองไม่ได้ กรุณาสั่งซื้อโดยไม่ใช้คูปอง หรือลองใหม่ภายหลัง",
    VOUCHER_NOT_FOUND: ({ voucherId }) =>
      voucherId
        ? `ไม่พบบัตรกำนัล ${voucherId} กรุณาตรวจสอบหมายเลข หรือนำออก`
        : "ไม่พบบัตรกำนัลบางใบที่ระบุ กรุณาตรวจสอบหมายเลข หรือนำออก",
    VOUCHER_LOOKUP_FAILED: ({ voucherId, retryable }) => {
      const what = voucherId ? `บัตรกำนัล ${voucherId} ` : "บัตรกำนัล";
      return retryable
        ? `ตรวจสอบ${what}ไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่`
        : `ขออภัย ขณะนี้ยังใช้${what}ไม่ได้ กรุณาสั่งซื้อโดยไม่ใช้บัตรกำนัล หรือลองใหม่ภายหลัง`;
    },
    DELIVERY_ZONES_FAILED: ({ retryable }) =>
      retryable
        ? "ตรวจสอบเขตจัดส่งไม่สำเร็จ กรุณาลองใหม่ในอีกสักครู่"
        : "ขออภัย ขณะนี้ยังจัดส่งถึงบ้านไม่ได้ กรุณาเลือกรับสินค้าเองที่สาขา หรือลองใหม่ภายหลัง",
    DEADLINE_EXCEEDED: () => "ระบบใช้เวลานานกว่าปกติ กรุณาลองใหม่ในอีกสักครู่",
    ABORTED: () => "ยกเลิกการคำนวณยอดแล้ว หากต้องการดูยอดรวม กรุณาลองอีกครั้ง",
    OVERFLOW: ({ product }) =>
      product
        ? `${product} มียอดเงินสูงเกินกว่าที่ร้านรับได้ กรุณาลดจำนวน`
        : "ยอดรวมสูงเกินกว่าที่ร้านรับได้ กรุณานำบางรายการออก หรือลดจำนวน",
    INTERNAL: ({ retryable }) =>
      `ขออภัย เกิดข้อผิดพลาดจากทางร้าน กรุณาลองใหม่${retryable ? "ในอีกสักครู่" : "ภายหลัง"}`,
  },
};
