// Publishes the seed in the stores of this machine.
//   node xtask/shop/seed.mjs <folder that `worker/seed/generate.mjs --data` wrote> [folder of the stores]
import { processSurroundings } from "../../worker/command-line/index.js";
import { main } from "./seeding.mjs";

process.exitCode = await main(process.argv.slice(2), processSurroundings());
