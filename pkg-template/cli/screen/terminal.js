// What the command is connected to. Nothing else of it knows the streams and the environment of a process, so that it runs
// in one more than once.
import { once } from "node:events";
import { sentence } from "../files/index.js";
import { printable } from "./printable.js";

export class Terminal {
  #args;
  #process;
  /** What the command ends with. */
  exitCode = 0;

  /**
   * @param {string[]} args
   * @param {Pick<NodeJS.Process, "stdin" | "stdout" | "stderr" | "env" | "once" | "exit">} process or what stands for it
   */
  constructor(args, process) {
    this.#args = args;
    this.#process = process;
    this.stdout = process.stdout;
    this.stderr = process.stderr;
    // The program that reads the output may close the pipe early (`| head`).
    this.stdout.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code !== "EPIPE") this.say(`order-cost: standard output: ${sentence(error)}`);
      // Nobody has read the verdict, so this is none: the code of a program that a closed pipe ends.
      process.exit(error.code === "EPIPE" ? 141 : 2);
    });
    this.stderr.on("error", () => {});
  }

  /** A process opens it when it is asked for. */
  get stdin() {
    return this.#process.stdin;
  }

  /** The output has colours if it is a terminal and nobody forbids them, as https://no-color.org says. */
  get color() {
    const { NO_COLOR, FORCE_COLOR, TERM, CI } = this.#process.env;
    if (!this.stdout.isTTY || NO_COLOR || this.#args.includes("--no-color")) return false;
    return Boolean(FORCE_COLOR || CI) || TERM !== "dumb";
  }

  /** Writes to stdout. Resolves once there is room for more. */
  async write(chunk) {
    if (!this.stdout.write(chunk)) await once(this.stdout, "drain");
  }

  /** Writes lines of JSON to stdout. On a terminal no text in them can control it. */
  writeJson(lines) {
    return this.write(this.stdout.isTTY ? `${lines}`.split("\n").map(printable).join("\n") : lines);
  }

  /** Says a sentence on stderr. */
  say(sentence) {
    this.stderr.write(`${printable(sentence)}\n`);
  }

  /** Calls `stop` at the first signal of a kind. The second one ends the command at once. */
  onSignal(stop) {
    this.#process.once("SIGINT", stop).once("SIGTERM", stop);
  }
}
