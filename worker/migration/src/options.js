// The shadow Worker's variables: their names, their defaults, and what they may be.
import {
  byRoute,
  capturesPerDay,
  flag,
  integer,
  isSet,
  MOST_CAPTURES,
  NO_REDACT_KEY,
  readVariables,
  redactKey,
  refuseMisspelt,
  share,
  url,
} from "../../src/options/index.js";

const SIDES = ["legacy", "new"];

/** The longest delay of a timer. */
const MOST_MS = 2 ** 31 - 1;
const MOST_BYTES = 2 ** 32 - 1;

/** @type {Record<string, import("../../src/options/variables.js").Variable>} */
const VARIABLES = {
  /**
   * A secret if it holds a key: the `http(s)` URL of the old service. An order's path and query follow it. The Worker does
   * not start without it.
   */
  LEGACY_URL: [undefined, address],
  /**
   * Who answers, by route: `calculatecost2=legacy,calculatecost4=new`. A route that is not named is the old service's, and so
   * is every other path.
   * @default `legacy`
   */
  SERVE: [{}, sides],
  /** The share of orders that are compared, from 0 to 1. */
  SHADOW_SHARE: [0.05, share],
  /**
   * `0`: orders with coupon codes are not compared. Set it if your coupon service reserves codes, because it would be asked
   * twice.
   */
  SHADOW_COUPONS: [true, flag],
  /** The most captures in a day (UTC), 10,000 or less. 0: none. */
  CAPTURE_PER_DAY: [MOST_CAPTURES, capturesPerDay],
  /**
   * A secret of 32 characters or more: makes the hashes of ids in captures. With the binding `CAPTURE` the Worker does not
   * start without it.
   */
  REDACT_KEY: [undefined, redactKey],
  /**
   * How many milliseconds the body of an order that is compared may take to arrive. 0: no deadline. Later the order fails as
   * the pricing Worker fails it.
   */
  ORDER_DEADLINE_MS: [10_000, integer(0, MOST_MS)],
  /** A longer order, in bytes, is passed on and not compared. */
  MAX_BODY_BYTES: [1_048_576, integer(1, MOST_BYTES)],
};

/** The bindings, and what each is for. */
const BINDINGS = {
  /** A service: the entrypoint `Capture` of the pricing Worker. Only Workers that are bound to it reach it. */
  NEW: "services",
  /** An R2 bucket: where captures go. Without it there are none. */
  CAPTURE: "r2_buckets",
};

/** An address may have a key in it. */
const SECRET = new Set(["LEGACY_URL", "REDACT_KEY"]);

/**
 * Reads and checks the variables, and the bindings that they need. A missing or empty variable means the default.
 * @param {Record<string, unknown>} env
 */
export function readOptions(env) {
  refuseMisspelt(env, [...Object.keys(VARIABLES), ...Object.keys(BINDINGS)]);
  const values = readVariables(env, VARIABLES);
  if (!isSet(env, "LEGACY_URL")) throw new Error("Variable LEGACY_URL is missing: expected the address of the old service");
  if (!env.NEW) throw new Error("Binding NEW is missing: bind it to the entrypoint Capture of the pricing Worker");
  if (env.CAPTURE && !isSet(env, "REDACT_KEY")) throw new Error(NO_REDACT_KEY);
  return {
    legacyUrl: values.LEGACY_URL,
    serve: values.SERVE,
    share: values.SHADOW_SHARE,
    comparesCoupons: values.SHADOW_COUPONS,
    orderDeadlineMs: values.ORDER_DEADLINE_MS,
    maxBodyBytes: values.MAX_BODY_BYTES,
    capturesPerDay: values.CAPTURE_PER_DAY,
    redactKey: values.REDACT_KEY,
  };
}

/**
 * The variables in force, for the log. Of a secret only whether it is set.
 * @param {Record<string, unknown>} env
 */
export function shownOptions(env) {
  const shown = ([name, value]) => [name, SECRET.has(name) ? isSet(env, name) : value];
  return Object.fromEntries(Object.entries(readVariables(env, VARIABLES)).map(shown));
}

/** The names of all variables, and what holds when they are not set. */
export const defaults = () => Object.fromEntries(Object.entries(VARIABLES).map(([name, [value]]) => [name, value]));

/**
 * An order's own path and query follow it.
 * @param {string} text
 * @param {string} name
 */
export function address(text, name) {
  const { search, hash } = new URL(url(text, name));
  if (search === "" && hash === "") return text;
  throw new Error(`Variable ${name}: expected a URL without a query`);
}

/**
 * By route: who answers.
 * @param {string} text
 * @param {string} name
 */
function sides(text, name) {
  return byRoute(text, name, SIDES);
}
