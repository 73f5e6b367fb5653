// What order and facts know of each other, for completion.
import { DEFAULTS, rateKey, WORDS } from "order-cost/internal";

function valueOf(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

const entries = (table) => (typeof table === "object" && table !== null ? Object.entries(table) : []);
const list = (value) => (Array.isArray(value) ? value : []);

/** Codes and ids of the facts, for an order. */
export const knownToOrder = (facts) => (keys) => {
  const { prices, vouchers } = valueOf(facts());
  const place = keys.map((key) => (typeof key === "number" ? "[]" : key)).join(".");
  if (place === "productList.[].cprcode") {
    return entries(prices).map(([key, record]) => ({
      label: key.split("/")[0],
      detail: record?.price === undefined ? "" : `${record.price} THB`,
    }));
  }
  if (place !== "voucherId.[]") return [];
  return entries(vouchers).map(([id, voucher]) => ({
    label: JSON.stringify(id),
    detail: voucher?.value === undefined ? "" : `${voucher.value} THB`,
  }));
};

/** Keys that an order asks for, for facts. */
export const knownToFacts = (order) => (keys) => {
  const { productList, branchId = DEFAULTS.Order.branchId, voucherId, shipping } = valueOf(order());
  switch (keys.join(".")) {
    case "prices":
      return list(productList).map((product) => ({ label: `${product?.cprcode}/${branchId}`, detail: product?.productName }));
    case "vouchers":
      return list(voucherId).map((id) => ({ label: `${id}` }));
    case "rates": {
      const shippingPostcode = shipping?.shippingPostcode ?? DEFAULTS.Shipping.shippingPostcode;
      const { nationwideMode } = DEFAULTS.Schedule;
      return [...WORDS.NationwideMode, rateKey({ shippingPostcode, nationwideMode })].map((label) => ({ label }));
    }
    default:
      return [];
  }
};
