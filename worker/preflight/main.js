#!/usr/bin/env node
// The command `npm run preflight` as a process.
import { goWhereNpmWasCalled, processSurroundings } from "../command-line/index.js";
import { main } from "./program.js";

goWhereNpmWasCalled("preflight");
process.exitCode = await main(process.argv.slice(2), processSurroundings());
