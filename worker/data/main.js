#!/usr/bin/env node
// The command `npm run data`: its arguments, its help and its exit codes.
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { KEY_COLUMNS, RECORD_COLUMNS } from "./columns.js";
import { Fault } from "./fault.js";
import { goWhereNpmWasCalled, swallowedByNpm } from "./npm.js";

const HELP = `
A price change, from a file to the orders:
  $ npm run data -- build --prices prices.csv --zones zones.geojson --out catalogue
  $ npm run data -- diff catalogue
  $ npm run data -- push catalogue
  $ npm run data -- activate 3f2a9c0d1e4b5a67

One price changed, by a file of one line:
  $ npm run data -- build --prices change.csv --onto current --out catalogue

Without --remote, all commands work on the store of wrangler.dev.jsonc on this machine.
README.md in this folder describes the files.

Exit codes: 0 done, 1 a fault in the data or in the store, 2 wrong usage.`;

function program() {
  const command = new Command("data");
  command
    .description("Publishes prices and delivery zones as versions, and switches between them.")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .showHelpAfterError("(--help says more)")
    .addHelpText("after", HELP)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "data: ")) })
    .exitOverride();

  withStore(command.command("build"))
    .description("make a version out of CSV or NDJSON files")
    .option("--prices <file>", "a row for each product and branch: cprcode, branchId, price, …")
    .option("--remove <file>", "with --onto: rows of cprcode and branchId whose records go")
    .option("--zones <file>", "the delivery zones, GeoJSON; without it those in use stay")
    .option("--no-zones", "the shop has no delivery zones")
    .option("--onto <version>", "current: keep what is in use, but for the rows of the files", onlyCurrent)
    .option("--map <columns>", "what the files call the columns: price=UnitPrice,cprcode=SKU", columnNames)
    .requiredOption("--out <folder>", "where the version goes")
    .action(run("build"));

  withLimits(withStore(command.command("diff")))
    .description("show what a built version changes")
    .argument("<folder>", "what build wrote")
    .action(run("diff"));

  withStore(command.command("push"))
    .description("upload a built version; nothing in use changes")
    .argument("<folder>", "what build wrote")
    .option("--again", "upload also what is there: after a text in the store was altered")
    .action(run("push"));

  withLimits(withStore(command.command("activate")))
    .description("price orders from a version that was pushed")
    .argument("<id>", "the version")
    .option("--force", "also beyond the limits, and in place of a current that was spoilt")
    .action(run("activate"));

  withStore(command.command("rollback"))
    .description("go back to the version before; each time one further")
    .option("--force", "taken for the habit of it: a rollback has no limits")
    .action(run("rollback"));

  withStore(command.command("status")).description("show what is in use, and what else there is").action(run("status"));

  withStore(command.command("gc"))
    .description("delete what nothing needs any more")
    .requiredOption("--keep <n>", "how many of the newest versions stay", wholeNumber)
    .action(run("gc"));
  return command;
}

const withStore = (command) =>
  command
    .option("--local", "the store on this machine (the default)")
    .option("--persist-to <folder>", "with --local: where the store lies, as for wrangler dev")
    .option("--remote", "the store of an account: needs --env, CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID")
    .option("--env <name>", "with --remote: the environment of wrangler.jsonc");

const withLimits = (command) =>
  command
    .option("--max-change <percent>", "fail if a price changes by more", percent, 30)
    .option("--max-removed <percent>", "fail if more of the records go", percent, 5);

/** The commands are loaded when one is used: --help shows at once. */
function run(name) {
  return async (...given) => {
    const [options, command] = given.slice(-2);
    refuseContradictions(name, options, command);
    const commands = await import("./commands.js");
    process.exitCode = (await commands[name](options, given[0])) ?? 0;
  };
}

function refuseContradictions(name, options, command) {
  const refuse = (sentence) => command.error(`error: ${sentence}`);
  if (options.local && options.remote) refuse("expected --local or --remote, got both");
  if (options.remote && !options.env) refuse("--remote: expected --env NAME, an environment of wrangler.jsonc");
  if (options.persistTo && options.remote) refuse("--persist-to: expected --local, got --remote");
  if (options.env && !options.remote) refuse("--env: expected --remote beside it");
  if (name !== "build") return;
  if (options.out.trim() === "") refuse("--out: expected a folder");
  if (options.remove && !options.onto) refuse("--remove: expected --onto current beside it");
  if (!options.prices && !options.onto) refuse("expected --prices FILE");
  if (!options.prices && !options.remove && options.zones === undefined) refuse("expected --prices, --remove or --zones");
}

function onlyCurrent(text) {
  if (text !== "current") throw new InvalidArgumentError("Expected current.");
  return true;
}

function columnNames(text) {
  const known = [...KEY_COLUMNS, ...RECORD_COLUMNS];
  const names = new Map();
  for (const pair of text.split(",")) {
    const [, column, title] = /^([^=]+)=(.+)$/.exec(pair.trim()) ?? [];
    if (!known.includes(column)) throw new InvalidArgumentError(`Expected column=name, with a column of ${known.join(", ")}.`);
    names.set(column, title);
  }
  return names;
}

function percent(text) {
  const [, number] = /^(\d{1,6}(?:\.\d{1,6})?)%?$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Expected a percentage such as 30%.");
  return Number(number);
}

function wholeNumber(text) {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

function refuseSwallowed() {
  const swallowed = swallowedByNpm(program().commands.flatMap(({ options }) => options));
  if (swallowed === undefined) return;
  console.error(`data: npm took ${swallowed} for itself: write -- before the command, as in npm run data -- status`);
  process.exit(2);
}

goWhereNpmWasCalled("data");
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]]) process.once(signal, () => process.exit(code));
refuseSwallowed();
try {
  await program().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2; // commander has printed the reason
  else {
    const isOfSystem = typeof error.syscall === "string";
    console.error(`data: ${error instanceof Fault || isOfSystem ? error.message : `unexpected failure: ${error.message}`}`);
    process.exitCode = 1;
  }
}
