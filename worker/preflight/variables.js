// The variables of an environment, by the Worker's own rules, and its secrets.
import { isPlaceholder } from "../data/binding.js";
import { readOptions } from "../src/options.js";
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
const ALWAYS_SECRET = { API_KEYS: "new keys", RECEIPT_KEY: "a new key" };

const put = (name, env) => `npx wrangler secret put ${name} --env ${env}`;

/** Why the Worker would not start with these. */
function reason(vars) {
  try {
    readOptions(vars);
    return [];
  } catch (error) {
    return [`variable: ${error.message.replace(/^Variable /, "")}`];
  }
}

/**
 * @param {string[]} secrets
 * @param {{ vars: Record<string, unknown>, worker: string, env: string }} target
 * @returns {string[]}
 */
export function secretFaults(secrets, { vars, worker, env }) {
  const faults = secrets.flatMap((name) => secretFault(name, vars, env));
  if (mayBeAnonymous(vars) || secrets.includes("API_KEYS") || isFilled(vars.API_KEYS)) return faults;
  const todo = `run "${put("API_KEYS", env)}", or set ALLOW_ANONYMOUS to 1`;
  return [...faults, `anonymous: ${worker} has no secret API_KEYS, so anybody may order: ${todo}`];
}

function secretFault(name, vars, env) {
  if (name in vars) {
    const remove = `npx wrangler secret delete ${name} --env ${env}`;
    return [`variable: ${name} is a secret, too, which a deployment would replace: remove it from vars, or run "${remove}"`];
  }
  return reason({ [name]: "" }); // the name alone: nobody can read the value
}

export const mayBeAnonymous = ({ ALLOW_ANONYMOUS }) => String(ALLOW_ANONYMOUS ?? "").trim() === "1";
