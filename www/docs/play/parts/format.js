// Amounts as people read them.
const baht = new Intl.NumberFormat("en-GB", { style: "currency", currency: "THB", currencyDisplay: "narrowSymbol" });

/** @param {number} amount */
export const money = (amount) => baht.format(amount).replace("-", "−");
/** @param {number} amount */
export const signed = (amount) => (amount > 0 ? `+${money(amount)}` : money(amount));

/**
 * @param {number} number
 * @param {string} one
 */
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;
