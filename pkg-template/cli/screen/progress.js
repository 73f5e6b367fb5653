import { SingleBar } from "cli-progress";
import { figure } from "./figure.js";

/** @typedef {{ readonly size?: number, readonly bytesRead: number }} Progressing what is read, in bytes */

/**
 * A progress bar on stderr, by bytes read. Only if stderr is a terminal and the output does not share it.
 * @param {Progressing} input
 * @param {import("./terminal.js").Terminal} terminal
 * @param {{ isQuiet?: boolean }} [options]
 */
export function progress(input, terminal, { isQuiet = false } = {}) {
  const { stderr } = terminal;
  if (isQuiet || !stderr.isTTY) return { update: () => {}, print: (line) => terminal.say(line), stop: () => {} };
  const format = input.size
    ? "{bar} {percentage}% · {orders} orders · {eta_formatted} left"
    : "{megabytes} MB read · {orders} orders · {duration_formatted}";
  const look = { barsize: 30, barCompleteChar: "█", barIncompleteChar: "░" };
  const bar = new SingleBar({ format, stream: stderr, etaBuffer: 50, ...look });
  const payload = (orders) => ({ orders: figure(orders), megabytes: (input.bytesRead / 1e6).toFixed(1) });
  bar.start(input.size ?? 0, 0, payload(0));
  return {
    update: (orders) => bar.update(input.bytesRead, payload(orders)),
    print(line) {
      stderr.write("\r\x1b[K");
      terminal.say(line);
      bar.render();
    },
    stop: () => bar.stop(),
  };
}
