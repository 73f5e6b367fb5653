// The built command: in the test's own process, and as a child process.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { main } from "../../pkg/command.js";
import { Collected } from "../collected.js";
import { temporaryFolder } from "../folder.js";

export const CLI = resolve(import.meta.dirname, "../../pkg/cli.js");

const folder = temporaryFolder();
process.chdir(folder);

/** Ends a command that hangs. */
const TIMEOUT_MS = 300_000;
/** What a pipe holds. */
const PIPE_BYTES = 65_536;

/** Runs the command's `main` in the tests' folder. `tty` names the streams that are a terminal, `chunk` how many bytes come at once. */
export async function run(args, { input = "", chunk = PIPE_BYTES, env = {}, tty = [] } = {}) {
  const looks = (name) => (tty.includes(name) ? { isTTY: true, columns: 80, rows: 24 } : {});
  const stdin = Object.assign(Readable.from(chunksOf(Buffer.from(input), chunk)), looks("stdin"));
  const [stdout, stderr] = ["stdout", "stderr"].map((name) => Object.assign(new Collected(), looks(name)));
  const code = await main(args, { stdin, stdout, stderr, env: { TERM: "xterm", ...env } });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function* chunksOf(bytes, size) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Starts the command as a process there, without the settings that would change colours. */
export function start(args, nodeArgs = []) {
  const { NO_COLOR, FORCE_COLOR, CI, ...env } = process.env;
  return spawn(process.execPath, [...nodeArgs, CLI, ...args], { cwd: folder, env: { ...env, TERM: "xterm" }, timeout: TIMEOUT_MS });
}

// A process begins with the maxRSS of the one that started it, so that only the system can tell its own.
const PEAK = `
import { existsSync, readFileSync } from "node:fs";
const status = "/proc/self/status";
process.on("exit", () => console.error(existsSync(status) ? /VmHWM:\\s+(\\d+)/.exec(readFileSync(status))[1] : process.resourceUsage().maxRSS));`;

/**
 * Node.js's arguments for a command that keeps little of what it reads. The JavaScript heap is too small for all of it, and
 * the last line of stderr is the peak size of the process in kB, which shows memory outside the heap.
 */
export const MEASURED = ["--max-old-space-size=24", "--import", `data:text/javascript,${encodeURIComponent(PEAK)}`];

/** Starts the command with an input. What it has written, once it has ended. */
export async function spawned(args, { input = "", nodeArgs } = {}) {
  const command = start(args, nodeArgs);
  command.stdin.on("error", () => {}); // it ends before it has read all
  command.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(command.stdout), text(command.stderr), once(command, "close")]);
  return { code, stdout, stderr };
}

/** Runs the command as such a process: what it has written to stdout, and its peak size in MB. */
export async function measured(args) {
  const { code, stdout, stderr } = await spawned(args, { nodeArgs: MEASURED });
  assert.equal(code, 0, stderr);
  return { stdout, megabytes: Number(stderr) / 1024 };
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
