// What the objects, the enums and the units of the tables are called in the types and the schemas.

/**
 * Of each object: `read`, its type as an input; `sent`, its schema in a request; `record`, its schema in a host's answer;
 * `answered`, its type and schema in a response. Where that depends on the field that holds it, the field's key takes the place
 * of `answered`.
 */
export const NAMES = {
  Order: { sent: "Order", answered: "PricedOrder" },
  Product: { read: "ProductInput", sent: "Product", answered: "PricedProduct" },
  Shipping: { read: "ShippingInput", sent: "Shipping", answered: "PricedShipping" },
  Schedule: { read: "ScheduleInput", sent: "Schedule", answered: "PricedSchedule" },
  Price: { record: "PriceRecord" },
  Rate: { record: "RateRecord" },
  Voucher: { record: "VoucherRecord", validVouchers: "RedeemedVoucher", invalidVouchers: "RefusedVoucher" },
  DiscountResult: { record: "CouponAnswer", answered: "DiscountResult" },
  Discount: { read: "DiscountInput", record: "CouponDiscount", answered: "Discount" },
  LineDiscount: { read: "DiscountLine", record: "LineDiscount" },
  Summary: { answered: "Summary" },
};
/** Those of enums that differ. */
const ENUMS = { Mode: "ScheduleMode" };
/** The unit of a kind of number. */
const UNITS = { baht: "THB", kilograms: "kg" };

/** The first of these names of what a field holds. */
export function nameIn({ key, of }, ...places) {
  const name = places.map((place) => NAMES[of]?.[place]).find(Boolean);
  if (name === undefined) throw new Error(`xtask/package/names.mjs: ${key} holds ${of}, which has no name in ${places.join(", ")}`);
  return name;
}
/** The name in an answer of what a field holds. */
export const answeredName = (line) => nameIn(line, line.key, "answered");
/** Whether the object is of the order: its fields come back. */
export const isOfOrder = (name) => "sent" in NAMES[name];
export const enumName = (name) => ENUMS[name] ?? name;

/** Behind a unit a sentence goes on in small letters. */
export function withUnit({ kind }, sentence) {
  const unit = UNITS[kind];
  return unit ? `${unit}: ${sentence.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())}` : sentence;
}
