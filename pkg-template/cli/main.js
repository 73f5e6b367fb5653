// The command: its arguments, its help and its exit codes.
import { isMainThread } from "node:worker_threads";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { INPUTS, kebab, POLICIES } from "../core/index.js";
import { LIMITS } from "../order-fields.js";
import packageJson from "../package.json" with { type: "json" };
import { commonEra, refuseRepeated } from "./arguments/index.js";
import { DECISIONS, KINDS, UNEXPLAINED } from "./comparison/index.js";
import { completion, SHELLS } from "./completion.js";
import { Failure, sentence } from "./files/index.js";
import {
  COMPLETION_HELP,
  COPY_CATALOGUE_HELP,
  EXPLAIN_HELP,
  HELP,
  IMPACT_HELP,
  MERGE_HELP,
  PRICE_HELP,
  REPLAY_HELP,
  SERVE_HELP,
  VERIFY_HELP,
  VERIFY_RECEIPT_HELP,
} from "./help.js";
import { readShare } from "./report/index.js";
import { Terminal } from "./screen/index.js";

/** Each has a module and a heap of its own. */
const MOST_THREADS = 64;

/** Names an unknown option without its value. */
class Commands extends Command {
  createCommand(name) {
    return new Commands(name);
  }

  /** @param {string} flag */
  unknownOption(flag) {
    // @ts-expect-error commander's types leave it out
    super.unknownOption(flag.split("=")[0]);
  }
}

function program(terminal) {
  const command = new Commands("order-cost");
  command
    .description("Prices orders, exactly to the satang, and compares priced orders.")
    .version(packageJson.version, "-V, --version", "print the version")
    .option("--no-color", "print no colours, as with NO_COLOR") // Terminal reads it itself
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help says more)")
    .addHelpText("after", HELP)
    .configureOutput(outputTo(terminal))
    .exitOverride();
  addPrice(command, terminal);
  addServe(command, terminal);
  addVerify(command, terminal);
  addReplay(command, terminal);
  addExplain(command, terminal);
  addImpact(command, terminal);
  addMerge(command, terminal);
  addCopyCatalogue(command);
  addVerifyReceipt(command, terminal);
  addCompletion(command, terminal);
  for (const one of command.commands) refuseRepeated(one);
  return command;
}

function outputTo({ stdout, stderr }) {
  const width = ({ isTTY, columns }) => (isTTY ? columns : undefined);
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => width(stdout),
    getErrHelpWidth: () => width(stderr),
    outputError: (text, write) => write(worded(text)),
  };
}

function worded(text) {
  return text
    .replace(/^error: /, "order-cost: ")
    .replace(/unknown option '(.+?)'(?:\n\(Did you mean (.+?)\?\))?/, (_, name, other) =>
      other ? `unknown option ${name}, did you mean ${other}?` : `unknown option ${name}`,
    );
}

function addPrice(program, terminal) {
  const price = program
    .command("price")
    .description("price one order or many: JSON, or NDJSON with one order per line")
    .argument("[file]", "the orders; - or nothing: standard input")
    .option("-f, --facts <file>", "prices and the other facts that the orders need, as JSON (required)")
    .option("-z, --zones <file>", "delivery zones as GeoJSON, instead of those in the facts")
    .option("-e, --explain", "show the steps behind each total")
    .addOption(new Option("--format <format>", "default: json; with --explain: table").choices(["json", "table"]))
    .option("-o, --out <file>", "write to a file instead of standard output");
  addPricing(price)
    .addHelpText("after", PRICE_HELP)
    .action(async (file, options, command) => {
      // Not `requiredOption`, which would complain of a misspelt --fact that --facts is missing.
      if (options.facts === undefined) command.error("error: required option '-f, --facts <file>' not specified");
      const { price } = await import("./price.js");
      terminal.exitCode = await price(file, options, terminal);
    });
}

function addServe(program, terminal) {
  const serve = program
    .command("serve")
    .description("answer POST /calculatecost2, 3 and 4 from facts, for test suites in any language")
    .option("-f, --facts <file>", "prices and the other facts that the orders need, as JSON; without it there are none")
    .option("-z, --zones <file>", "delivery zones as GeoJSON, instead of those in the facts")
    .option("-p, --port <n>", "0 takes a free port", port, 8787)
    .option("--host <address>", "the address to listen on", "127.0.0.1");
  addPricing(serve)
    .addHelpText("after", SERVE_HELP)
    .action(async (options) => {
      const { serve } = await import("./serve.js");
      terminal.exitCode = await serve(options, terminal);
    });
}

/** The options of both commands that price from facts. */
function addPricing(command) {
  for (const [name, { values, what }] of Object.entries(POLICIES)) {
    command.addOption(new Option(`--${kebab(name)} <rule>`, what).choices(values));
  }
  return command
    .addOption(new Option("--input <types>", "which types the values of an order may have").choices(INPUTS))
    .option("--max-products <n>", `refuse orders with more products (default: ${LIMITS.maxProducts})`, wholeNumber)
    .option("--max-vouchers <n>", `refuse orders with more voucher ids (default: ${LIMITS.maxVouchers})`, wholeNumber)
    .option("--max-coupons <n>", `refuse orders with more coupon codes (default: ${LIMITS.maxCoupons})`, wholeNumber)
    .option("--max-schedules <n>", `refuse orders with more schedules (default: ${LIMITS.maxSchedules})`, wholeNumber)
    .option("--max-body-bytes <n>", `refuse orders of more bytes (default: ${LIMITS.maxBodyBytes})`, wholeNumber);
}

function addVerify(program, terminal) {
  const verify = program
    .command("verify")
    .description("compare two sets of priced orders, field by field")
    .argument("<left>", "responses; -: standard input")
    .argument("<right>", "responses to compare with them; -: standard input")
    .option("-k, --key <field>", "pair by this field, such as orderId; without it by position");
  addComparing(verify)
    .addHelpText("after", VERIFY_HELP)
    .action(async (left, right, options) => {
      const { verify } = await import("./verify.js");
      terminal.exitCode = await verify(left, right, options, terminal);
    });
}

function addReplay(program, terminal) {
  const replay = program
    .command("replay")
    .description("price captured orders again and compare with what was answered")
    .argument("<captures...>", CAPTURES)
    .addOption(new Option("--against <side>", "which answer to compare with").choices(["new", "legacy"]).default("new"));
  addComparing(addCaptures(replay))
    .addOption(tallyOption(["maxDifferent", "format"]))
    .addHelpText("after", REPLAY_HELP)
    .action(async (captures, options) => {
      const { replay } = await import("./replay.js");
      terminal.exitCode = await replay(captures, options, terminal);
    });
}

function addExplain(program, terminal) {
  const explain = program
    .command("explain")
    .description("show how the totals of captured orders came about, step by step")
    .argument("<captures...>", CAPTURES)
    .option("--request-id <id>", "show only the order of this id, or the capture of this hash")
    .option("--all", "show also the steps of 0 that do not apply")
    .addOption(new Option("--language <language>", "English or Thai").choices(["en", "th"]).default("en"))
    .addOption(new Option("--format <format>", "output format").choices(["json", "table"]).default("table"));
  addCaptures(explain)
    .addHelpText("after", EXPLAIN_HELP)
    .action(async (captures, options) => {
      const { explainCaptures } = await import("./explain-captures.js");
      terminal.exitCode = await explainCaptures(captures, options, terminal);
    });
}

function addImpact(program, terminal) {
  const impact = program
    .command("impact")
    .description("price captured orders with new prices, zones or rules, and report the money that moves")
    .argument("<captures...>", CAPTURES)
    .option("-c, --catalogue <place>", "the folder or the URL of the new prices and zones")
    .option("--catalogue-version <id>", VERSION, versionId)
    .option("-z, --zones <file>", "delivery zones as GeoJSON, instead of those of the catalogue")
    .option("--policy <rule...>", "rules such as rowTotal=list, instead of the captured ones", policyRule)
    .option("--threads <n>", "how many threads price (default: one for each core, at most 8)", threads);
  addReporting(addCaptures(impact))
    .addHelpText("after", IMPACT_HELP)
    .action(async (captures, options) => {
      if (options.catalogueVersion && !options.catalogue) impact.error("error: --catalogue-version: expected --catalogue beside it");
      const { impact: run } = await import("./impact.js");
      terminal.exitCode = await run(captures, options, terminal);
    });
}

function addMerge(program, terminal) {
  const merge = program
    .command("merge")
    .description("add the tallies of parts, and report what one run over all of them would")
    .argument("<tallies...>", "what impact --tally or replay --tally has written, or merge --tally");
  addReporting(merge, ["maxDifferent"])
    .addOption(maxDifferent())
    .addHelpText("after", MERGE_HELP)
    .action(async (tallies, options) => {
      const { merge: run } = await import("./merge.js");
      terminal.exitCode = await run(tallies, options, terminal);
    });
}

function addCopyCatalogue(program) {
  program
    .command("copy-catalogue")
    .description("copy the version in use of a catalogue into a folder, which impact --catalogue takes")
    .argument("<place>", "the folder or the URL of the catalogue")
    .argument("<folder>", "where the copy goes: a folder that is empty or not there")
    .option("--catalogue-version <id>", VERSION, versionId)
    .addHelpText("after", COPY_CATALOGUE_HELP)
    .action(async (place, folder, { catalogueVersion }) => {
      const { copyCatalogue } = await import("./impact/index.js");
      await copyCatalogue(place, catalogueVersion, folder);
    });
}

const VERSION = "a version that was pushed there, in place of the one in use";

/** The options of both commands that report an impact. `others` are options of a report that one of them has alone. */
function addReporting(command, others = []) {
  return command
    .option("--max-impact <share>", "exit code 1 if more than this share of the captured money moves, such as 0.5%", share)
    .option("--html <file>", "write a page for people who use no terminal")
    .option("--at <time>", "the time that the page names, such as 2026-11-25T20:00:00Z (default: none)", time)
    .addOption(new Option("--format <format>", "output format").choices(["json", "table"]).default("table"))
    .addOption(tallyOption(["maxImpact", "html", "at", "format", ...others]));
}

/** Without the options of a report. */
const tallyOption = (others) => new Option("--tally <file>", "write what was counted, in place of a report").conflicts(others);

const maxDifferent = () =>
  new Option("--max-different <share>", "exit code 0 if at most this share of the orders differs, such as 0.1%").argParser(share);

function addVerifyReceipt(program, terminal) {
  program
    .command("verify-receipt")
    .description("say whether a receipt of the service is of a request and its response")
    .argument("<receipt>", "the value of the header x-order-cost-receipt; -: standard input")
    .requiredOption("-k, --key <file>", "the public keys that GET /receipt-key answers, or one of them, as JSON")
    .requiredOption("--request <file>", "the request's body, byte for byte")
    .requiredOption("--response <file>", "the response's body, byte for byte")
    .option("--at <time>", "check as of then, such as 2026-11-25T20:00:00Z (default: now)", time)
    .addHelpText("after", VERIFY_RECEIPT_HELP)
    .action(async (receipt, options) => {
      const { verifyReceiptOf } = await import("./verify-receipt.js");
      terminal.exitCode = await verifyReceiptOf(receipt, options, terminal);
    });
}

function addCompletion(program, terminal) {
  program
    .command("completion")
    .description("print a script that completes this command in a shell")
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .addHelpText("after", COMPLETION_HELP)
    .action((shell) => terminal.write(completion(program, shell)));
}

const CAPTURES = "files or folders of captures; -: standard input";

/** The options of the commands that read captures. */
function addCaptures(command) {
  return command
    .option("--zones-dir <folder>", "where the captured zones stand, instead of zones/ near the captures")
    .option("--skip-broken", "skip lines that are no captures; the report counts them and names the first ten");
}

/** The options of both commands that compare. */
function addComparing(command) {
  return command
    .option("--match-rows <field>", "pair the rows of an order by this field, such as cprcode; without it by index")
    .option("--ignore <kinds>", "kinds of differences that do not count, separated by commas", kinds)
    .option("--ignore-path <patterns>", "fields that do not count, such as summary.*, separated by commas", list)
    .option("--suggest", "find the policies under which the fewest orders differ from the left side")
    .option("--accept <file>", "known differences, each with a reason and an end date, as JSON")
    .addOption(maxDifferent())
    .option("--ids <file>", "write the key of each order that differs or has no partner, a line each")
    .option("--examples <n>", "how many of the worst differences to show", wholeNumber, 10)
    .option("--reason <decision>", "list in --ids and below only orders that differ for it, such as D29, or unexplained", reason)
    .addOption(new Option("--format <format>", "output format").choices(["json", "table"]).default("table"));
}

function list(text) {
  return text.split(",").map((item) => item.trim());
}

function kinds(text) {
  const named = list(text);
  if (named.every((kind) => KINDS.includes(kind))) return named;
  throw new InvalidArgumentError(`Allowed kinds are ${KINDS.join(", ")}.`);
}

function reason(text) {
  if (text === UNEXPLAINED || DECISIONS.has(text)) return text;
  throw new InvalidArgumentError("Expected a decision that explains differences, such as D29, or unexplained.");
}

function versionId(text) {
  if (!/^[0-9a-f]{16}$/.test(text)) throw new InvalidArgumentError("Expected 16 hexadecimal digits.");
  return text;
}

function policyRule(text, rules = {}) {
  const [, name, value] = /^(\w+)=(\w+)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("Expected rules such as rowTotal=list, behind the captures.");
  return { ...rules, [name]: value };
}

function share(text) {
  const read = readShare(text);
  if (read === undefined) throw new InvalidArgumentError("Expected a percentage from 0% to 100%, such as 0.1%.");
  return read;
}

const TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function time(text) {
  const [, day] = TIME.exec(text) ?? [];
  const isDay = day !== undefined && isTime(day) && new Date(day).toISOString().startsWith(day); // not 30 February
  if (!isDay || !isTime(text)) throw new InvalidArgumentError("Expected a time with its zone, such as 2026-11-25T20:00:00Z.");
  if (commonEra(text)) throw new InvalidArgumentError(`Expected a year of the common era: ${commonEra(text)} was meant.`);
  return new Date(text);
}

const isTime = (text) => !Number.isNaN(Date.parse(text));

function wholeNumber(text) {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

function threads(text) {
  const read = wholeNumber(text);
  if (read < 1 || read > MOST_THREADS) throw new InvalidArgumentError(`Expected 1 to ${MOST_THREADS} threads.`);
  return read;
}

function port(text) {
  const read = wholeNumber(text);
  if (read > 65_535) throw new InvalidArgumentError("Expected a port from 0 to 65535.");
  return read;
}

/**
 * Runs the command. Returns its exit code.
 * @param {string[]} args
 * @param {ConstructorParameters<typeof Terminal>[1]} process
 */
export async function main(args, process) {
  const terminal = new Terminal(args, process);
  try {
    await program(terminal).parseAsync(args, { from: "user" });
    return terminal.exitCode;
  } catch (error) {
    return exitCode(error, terminal);
  }
}

function exitCode(error, terminal) {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed the reason
  const sentences = error instanceof Failure ? error.sentences : [sentence(error)];
  for (const one of sentences) terminal.say(`order-cost: ${one}`);
  return 2;
}

if (!isMainThread) await import("./impact/index.js").then(({ work }) => work());
