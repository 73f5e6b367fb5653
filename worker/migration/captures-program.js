// The command `npm run captures`. www/docs/service/migrate.md says how to copy the captures of an account.
import { codeOf, count, Fault, messageOf, Terminal } from "../command-line/index.js";
import { LOCAL_STATE } from "../data/store/index.js";
import { refuseOverwriting } from "../data/versions/index.js";

const HELP = `Usage: npm run captures -- <folder>

Copies the captures of "cargo xtask dev --shadow" to a folder, for "order-cost replay".`;

/**
 * Runs a command line.
 * @param {string[]} args
 * @param {import("../command-line/surroundings.js").Surroundings} surroundings
 * @returns {Promise<number>} its exit code
 */
export async function main([folder, ...rest], surroundings) {
  const { console } = new Terminal(surroundings);
  if (folder === "--help" || folder === "-h") {
    console.log(HELP);
    return 0;
  }
  if (folder === undefined || folder.startsWith("-") || rest.length > 0) {
    console.error("Usage: npm run captures -- <folder>");
    return 2;
  }
  try {
    await refuseOverwriting("folder", folder, [LOCAL_STATE]);
    const { copyLocalCaptures } = await import("./local-captures.js"); // miniflare takes its time
    console.log(`${count(await copyLocalCaptures(folder), "capture")} in ${folder}`);
    return 0;
  } catch (error) {
    if (!(error instanceof Fault) && codeOf(error) === undefined) throw error;
    console.error(`captures: ${error instanceof Fault ? "" : `cannot write to ${folder}: `}${messageOf(error)}`);
    return 1;
  }
}
