// The command `npm run preflight`: its arguments, what it prints and its exit codes.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommanderError, InvalidArgumentError } from "commander";
import { commandOf, count, Fault, Pace, swallowedByNpm, Terminal } from "../command-line/index.js";
import { Cloudflare } from "../data/store/index.js";
import { OPTIONAL } from "./bindings.js";
import { dryRun } from "./dry-run.js";
import { preflight } from "./preflight.js";

const OWN_CONFIG = fileURLToPath(new URL("../wrangler.jsonc", import.meta.url));

const HELP = `
  $ npm run preflight -- --env production

It reads wrangler.jsonc and asks Cloudflare, by CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID, and changes nothing.

Exit codes: 0 it can be deployed, 1 it cannot: a line for each fault, 2 wrong usage.`;

/** @typedef {import("./preflight.js").TryOut} TryOut */

/** @param {import("../command-line/surroundings.js").Surroundings} surroundings */
function program(surroundings) {
  return commandOf("preflight", HELP, surroundings)
    .description("Says whether an environment of wrangler.jsonc can be deployed.")
    .requiredOption("--env <name>", "the environment")
    .option("--without <bindings>", `what the shop does without, of ${OPTIONAL.join(",")}`, bindingNames)
    .option("--config <file>", "another wrangler.jsonc than this Worker's")
    .option("--no-color", "changes nothing: this prints no colours");
}

function bindingNames(text) {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => OPTIONAL.includes(name))) return names;
  throw new InvalidArgumentError(`Expected some of ${OPTIONAL.join(", ")}, separated by commas.`);
}

/**
 * @param {{ env: string, without?: string[], config?: string }} options
 * @param {Terminal} terminal
 * @param {{ cloudflare: Cloudflare, tryOut: TryOut }} dependencies
 */
async function check({ env, without = [], config = OWN_CONFIG }, terminal, dependencies) {
  const bar = terminal.lateBar("Checking");
  const found = preflight({ env, without, config: resolve(config) }, { ...dependencies, onProgress: bar.onProgress });
  const { faults, warnings, checked } = await found.finally(bar.stop);
  const { console } = terminal;
  if (faults.length === 0) {
    for (const warning of warnings) console.error(`warning: ${warning}`);
    console.log(`${env} can be deployed. Checked:`);
    for (const line of checked) console.log(`  ${line}`);
    return 0;
  }
  for (const fault of faults) console.log(fault);
  console.error(`\n${count(faults.length, "fault")}: ${env} cannot be deployed`);
  return 1;
}

/**
 * Runs a command line.
 * @param {string[]} args
 * @param {import("../command-line/surroundings.js").Surroundings & { pace?: Pace, tryOut?: TryOut }} surroundings
 * @returns {Promise<number>} its exit code
 */
export async function main(args, surroundings) {
  const terminal = new Terminal(surroundings);
  const { env, pace = new Pace({ tell: (line) => terminal.note(line) }), tryOut = (target) => dryRun(target, env) } = surroundings;
  const command = program(surroundings);
  const swallowed = swallowedByNpm(command.options, env);
  if (swallowed !== undefined) {
    terminal.console.error(`preflight: npm took ${swallowed} for itself: write npm run preflight -- --env NAME`);
    return 2;
  }
  try {
    const options = /** @type {Parameters<typeof check>[0]} */ (command.parse(args, { from: "user" }).opts());
    return await check(options, terminal, { cloudflare: new Cloudflare({ environment: env, pace }), tryOut });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed the reason
    const { message } = /** @type {Error} */ (error);
    terminal.console.error(`preflight: ${error instanceof Fault ? message : `unexpected failure: ${message}`}`);
    return 1;
  }
}
