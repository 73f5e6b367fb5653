#!/usr/bin/env node
// Runs the command in this process. command.js is made of cli/: xtask/package/cli-bundle.mjs.
import { main } from "../command.js";

process.exitCode = await main(process.argv.slice(2), process);
