// Runs a test file in the sandbox.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SANDBOX } from "./sandbox.mjs";

/** Ends what runs when this program ends. */
const running = new Set();
process.on("exit", () => running.forEach((end) => end()));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const HOOK = new URL("hook.mjs", import.meta.url).href;

/**
 * Runs the tests of a file that have one of these names; without names, all. Resolves to the names of those that failed,
 * and with `bail` to the first. A program that did not end within `mostMs` or that broke failed as a whole: `undefined`.
 *
 * @param {string} file
 * @param {{ names?: string[], env?: Record<string, string>, mostMs: number, bail?: boolean }} options
 */
export function runTests(file, { names, env, mostMs, bail }) {
  const path = join(SANDBOX, file);
  const args = ["--test-reporter=tap", ...(names ? [`--test-name-pattern=${pattern(names)}`] : []), path];
  const variables = { ...process.env, NODE_OPTIONS: `--import=${HOOK}`, MUTANT_TEST_FILE: path, ...env };
  // A group of its own, so that its end ends what it has started.
  const child = spawn(process.execPath, args, { cwd: SANDBOX, env: variables, stdio: ["ignore", "pipe", "ignore"], detached: true });
  const end = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    running.delete(end);
  };
  running.add(end);
  return new Promise((settle, reject) => {
    const failed = [];
    const timer = setTimeout(() => finish([undefined]), mostMs);
    const finish = (result) => {
      clearTimeout(timer);
      end();
      settle(result);
    };
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, name] = /^\s*not ok \d+ - (.*)$/.exec(line) ?? [];
      if (name === undefined) return;
      failed.push(name.replaceAll(/\\([\\#])/g, "$1"));
      if (bail) finish(failed);
    });
    child.once("error", reject);
    child.once("close", (code) => finish(code === 0 || failed.length > 0 ? failed : [undefined]));
  });
}

/** Node matches each test by its own name, without those of its suites. */
function pattern(names) {
  return `/^(?:${names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})$/`;
}
