// What the Workers' variables have in common: how a text is read, and what stops the start.
import { distance } from "fastest-levenshtein";

/** A name this close to one of ours is a slip: as it stands, it would change nothing. Short names are close to many: HOME to HOST. */
const MOST_SLIPS = 2;
const LEAST_LETTERS = 5;

/**
 * The value of each variable. One that is missing or blank has its default.
 * @param {Record<string, unknown>} env
 * @param {Record<string, [unknown, (text: string, name: string) => unknown]>} variables each one's default, and how its text
 *   is read
 */
export function readVariables(env, variables) {
  const read = ([name, [value, parse]]) => [name, isSet(env, name) ? parse(textOf(env, name).trim(), name) : value];
  return Object.fromEntries(Object.entries(variables).map(read));
}

/**
 * Throws if a name in the environment is almost one of ours.
 * @param {Record<string, unknown>} env
 * @param {string[]} names
 */
export function refuseMisspelt(env, names) {
  for (const name of Object.keys(env)) {
    if (names.includes(name)) continue;
    const meant = names.find((known) => known.length >= LEAST_LETTERS && distance(name.toUpperCase(), known) <= MOST_SLIPS);
    if (meant) throw new Error(`Variable ${name} is unknown: did you mean ${meant}?`);
  }
}

export const textOf = (env, name) => String(env[name] ?? "");

export const isSet = (env, name) => textOf(env, name).trim() !== "";

export function integer(least, most) {
  return (text, name) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least) refuse(name, `an integer of ${least} or more`, text);
    return value <= most ? value : refuse(name, `an integer of at most ${most}`, text);
  };
}

export function share(text, name) {
  const value = Number(text);
  return value >= 0 && value <= 1 ? value : refuse(name, "a number from 0 to 1", text);
}

export function oneOf(...choices) {
  return (text, name) => (choices.includes(text) ? text : refuse(name, `one of ${choices.join(", ")}`, text));
}

export const ROUTES = ["calculatecost2", "calculatecost3", "calculatecost4"];

/** By route: one of these. */
export function byRoute(text, name, choices) {
  const [one, other] = choices;
  const entries = text.split(",").map((entry) => entry.split("=").map((part) => part.trim()));
  const unknown = entries.find(([route]) => !ROUTES.includes(route));
  if (unknown) refuse(name, `entries like calculatecost4=${other}, of the routes ${ROUTES.join(", ")}`, unknown[0]);
  const wrong = entries.find(([, choice, ...rest]) => !choices.includes(choice) || rest.length > 0);
  if (wrong) refuse(name, `${choices.join(" or ")} for ${wrong[0]}`, wrong.slice(1).join("="));
  const isOnce = new Set(entries.map(([route]) => route)).size === entries.length;
  return isOnce ? Object.fromEntries(entries) : refuse(name, `each route once, like calculatecost3=${one},calculatecost4=${other}`, text);
}

export function flag(text, name) {
  return oneOf("0", "1")(text, name) === "1";
}

/** The platform would silently drop a user and a password. The text is not shown: it may hold one, or a key. */
export function url(text, name) {
  const { protocol, username, password } = parsed(text) ?? {};
  const isOne = /^https?:$/.test(protocol) && username === "" && password === "";
  if (isOne) return text;
  throw new Error(`Variable ${name}: expected an http or https URL without a user or password`);
}

export const parsed = (text) => (URL.canParse(text) ? new URL(text) : undefined);

export function refuse(name, expected, text) {
  throw new Error(`Variable ${name}: expected ${expected}, got ${JSON.stringify(text)}`);
}
