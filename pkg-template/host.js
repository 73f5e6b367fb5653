// Asks a host the questions of a calculation. It imports nothing, because the crate's own tests use it, too.

/** The host's function for each slot. A slot is an index of `Lookup::ALL` in src/lookup.rs; the last is `ZONES`. */
export const FUNCTIONS = ["lookupPrices", "nationwideRate", "nationwideRate", "nationwideRate", "lookupVouchers", "validateCoupons"];
const PRICES = 0;
const RATES = { DRY: 1, FRESH: 2, MIX: 3 };
const VOUCHERS = 4;
const COUPONS = 5;
const ZONES = 6;

/** How deep a host may price other orders from inside its functions: all of them share one stack. */
export const MOST_NESTED = 32;
let nested = 0;

const decoder = new TextDecoder();

/**
 * A question of a wave and then its outcome: the returned `value`, the `thrown` cause, or `isMissing` if the host does
 * not have the function; `promise` if the value is one. `keys` is the number of records that a list look-up must return, 0 for other look-ups.
 *
 * A question for the delivery zones gets three functions: `answer` gives a job what the pricer has got, `leave` ends the
 * wait for a promise, `giveUp` lets the next order ask anew.
 *
 * @typedef {{ slot: number, argument: unknown, keys: number, value?: unknown, promise?: Promise<unknown>, thrown?: { cause: unknown }, isMissing?: boolean, answer?: (job: object, slot: number) => void, leave?: () => void, giveUp?: () => void }} Call
 */

/**
 * The questions that come before the coupons.
 *
 * @param {string} questions as `Job.questions` gives them
 * @param {Float64Array} cprcodes
 * @returns {Call[]}
 */
export function firstWave(questions, cprcodes) {
  const { branchId, shippingPostcode, nationwideModes, voucherIds, needsZones } = JSON.parse(questions);
  const wave = [];
  if (cprcodes.length > 0) wave.push({ slot: PRICES, argument: priceKeys(cprcodes, branchId), keys: cprcodes.length });
  for (const nationwideMode of nationwideModes) {
    wave.push({ slot: RATES[nationwideMode], argument: { shippingPostcode, nationwideMode }, keys: 0 });
  }
  if (voucherIds.length > 0) wave.push({ slot: VOUCHERS, argument: voucherIds, keys: voucherIds.length });
  if (needsZones) wave.push({ slot: ZONES, argument: null, keys: 0 });
  return wave;
}

function priceKeys(cprcodes, branchId) {
  const keys = [];
  for (const cprcode of cprcodes) {
    const short = cprcode | 0;
    // An integer key instead of a double: V8 finds it in a host's Map in half the time.
    keys.push({ cprcode: short === cprcode ? short : cprcode, branchId });
  }
  return keys;
}

/**
 * The question for the coupon service. Most hosts read only a few fields, so the products are parsed on first use.
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

/** Limits a number to the largest double: an infinity would reach a service as null. */
const finite = (number) => Math.max(-Number.MAX_VALUE, Math.min(number, Number.MAX_VALUE));

/**
 * Calls every function of a wave before it reads any answer.
 *
 * @param {object} host
 * @param {Call[]} wave
 * @param {object} context
 * @param {import("./zones.js").ZonesQuestion} [zones]
 */
export function ask(host, wave, context, zones) {
  for (const call of wave) invoke(host, call, context, zones);
  follow(wave);
}

/** Notes the promises of a wave. Before any answer is read: that may break the module, and leave the others unhandled. */
export function follow(wave) {
  for (const call of wave) if ("value" in call) call.promise = asPromise(call.value);
}

/** Calls one function, and notes its outcome in `call`. */
export function invoke(host, call, context, zones) {
  if (call.slot === ZONES) return zones.ask(call);
  try {
    const callback = host?.[FUNCTIONS[call.slot]];
    if (typeof callback === "function") call.value = Reflect.apply(callback, host, [call.argument, context]);
    else call.isMissing = true;
  } catch (cause) {
    call.thrown = { cause };
  }
}

/** Runs host code, which may start another calculation. */
export function inHost(run) {
  nested += 1;
  try {
    return run();
  } finally {
    nested -= 1;
  }
}

/** Whether a host function is running. */
export const isNested = () => nested > 0;

/** Whether callbacks inside callbacks have reached the allowed depth of calculations. */
export const isNestedDeep = () => nested >= MOST_NESTED;

/**
 * Our own promise, which follows the host's; undefined if the value is not a promise. It settles at most once and never
 * synchronously, whatever the methods of the host's promise do.
 */
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

/** D41: an Error's message or the thrown string itself; undefined if there is no text. */
export function messageOf(thrown) {
  try {
    const message = isError(thrown) ? thrown.message : thrown;
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a thrown value says itself that another try is in vain. */
export function isFinal(thrown) {
  try {
    return Object.hasOwn(thrown, "retryable") && thrown.retryable === false;
  } catch {
    return false; // null, undefined, or a proxy that throws
  }
}

/** Recognises an Error from another realm, too, which `instanceof` misses. Throws for null and undefined. */
function isError(thrown) {
  return thrown instanceof Error || ["name", "message", "stack"].every((key) => typeof thrown[key] === "string");
}
