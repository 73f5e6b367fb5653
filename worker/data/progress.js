import { SingleBar } from "cli-progress";

/**
 * A progress bar on stderr; nothing where that is no terminal.
 * @param {string} what is being done
 * @param {number} total
 * @param {(done: number) => string} shown the amount done, for people
 */
export function progressBar(what, total, shown = (done) => done.toLocaleString("en")) {
  if (!process.stderr.isTTY || total === 0) return { update() {}, clear() {}, stop() {} };
  const bar = new SingleBar({
    format: `${what} {bar} {percentage}% · {shown} · {eta_formatted} left`,
    stream: process.stderr,
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
    clear: () => process.stderr.write("\r\x1b[K"),
    stop() {
      stop();
      process.off("exit", stop);
    },
  };
}

/**
 * A line on stderr for what has no known end; nothing where that is no terminal.
 * @param {(...counts: number[]) => string} shown
 */
export function counter(shown) {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const show = (text) => process.stderr.write(`\r\x1b[K${text}`);
  return { update: (...counts) => show(shown(...counts)), stop: () => show("") };
}

/** A line on stderr. It takes the place of a bar, which comes back below with its next update. */
export function note(line) {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  console.error(line);
}
