// Asks a host what a calculation wants to know. It imports nothing: the crate's own tests ask their hosts with it, too.

/** The host's function of each slot: the places of `Lookup::ALL` in src/lookup.rs. */
const FUNCTIONS = ["lookupPrices", "nationwideRate", "nationwideRate", "nationwideRate", "lookupVouchers", "validateCoupons"];
const PRICES = 0;
const RATES = { DRY: 1, FRESH: 2, MIX: 3 };
const VOUCHERS = 4;
const COUPONS = 5;

/** A host may price other orders from inside its functions, but not without end: the stack is everybody's. */
export const MOST_NESTED = 32;
let nested = 0;

const decoder = new TextDecoder();

/**
 * A question of a wave, and then what came of it: a `value`, or what was `thrown`, or that the function `isMissing`.
 * `keys` is how many records a list look-up owes, 0 for the others.
 *
 * @typedef {{ slot: number, argument: unknown, keys: number, value?: unknown, thrown?: { cause: unknown }, isMissing?: boolean }} Call
 */

/**
 * What is asked before the coupons.
 *
 * @param {string} questions as `Job.questions` gives them
 * @param {Float64Array} cprcodes
 * @returns {Call[]}
 */
export function firstWave(questions, cprcodes) {
  const { branchId, shippingPostcode, nationwideModes, voucherIds } = JSON.parse(questions);
  const wave = [];
  if (cprcodes.length > 0) wave.push({ slot: PRICES, argument: priceKeys(cprcodes, branchId), keys: cprcodes.length });
  for (const nationwideMode of nationwideModes) {
    wave.push({ slot: RATES[nationwideMode], argument: { shippingPostcode, nationwideMode }, keys: 0 });
  }
  if (voucherIds.length > 0) wave.push({ slot: VOUCHERS, argument: voucherIds, keys: voucherIds.length });
  return wave;
}

function priceKeys(cprcodes, branchId) {
  const keys = [];
  for (const cprcode of cprcodes) {
    const short = cprcode | 0;
    // What V8 keeps as an integer it finds in a host's Map in half the time.
    keys.push({ cprcode: short === cprcode ? short : cprcode, branchId });
  }
  return keys;
}

/**
 * What the coupon service is asked. Most hosts read a few fields: the products are parsed when they are first looked at.
 *
 * @param {string} head the request without its products
 * @param {Uint8Array} rows a copy
 * @returns {Call[]}
 */
export function couponWave(head, rows) {
  const request = JSON.parse(head);
  let products;
  const argument = {
    ...request,
    orderDate: finite(request.orderDate),
    get productList() {
      return (products ??= JSON.parse(decoder.decode(rows)));
    },
    set productList(value) {
      products = value;
    },
  };
  return [{ slot: COUPONS, argument, keys: 0 }];
}

/** The nearest double of what lies beyond them all: an infinity would reach a service as null. */
const finite = (number) => Math.max(-Number.MAX_VALUE, Math.min(number, Number.MAX_VALUE));

/**
 * Calls every function of a wave, before any answer is read.
 *
 * @param {object} host
 * @param {Call[]} wave
 * @param {object} context
 */
export function ask(host, wave, context) {
  for (const call of wave) {
    try {
      const callback = host?.[FUNCTIONS[call.slot]];
      if (typeof callback === "function") call.value = Reflect.apply(callback, host, [call.argument, context]);
      else call.isMissing = true;
    } catch (cause) {
      call.thrown = { cause };
    }
  }
}

/** Runs code of a host, which may begin another calculation. */
export function inHost(run) {
  nested += 1;
  try {
    return run();
  } finally {
    nested -= 1;
  }
}

/** Whether a function of a host is at work. */
export const isNested = () => nested > 0;

/** Whether callbacks have started calculations from inside one another as deep as is allowed. */
export const isNestedDeep = () => nested >= MOST_NESTED;

/** Undefined for what is no promise. Never the host's own: whatever its methods do, this settles once, and not at once. */
export function asPromise(value) {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return undefined;
  let then;
  try {
    then = value.then;
  } catch (thrown) {
    then = (_, reject) => reject(thrown);
  }
  if (typeof then !== "function") return undefined;
  const promise = new Promise((resolve, reject) => {
    const follow = () => Reflect.apply(then, value, [resolve, reject]);
    queueMicrotask(() => attempt(follow, reject));
  });
  // Mark as handled: after an earlier failure nobody awaits it (D42).
  promise.catch(() => {});
  return promise;
}

function attempt(run, reject) {
  try {
    run();
  } catch (thrown) {
    reject(thrown);
  }
}

/** D41: an Error's message or the thrown string itself; undefined where that says nothing. */
export function messageOf(thrown) {
  try {
    const message = isError(thrown) ? thrown.message : thrown;
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** `instanceof` misses an Error that was made in another realm. */
function isError(thrown) {
  if (thrown instanceof Error) return true;
  if (typeof thrown !== "object" || thrown === null) return false;
  return ["name", "message", "stack"].every((key) => typeof thrown[key] === "string");
}
