// The service's variables: their names, their defaults, and what they may be.
import { BY_ID, INPUTS, LIMITS, POLICIES, variable } from "order-cost/internal";
import { oldReceiptKeys, receiptKey, refuseSameKeys } from "../receipts/index.js";
import { capturesPerDay, MOST_CAPTURES, NO_REDACT_KEY, redactKey } from "./capture-variables.js";
import {
  byRoute,
  flag,
  integer,
  isSet,
  misspelt,
  oneOf,
  parsed,
  ROUTES,
  readVariables,
  refuse,
  refuseMisspelt,
  share,
  textOf,
  url,
} from "./variables.js";

/** The package's own limits: its timers and its memory cannot count further. */
const MOST_MS = 2 ** 31 - 1;
const MOST_COUNT = 2 ** 32 - 1;

/** @typedef {import("./variables.js").Variable} Variable */

/** @type {[string, Variable][]} */
const OF_POLICIES = Object.entries(POLICIES).map(([name, { values }]) => [variable(name), [values[0], oneOf(...values), "price"]]);

/** @satisfies {Record<string, Variable>} */
const VARIABLES = {
  /** The path in front of the routes: `/shop` gives `/shop/calculatecost4`. */
  BASE_PATH: ["/", path],
  ...Object.fromEntries(OF_POLICIES),
  /**
   * How orders are read: the option [`input`](../reference/options.md). By route:
   * `calculatecost2=lenient,calculatecost3=lenient`.
   */
  INPUT: ["strict", inputs],
  /** How many milliseconds a look-up, or a look at the catalogue, may take. 0: no deadline. */
  DEADLINE_MS: [5000, integer(0, MOST_MS)],
  /** How many milliseconds a whole order may take, from the end of its headers. 0: no deadline. */
  ORDER_DEADLINE_MS: [10_000, integer(0, MOST_MS)],
  /** The largest body of a request, in bytes. 1 or more. */
  MAX_BODY_BYTES: [LIMITS.maxBodyBytes, integer(1, MOST_COUNT), "door"],
  /** The most products in an order, repeated ones included. 1 or more. */
  MAX_PRODUCTS: [LIMITS.maxProducts, integer(1, MOST_COUNT), "door"],
  /** The most vouchers in an order, repeated ones included. 0: none. */
  MAX_VOUCHERS: [LIMITS.maxVouchers, integer(0, MOST_COUNT), "door"],
  /** The most coupon codes in an order, repeated ones included. 0: none. */
  MAX_COUPONS: [LIMITS.maxCoupons, integer(0, MOST_COUNT), "door"],
  /** The most schedules in an order, repeated ones included. 0: none. */
  MAX_SCHEDULES: [LIMITS.maxSchedules, integer(0, MOST_COUNT), "door"],
  /**
   * How often an isolate, on Node a process, looks for a new version, behind its orders. KV itself may show the old one for
   * 60 seconds or more.
   */
  DATA_REFRESH_SECONDS: [30, integer(0, MOST_COUNT), "price"],
  /** The age of the last look at which an order waits for a new one. 0: each order waits. */
  DATA_MAX_AGE_SECONDS: [300, integer(0, MOST_COUNT), "price"],
  /**
   * How much of the catalogue an isolate, on Node a process, keeps. 0: nothing. On Cloudflare an isolate has 128 MB for
   * everything.
   */
  CACHE_BYTES: [33_554_432, integer(0, MOST_COUNT)],
  /** How long a nationwide rate is kept. 0: each order asks. */
  RATES_CACHE_SECONDS: [60, integer(0, MOST_COUNT), "price"],
  /** The `http(s)` URL of the voucher service, without user and password. It replaces the binding. */
  VOUCHERS_URL: [undefined, url, "price"],
  /** The same for nationwide rates. */
  NATIONWIDE_URL: [undefined, url, "price"],
  /** The same for coupons. */
  COUPONS_URL: [undefined, url, "price"],
  /** The origins whose pages may call the service (CORS), separated by commas, or `*`. */
  ALLOWED_ORIGINS: [[], origins],
  /**
   * A secret: one key, or several separated by commas, each of visible ASCII characters. Orders must carry one of them:
   * `Authorization: Bearer <key>`. The service does not start with a blank value: leave the variable out if anybody may
   * order.
   */
  API_KEYS: [[], keys, "door"],
  /** How many bits of an IPv6 address say which client it is, for a rate limit. From 1 to 128. */
  RATE_LIMIT_PREFIX: [64, integer(1, 128), "door"],
  /** `1`: `npm run preflight` accepts an environment without keys. The service itself does not use it. */
  ALLOW_ANONYMOUS: [false, flag],
  /** A secret: the Ed25519 private key that signs [receipts](../service/receipts.md), as a JWK. Without it there are none. */
  RECEIPT_KEY: [undefined, receiptKey],
  /** The public keys that `/receipt-key` lists behind the one in use: a list of JWKs, or what `/receipt-key` answered. */
  RECEIPT_OLD_KEYS: [[], oldReceiptKeys],
  /** How long a receipt holds. 1 or more. */
  RECEIPT_SECONDS: [900, integer(1, MOST_COUNT), "door"],
  /** The share of priced orders that the log has, from 0 to 1. It has every failed one. */
  LOG_SAMPLE: [0.01, share],
  /** `1`: the log shows the messages of a service, [without what the request held](../reference/log.md). */
  LOG_SERVICE_TEXT: [false, flag],
  /**
   * The share of priced orders that are [captured](../service/decision-log.md), from 0 to 1. More than 0 needs the binding
   * `DECISIONS`, on Node `DECISIONS_DIR`.
   */
  DECISION_SAMPLE: [0, share],
  /** The most captures a day, of each kind. 10,000 or less. */
  DECISIONS_PER_DAY: [MOST_CAPTURES, capturesPerDay],
  /**
   * A secret of 32 characters or more: makes the hashes of ids in captures. Needed with `DECISIONS`, on Node with
   * `DECISIONS_DIR` and by `npm run collect`.
   */
  REDACT_KEY: [undefined, redactKey],
};

/** Variables that hold a secret, or may: an address can have a key in it. */
const URLS_BY_ID = BY_ID.map(([, { part }]) => `${variable(part)}_URL`);
const SECRET = new Set(["API_KEYS", "RECEIPT_KEY", ...URLS_BY_ID, "NATIONWIDE_URL", "COUPONS_URL", "CATALOGUE_URL", "REDACT_KEY"]);

/**
 * Reads and checks the service's variables. A missing or empty variable means the default.
 * @param {Record<string, unknown>} env
 * @param {Record<string, Variable>} [ofPlatform] those of the platform
 */
export function readOptions(env, ofPlatform) {
  const variables = { ...VARIABLES, ...ofPlatform };
  refuseMisspelt(
    env,
    namesOf(ofPlatform),
    Object.keys(variables).filter((name) => variables[name][2]),
  );
  const values = readValues(env, ofPlatform);
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
    routes: {
      basePath: values.BASE_PATH,
      maxBodyBytes: limits.maxBodyBytes,
      deadlineMs: values.ORDER_DEADLINE_MS,
      input: ofEachRoute(values.INPUT),
    },
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
    access: {
      allowedOrigins: values.ALLOWED_ORIGINS,
      apiKeys: values.API_KEYS,
      deadlineMs: values.ORDER_DEADLINE_MS,
      ipv6Prefix: values.RATE_LIMIT_PREFIX,
    },
    logSample: values.LOG_SAMPLE,
    decisions: { sample: values.DECISION_SAMPLE, perDay: values.DECISIONS_PER_DAY, redactKey: values.REDACT_KEY },
  };
}

/** Throws if a variable is wrong by itself, or a name almost one of ours: a file of ours holds nobody else's. */
export function checkVariables(env) {
  refuseMisspelt(env, namesOf());
  readValues(env);
}

/** What is odd, and stops nothing. */
export const warnings = (env, ofPlatform) => misspelt(env, namesOf(ofPlatform));

const namesOf = (ofPlatform) => [...Object.keys({ ...VARIABLES, ...ofPlatform }), "DECISIONS"];

/**
 * Captures go to a bucket, or to a folder where the platform has files.
 * @param {Record<string, unknown>} env
 */
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

/** What the silence of each variable would do. */
export const silences = () => Object.fromEntries(Object.entries(VARIABLES).map(([name, [, , silence]]) => [name, silence]));

/** @typedef {{ [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name][0] }} Defaults */

/** The names of all variables, and what holds when they are not set. */
export const defaults = () =>
  /** @type {Defaults} */ (Object.fromEntries(Object.entries(VARIABLES).map(([name, [value]]) => [name, value])));

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
