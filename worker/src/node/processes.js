import cluster from "node:cluster";
import { once } from "node:events";
import http from "node:http";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { MOST_TIMER_MS } from "order-cost/internal";
import { log } from "../log/index.js";
import { REPLACING } from "./settings.js";

/** A process that ends sooner is replaced after a pause: whatever ends it should not keep a core busy. */
const SHORT_LIFE_MS = 10_000;
const PAUSE_MS = 1_000;

/** What is left after it is killed: it has been told to end long ago. */
const GRACE_MS = 7_000;

/** How long a process that has done all may take to exit: a thread that a disk holds keeps it for ever. */
const EXIT_MS = 1_000;

/** How long connections may wait for a process before all end. */
const HAND_OVER_MS = 5_000;

/** Threads of a process: disks that hang may hold three for the catalogue and two for captures, and the names of services need one. */
const THREADS = "8";

/**
 * @typedef {import("node:cluster").Worker & { begunAt: number, patienceMs: number, address?: Address }} Process
 * @typedef {import("node:cluster").Address} Address
 */

/** Every process that has not ended. */
export const workers = () => Object.values(/** @type {Record<string, Process>} */ (cluster.workers));

/** The processes that share the port. One that dies is replaced. */
export class Processes {
  #env;
  #patienceMs;
  /**
   * Those that should run. A process that was told to end is none of them.
   * @type {Set<Process>}
   */
  #wanted = new Set();
  /**
   * Those that have not said yet whether they listen.
   * @type {Set<Promise<Process | undefined>>}
   */
  #starting = new Set();
  /**
   * The one whose successor is starting: if it dies meanwhile, it needs no other.
   * @type {Process | undefined}
   */
  #replaced;
  #isEnding = false;
  /** @type {Address | undefined} */
  #address;
  restarts = 0;

  /**
   * @param {NodeJS.Dict<string>} env beside the program's own
   * @param {{ patienceMs: number }} settings
   */
  constructor(env, { patienceMs }) {
    cluster.setupPrimary({
      exec: fileURLToPath(new URL("process.js", import.meta.url)),
      execArgv: ["--disable-warning=ExperimentalWarning"], // the service imports JSON
      args: [],
    });
    cluster.on("message", (worker, message) => message === "closed" && worker.send("heard", () => {}));
    cluster.on("message", (worker, message) => message === "full" && void this.#relieve(worker));
    cluster.on("exit", (worker, code, signal) => this.#ended(worker, code, signal));
    this.#env = env;
    this.#patienceMs = patienceMs;
  }

  get isEnding() {
    return this.#isEnding;
  }

  get count() {
    return this.#wanted.size;
  }

  /** Starts so many. Resolves with the address once all listen, with undefined if one cannot. */
  async start(count) {
    const started = await Promise.all(Array.from({ length: count }, () => this.#add()));
    if (started.every(Boolean)) this.#address = started[0]?.address;
    return this.#address;
  }

  /**
   * Replaces all, one after another: the new one listens before the old one ends. Resolves once all of the old have ended.
   * False: a new one did not start, and the rest stay. Undefined: all end meanwhile.
   */
  async replace(env, { patienceMs }) {
    const before = [this.#env, this.#patienceMs];
    [this.#env, this.#patienceMs] = [env, patienceMs];
    await Promise.all(this.#starting); // with the variables before: they are replaced, too
    const ends = [];
    for (const old of [...this.#wanted]) {
      if (this.#isEnding) return undefined;
      if (!this.#wanted.has(old)) continue; // it died: what takes its place has the new variables
      this.#replaced = old;
      const added = await this.#add({ [REPLACING]: "1" });
      this.#replaced = undefined;
      if (!added) {
        [this.#env, this.#patienceMs] = before;
        if (old.isDead()) void this.#succeed(old);
        return false;
      }
      ends.push(this.#end(old));
    }
    await Promise.all(ends);
    return this.#isEnding ? undefined : true;
  }

  /** Ends all, each after its orders. */
  async end() {
    this.#isEnding = true;
    if (this.#address) await this.#handOver(this.#address);
    await Promise.all(workers().map((worker) => this.#end(worker)));
  }

  /**
   * Waits until the processes have each connection that is open. This one accepts them and hands them over in their sequence, one
   * at a time to each process: so a connection that is answered was the last. Those that no process has are reset at the end.
   */
  async #handOver({ address: host, port }) {
    const request = http.get({ host, port, path: "/health", agent: false, timeout: HAND_OVER_MS });
    request.on("timeout", () => request.destroy());
    await once(request, "response").catch(() => {});
    request.on("error", () => {}).destroy();
  }

  /** Starts one more. Resolves once it listens, with undefined if it ends before. */
  #add(more) {
    const starting = this.#begin(more);
    this.#starting.add(starting);
    return starting.finally(() => this.#starting.delete(starting));
  }

  async #begin(more) {
    try {
      const env = { UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? THREADS, ...this.#env, ...more };
      /** @type {Process} */
      const worker = Object.assign(cluster.fork(env), { begunAt: Date.now(), patienceMs: this.#patienceMs });
      const listening = once(worker, "listening").then(([address]) => address);
      worker.address = await Promise.race([listening, once(worker, "exit").then(() => undefined)]);
      if (worker.address && !worker.isDead()) this.#wanted.add(worker);
      if (this.#isEnding) void this.#end(worker);
      return worker.address && worker;
    } catch (error) {
      // The system has no room for it. That must not end the others.
      log("error", "process", { message: "A process could not be started", cause: /** @type {Error} */ (error).message });
    }
  }

  /** Tells a process to end, and waits until it has. */
  async #end(worker) {
    this.#wanted.delete(worker);
    if (worker.isDead()) return;
    const ended = once(worker, "exit");
    if (worker.isConnected()) worker.send("end", () => {});
    const kill = () => worker.process.kill("SIGKILL");
    setTimeout(kill, Math.min(worker.patienceMs + GRACE_MS, MOST_TIMER_MS)).unref();
    worker.once("disconnect", () => setTimeout(kill, EXIT_MS).unref());
    await ended;
  }

  /**
   * Replaces one that can take no connection. Its orders end first. It says so for each connection: to end it for the second one
   * would leave none that listens.
   */
  async #relieve(worker) {
    if (!this.#wanted.has(worker) || worker === this.#replaced) return;
    await this.#lost(worker, "has too many open files");
    await this.#end(worker);
  }

  #ended(worker, code, signal) {
    return this.#lost(worker, `ended ${signal ? `by ${signal}` : `with code ${code}`}`);
  }

  async #lost(worker, why) {
    if (!this.#wanted.delete(worker)) return;
    this.restarts += 1;
    log("error", "process", { message: `A process ${why} and is replaced` });
    if (worker !== this.#replaced) await this.#succeed(worker);
  }

  async #succeed(worker) {
    if (Date.now() - worker.begunAt < SHORT_LIFE_MS) await pause();
    while (!this.#isEnding && !(await this.#add())) await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
