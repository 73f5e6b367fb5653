// `npm run receipt-key` as a process.
import { main } from "./make-key-program.js";

process.exitCode = main(process.argv.slice(2), process);
