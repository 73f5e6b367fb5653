// Starts what the service is compared with.
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const STACK = fileURLToPath(new URL("stack.mjs", import.meta.url));

/** @param {string[]} args of stack.mjs */
export const startStack = (...args) => start(process.execPath, [STACK, ...args]);

/** Starts a program that prints its address first. */
export async function start(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const [url] = /http:\/\/[\w.:]+/.exec(line) ?? [];
  if (url === undefined) throw new Error(`${program} printed no address: ${line}`);
  return { child, url };
}
