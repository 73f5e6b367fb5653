// The variables of an environment, by the Worker's own rules, and its secrets.
import { isPlaceholder } from "../data/store/index.js";
import { checkVariables, NO_REDACT_KEY } from "../src/options/index.js";
import { isFilled } from "./bindings.js";

/**
 * @param {Record<string, unknown>} vars
 * @param {string} env
 * @returns {string[]}
 */
export function variableFaults(vars, env) {
  return Object.entries(vars).flatMap(([name, value]) => variableFault(name, value, env));
}

function variableFault(name, value, env) {
  if (!isFilled(value)) return reason({ [name]: value }); // the name may be wrong
  const what = ALWAYS_SECRET[name];
  if (what) return [`variable: ${name} is in plain text: remove it, and make ${what} a secret ("${put(name, env)}")`];
  if (isPlaceholder(value)) return [`placeholder: ${name} still has ${value}: put in its value, or remove it`];
  return reason({ [name]: value });
}

/** What stood in a file is no secret any more: a new one has to be made. */
const ALWAYS_SECRET = { API_KEYS: "new keys", RECEIPT_KEY: "a new key", REDACT_KEY: "a new key" };

const put = (name, env) => `npx wrangler secret put ${name} --env ${env}`;

/**
 * Why the Worker would not start with one of these.
 * @param {Record<string, unknown>} vars
 */
function reason(vars) {
  try {
    checkVariables(vars);
    return [];
  } catch (error) {
    return [`variable: ${/** @type {Error} */ (error).message.replace(/^Variable /, "")}`];
  }
}

/**
 * @param {string[]} secrets
 * @param {{ vars: Record<string, unknown>, worker: string, env: string, isLogged?: boolean }} target `isLogged`: captures have
 *   a bucket
 * @returns {string[]}
 */
export function secretFaults(secrets, { vars, worker, env, isLogged = false }) {
  const faults = [...secrets.flatMap((name) => secretFault(name, vars, env)), ...decisionFaults(secrets, vars, isLogged, env)];
  if (mayBeAnonymous(vars) || secrets.includes("API_KEYS") || isFilled(vars.API_KEYS)) return faults;
  const todo = `run "${put("API_KEYS", env)}", or set ALLOW_ANONYMOUS to 1`;
  return [...faults, `anonymous: ${worker} has no secret API_KEYS, so anybody may order: ${todo}`];
}

/** The bucket of the decision log, the share of orders that go there, and the key that hides what they hold. */
function decisionFaults(secrets, vars, isLogged, env) {
  const isSampled = Number(vars.DECISION_SAMPLE ?? 0) > 0;
  if (isLogged && !secrets.includes("REDACT_KEY") && !isFilled(vars.REDACT_KEY)) {
    return [`variable: ${NO_REDACT_KEY.replace(/^Variable /, "")}: run "${put("REDACT_KEY", env)}"`];
  }
  return isSampled && !isLogged ? ["variable: DECISION_SAMPLE: expected the binding DECISIONS, a bucket for the captures"] : [];
}

function secretFault(name, vars, env) {
  if (name in vars) {
    const remove = `npx wrangler secret delete ${name} --env ${env}`;
    return [`variable: ${name} is a secret, too, which a deployment would replace: remove it from vars, or run "${remove}"`];
  }
  return reason({ [name]: "" }); // the name alone: nobody can read the value
}

/** @param {Record<string, unknown>} vars */
export const mayBeAnonymous = ({ ALLOW_ANONYMOUS }) => String(ALLOW_ANONYMOUS ?? "").trim() === "1";
