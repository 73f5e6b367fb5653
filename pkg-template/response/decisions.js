// What the steps of a calculation follow: each decision of DECISIONS.md that `explain` names, as people say it.

/**
 * The name of a decision and its rule in one sentence. Undefined for a decision of a newer package.
 * @param {string | undefined} id such as `D15`
 * @param {"en" | "th"} language
 * @returns {{ name: string, rule: string } | undefined}
 */
export function decisionText(id, language) {
  const [name, rule] = (id !== undefined && Object.hasOwn(DECISIONS, id) && DECISIONS[id][language]) || [];
  return name && { name, rule };
}

export const DECISIONS = {
  D13: {
    en: ["quantity", "A row of a negative quantity counts as 0 baht."],
    th: ["จำนวนสินค้า", "รายการที่มีจำนวนติดลบคิดเป็น 0 บาท"],
  },
  D15: {
    en: ["rowTotal", "A row comes to price × quantity, and never to less than 0 baht."],
    th: ["ยอดของรายการ", "ยอดของรายการคือราคา × จำนวน และไม่ต่ำกว่า 0 บาท"],
  },
  D16: {
    en: ["discountedRowTotal", "A row is less by what the coupon service takes off it; this changes no total."],
    th: ["ยอดของรายการหลังหักคูปอง", "ยอดของรายการหักด้วยส่วนลดที่ระบบคูปองให้แก่รายการนั้น โดยไม่เปลี่ยนยอดรวม"],
  },
  D20: {
    en: ["totalExcludeControlledProducts", "The total less the rows of controlled products; it may be below 0 baht."],
    th: ["ยอดรวมโดยไม่รวมสินค้าควบคุม", "ยอดรวมหักด้วยยอดของรายการสินค้าควบคุม และอาจต่ำกว่า 0 บาท"],
  },
  D21: {
    en: ["percentageDiscount", "The largest percentage of the coupons is shown and not subtracted."],
    th: ["ส่วนลดเปอร์เซ็นต์", "เปอร์เซ็นต์สูงสุดของคูปองแสดงไว้โดยไม่หักจากยอด"],
  },
  D22: {
    en: ["voucherDiscount", "A voucher counts at its full value, and the total never falls below 0 baht."],
    th: ["ส่วนลดจากบัตรกำนัล", "บัตรกำนัลหักเต็มมูลค่า และยอดรวมไม่ต่ำกว่า 0 บาท"],
  },
  D24: {
    en: ["duplicate codes", "A coupon code that is listed more than once counts once."],
    th: ["รหัสคูปองซ้ำ", "รหัสคูปองที่ระบุซ้ำนับเพียงครั้งเดียว"],
  },
  D27: {
    en: ["coupon service", "What the coupon service says about a code is final."],
    th: ["ระบบคูปอง", "คำตอบของระบบคูปองเกี่ยวกับรหัสถือเป็นที่สิ้นสุด"],
  },
  D28: {
    en: [
      "shippingDiscount",
      "Coupons take off delivery what they state; free delivery alone takes nothing off, unless the policy freeShipping waives the fee.",
    ],
    th: ["ส่วนลดค่าจัดส่ง", "คูปองลดค่าจัดส่งตามจำนวนที่ระบุ การส่งฟรีที่ไม่ระบุจำนวนไม่ลดค่าจัดส่ง เว้นแต่ร้านตั้งนโยบายให้ยกเว้นค่าจัดส่ง"],
  },
  D29: {
    en: ["duplicate voucher ids", "A voucher that is listed more than once counts once."],
    th: ["บัตรกำนัลซ้ำ", "บัตรกำนัลที่ระบุซ้ำนับเพียงครั้งเดียว"],
  },
  D30: {
    en: ["voucher record", "A voucher counts if it is active, unused and the customer's own; of another one nothing is shown."],
    th: ["ข้อมูลบัตรกำนัล", "บัตรกำนัลนับเมื่อใช้งานได้ ยังไม่ถูกใช้ และเป็นของลูกค้าเอง ข้อมูลบัตรของผู้อื่นไม่แสดง"],
  },
  D33: {
    en: ["schedules", "Every schedule of a delivery counts; an order that is picked up pays for none."],
    th: ["รอบจัดส่ง", "คิดค่าจัดส่งทุกรอบ ส่วนคำสั่งซื้อที่ลูกค้ารับเองไม่มีค่าจัดส่ง"],
  },
  D34: {
    en: ["delivery zones", "The first zone of the branch that covers the address sets the fee."],
    th: ["เขตจัดส่ง", "ค่าจัดส่งเป็นไปตามเขตแรกของสาขาที่ครอบคลุมที่อยู่"],
  },
  D36: {
    en: ["nationwide", "A nationwide schedule pays the rate for its postcode and its kind of goods."],
    th: ["ส่งทั่วประเทศ", "การส่งทั่วประเทศคิดตามรหัสไปรษณีย์และประเภทสินค้า"],
  },
  D37: {
    en: ["pickup", "A schedule that is picked up has no delivery fee."],
    th: ["รับสินค้าเอง", "รอบที่ลูกค้ารับสินค้าเองไม่มีค่าจัดส่ง"],
  },
  D38: {
    en: [
      "express surcharge",
      "An express schedule pays 50 baht if it stands first, or with the policy firstExpress if it is the first express one.",
    ],
    th: ["ค่าส่งด่วน", "รอบส่งด่วนจ่ายเพิ่ม 50 บาทเมื่อเป็นรอบแรก หรือเป็นรอบส่งด่วนรอบแรกหากร้านตั้งนโยบายไว้เช่นนั้น"],
  },
};
