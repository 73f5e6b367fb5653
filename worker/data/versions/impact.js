// Asks the package's own command what a version does to the money of captured orders, before it is in use.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MOST_BULK_KEYS } from "order-cost/internal";
import { Fault } from "../../command-line/index.js";
import { cacheBefore } from "./disk-cache.js";

const COMMAND = fileURLToPath(new URL("cli.js", import.meta.resolve("order-cost/package.json")));

/** What a catalogue consists of, as `fromUrl` asks for it. */
const PATH = /^\/([a-z]+)\/([0-9a-f]+)$/;

/** Texts that threads want within this time are read together: an account counts requests. */
const GATHER_MS = 5;

/**
 * Throws a Fault unless a published version moves at most a share of the captured money. The report goes to stdout.
 * @param {import("./version.js").Texts} store what holds the version
 * @param {string} id
 * @param {{ captures: string, maxImpact: number, html?: string }} options `maxImpact` in percent; `html`: a file for the page
 * @param {import("../../command-line/surroundings.js").Surroundings} surroundings
 */
export async function refuseImpact(store, id, { captures, maxImpact, html }, surroundings) {
  const folder = await mkdtemp(join(tmpdir(), "order-cost-impact-"));
  // Threads that have no room for a text ask for it again, and a store far away would make them wait.
  const reader = new Reader(cacheBefore(folder, store));
  const server = createServer((request, response) => answer(reader, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const place = ["--catalogue", `http://127.0.0.1:${port}`, "--catalogue-version", id];
    const page = html === undefined ? [] : ["--html", html, "--at", new Date().toISOString()];
    const code = await run(["impact", ...place, "--max-impact", `${maxImpact}%`, ...page, "--", captures], surroundings);
    if (code === 0) return;
    if (code === 1) throw new Fault(`it moves more of the captured money than --max-impact ${maxImpact}%, and --force does not pass that`);
    throw reader.fault ?? new Fault("its impact cannot be told: see above");
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {string[]} args
 * @param {import("../../command-line/surroundings.js").Surroundings} surroundings
 * @returns {Promise<number | null>} the exit code
 */
async function run(args, { env, stdout, stderr }) {
  /**
   * A terminal stays one for the command.
   * @type {import("node:child_process").StdioOptions}
   */
  const stdio = ["ignore", ...[stdout, stderr].map((stream) => (stream.fd === undefined ? "pipe" : stream))];
  const command = spawn(process.execPath, [COMMAND, ...args], { env, stdio });
  command.stdout?.pipe(stdout, { end: false });
  command.stderr?.pipe(stderr, { end: false });
  const end = () => command.kill();
  process.once("exit", end);
  try {
    const [code] = await once(command, "close");
    return code;
  } finally {
    process.off("exit", end);
  }
}

/**
 * @param {Reader} reader
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function answer(reader, { url = "" }, response) {
  const [, kind, name] = PATH.exec(url) ?? [];
  try {
    const text = kind === undefined ? null : await reader.read(`${kind}:${name}`);
    response.writeHead(text === null ? 404 : 200).end(text ?? undefined);
  } catch {
    response.writeHead(502).end();
  }
}

/** @typedef {{ resolve(text: string | null): void, reject(error: unknown): void }} Waiter */

/** Reads texts that are asked for one by one, many of them by one request. */
class Reader {
  #texts;
  /**
   * The keys that are to be read next, and who waits for each.
   * @type {Map<string, Waiter[]>}
   */
  #waiting = new Map();
  /**
   * The first failure of the store.
   * @type {unknown}
   */
  fault;

  /** @param {import("./version.js").Texts} texts */
  constructor(texts) {
    this.#texts = texts;
  }

  /**
   * @param {string} key
   * @returns {Promise<string | null>}
   */
  read(key) {
    if (this.#waiting.size === 0) setTimeout(() => this.#flush(), GATHER_MS);
    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(key) ?? [];
      waiters.push({ resolve, reject });
      this.#waiting.set(key, waiters);
      if (this.#waiting.size === MOST_BULK_KEYS) this.#flush();
    });
  }

  async #flush() {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    if (waiting.size === 0) return; // they were read before their time, because they were many
    try {
      const texts = await this.#texts.get([...waiting.keys()]);
      for (const [key, waiters] of waiting) for (const { resolve } of waiters) resolve(texts.get(key) ?? null);
    } catch (error) {
      this.fault ??= error;
      for (const { reject } of [...waiting.values()].flat()) reject(error);
    }
  }
}
