// The coupon service's captured answers. It is not asked again: what it would say of another order, nobody knows.

/**
 * The `coupons` of a host: a list's answer to the equal request, otherwise its first one; an answer alone as it is.
 * @param {import("../files/facts-file.js").TextFacts["coupons"]} coupons
 */
export function couponsOf(coupons) {
  if (!Array.isArray(coupons) || coupons.length === 0) return coupons;
  if (coupons.length === 1) return coupons[0].answer;
  return (question) => (coupons.find(({ request }) => request === undefined || isEqual(request, question)) ?? coupons[0]).answer;
}

/**
 * Whether an order asks something that it has not asked before. A service captures what was asked; other captures are
 * compared with what this package asks of the order as it was.
 * @param {Parameters<typeof couponsOf>[0]} coupons
 * @param {object | undefined} asked
 * @param {object | undefined} question
 */
export function isOther(coupons, asked, question) {
  if (question === undefined) return false;
  const requests = Array.isArray(coupons) && coupons.length > 0 ? coupons.map(({ request }) => request ?? asked) : [asked];
  return !requests.some((request) => isEqual(request, question));
}

/** Whether two values that came from JSON are equal, in whatever sequence their members stand. */
function isEqual(left, right) {
  if (left === right) return true;
  if (!hasParts(left) || !hasParts(right) || Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  );
}

const hasParts = (value) => typeof value === "object" && value !== null;
