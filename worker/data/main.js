#!/usr/bin/env node
// The command `npm run data` as a process.
import { goWhereNpmWasCalled, processSurroundings } from "../command-line/index.js";
import { main } from "./program.js";

goWhereNpmWasCalled("data");
// Who reads by `| head` has had enough; but what was not done is no success.
process.stdout.on("error", (/** @type {NodeJS.ErrnoException} */ { code }) => process.exit(code === "EPIPE" ? 141 : 1));
for (const [signal, code] of /** @type {const} */ ([
  ["SIGINT", 130],
  ["SIGTERM", 143],
]))
  process.once(signal, () => process.exit(code));
process.exitCode = await main(process.argv.slice(2), processSurroundings());
