// The command `npm run data`: its arguments, its help and its exit codes.
import { CommanderError, InvalidArgumentError } from "commander";
import { commonEra, refuseRepeated } from "order-cost/internal";
import { commandOf, Fault, isOfSystem, messageOf, swallowedByNpm, Terminal, WrongUsage } from "../command-line/index.js";
import { KEY_COLUMNS, PRICE_COLUMNS, RECORD_COLUMNS } from "./input/index.js";

const HELP = `
A price change, from a file to the orders:
  $ npm run data -- build --prices prices.csv --zones zones.geojson --out catalogue
  $ npm run data -- diff catalogue
  $ npm run data -- push catalogue
  $ npm run data -- activate 3f2a9c0d1e4b5a67

The same, unless more than 0.5 % of the money of captured orders moves:
  $ npm run data -- activate 3f2a9c0d1e4b5a67 --captures captures --max-impact 0.5%

One price changed, by a file of one line:
  $ npm run data -- build --prices change.csv --onto current --out catalogue

Without --remote or --dir, all commands work on the store of wrangler.dev.jsonc on this machine.
www/docs/service/data.md describes the files.

Exit codes: 0 done, 1 a fault in the data or in the store, 2 wrong usage.`;

/**
 * @param {(name: string) => (...given: unknown[]) => Promise<void>} run what does a command
 * @param {import("../command-line/surroundings.js").Surroundings} surroundings
 */
function program(run, surroundings) {
  const command = commandOf("data", HELP, surroundings)
    .description("Publishes prices and delivery zones as versions, and switches between them.")
    .option("--no-color", "print no colours, as with NO_COLOR")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true });

  withStore(command.command("build"))
    .description("make a version out of CSV or NDJSON files")
    .option("--prices <file>", "a row for each product and branch: cprcode, branchId, price, …")
    .option("--remove <file>", "with --onto: rows of cprcode and branchId whose records go")
    .option("--zones <file>", "the delivery zones, GeoJSON; without it those in use stay")
    .option("--no-zones", "the shop has no delivery zones")
    .option("--onto <version>", "current: keep what is in use, but for the rows of the files", onlyCurrent)
    .option("--map <columns>", "what the files call the columns: price=UnitPrice,cprcode=SKU", columnNames)
    .option("--ignore <name>", "a column that is not read although its name resembles one; repeat for several", each, [])
    .option("--allow-branch <id>", "a branch that looks as if a spreadsheet had changed it; repeat for several", each, [])
    .option("--line-breaks", "a cell may hold a line that is a row")
    .option("--cache-dir <folder>", "texts that the next build need not read from the store (.wrangler/catalogue)")
    .requiredOption("--out <folder>", "where the version goes")
    .action(run("build"));

  withLimits(withStore(command.command("diff")))
    .description("show what a built version changes")
    .argument("<folder>", "what build wrote")
    .action(run("diff"));

  withNote(withStore(command.command("push")))
    .description("upload a built version; nothing in use changes")
    .argument("<folder>", "what build wrote")
    .option("--again", "upload also what is there: after a text in the store was altered or deleted")
    .action(run("push"));

  withNote(withLimits(withStore(command.command("activate"))))
    .description("price orders from a version that was pushed")
    .argument("[id]", "the version")
    .option("--at <time>", "from then on, as in 2026-12-01T00:00:00+07:00", momentOf)
    .option("--cancel", "take back what is planned")
    .option("--force", "also beyond the limits, and in place of a current that was spoilt; not beyond --max-impact")
    .option("--captures <file or folder>", "with --max-impact: captured orders, which the version prices")
    .option("--max-impact <percent>", "with --captures: fail if more of the captured money moves, such as 0.5%", shareOf)
    .option("--html <file>", "with --max-impact: the report as a page")
    .action(run("activate"));

  withNote(withStore(command.command("rollback")))
    .description("go back to the version before; each time one further")
    .action(run("rollback"));

  withStore(command.command("status"))
    .description("show what is in use, what is planned, and what there is to go back to")
    .option("--history", "who switched versions when and why, the newest first")
    .action(run("status"));

  withStore(command.command("gc"))
    .description("delete what nothing needs any more")
    .requiredOption("--keep <n>", "how many of the newest versions stay", wholeNumber)
    .option("--dry-run", "delete nothing: show all versions and the pushes under way")
    .action(run("gc"));
  for (const one of command.commands) refuseRepeated(one);
  return command;
}

const withStore = (command) =>
  command
    .option("--local", "the store on this machine (the default)")
    .option("--persist-to <folder>", "with --local: where the store lies, as for wrangler dev")
    .option("--remote", "the store of an account: needs --env, CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID")
    .option("--env <name>", "with --remote: the environment of wrangler.jsonc")
    .option("--dir <folder>", "a folder of files, which a server gives to pages and to Node");

const withNote = (command) => command.option("--note <text>", "why, for the history");

const withLimits = (command) =>
  command
    .option("--max-change <percent>", "fail if a price changes by more", percent, 30)
    .option("--max-removed <percent>", "fail if more of the records go", percent, 5)
    .option("--max-lost <percent>", "fail if more of the records that have a field lose it", percent, 5)
    .option("--new-branches", "take branches that were not there before");

function refuseContradictions(name, options, command) {
  const refuse = (sentence) => command.error(`error: ${sentence}`);
  if (options.dir !== undefined) refuseBesideDir(options, refuse);
  if (options.local && options.remote) refuse("expected --local or --remote, got both");
  if (options.remote && !options.env) refuse("--remote: expected --env NAME, an environment of wrangler.jsonc");
  if (options.persistTo && options.remote) refuse("--persist-to: expected --local, got --remote");
  if (options.env && !options.remote) refuse("--env: expected --remote beside it");
  if (name === "activate") refuseActivation(options, command, refuse);
  if (name !== "build") return;
  if (options.out.trim() === "") refuse("--out: expected a folder");
  if (options.remove && !options.onto) refuse("--remove: expected --onto current beside it");
  if (!options.prices && !options.onto) refuse("expected --prices FILE");
}

function refuseBesideDir({ dir, local, remote, persistTo, env }, refuse) {
  if (dir.trim() === "") refuse("--dir: expected a folder");
  const [other] =
    Object.entries({ "--local": local, "--remote": remote, "--persist-to": persistTo, "--env": env }).find(([, value]) => value) ?? [];
  if (other !== undefined) refuse(`--dir: expected no ${other} beside it`);
}

function refuseActivation({ at, cancel, captures, maxImpact, html }, { args }, refuse) {
  const isMeasured = maxImpact !== undefined;
  if (isMeasured && captures === undefined) refuse("--max-impact: expected --captures FOLDER beside it");
  if (captures !== undefined && !isMeasured) refuse("--captures: expected --max-impact beside it");
  if (html !== undefined && !isMeasured) refuse("--html: expected --max-impact beside it");
  if (cancel && isMeasured) refuse("--cancel: expected no --max-impact beside it");
  if (cancel && (at !== undefined || args.length > 0)) refuse("--cancel: expected no version and no --at beside it");
  if (!cancel && args.length === 0) refuse("expected the id of a version, or --cancel");
}

function onlyCurrent(text) {
  if (text !== "current") throw new InvalidArgumentError("Expected current.");
  return true;
}

function columnNames(text) {
  const known = [...KEY_COLUMNS, ...RECORD_COLUMNS];
  const names = new Map();
  for (const pair of text.split(",")) {
    const [, column, title] = /^\s*([^=]+)=(.+)$/.exec(pair) ?? []; // a name may end with a space
    if (!known.includes(column)) throw new InvalidArgumentError(`Expected column=name, with a column of ${known.join(", ")}.`);
    if (names.has(column)) throw new InvalidArgumentError(`Expected ${column} once.`);
    names.set(column, title);
  }
  const titleOf = (column) => names.get(column) ?? column;
  for (const column of names.keys()) {
    const other = known.find(
      (one) => one !== column && titleOf(one) === titleOf(column) && !(PRICE_COLUMNS.includes(one) && PRICE_COLUMNS.includes(column)),
    );
    if (other !== undefined)
      throw new InvalidArgumentError(`Expected ${titleOf(column)} for ${column} or ${other}, got both: only prices may share a column.`);
  }
  return names;
}

const each = (text, texts) => [...texts, text];

const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** In UTC, as the store has it. */
function momentOf(text) {
  const [, minute, second = ":00"] = MOMENT.exec(text) ?? [];
  const time = new Date(text);
  // 30 February is a time for Date, of March.
  const isReal = minute !== undefined && !Number.isNaN(time.getTime()) && new Date(`${minute}${second}Z`).toISOString().startsWith(minute);
  if (!isReal) throw new InvalidArgumentError("Expected a time with its zone, such as 2026-12-01T00:00:00+07:00.");
  if (commonEra(text)) throw new InvalidArgumentError(`Expected a year of the common era: ${commonEra(text)} was meant.`);
  return time.toISOString();
}

function percent(text) {
  const [, number] = /^(\d{1,6}(?:\.\d{1,6})?)%?$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Expected a percentage such as 30%.");
  return Number(number);
}

function shareOf(text) {
  const share = percent(text);
  if (share > 100) throw new InvalidArgumentError("Expected a percentage of at most 100%.");
  return share;
}

function wholeNumber(text) {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

/**
 * Runs a command line.
 * @param {string[]} args
 * @param {import("../command-line/surroundings.js").Surroundings} surroundings
 * @returns {Promise<number>} its exit code
 */
export async function main(args, surroundings) {
  const { console } = new Terminal(surroundings);
  let exitCode = 0;
  /** The commands are loaded when one is used: --help shows at once. */
  const run =
    (name) =>
    async (...given) => {
      const [options, command] = given.slice(-2);
      refuseContradictions(name, options, command);
      const { Commands } = await import("./commands.js");
      exitCode = (await new Commands(surroundings)[name](options, given[0])) ?? 0;
    };
  const command = program(run, surroundings);
  const swallowed = swallowedByNpm(
    command.commands.flatMap(({ options }) => options),
    surroundings.env,
  );
  if (swallowed !== undefined) {
    console.error(`data: npm took ${swallowed} for itself: write -- before the command, as in npm run data -- status`);
    return 2;
  }
  try {
    await command.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed the reason
    const isExpected = error instanceof Fault || isOfSystem(error);
    console.error(`data: ${isExpected ? "" : "unexpected failure: "}${messageOf(error)}`);
    return error instanceof WrongUsage ? 2 : 1;
  }
}
