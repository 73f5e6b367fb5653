/**
 * The `error` of a coupon answer as text. It is passed on to the client with status 200 (D26), so only the log tells an
 * operator. Undefined if there is none or it is empty.
 * @param {string} answer
 */
export function couponErrorOf(answer) {
  // Most answers have none, or `{}`: they need no parsing.
  const rest = answer.replaceAll(/"error"\s*:\s*\{\s*\}/g, "");
  if (!rest.includes('"error"') && !rest.includes("\\u")) return undefined; // a key may be written with escapes
  try {
    const { error } = JSON.parse(answer);
    return isEmpty(error) ? undefined : JSON.stringify(error);
  } catch {
    return undefined; // the pricer refuses it
  }
}

const isEmpty = (error) =>
  error === undefined || error === null || error === "" || (typeof error === "object" && Object.keys(error).length === 0);
