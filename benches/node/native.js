// The native build of the core in a separate process, controlled line by line. See core/process.rs.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * @param {string} program
 * @param {string} workFolder
 */
export function startNative(program, workFolder) {
  const child = spawn(program, [workFolder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  async function line() {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ended`);
    return value;
  }

  async function ask(command) {
    child.stdin.write(`${command}\n`);
    return Number(await line());
  }

  return {
    /** The responses to the `count` orders of a set. */
    async responses(set, count) {
      child.stdin.write(`responses ${set}\n`);
      const responses = [];
      while (responses.length < count) responses.push(await line());
      return responses;
    },
    /** Nanoseconds per order of a set, over all its orders. */
    time: (set) => ask(`time ${set}`),
    /** Nanoseconds per zone look-up. */
    timeZones: () => ask("zones"),
    stop: () => child.stdin.end(),
  };
}
