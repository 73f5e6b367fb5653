// Receipts: signatures of answers, and the keys for them.
export { oldReceiptKeys, receiptKey, refuseSameKeys } from "./keys.js";
export { createReceipts } from "./receipts.js";
