// The service's variables: their names, their defaults, and what they may be.
import { INPUTS, POLICIES, variable } from "../../pkg/policies.js";
import { MOST_CAPTURES, NO_REDACT_KEY, capturesPerDay, redactKey } from "./captures/variables.js";
import { oldReceiptKeys, receiptKey, refuseSameKeys } from "./receipts/keys.js";
import { ROUTES, byRoute, flag, integer, isSet, oneOf, parsed, readVariables, refuse, refuseMisspelt, share, textOf, url } from "./variables.js";

/** The package's own limits: its timers and its memory cannot count further. */
const MOST_MS = 2 ** 31 - 1;
const MOST_COUNT = 2 ** 32 - 1;

/** Each variable's default and how its text is read. */
const VARIABLES = {
  BASE_PATH: ["/", path],
  ...Object.fromEntries(Object.entries(POLICIES).map(([name, { values }]) => [variable(name), [values[0], oneOf(...values)]])),
  INPUT: ["strict", inputs],
  DEADLINE_MS: [5000, integer(0, MOST_MS)],
  ORDER_DEADLINE_MS: [10_000, integer(0, MOST_MS)],
  MAX_BODY_BYTES: [1_048_576, integer(1, MOST_COUNT)],
  MAX_PRODUCTS: [5000, integer(1, MOST_COUNT)],
  MAX_VOUCHERS: [100, integer(0, MOST_COUNT)],
  MAX_COUPONS: [100, integer(0, MOST_COUNT)],
  MAX_SCHEDULES: [100, integer(0, MOST_COUNT)],
  DATA_REFRESH_SECONDS: [30, integer(0, MOST_COUNT)],
  DATA_MAX_AGE_SECONDS: [300, integer(0, MOST_COUNT)],
  CACHE_BYTES: [33_554_432, integer(0, MOST_COUNT)],
  RATES_CACHE_SECONDS: [60, integer(0, MOST_COUNT)],
  VOUCHERS_URL: [undefined, url],
  NATIONWIDE_URL: [undefined, url],
  COUPONS_URL: [undefined, url],
  ALLOWED_ORIGINS: [[], origins],
  API_KEYS: [[], keys],
  ALLOW_ANONYMOUS: [false, flag],
  RECEIPT_KEY: [undefined, receiptKey],
  RECEIPT_OLD_KEYS: [[], oldReceiptKeys],
  RECEIPT_SECONDS: [900, integer(1, MOST_COUNT)],
  LOG_SAMPLE: [0.01, share],
  LOG_SERVICE_TEXT: [false, flag],
  DECISION_SAMPLE: [0, share],
  DECISIONS_PER_DAY: [MOST_CAPTURES, capturesPerDay],
  REDACT_KEY: [undefined, redactKey],
};

/** Variables that hold a secret, or may: an address can have a key in it. */
const SECRET = new Set(["API_KEYS", "RECEIPT_KEY", "VOUCHERS_URL", "NATIONWIDE_URL", "COUPONS_URL", "CATALOGUE_URL", "REDACT_KEY"]);

/**
 * Reads and checks the service's variables. A missing or empty variable means the default.
 * @param {Record<string, unknown>} env
 * @param {typeof VARIABLES} [ofPlatform] those of the platform
 */
export function readOptions(env, ofPlatform) {
  const values = checkVariables(env, ofPlatform);
  refuseHalfDecisions(env, values, ofPlatform);
  const limits = {
    maxBodyBytes: values.MAX_BODY_BYTES,
    maxProducts: values.MAX_PRODUCTS,
    maxVouchers: values.MAX_VOUCHERS,
    maxCoupons: values.MAX_COUPONS,
    maxSchedules: values.MAX_SCHEDULES,
  };
  return {
    basePath: values.BASE_PATH,
    routes: { basePath: values.BASE_PATH, maxBodyBytes: limits.maxBodyBytes, deadlineMs: values.ORDER_DEADLINE_MS, input: ofEachRoute(values.INPUT) },
    pricer: {
      policy: Object.fromEntries(Object.keys(POLICIES).map((name) => [name, values[variable(name)]])),
      deadlineMs: values.DEADLINE_MS,
      limits,
    },
    services: {
      vouchersUrl: values.VOUCHERS_URL,
      nationwideUrl: values.NATIONWIDE_URL,
      couponsUrl: values.COUPONS_URL,
      logText: values.LOG_SERVICE_TEXT,
      ratesKeepMs: 1000 * values.RATES_CACHE_SECONDS,
    },
    data: {
      refreshMs: 1000 * values.DATA_REFRESH_SECONDS,
      maxAgeMs: 1000 * values.DATA_MAX_AGE_SECONDS,
      cacheBytes: values.CACHE_BYTES,
      deadlineMs: values.DEADLINE_MS,
    },
    receipts: { key: values.RECEIPT_KEY, oldKeys: values.RECEIPT_OLD_KEYS, seconds: values.RECEIPT_SECONDS },
    access: { allowedOrigins: values.ALLOWED_ORIGINS, apiKeys: values.API_KEYS },
    logSample: values.LOG_SAMPLE,
    decisions: { sample: values.DECISION_SAMPLE, perDay: values.DECISIONS_PER_DAY, redactKey: values.REDACT_KEY },
  };
}

/** The values of variables that are right, each by itself. */
export function checkVariables(env, ofPlatform) {
  refuseMisspelt(env, [...Object.keys({ ...VARIABLES, ...ofPlatform }), "DECISIONS"]);
  return readValues(env, ofPlatform);
}

/** Captures go to a bucket, or to a folder where the platform has files. */
function refuseHalfDecisions({ DECISIONS }, { DECISIONS_DIR, DECISION_SAMPLE, REDACT_KEY }, ofPlatform) {
  const isInFolder = ofPlatform?.DECISIONS_DIR !== undefined;
  if (isInFolder && DECISIONS) throw new Error("Variable DECISIONS is unknown: did you mean DECISIONS_DIR?");
  const isLogged = Boolean(isInFolder ? DECISIONS_DIR : DECISIONS);
  if (isLogged && REDACT_KEY === undefined) throw new Error(NO_REDACT_KEY);
  if (isLogged || DECISION_SAMPLE === 0) return;
  throw new Error("Variable DECISION_SAMPLE: expected a store for the captures, the binding DECISIONS or a folder DECISIONS_DIR");
}

/**
 * The variables in force, for the log. Of a secret only whether it is set.
 * @param {Record<string, unknown>} env
 */
export function shownOptions(env, ofPlatform) {
  const shown = ([name, value]) => [name, SECRET.has(name) ? isSet(env, name) : value];
  return Object.fromEntries(Object.entries(readValues(env, ofPlatform)).map(shown));
}

/** The names of all variables, and what holds when they are not set. */
export const defaults = () => Object.fromEntries(Object.entries(VARIABLES).map(([name, [value]]) => [name, value]));

function readValues(env, ofPlatform) {
  // A key that is blank, not absent, is a slip: it would leave the service open.
  if (textOf(env, "API_KEYS") !== "" && !isSet(env, "API_KEYS")) keys("", "API_KEYS");
  const values = readVariables(env, { ...VARIABLES, ...ofPlatform });
  refuseSameKeys(values.RECEIPT_KEY, values.RECEIPT_OLD_KEYS);
  return values;
}

/** Refuses a key that no request can carry, and a blank one, which would let everybody in. The text is not shown. */
function keys(text, name) {
  const list = text.split(",").map((key) => key.trim());
  if (list.every((key) => /^[\x21-\x7e]+$/.test(key))) return [...new Set(list)];
  throw new Error(`Variable ${name}: expected keys of visible ASCII characters without spaces, separated by commas`);
}

/** How orders are read (D49): `lenient`, or by route: `calculatecost2=lenient,calculatecost3=lenient`. */
function inputs(text, name) {
  return INPUTS.includes(text) ? text : byRoute(text, name, INPUTS);
}

const ofEachRoute = (one) => (typeof one === "string" ? Object.fromEntries(ROUTES.map((route) => [route, one])) : one);

function path(text, name) {
  return /[?#\s\\*]|:\/\//.test(text) ? refuse(name, "a path", text) : text;
}

function origins(text, name) {
  const isOrigin = (origin) => origin === "*" || parsed(origin)?.origin === origin;
  const list = text.split(/[\s,]+/).filter(Boolean);
  const wrong = list.find((origin) => !isOrigin(origin));
  return wrong === undefined ? list : refuse(name, "origins like https://shop.example, or *", wrong);
}
