// The command `npm run collect`: its arguments, what it prints and its exit codes.
import { CommanderError, InvalidArgumentError } from "commander";
import { refuseRepeated } from "order-cost/internal";
import { commandOf, Fault, isOfSystem, messageOf, swallowedByNpm, Terminal } from "../command-line/index.js";
import { address } from "./src/index.js";

const HELP = `
  $ npm run collect -- orders.ndjson --legacy http://old:9000 --env-file service.env --out captures
  $ npx order-cost replay captures --against legacy --suggest

The new side is this version in this process, with the variables of npm start; REDACT_KEY is needed.
Each line of the file is an order as its client sent it, or names its id and route:
  {"requestId": "r-17", "route": "calculatecost2", "request": {"productList": […]}}
Without them the id is a new one, and the route calculatecost4. A body that is no JSON is a text in request.

Exit codes: 0 done, 1 a fault, or no order that both sides priced, 2 wrong usage, 130 interrupted.`;

/** @param {import("../command-line/surroundings.js").Surroundings} surroundings */
function program(surroundings) {
  const command = commandOf("collect", HELP, surroundings)
    .description("Sends orders to the old and the new service, and writes both answers as captures.")
    .argument("<orders>", "a file with an order on each line")
    .requiredOption("--legacy <url>", "the old service; the order's route follows", legacyAddress)
    .requiredOption("--out <folder>", "where the captures go: a new folder or an empty one")
    .option("--env-file <file>", "variables of the new side, as for npm start")
    .option("--header <line>", "for the old service, such as 'Authorization: Bearer …'; repeat for several", withHeader, [])
    .option("--without-coupons", "leave out orders with coupon codes: both sides would ask the coupon service");
  refuseRepeated(command);
  return command;
}

/** @param {string} text */
function legacyAddress(text) {
  try {
    return address(text, "");
  } catch {
    throw new InvalidArgumentError("Expected an http or https URL without a user, a password or a query.");
  }
}

/**
 * @param {string} text
 * @param {[string, string][]} headers those before
 */
function withHeader(text, headers) {
  const [, name = "", value = ""] = /^([^:]+):(.*)$/s.exec(text) ?? []; // no header has the name ""
  try {
    return [...headers, ...new Headers([[name, value]])];
  } catch {
    throw new InvalidArgumentError("Expected a name, a colon and a value.");
  }
}

/**
 * Runs a command line.
 * @param {string[]} args
 * @param {import("../command-line/surroundings.js").Surroundings & { signal?: AbortSignal }} surroundings `signal`: no more orders; its
 *   reason is the exit code
 * @returns {Promise<number>} its exit code
 */
export async function main(args, surroundings) {
  const { console } = new Terminal(surroundings);
  const command = program(surroundings);
  const swallowed = swallowedByNpm(command.options, surroundings.env);
  if (swallowed !== undefined) {
    console.error(`collect: npm took ${swallowed} for itself: write npm run collect -- FILE ${swallowed} …`);
    return 2;
  }
  try {
    command.parse(args, { from: "user" });
    const { collect } = await import("./collect/index.js"); // the service: --help shows at once
    return await collect(command.args[0], command.opts(), surroundings);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed the reason
    const isExpected = error instanceof Fault || isOfSystem(error);
    console.error(`collect: ${isExpected ? "" : "unexpected failure: "}${messageOf(error)}`);
    return 1;
  }
}
