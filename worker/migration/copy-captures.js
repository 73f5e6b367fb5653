// The command `npm run captures` as a process: copies the captures of `cargo xtask dev --shadow` to a folder.
import { goWhereNpmWasCalled, processSurroundings } from "../command-line/index.js";
import { main } from "./captures-program.js";

goWhereNpmWasCalled("captures");
process.exitCode = await main(process.argv.slice(2), processSurroundings());
