// What the Workers' variables have in common: how a text is read, and what stops the start.
import { areNear } from "order-cost/internal";

/**
 * A variable: its default, how its text is read, and what its silence would do: open a door, or change a price. A slip in its
 * name then stops the start. Near the others it is a warning: the environment is everybody's.
 * @typedef {[value: unknown, parse: (text: string, name: string) => unknown, silence?: "door" | "price"]} Variable
 */

/** A name near one of ours is a slip: as it stands, it would change nothing. Short names are near many: HOME is near HOST. */
const LEAST_LETTERS = 5;

/**
 * The value of each variable. One that is missing or blank has its default.
 * @param {Record<string, unknown>} env
 * @param {Record<string, Variable>} variables
 */
export function readVariables(env, variables) {
  /** @param {[string, Variable]} variable */
  const read = ([name, [value, parse]]) => [name, isSet(env, name) ? parse(textOf(env, name).trim(), name) : value];
  return Object.fromEntries(Object.entries(variables).map(read));
}

/**
 * Throws if a name in the environment is almost one of ours.
 * @param {Record<string, unknown>} env
 * @param {string[]} names
 * @param {string[]} [refused] those near which a name is refused
 */
export function refuseMisspelt(env, names, refused = names) {
  const slip = slipsIn(env, names).find(({ near }) => near.some((known) => refused.includes(known)));
  if (slip)
    throw new Error(
      sentenceOf(
        slip.name,
        slip.near.find((known) => refused.includes(known)),
      ),
    );
}

/** A sentence for each name that is almost one of ours. */
export const misspelt = (env, names) => slipsIn(env, names).map(({ name, near }) => sentenceOf(name, near[0]));

const sentenceOf = (name, meant) => `Variable ${name} is unknown: did you mean ${meant}?`;

/** The names that are almost ours, and which of ours they are near. */
function slipsIn(env, names) {
  const isNear = (name, known) => known.length >= LEAST_LETTERS && areNear(known, name.toUpperCase());
  const others = Object.keys(env).filter((name) => !names.includes(name));
  return others.map((name) => ({ name, near: names.filter((known) => isNear(name, known)) })).filter(({ near }) => near.length > 0);
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
  const { protocol = "", username, password } = parsed(text) ?? {};
  const isOne = /^https?:$/.test(protocol) && username === "" && password === "";
  if (isOne) return text;
  throw new Error(`Variable ${name}: expected an http or https URL without a user or password`);
}

export const parsed = (text) => (URL.canParse(text) ? new URL(text) : undefined);

export function refuse(name, expected, text) {
  throw new Error(`Variable ${name}: expected ${expected}, got ${JSON.stringify(text)}`);
}
