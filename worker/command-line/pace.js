// How fast requests go out to Cloudflare, and what a person reads while they wait.
import { setTimeout as sleep } from "node:timers/promises";

// Cloudflare takes 1,200 requests in 5 minutes, and refuses all for the next 5 after one more. The rest is for others
// who use the account: the dashboard, wrangler, a command that ran a minute ago.
const MOST_REQUESTS = 1100;
const SPAN_MS = 5 * 60_000;

export class Pace {
  #most;
  #spanMs;
  #now;
  #wait;
  #tell;
  /**
   * When the latest requests went out, the oldest first.
   * @type {number[]}
   */
  #sent = [];
  #notBefore = -Infinity;

  /**
   * @param {object} [options]
   * @param {number} [options.most] requests in a span
   * @param {number} [options.spanMs]
   * @param {() => number} [options.now] in milliseconds
   * @param {(ms: number) => Promise<unknown>} [options.wait]
   * @param {(line: string) => void} [options.tell]
   */
  constructor({ most = MOST_REQUESTS, spanMs = SPAN_MS, now = () => performance.now(), wait = sleep, tell = () => {} } = {}) {
    this.#most = most;
    this.#spanMs = spanMs;
    this.#now = now;
    this.#wait = wait;
    this.#tell = tell;
  }

  /** Waits until one more request may go out, and counts it. */
  async turn() {
    for (let ms = this.#early(); ms > 0; ms = this.#early()) await this.pause(ms, "Cloudflare's limit");
    this.#sent.push(this.#now());
    if (this.#sent.length > this.#most) this.#sent.shift();
  }

  /** How long it is until the next request may go out. */
  #early() {
    const isFull = this.#sent.length === this.#most;
    const free = isFull ? this.#sent[0] + this.#spanMs : -Infinity;
    return Math.max(free, this.#notBefore) - this.#now();
  }

  /**
   * No request goes out for so long, whoever makes it.
   * @param {number} ms
   */
  hold(ms) {
    this.#notBefore = Math.max(this.#notBefore, this.#now() + ms);
  }

  /**
   * @param {number} ms
   * @param {string} reason for the person, if it takes more than a second
   */
  async pause(ms, reason) {
    if (ms > 1000) this.#tell(`${reason}: waiting ${Math.ceil(ms / 1000).toLocaleString("en")} s`);
    await this.#wait(ms);
  }
}
