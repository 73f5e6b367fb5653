// The error of what has to fail.
import assert from "node:assert/strict";
import { PricingError } from "order-cost";

/** Why a promise is rejected. */
export const reasonOf = (promise) =>
  promise.then(
    () => assert.fail("it should have failed"),
    (reason) => reason,
  );

export const errorOf = async (promise) => checked(await reasonOf(promise));

export function thrown(run) {
  try {
    run();
  } catch (error) {
    return checked(error);
  }
  return assert.fail("nothing was thrown");
}

function checked(error) {
  assert.ok(error instanceof PricingError, `${error?.stack ?? error}`);
  return error;
}
