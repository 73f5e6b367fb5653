// The variables that `cargo xtask dev --shadow` takes from the environment, by the Worker that reads them.
import { POLICY_NAMES, variable } from "order-cost/internal";
import { readWanted, WrongList } from "../../tests/migration/double/wanted.js";
import { defaults, readOptions as readShadow } from "../../worker/migration/src/index.js";
import { readOptions as readPricing, refuseMisspelt } from "../../worker/src/options/index.js";

const POLICIES = [...POLICY_NAMES.map(variable), "INPUT"];

/** Names that a shell may have: SERVER and SERVICE are not misspelt names of ours. */
const SHORT = "SERVE";

/**
 * Throws, with one sentence, if a name is misspelt or a value is wrong.
 * @param {Record<string, string | undefined>} env
 * @returns {{ shadow: Record<string, string>, pricing: Record<string, string>, differences?: string }}
 */
export function readEnvironment(env) {
  const names = Object.keys(defaults());
  refuseMisspelt(
    env,
    [...names, ...POLICIES, "DIFFERENCES"].filter((name) => name !== SHORT),
  );
  const set = (wanted) => Object.fromEntries(wanted.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]));
  const [shadow, pricing] = [set(names), set(POLICIES)];
  readShadow({ LEGACY_URL: "http://legacy.example", NEW: {}, ...shadow });
  readPricing(pricing);
  checkDifferences(env.DIFFERENCES);
  return { shadow, pricing, differences: env.DIFFERENCES };
}

function checkDifferences(list) {
  try {
    readWanted(list);
  } catch (error) {
    if (error instanceof WrongList) error.message = `Variable DIFFERENCES: ${error.message}`;
    throw error;
  }
}
