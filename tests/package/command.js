// The built command as a child process.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";

export const CLI = resolve(import.meta.dirname, "../../pkg/cli.js");

const folder = mkdtempSync(join(tmpdir(), "order-cost-"));
after(() => rmSync(folder, { recursive: true }));

/** Ends a command that hangs. */
const TIMEOUT_MS = 300_000;

/** An environment without the settings that would change colours. */
function environment(env) {
  const { NO_COLOR, FORCE_COLOR, CI, ...others } = process.env;
  return { ...others, TERM: "xterm", ...env };
}

/** Runs the command in the tests' folder. */
export function run(args, { input = "", env, preload, timeout = TIMEOUT_MS } = {}) {
  const nodeArgs = [...(preload ? ["--import", preload] : []), CLI, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, nodeArgs, {
    cwd: folder,
    input,
    env: environment(env),
    maxBuffer: 2 ** 30,
    timeout,
  });
  return { code: status, stdout: `${stdout}`, stderr: `${stderr}` };
}

export function start(args, nodeArgs = []) {
  return spawn(process.execPath, [...nodeArgs, CLI, ...args], { cwd: folder, env: environment(), timeout: TIMEOUT_MS });
}

/** Writes a file to that folder: text, bytes, or a value as JSON. */
export function file(name, content) {
  const isText = typeof content === "string" || ArrayBuffer.isView(content);
  writeFileSync(join(folder, name), isText ? content : JSON.stringify(content));
  return name;
}

export function path(name) {
  return join(folder, name);
}
