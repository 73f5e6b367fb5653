// Runs a command of worker/ in this process, as an operator types it.
import { Collected } from "../collected.js";

/** What the commands of the tests have as their environment: an actor's name, and none of npm's variables. */
export const ENVIRONMENT = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: "1", ORDER_COST_ACTOR: "Ann" };

/**
 * @param {(args: string[], surroundings: import("../../worker/command-line/surroundings.js").Surroundings) => Promise<number>} main
 * @param {string[]} args
 * @param {Partial<import("../../worker/command-line/surroundings.js").Surroundings>} [more]
 * @returns {Promise<{ code: number, out: string, err: string }>}
 */
export async function run(main, args, more = {}) {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const code = await main(args, { env: ENVIRONMENT, stdout, stderr, ...more });
  return { code, out: stdout.text(), err: stderr.text() };
}
