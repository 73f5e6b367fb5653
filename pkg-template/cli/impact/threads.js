// The threads that price captures, as many as the machine runs at once.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Failure, sentence } from "../files/index.js";
import { Tally } from "./tally.js";

/** Each has a module, a heap and texts of its own: more would take more memory than the command should. */
const MOST_THREADS = 8;

/** While a thread works on one batch, the next one waits for it. */
const BATCHES_AT_ONCE = 2;

/** The heap of a thread, which would otherwise grow before it is cleaned. */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** @typedef {{ worker: Worker, batches: number, tally: Tally | undefined }} Thread */

export class Threads {
  #work;
  #onDone;
  /** @type {Thread[]} */
  #threads = [];
  #most;
  #failure;
  /** @type {(news?: unknown) => void} */
  #onNews = () => {};

  /**
   * @param {import("./thread.js").Work} work
   * @param {object} options
   * @param {number} [options.most]
   * @param {(orders: number, bytes: Uint8Array) => void} options.onDone how many more are done, and the room that they took
   */
  constructor(work, { most = Math.min(availableParallelism(), MOST_THREADS), onDone }) {
    this.#work = work;
    this.#most = most;
    this.#onDone = onDone;
  }

  /** Gives a batch to a thread once one has room for it. */
  async give(batch) {
    const thread = await this.#withRoom();
    thread.batches += 1;
    thread.worker.postMessage(batch, [batch.bytes.buffer]);
  }

  /** The tally of all orders. */
  async finish() {
    for (const { worker } of this.#threads) worker.postMessage(null);
    while (this.#threads.some(({ tally }) => tally === undefined)) await this.#news();
    const whole = new Tally(this.#work.skipBroken);
    for (const { tally } of this.#threads) whole.merge(tally);
    return whole;
  }

  /** Ends all threads, whatever they do. */
  async end() {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  async #withRoom() {
    for (;;) {
      const idle = this.#threads.find(({ batches }) => batches === 0);
      if (idle) return idle;
      if (this.#threads.length < this.#most) return this.#begin();
      const free = this.#threads.find(({ batches }) => batches < BATCHES_AT_ONCE);
      if (free) return free;
      await this.#news();
    }
  }

  /** The command is one file: a thread runs it, too, and main.js tells where it runs. */
  #begin() {
    const worker = new Worker(new URL(import.meta.url), { workerData: this.#work, resourceLimits: HEAP });
    /** @type {Thread} */
    const thread = { worker, batches: 0, tally: undefined };
    worker.on("message", (message) => this.#hear(thread, message));
    worker.on("error", (error) => this.#hear(thread, { sentences: [sentence(error)] }));
    this.#threads.push(thread);
    return thread;
  }

  /**
   * @param {Thread} thread
   * @param {{ orders?: number, bytes?: Uint8Array, tally?: Tally, sentences?: string[] }} message
   */
  #hear(thread, { orders, bytes, tally, sentences }) {
    if (sentences) this.#failure ??= new Failure(...sentences);
    else if (tally) thread.tally = tally;
    else {
      thread.batches -= 1;
      this.#onDone(orders, bytes);
    }
    this.#onNews();
  }

  /** Waits for a message. Throws the first failure. */
  async #news() {
    if (!this.#failure) await new Promise((resolve) => (this.#onNews = resolve));
    if (this.#failure) throw this.#failure;
  }
}
