// Copies the captures of `cargo xtask dev --shadow` to a folder, for `order-cost replay`.
//   npm run captures -- <folder>
// www/docs/service/migrate.md says how to copy those of an account.
import { goWhereNpmWasCalled } from "../data/npm.js";
import { count } from "../data/count.js";
import { copyLocalCaptures } from "./local-captures.js";

const HELP = `Usage: npm run captures -- <folder>

Copies the captures of "cargo xtask dev --shadow" to a folder, for "order-cost replay".`;

goWhereNpmWasCalled("captures");
const [folder, ...rest] = process.argv.slice(2);
if (folder === "--help" || folder === "-h") {
  console.log(HELP);
} else if (folder === undefined || folder.startsWith("-") || rest.length > 0) {
  console.error("Usage: npm run captures -- <folder>");
  process.exitCode = 2;
} else {
  try {
    console.log(`${count(await copyLocalCaptures(folder), "capture")} in ${folder}`);
  } catch (error) {
    if (error.code === undefined) throw error;
    console.error(`captures: cannot write to ${folder}: ${error.message}`);
    process.exitCode = 1;
  }
}
