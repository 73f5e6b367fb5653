// Asks a host a question. It imports nothing, because the crate's own tests use it, too.

/** How deep a host may price other orders from inside its functions: all of them share one stack. */
export const MOST_NESTED = 32;
let nested = 0;

const decoder = new TextDecoder();

/**
 * A question and then its outcome: the returned `value`, the `thrown` cause, or `isMissing` if the host does not have the
 * function; `promise` if the value is one. `lookup` is the host's function, and `keys` the number of records that a list
 * look-up must return, 0 for other look-ups.
 *
 * A question for the delivery zones gets three functions: `answer` gives the asker what the pricer has got, `leave` ends
 * the wait for a promise, `giveUp` lets the next order ask anew.
 *
 * While its call `isOut`, it has the `context` of the call, and perhaps the `timer` of its deadline; `since`: when
 * it began, if somebody is told of calls.
 *
 * @typedef {{ call: number, lookup: string, argument: unknown, keys: number, isOut?: boolean, context?: object, timer?: unknown, since?: number, value?: unknown, promise?: Promise<unknown>, thrown?: { cause: unknown }, isMissing?: boolean, answer?: (learner: object, call: number) => void, leave?: () => void, giveUp?: () => void }} Question
 */

/**
 * What a job or a basket asks now. Lent memory is read before the next entry, which may change it.
 *
 * @param {{ enter: (entry: string, ...values: unknown[]) => any }} asker
 * @param {boolean} withCoupons
 * @returns {Question[]}
 */
export function questionsOf(asker, withCoupons) {
  const questions = JSON.parse(decoder.decode(asker.enter("ask", withCoupons)));
  return questions.map(([call, lookup, keys, argument]) => ({ call, lookup, keys, argument: whole(asker, call, lookup, argument) }));
}

/** The whole argument of a host's function. Two have a part that the module gives in a form that is read faster. */
function whole(asker, call, lookup, argument) {
  if (lookup === "lookupPrices") return priceKeys(asker.enter("cprcodes", call), argument);
  if (lookup === "validateCoupons") return couponRequest(argument, new Uint8Array(asker.enter("couponRows")));
  return argument;
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

/** The coupon request. Most hosts read only a few fields, so the products are parsed on first use. `rows` is a copy. */
function couponRequest(head, rows) {
  const request = { ...head, orderDate: finite(head.orderDate) };
  return Object.defineProperties(request, { [unread]: { value: rows }, productList: PRODUCT_LIST });
}

/** The text of the products of a coupon request. */
const unread = Symbol("unread");

/** One accessor for all requests: see `sharedGetter`. It makes way for the products, also if the host sets them. */
const PRODUCT_LIST = {
  configurable: true,
  enumerable: true,
  get() {
    return listed(this, JSON.parse(decoder.decode(this[unread])));
  },
  set(value) {
    listed(this, value);
  },
};

function listed(request, value) {
  Reflect.defineProperty(request, "productList", { configurable: true, enumerable: true, writable: true, value });
  return value;
}

/** Limits a number to the largest double: an infinity would reach a service as null. */
const finite = (number) => Math.max(-Number.MAX_VALUE, Math.min(number, Number.MAX_VALUE));

/** Notes the promises of a batch. Before any answer is read: that may break the module, and leave the others unhandled. */
export function follow(batch) {
  for (const question of batch) if ("value" in question) question.promise = asPromise(question.value);
}

/** Calls one function, and notes its outcome in `question`. */
export function invoke(host, question, context, zones) {
  const { lookup, argument } = question;
  if (lookup === "deliveryZones") return zones.ask(question);
  try {
    const callback = host?.[lookup];
    if (typeof callback === "function") question.value = Reflect.apply(callback, host, [argument, context]);
    else question.isMissing = true;
  } catch (cause) {
    question.thrown = { cause };
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
