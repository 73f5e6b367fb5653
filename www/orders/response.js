/**
 * The text that a server would answer for the basket as it is: the exact response, or the error.
 * @param {import("order-cost").Basket} basket
 */
export function responseOf(basket) {
  try {
    return new TextDecoder().decode(basket.responseJson());
  } catch (error) {
    return JSON.stringify(error);
  }
}
