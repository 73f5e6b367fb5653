import { cut, log } from "../log/index.js";

const MULTIPLIERS = /"percentageDiscount"\s*:\s*(\d[^\s,}\]]*)/g;

/**
 * Makes the function that tells operators, once, of a `percentageDiscount` above 1: 0.1 is 10 %, so that a service which
 * answers 10 most likely means 10 %. Where a policy folds it, the order fails besides (D26).
 * @returns {(answer: string) => void}
 */
export function createMultiplierNote() {
  let isTold = false;
  return (answer) => {
    if (isTold) return;
    const large = [...answer.matchAll(MULTIPLIERS)].find(([, number]) => Number(number) > 1);
    if (!large) return;
    isTold = true;
    const [, number] = large;
    log("warn", "coupons", { message: cut(`The coupon service answered a percentageDiscount of ${number}: 1 is 100 %, 0.1 is 10 %`) });
  };
}
