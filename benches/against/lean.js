// The least that a shop would write by hand: picked-up orders in floats, bytes to bytes, and not a single check.
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** @param {Map<number, { price: number, originalPrice: number, settlementPrice?: number, weight: number, isControlledProduct?: boolean }>} records */
export const createLean = (records) => (body) => encoder.encode(JSON.stringify(priced(JSON.parse(decoder.decode(body)), records)));

function priced({ branchId, productList }, records) {
  const totals = { subTotal: 0, totalExcludeControlledProducts: 0, totalWeight: 0 };
  const rows = productList.map(({ cprcode, productName, quantity }) => {
    const { price, originalPrice = price, settlementPrice = price, weight = 0, isControlledProduct = false } = records.get(cprcode);
    const rowTotal = price * quantity;
    totals.subTotal += rowTotal;
    totals.totalWeight += weight * quantity;
    if (!isControlledProduct) totals.totalExcludeControlledProducts += rowTotal;
    return {
      cprcode,
      productName,
      quantity,
      scheduleId: 0,
      isPreOrder: false,
      remark: "",
      branchId,
      originalPrice,
      price,
      rowTotal,
      discountedRowTotal: rowTotal,
      settlementPrice: settlementPrice * quantity,
      weight,
      isControlledProduct,
    };
  });
  const discountResult = { discounts: [], failedCoupons: [], error: {} };
  const { subTotal, totalExcludeControlledProducts, totalWeight } = totals;
  return {
    branchId,
    basketName: "",
    basketId: "",
    orderId: "",
    orderDate: 0,
    ownerId: "",
    requestSubstitute: false,
    specialComment: null,
    noPlasticBags: false,
    couponCodeList: [],
    voucherId: [],
    cartDiscountInfo: [],
    subTotal,
    grandTotal: subTotal,
    totalExcludeControlledProducts,
    totalWeight,
    deliveryFee: 0,
    discountedDeliveryFee: 0,
    expressShippingCost: 0,
    shippingFee: 0,
    shippingPrice: 0,
    cartDiscount: 0,
    bogoDiscount: 0,
    two4Discount: 0,
    percentageDiscount: 0,
    shippingDiscount: 0,
    voucherDiscount: 0,
    totalDiscount: 0,
    isFreeShipping: false,
    productList: rows,
    shipping: null,
    validVouchers: [],
    invalidVouchers: [],
    discountResult,
    summary: {
      subTotal,
      grandTotal: subTotal,
      voucherDiscount: 0,
      cartDiscount: 0,
      bogoDiscount: 0,
      two4Discount: 0,
      percentageDiscount: 0,
      shippingDiscount: 0,
      totalExcludeControlledProducts,
      expressShippingCost: 0,
      deliveryFee: 0,
      discountedDeliveryFee: 0,
      totalWeight,
      discountResult,
    },
  };
}
