#!/usr/bin/env node
// The command: its arguments, its help and its exit codes.
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { Failure, sentence } from "./failure.js";

const HELP = `
Examples:
  $ order-cost price order.json --facts facts.json
  $ order-cost verify before.ndjson after.ndjson

"order-cost price --help" and "order-cost verify --help" say more.`;

const PRICE_HELP = `
An order that cannot be priced gives {"error": "…"} on its line, and a sentence on stderr: the
output has one line for each order. JSON output is exact to the last digit, the tables show the
nearest double.

The facts file has the shape of Facts in order-cost/testing, and may hold the delivery zones:
  {
    "prices": { "1001": { "price": 37.25 }, "1002/1001": { "price": 12, "weight": 0.5 } },
    "vouchers": { "V1": { "ownerId": "malee", "value": 50, "isActive": true, "isUsed": false } },
    "rates": { "DRY": { "deliveryFee": 80 } },
    "coupons": { "discounts": [{ "coupon": "SAVE10", "discount": 10 }], "failedCoupons": [] },
    "deliveryZones": { "type": "FeatureCollection", "features": [] }
  }
A price is found by "<cprcode>/<branchId>", then by "<cprcode>". "coupons" is the answer to every
order that has coupon codes. Numbers keep every digit.

Examples:
  $ order-cost price order.json --facts facts.json
  $ order-cost price order.json --facts facts.json --format table
  $ order-cost price order.json --facts facts.json --explain
  $ order-cost price orders.ndjson --facts facts.json --zones zones.geojson --out priced.ndjson
  $ cat order.json | order-cost price --facts facts.json

Exit codes: 0 every order was priced, 1 an order was not, 2 wrong usage or unreadable input.`;

const VERIFY_HELP = `
The files hold responses: one per line (NDJSON), a JSON array, or a single one. The first is
compared with the first, the second with the second. A response that only one side has is a difference.

Kinds of differences:
  missing          one side does not have the field
  type             the JSON types differ
  numberFormat     the same number in another notation: 100 and 100.0
  underHalfSatang  numbers less than 0.005 apart
  value            any other difference
  failed           only one side is an error; it always counts

Examples:
  $ order-cost verify before.ndjson after.ndjson
  $ order-cost verify before.ndjson after.ndjson --ignore numberFormat,underHalfSatang
  $ order-cost price orders.ndjson --facts facts.json | order-cost verify expected.ndjson -

Exit codes: 0 no differences, 1 differences, 2 wrong usage or unreadable input.`;

function program() {
  const command = new Command("order-cost");
  command
    .description("Prices orders, exactly to the satang, and compares priced orders.")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .showHelpAfterError("(--help says more)")
    .addHelpText("after", HELP)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "order-cost: ")) })
    .exitOverride();
  addPrice(command);
  addVerify(command);
  return command;
}

function addPrice(program) {
  program
    .command("price")
    .description("price one order or many: JSON, or NDJSON with one order per line")
    .argument("[file]", "the orders; - or nothing: standard input")
    .requiredOption("-f, --facts <file>", "prices and the other facts that the orders need, as JSON")
    .option("-z, --zones <file>", "delivery zones as GeoJSON, instead of those in the facts")
    .option("-e, --explain", "show the steps behind each total")
    .addOption(new Option("--format <format>", "default: json; with --explain: table").choices(["json", "table"]))
    .option("-o, --out <file>", "write to a file instead of standard output")
    .addOption(new Option("--row-total <price>", "which price makes rowTotal").choices(["effective", "list"]))
    .addOption(
      new Option("--free-shipping <rule>", "what a free-shipping coupon without an amount does").choices([
        "asStated",
        "waivesDelivery",
      ]),
    )
    .addOption(
      new Option("--express-surcharge <rule>", "which EXPRESS schedule pays the 50 baht").choices([
        "firstSchedule",
        "firstExpress",
      ]),
    )
    .option("--max-products <n>", "refuse orders with more products (default: 5000)", wholeNumber)
    .option("--max-vouchers <n>", "refuse orders with more voucher ids (default: 100)", wholeNumber)
    .option("--max-coupons <n>", "refuse orders with more coupon codes (default: 100)", wholeNumber)
    .option("--max-schedules <n>", "refuse orders with more schedules (default: 100)", wholeNumber)
    .option("--max-body-bytes <n>", "refuse orders of more bytes (default: 1048576)", wholeNumber)
    .addHelpText("after", PRICE_HELP)
    .action(async (file, options) => {
      const { price } = await import("./price.js");
      process.exitCode = await price(file, options);
    });
}

function addVerify(program) {
  program
    .command("verify")
    .description("compare two sets of priced orders, field by field")
    .argument("<left>", "responses; -: standard input")
    .argument("<right>", "responses to compare with them; -: standard input")
    .option("--ignore <kinds>", "kinds of differences that do not count, separated by commas", kinds)
    .option("--examples <n>", "how many of the worst differences to show", wholeNumber, 10)
    .addOption(new Option("--format <format>", "output format").choices(["json", "table"]).default("table"))
    .addHelpText("after", VERIFY_HELP)
    .action(async (left, right, options) => {
      const { verify } = await import("./verify.js");
      process.exitCode = await verify(left, right, options);
    });
}

const KINDS = ["missing", "type", "numberFormat", "underHalfSatang", "value"];

function kinds(text) {
  const named = text.split(",").map((kind) => kind.trim());
  if (named.every((kind) => KINDS.includes(kind))) return named;
  throw new InvalidArgumentError(`Allowed kinds are ${KINDS.join(", ")}.`);
}

function wholeNumber(text) {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

async function main() {
  // The program that reads the output may close the pipe early (`| head`).
  process.stdout.on("error", (error) => {
    if (error.code !== "EPIPE") console.error(`order-cost: standard output: ${sentence(error)}`);
    process.exit(error.code === "EPIPE" ? undefined : 2);
  });
  process.stderr.on("error", () => {});
  try {
    await program().parseAsync();
  } catch (error) {
    process.exitCode = exitCode(error);
  }
}

function exitCode(error) {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed the reason
  console.error(`order-cost: ${error instanceof Failure ? error.message : sentence(error)}`);
  return 2;
}

await main();
