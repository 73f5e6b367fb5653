// Publishes the seed in the stores of this machine.
//   node xtask/seed.mjs <folder that `worker/seed/generate.mjs --data` wrote> [folder of the stores]
import { processSurroundings } from "../worker/data/surroundings.js";
import { main } from "./seeding.mjs";

process.exitCode = await main(process.argv.slice(2), processSurroundings());
