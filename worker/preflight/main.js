#!/usr/bin/env node
// The command `npm run preflight` as a process.
import { goWhereNpmWasCalled } from "../data/npm.js";
import { processSurroundings } from "../data/surroundings.js";
import { main } from "./program.js";

goWhereNpmWasCalled("preflight");
process.exitCode = await main(process.argv.slice(2), processSurroundings());
