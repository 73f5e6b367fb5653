// A command of `npm run data` on a wrangler.jsonc of the benchmark's own, as a process: so its time and memory are its own.
//   node benches/edge/command.mjs <name> <options as JSON> [argument]
import { processSurroundings } from "../../worker/command-line/index.js";
import { Commands } from "../../worker/data/index.js";

const [name, options, argument] = process.argv.slice(2);
process.on("exit", () => console.error(`maxRSS ${process.resourceUsage().maxRSS}`));
process.exitCode = (await new Commands(processSurroundings())[name](JSON.parse(options), argument)) ?? 0;
