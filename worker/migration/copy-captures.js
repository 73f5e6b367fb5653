// The command `npm run captures` as a process: copies the captures of `cargo xtask dev --shadow` to a folder.
import { goWhereNpmWasCalled } from "../data/npm.js";
import { processSurroundings } from "../data/surroundings.js";
import { main } from "./captures-program.js";

goWhereNpmWasCalled("captures");
process.exitCode = await main(process.argv.slice(2), processSurroundings());
