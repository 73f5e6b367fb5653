// The shadow Worker's variables: their names, their defaults, and what they may be.
import { MOST_CAPTURES, NO_REDACT_KEY, capturesPerDay, redactKey } from "../../src/captures/variables.js";
import { byRoute, flag, integer, isSet, parsed, readVariables, refuseMisspelt, share, url } from "../../src/variables.js";

const SIDES = ["legacy", "new"];

/** The longest delay of a timer. */
const MOST_MS = 2 ** 31 - 1;
const MOST_BYTES = 2 ** 32 - 1;

/** Each variable's default and how its text is read. */
const VARIABLES = {
  LEGACY_URL: [undefined, address],
  SERVE: [{}, sides],
  SHADOW_SHARE: [0.05, share],
  SHADOW_COUPONS: [true, flag],
  CAPTURE_PER_DAY: [MOST_CAPTURES, capturesPerDay],
  REDACT_KEY: [undefined, redactKey],
  ORDER_DEADLINE_MS: [10_000, integer(0, MOST_MS)],
  MAX_BODY_BYTES: [1_048_576, integer(1, MOST_BYTES)],
};

/** An address may have a key in it. */
const SECRET = new Set(["LEGACY_URL", "REDACT_KEY"]);

/**
 * Reads and checks the variables, and the bindings that they need. A missing or empty variable means the default.
 * @param {Record<string, unknown>} env
 */
export function readOptions(env) {
  refuseMisspelt(env, [...Object.keys(VARIABLES), "CAPTURE"]);
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

/** An order's own path and query follow it. */
function address(text, name) {
  const { search, hash } = parsed(url(text, name));
  if (search === "" && hash === "") return text;
  throw new Error(`Variable ${name}: expected a URL without a query`);
}

/** By route: who answers. */
function sides(text, name) {
  return byRoute(text, name, SIDES);
}
