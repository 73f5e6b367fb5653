// What a person reads of a command: its lines, its colours, and how far it is.
import { Console } from "node:console";
import { SingleBar } from "cli-progress";
import picocolors from "picocolors";

export class Terminal {
  /** @type {import("./surroundings.js").Output} */
  #stderr;
  /** For lines: `log` on stdout, `error` on stderr. */
  console;
  colours;

  /** @param {import("./surroundings.js").Surroundings} surroundings */
  constructor({ stdout, stderr, hasColours = false }) {
    this.#stderr = stderr;
    this.console = new Console(stdout, stderr);
    this.colours = picocolors.createColors(hasColours);
  }

  /**
   * A progress bar on stderr; nothing where that is no terminal.
   * @param {string} what is being done
   * @param {number} total
   * @param {(done: number) => string} [shown] the amount done, for people
   * @returns {import("../data/input/build-input.js").Bar}
   */
  progressBar(what, total, shown = (done) => done.toLocaleString("en")) {
    const stream = this.#stderr;
    if (!stream.isTTY || total === 0) return { update() {}, clear() {}, stop() {} };
    const bar = new SingleBar({
      format: `${what} {bar} {percentage}% · {shown} · {eta_formatted} left`,
      stream,
      barsize: 30,
      barCompleteChar: "█",
      barIncompleteChar: "░",
      clearOnComplete: true,
      etaBuffer: 50,
    });
    bar.start(total, 0, { shown: shown(0) });
    const stop = () => bar.stop(); // gives the terminal its cursor and its line wrap back
    process.once("exit", stop);
    return {
      update: (done) => bar.update(done, { shown: shown(done) }),
      /** Makes room for a line of text. The bar comes back with the next update. */
      clear: () => stream.write("\r\x1b[K"),
      stop() {
        stop();
        process.off("exit", stop);
      },
    };
  }

  /**
   * A bar that begins when the total is known.
   * @param {string} what is being done
   */
  lateBar(what) {
    /** @type {import("../data/input/build-input.js").Bar | undefined} */
    let bar;
    return {
      /**
       * @param {number} done
       * @param {number} total
       */
      onProgress: (done, total) => (bar ??= this.progressBar(what, total)).update(done),
      stop: () => bar?.stop(),
    };
  }

  /**
   * A line on stderr for what has no known end; nothing where that is no terminal.
   * @param {(...counts: number[]) => string} shown
   * @returns {{ update(...counts: number[]): void, stop(): void }}
   */
  counter(shown) {
    if (!this.#stderr.isTTY) return { update() {}, stop() {} };
    /** @param {string} text */
    const show = (text) => this.#stderr.write(`\r\x1b[K${text}`);
    return { update: (...counts) => show(shown(...counts)), stop: () => show("") };
  }

  /**
   * A line on stderr. It takes the place of a bar, which comes back below with its next update.
   * @param {string} line
   */
  note(line) {
    if (this.#stderr.isTTY) this.#stderr.write("\r\x1b[K");
    this.console.error(line);
  }
}
