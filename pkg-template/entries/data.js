// The package's own checks, for whoever fills a store or a form. See data.d.ts. They come from the main entry, which knows
// how to load the module here.
import { createPricer } from "order-cost";
import { checks, NOT_PLAIN, pathOf } from "../core/index.js";
import { faultsIn, isOfPart, refusalOf } from "../pricer/index.js";
import { jsonText } from "../shared/index.js";

const { reading, hidingPart, withoutUnknown } = createPricer[checks];

export const { checkPrice, checkZones } = createPricer[checks];

export function checkOrder(order, options) {
  const faults = typeof order === "string" ? textFaults(order, options) : objectFaults(order, options);
  return faults.map(({ path, message }) => ({ path, message }));
}

export const orderSchemaWith = (options) => ({
  "~standard": {
    version: 1,
    vendor: "order-cost",
    validate(value) {
      const issues = objectFaults(value, options).map(({ keys, message }) => ({ message, path: keys }));
      return issues.length === 0 ? { value } : { issues };
    },
  },
});

export const orderSchema = orderSchemaWith();

const textFaults = (text, options) => faultsOf({ text, unwritable: false }, options, (read, written) => read(written));

function objectFaults(order, options) {
  const keys = hidingPart(order);
  if (keys) return [{ path: pathOf(keys), keys, message: NOT_PLAIN }];
  return faultsOf(jsonText(order), options, (read, written) => withoutUnknown(written, order, read));
}

/** The faults of an order's text. `first` reads the whole order, and may replace the text. */
function faultsOf(written, options = {}, first) {
  const refusal = reading(options, (read) => refusalOf(() => first(read, written)));
  if (refusal === undefined) return [];
  if (!isOfPart(refusal)) return [{ path: "", keys: [], message: refusal.message }];
  const { text, unwritable } = written;
  return reading(withoutBodyLimit(options), (read) => faultsIn(text, (unit) => read({ text: unit, unwritable })));
}

/** A part is read in a right order, which makes it longer. */
const withoutBodyLimit = (options) => ({ ...options, limits: { ...options.limits, maxBodyBytes: 2 ** 32 - 1 } });
