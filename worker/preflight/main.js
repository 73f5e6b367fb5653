#!/usr/bin/env node
// The command `npm run preflight`: its arguments, what it prints and its exit codes.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { count } from "../data/count.js";
import { Fault } from "../data/fault.js";
import { goWhereNpmWasCalled, swallowedByNpm } from "../data/npm.js";
import { progressBar } from "../data/progress.js";
import { OPTIONAL } from "./bindings.js";
import { preflight } from "./preflight.js";

const OWN_CONFIG = fileURLToPath(new URL("../wrangler.jsonc", import.meta.url));

const HELP = `
  $ npm run preflight -- --env production

It reads wrangler.jsonc and asks Cloudflare, by CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID, and changes nothing.

Exit codes: 0 it can be deployed, 1 it cannot: a line for each fault, 2 wrong usage.`;

const program = new Command("preflight")
  .description("Says whether an environment of wrangler.jsonc can be deployed.")
  .requiredOption("--env <name>", "the environment")
  .option("--without <bindings>", `what the shop does without, of ${OPTIONAL.join(",")}`, bindingNames)
  .option("--config <file>", "another wrangler.jsonc than this Worker's")
  .option("--no-color", "changes nothing: this prints no colours")
  .helpOption("-h, --help", "print help")
  .showHelpAfterError("(--help says more)")
  .addHelpText("after", HELP)
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "preflight: ")) })
  .exitOverride()
  .action(run);

function bindingNames(text) {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => OPTIONAL.includes(name))) return names;
  throw new InvalidArgumentError(`Expected some of ${OPTIONAL.join(", ")}, separated by commas.`);
}

async function run({ env, without = [], config = OWN_CONFIG }) {
  let bar;
  const onProgress = (done, total) => (bar ??= progressBar("Checking", total)).update(done);
  const found = preflight({ env, without, config: resolve(config) }, onProgress);
  const { faults, warnings, checked } = await found.finally(() => bar?.stop());
  if (faults.length === 0) {
    for (const warning of warnings) console.error(`warning: ${warning}`);
    console.log(`${env} can be deployed. Checked:`);
    for (const line of checked) console.log(`  ${line}`);
    return;
  }
  for (const fault of faults) console.log(fault);
  console.error(`\n${count(faults.length, "fault")}: ${env} cannot be deployed`);
  process.exitCode = 1;
}

const swallowed = swallowedByNpm(program.options);
if (swallowed !== undefined) {
  console.error(`preflight: npm took ${swallowed} for itself: write npm run preflight -- --env NAME`);
  process.exit(2);
}
goWhereNpmWasCalled("preflight");
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2; // commander has printed the reason
  else {
    console.error(`preflight: ${error instanceof Fault ? error.message : `unexpected failure: ${error.message}`}`);
    process.exitCode = 1;
  }
}
