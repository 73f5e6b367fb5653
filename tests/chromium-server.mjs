// Holds one Chromium for all suites of a run: prints its address, and ends with the process that started it.
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS } from "./chromium.js";

const server = await chromium.launchServer({ executablePath: process.env.CHROMIUM, args: CHROMIUM_FLAGS, host: "127.0.0.1" });
console.log(server.wsEndpoint());
process.stdin.resume().once("end", () => server.close());
