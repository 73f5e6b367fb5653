// The native build of the core in a process of its own, asked a line at a time. See core/process.rs.
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
    /** The responses to a set's orders, of which there are `count`. */
    async responses(set, count) {
      child.stdin.write(`responses ${set}\n`);
      const responses = [];
      while (responses.length < count) responses.push(await line());
      return responses;
    },
    /** Nanoseconds an order of the set took, over all of them. */
    time: (set) => ask(`time ${set}`),
    /** Nanoseconds a zone look-up took. */
    timeZones: () => ask("zones"),
    stop: () => child.stdin.end(),
  };
}
