// The words around an explained order, in both languages.

/** @typedef {typeof TEXTS["en"]} Texts */

export const TEXTS = {
  en: {
    order: "Order",
    route: "Route",
    data: "Data version",
    priced: "Priced by",
    policy: "Policy",
    /** @param {import("./software.js").Software} software */
    software: ({ version, module }) =>
      [version && `package ${version}`, module && `module ${module.slice(0, 12)}`].filter(Boolean).join(", "),

    product: "product",
    quantity: "quantity",
    price: "price",
    amount: "amount",
    subTotal: "Subtotal",
    discountedDeliveryFee: "Delivery",
    expressShippingCost: "Express surcharge",
    cartDiscount: "Coupons",
    bogoDiscount: "Buy one, get one",
    voucherDiscount: "Vouchers",
    floor: "No total is below 0",
    grandTotal: "Grand total",

    step: "step",
    running: "running total",
    uncounted: "An amount without a running total changes no total.",
    hidden: (count) =>
      `${count === 1 ? "1 step" : `${count} steps`} of 0 that ${count === 1 ? "does" : "do"} not apply: --all shows ${count === 1 ? "it" : "them"}.`,
    decisions: "decisions",

    failed: "This order has no price.",
    code: "Error",
    message: "Message",
    meaning: "Meaning",

    sameBytes: "This version gives the same answer, to the byte.",
    sameFields: "This version gives the same answer, in every field.",
    different: (count) => `This version gives another answer: ${count === 1 ? "1 field differs" : `${count} fields differ`}.`,
    field: "field",
    captured: "captured",
    now: "this version",
    why: "why",
    missing: "(missing)",
    unexplained: "unexplained",
    follows: (field) => `follows from ${field}`,
    further: (count) => `${count} more; --format json has all.`,
    otherSoftware: (then, now) => `The captured answer is from ${then}; this is ${now}.`,
    sameSoftware: "The same module priced the order: its facts, its zones or its policy are not those of then.",
    unknownSoftware: (now) => `The capture does not say which package priced it; this is ${now}.`,
  },

  th: {
    order: "คำสั่งซื้อ",
    route: "เส้นทาง",
    data: "รุ่นข้อมูล",
    priced: "คิดราคาโดย",
    policy: "นโยบาย",
    /** @param {import("./software.js").Software} software */
    software: ({ version, module }) => [version && `แพ็กเกจ ${version}`, module && `โมดูล ${module.slice(0, 12)}`].filter(Boolean).join(" "),

    product: "สินค้า",
    quantity: "จำนวน",
    price: "ราคา",
    amount: "จำนวนเงิน",
    subTotal: "ยอดสินค้า",
    discountedDeliveryFee: "ค่าจัดส่ง",
    expressShippingCost: "ค่าส่งด่วน",
    cartDiscount: "ส่วนลดคูปอง",
    bogoDiscount: "ซื้อ 1 แถม 1",
    voucherDiscount: "บัตรกำนัล",
    floor: "ยอดรวมไม่ต่ำกว่า 0",
    grandTotal: "ยอดรวม",

    step: "ขั้นตอน",
    running: "ยอดสะสม",
    uncounted: "จำนวนเงินที่ไม่มียอดสะสมไม่เปลี่ยนยอดรวม",
    hidden: (count) => `ไม่แสดง ${count} ขั้นตอนที่เป็น 0 และไม่เกี่ยวข้อง ใช้ --all เพื่อแสดง`,
    decisions: "ข้อกำหนด",

    failed: "คำสั่งซื้อนี้ไม่มีราคา",
    code: "ข้อผิดพลาด",
    message: "ข้อความ",
    meaning: "ความหมาย",

    sameBytes: "รุ่นนี้ให้คำตอบเดียวกันทุกไบต์",
    sameFields: "รุ่นนี้ให้คำตอบเดียวกันทุกช่อง",
    different: (count) => `รุ่นนี้ให้คำตอบต่างออกไป ${count} ช่อง`,
    field: "ช่อง",
    captured: "ที่บันทึกไว้",
    now: "รุ่นนี้",
    why: "สาเหตุ",
    missing: "(ไม่มี)",
    unexplained: "ไม่ทราบสาเหตุ",
    follows: (field) => `เป็นผลจาก ${field}`,
    further: (count) => `อีก ${count} ช่อง ดูทั้งหมดด้วย --format json`,
    otherSoftware: (then, now) => `คำตอบที่บันทึกไว้มาจาก${then} ส่วนรุ่นนี้คือ${now}`,
    sameSoftware: "โมดูลเดียวกันคิดราคาคำสั่งซื้อนี้ แต่ข้อมูล เขตจัดส่ง หรือนโยบายไม่ใช่ชุดเดิม",
    unknownSoftware: (now) => `คำสั่งซื้อที่บันทึกไว้ไม่ได้ระบุแพ็กเกจ ส่วนรุ่นนี้คือ${now}`,
  },
};
