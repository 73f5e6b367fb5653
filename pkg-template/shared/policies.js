// The policies: for each the decision behind it and its values, the default first. The module reads the same words
// (src/options.rs), and a test compares both; whoever else needs names, values or defaults takes them from here.

/** By name: `{ decision, values, what }`; `what` completes "says". */
export const POLICIES = {
  rowTotal: { decision: "D15", values: ["effective", "list"], what: "which price makes rowTotal" },
  freeShipping: { decision: "D28", values: ["asStated", "waivesDelivery"], what: "what a free-shipping coupon without an amount does" },
  expressSurcharge: {
    decision: "D38",
    values: ["firstSchedule", "firstExpress", "anyExpress"],
    what: "which EXPRESS schedule pays the 50 baht",
  },
  subTotal: { decision: "D15", values: ["effective", "rowTotals"], what: "what subTotal adds up" },
  discountedRowTotal: { decision: "D16", values: ["effective", "fromRowTotal"], what: "from what discountedRowTotal is taken" },
  settlementPrice: { decision: "D17", values: ["recordOrRowTotal", "record", "rowTotal"], what: "where settlementPrice comes from" },
  excludeControlled: {
    decision: "D20",
    values: ["effective", "rowTotal"],
    what: "what totalExcludeControlledProducts subtracts",
  },
  foldedDiscounts: { decision: "D21", values: ["none", "percentage", "two4", "both"], what: "what is folded into cartDiscount" },
};

export const POLICY_NAMES = Object.keys(POLICIES);

/** The policy of a pricer that is given none. */
export const DEFAULT_POLICY = Object.fromEntries(Object.entries(POLICIES).map(([name, { values }]) => [name, values[0]]));

/** A name in another spelling: `express-surcharge`, or as a variable `EXPRESS_SURCHARGE`. */
export const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
export const variable = (name) => kebab(name).replaceAll("-", "_").toUpperCase();
