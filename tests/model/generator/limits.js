import { DEFAULT_LIMITS, MAX_BRANCH_UNITS } from "../order.js";
import { addCoupons, addVouchers } from "./draft.js";
import { deliver } from "./failures.js";

/** Orders at or beyond a limit (D45), by name. Each is `(random, draft)` and changes the draft. */

const NO_ELEMENT = [null, 5, "", true, [], {}];

/** How far beyond the limit; half of the time not at all. */
const excess = (random) => (random.chance(0.5) ? 0 : random.integer(1, 2));

function setLimit(draft, name, limit) {
  draft.options = { ...draft.options, limits: { ...draft.options?.limits, [name]: limit } };
}

/**
 * Repeats the entries up to a small limit or, sometimes, up to the default. Entries beyond the limit may be anything.
 */
function fill(random, draft, list, name) {
  const isDefault = DEFAULT_LIMITS[name] <= 100 && random.chance(0.1);
  const limit = isDefault ? DEFAULT_LIMITS[name] : Math.max(list.length, random.integer(1, 4));
  if (!isDefault) setLimit(draft, name, limit);
  const repeated = [...list];
  while (list.length < limit) list.push(copied(random.pick(repeated)));
  const beyond = random.times(excess(random), () => (random.chance(0.7) ? copied(random.pick(repeated)) : random.pick(NO_ELEMENT)));
  // A fault before the limit comes first.
  if (beyond.length > 0 && random.chance(0.1)) list[random.integer(0, limit - 1)] = random.pick(NO_ELEMENT);
  list.push(...beyond);
}

const copied = (element) => (typeof element === "object" ? { ...element } : element);

/** Any characters; those above U+FFFF are two units. */
function branchOf(random, units) {
  let branch = "";
  while (branch.length < units) branch += random.pick(["x", "ข", "า", "/", '"', "\u0000", "😀", "🥭", "\ud83d"]);
  return branch.length === units ? branch : branch.slice(0, units);
}

export const LIMITS = {
  "too many products"(random, draft) {
    fill(random, draft, draft.order.productList, "maxProducts");
  },
  "too many vouchers"(random, draft) {
    addVouchers(random, draft);
    fill(random, draft, draft.order.voucherId, "maxVouchers");
  },
  "too many coupon codes"(random, draft) {
    addCoupons(random, draft);
    fill(random, draft, draft.order.couponCodeList, "maxCoupons");
  },
  "too many schedules"(random, draft) {
    if (!draft.order.shipping?.scheduleList?.length) deliver(random, draft, "NATIONWIDE");
    fill(random, draft, draft.order.shipping.scheduleList, "maxSchedules");
  },
  "branch too long"(random, { order, host }) {
    order.branchId = branchOf(random, MAX_BRANCH_UNITS + excess(random));
    for (const [key, record] of Object.entries(host.prices)) host.prices[key.split("/")[0]] ??= record;
  },
  "too many bytes"(random, draft) {
    setLimit(draft, "maxBodyBytes", random.integer(1, 400));
  },
};
