#!/usr/bin/env node
// The command `npm run collect` as a process: captures with the answers of both services, on Node. The script has `--` before
// this file, because Node.js 20 takes an --env-file behind it for its own.
import { goWhereNpmWasCalled, processSurroundings } from "../command-line/index.js";
import { main } from "./collect-program.js";

goWhereNpmWasCalled("collect");

/** The first signal ends it after the orders under way; the next one at once. */
const stopping = new AbortController();
for (const [name, code] of /** @type {const} */ ([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])) {
  process.on(name, () => (stopping.signal.aborted ? process.exit(code) : stopping.abort(code)));
}
process.exitCode = await main(process.argv.slice(2), { ...processSurroundings(), signal: stopping.signal });
