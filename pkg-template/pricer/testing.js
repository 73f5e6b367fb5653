import { hides, NOT_PLAIN, priceKey, rateKey } from "../core/index.js";
import { LOOK_UPS } from "../order-fields.js";
import { isObject, jsonText } from "../shared/index.js";
import { BY_ID, FACT_TABLES, keyFault, nameFault } from "./fact-keys.js";

/** A host that answers from facts, for test suites. See testing.d.ts. */
export function hostFromFacts(facts) {
  refuseWrongFacts(facts);
  const { prices = {}, rates = {}, coupons } = facts;
  const calls = [];
  const called = (name, argument) => calls.push({ name, argument });
  return {
    calls,

    lookupPrices(keys) {
      called("lookupPrices", keys);
      return keys.map((key) => {
        const ofBranch = priceKey(key);
        return own(prices, Object.hasOwn(prices, ofBranch) ? ofBranch : `${key.cprcode}`);
      });
    },

    nationwideRate(query) {
      called("nationwideRate", query);
      const { nationwideMode } = query;
      const rate = own(rates, Object.hasOwn(rates, rateKey(query)) ? rateKey(query) : nationwideMode);
      if (rate === undefined) throw new Error(`No rate for ${nationwideMode}`);
      return rate;
    },

    validateCoupons(request) {
      called("validateCoupons", request);
      if (typeof coupons === "function") return coupons(request);
      if (isAnswerList(coupons)) return answerTo(request, coupons);
      return coupons ?? { discounts: [], failedCoupons: request.couponCodeList };
    },

    ...Object.fromEntries(BY_ID.map(([name, { part }]) => [name, recordsIn(name, facts[part] ?? {})])),
  };

  function recordsIn(name, table) {
    return (ids) => {
      called(name, ids);
      return ids.map((id) => own(table, id));
    };
  }
}

function refuseWrongFacts(facts) {
  const refuse = (place, fault) => {
    throw new Error(`Invalid facts: ${place}${fault}`);
  };
  if (!isObject(facts)) refuse("", "expected an object");
  for (const [name, part] of Object.entries(facts)) {
    const fault = nameFault(name);
    if (fault) refuse(`${name}: `, fault);
    if (part === undefined || !FACT_TABLES.includes(name)) continue;
    if (!isObject(part)) refuse(`${name}: `, "expected an object");
    if (hides(part)) refuse(`${name}: `, NOT_PLAIN);
    for (const key of Object.keys(part)) {
      const fault = keyFault(name, key);
      if (fault) refuse(`${name}[${JSON.stringify(key)}]: `, fault);
    }
  }
}

/** Records what a host answers, as facts. See testing.d.ts. */
export function recordingHost(host) {
  const facts = {};
  const recording = { facts };
  for (const [name, record] of Object.entries(RECORDERS)) {
    if (typeof host[name] !== "function") continue;
    const { part } = LOOK_UPS[name];
    facts[part] = FACT_TABLES.includes(part) ? Object.create(null) : []; // A voucher id may be `__proto__`.
    recording[name] = (argument, ctx) => heard(host[name](argument, ctx), (answer) => record(facts[part], argument, answer));
  }
  return recording;
}

/** Makes a host slow and faulty. See testing.d.ts. */
export function unreliable(host, { delayMs = 0, failures = 0, seed = 1, ...unknown }) {
  const delays = typeof delayMs === "number" ? [delayMs, delayMs] : delayMs;
  refuseWrongOptions({ delays, failures, seed, unknown });
  const wrapped = {};
  for (const [index, name] of Object.keys(RECORDERS).entries()) {
    if (typeof host[name] !== "function") continue;
    // A seed for each function: what it does must not depend on when the others are called.
    const random = randomNumbers(Math.imul(seed, 4) + index);
    wrapped[name] = unreliably({ host, name, delays, failures, seed, random });
  }
  return wrapped;
}

function refuseWrongOptions({ delays, failures, seed, unknown }) {
  const check = (isRight, option, fault) => {
    if (!isRight) throw new Error(`Invalid options: ${option}: ${fault}`);
  };
  for (const name of Object.keys(unknown)) check(false, name, "unknown, expected delayMs, failures or seed");
  const isRange = Array.isArray(delays) && delays.length === 2 && delays.every(isMs) && delays[0] <= delays[1];
  check(isRange, "delayMs", "expected milliseconds, or [least, most]");
  check(typeof failures === "number" && failures >= 0 && failures <= 1, "failures", "expected a number from 0 to 1");
  check(Number.isSafeInteger(seed), "seed", "expected an integer");
}

/** What setTimeout can wait: beyond that it does not wait at all. */
const isMs = (ms) => typeof ms === "number" && ms >= 0 && ms < 2 ** 31;

function unreliably({ host, name, delays: [least, most], failures, seed, random }) {
  let calls = 0;
  return async (argument, ctx) => {
    const call = (calls += 1);
    const [delay, luck] = [random(), random()];
    await pause(least + delay * (most - least), ctx?.signal);
    if (luck < failures) throw new Error(`${name} failed on purpose (call ${call}, seed ${seed})`);
    return host[name](argument, ctx);
  };
}

/** Numbers from 0 to below 1, always the same ones for one seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Waits. Rejects at once if the signal aborts, or has aborted. */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
  });
}

/** For each function of a host: how an answer is recorded in its part of the facts. `unreliable` counts in this sequence. */
const RECORDERS = {
  lookupPrices: (prices, keys, records) => recordAll(prices, keys.map(priceKey), records),
  nationwideRate: (rates, query, rate) => (rates[rateKey(query)] = snapshot(rate)),
  validateCoupons: recordCoupons,
  ...Object.fromEntries(BY_ID.map(([name]) => [name, recordAll])),
};

/** Reads own properties only: an id may be `constructor` or `__proto__`. */
function own(facts, key) {
  return Object.hasOwn(facts, key) ? facts[key] : undefined;
}

/** Any other list is itself the answer, a wrong one. */
const isAnswerList = (coupons) => Array.isArray(coupons) && coupons.every((entry) => isObject(entry) && "answer" in entry);

function answerTo(request, answers) {
  const text = canonical(request);
  const found = answers.find((entry) => entry.request === undefined || canonical(entry.request) === text);
  if (!found) throw new Error("No coupon answer for this request");
  return found.answer;
}

/** JSON text with sorted keys: equal values have equal texts. */
function canonical(value) {
  return JSON.stringify(value, (_key, inner) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner));
}

/** Hands an answer to a listener, now or when its promise resolves, and returns it as it is. */
function heard(answer, listen) {
  const pass = (value) => {
    listen(value);
    return value;
  };
  return typeof answer?.then === "function" ? Promise.resolve(answer).then(pass) : pass(answer);
}

/** A list of another length is a failure (D44), and has no record for each key. */
function recordAll(table, keys, records) {
  if (!Array.isArray(records) || records.length !== keys.length) return;
  keys.forEach((key, index) => (table[key] = snapshot(records[index])));
}

function recordCoupons(list, request, answer) {
  const text = canonical(request);
  const index = list.findIndex((entry) => canonical(entry.request) === text);
  list.splice(index < 0 ? list.length : index, 1, { request: JSON.parse(text), answer: snapshot(answer) });
}

/** A string as it is, anything else as its JSON text: the host may change an object later. */
function snapshot(value) {
  if (typeof value === "string") return value;
  const { text, unwritable, thrown } = jsonText(value ?? null);
  if (text === "null") return null;
  return unwritable || thrown ? value : text; // What JSON cannot hold fails again, as it did.
}
