// Collects captures: checks what was typed, sends the orders, and sums up.
import { mkdir, readdir } from "node:fs/promises";
import { count, Fault, messageOf, some, Terminal } from "../../command-line/index.js";
import { refuseOverwriting } from "../../data/versions/index.js";
import { createCaptures } from "../../src/captures/index.js";
import { networkText } from "../../src/log/index.js";
import { variablesIn } from "../../src/node/index.js";
import { captureFolder } from "../../src/node/platform/index.js";
import { createLegacy, DEADLINE_MS } from "../sides/index.js";
import { Collector } from "./collector.js";
import { readSettings, startNewSide } from "./new-side.js";
import { OrderLines } from "./order-lines.js";
import { openOrders } from "./orders-file.js";

/** Few: the old service answers customers meanwhile. */
const MOST_AT_ONCE = 4;

/**
 * @param {string} file of orders
 * @param {{ legacy: string, out: string, envFile?: string, header: [string, string][], withoutCoupons?: boolean }} options
 * @param {import("../../command-line/surroundings.js").Surroundings & { signal?: AbortSignal }} surroundings
 * @returns {Promise<number>} the exit code
 */
export async function collect(file, options, surroundings) {
  const { legacy, out, envFile } = options;
  const terminal = new Terminal(surroundings);
  const env = await environmentOf(envFile, surroundings.env);
  const { redactKey, catalogueDir } = readSettings(env);
  const opened = await openOrders(file);
  try {
    await refuseOverwriting("--out", out, [file, envFile, catalogueDir]);
    await refuseFull(out);
    const total = await countOrders(file, opened, terminal);
    const lines = new OrderLines((line) => terminal.note(line));
    const fresh = await startNewSide(env, (line) => lines.take(line));
    try {
      await refuseSilent(legacy);
      await mkdir(out, { recursive: true });
      const captures = createCaptures(captureFolder(out), redactKey);
      const collector = new Collector({ legacy: createLegacy(legacy), fresh, captures, lines }, options);
      const tally = await collectAll(collector, opened.orders(), total, terminal, surroundings.signal);
      return conclude(tally, total, { ...options, version: fresh.version }, terminal, surroundings.signal);
    } finally {
      await fresh.end();
    }
  } finally {
    await opened.close();
  }
}

/**
 * @param {string | undefined} envFile
 * @param {Record<string, string | undefined>} env
 */
async function environmentOf(envFile, env) {
  try {
    return { ...env, ...(await variablesIn(envFile, env)) };
  } catch (error) {
    throw new Fault(`cannot read ${envFile}: ${messageOf(error)}`);
  }
}

/**
 * Orders of two runs in one folder could not be told apart.
 * @param {string} out
 */
async function refuseFull(out) {
  const names = await readdir(out).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw new Fault(`--out ${out}: expected a folder: ${error.message}`);
  });
  if (names.length > 0) throw new Fault(`--out ${out}: expected a new folder or an empty one, got one with ${some(names)}`);
}

/**
 * Reads all before any is sent: a wrong line at the end would cost the time of all before it.
 * @param {string} file
 * @param {import("./orders-file.js").Orders} opened
 * @param {Terminal} terminal
 */
async function countOrders(file, { size, orders }, terminal) {
  const bar = terminal.progressBar(`Reading ${file}`, size, (bytes) => `${Math.round(bytes / 1e6)} MB`);
  let [read, total] = [0, 0];
  try {
    for await (const _ of orders((bytes) => bar.update((read += bytes)))) total += 1;
  } finally {
    bar.stop();
  }
  if (total === 0) throw new Fault(`${file}: expected at least one order`);
  return total;
}

/**
 * Any answer counts. Without one, every capture would be in vain.
 * @param {string} legacy
 */
async function refuseSilent(legacy) {
  try {
    const response = await fetch(legacy, { redirect: "manual", signal: AbortSignal.timeout(DEADLINE_MS) });
    await response.body?.cancel();
  } catch (error) {
    throw new Fault(`--legacy ${legacy}: expected a service that answers: ${networkText(error)}`);
  }
}

/**
 * @param {Collector} collector
 * @param {AsyncGenerator<import("./orders-file.js").GivenOrder, void>} orders
 * @param {number} total
 * @param {Terminal} terminal
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<import("./tally.js").Tally>} also if a signal ends it before the last order
 */
async function collectAll(collector, orders, total, terminal, signal) {
  const { tally } = collector;
  /** @param {number} done */
  const shown = (done) => `${count(done, "order")}, ${tally.failed.toLocaleString("en")} failed`;
  const bar = terminal.progressBar("Asking both sides", total, shown);
  let done = 0;
  signal?.addEventListener("abort", () => terminal.note("Ending after the orders under way. Once more: at once."), { once: true });
  const work = async () => {
    for (let next = await orders.next(); !next.done && !signal?.aborted; next = await orders.next()) {
      await collector.take(next.value);
      bar.update((done += 1));
    }
  };
  try {
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
    return tally;
  } finally {
    bar.stop();
    await orders.return();
  }
}

/**
 * @param {import("./tally.js").Tally} tally
 * @param {number} total
 * @param {{ legacy: string, out: string, version: string }} options
 * @param {Terminal} terminal
 * @param {AbortSignal | undefined} signal
 * @returns {number} the exit code
 */
function conclude(tally, total, { legacy, out, version }, { console }, signal) {
  const begin = signal?.aborted ? `Interrupted: ${tally.taken.toLocaleString("en")} of ` : "";
  console.log(`${begin}${count(total, "order")}, answered by ${legacy} and by this version with the prices ${version}:`);
  for (const line of tally.lines(out)) console.log(line);
  if (tally.kept > 0) console.log(`\nNext: npx order-cost replay ${out} --against legacy --suggest`);
  if (signal?.aborted) return signal.reason;
  // Those that are under way together may fail together.
  if (tally.unreached > MOST_AT_ONCE && tally.unreached < tally.sent) {
    console.error(`\nThe old service was not reached for the last ${tally.unreached.toLocaleString("en")} orders: has it ended?`);
    return 1;
  }
  if (tally.sent > tally.failed || tally.sent === 0) return 0;
  console.error("\nNo order was priced by both sides: does --legacy lack a path, or a --header?");
  return 1;
}
