// worker/compose.yaml without a container engine: each service is a process, in a folder that stands for its image.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { freePorts } from "../ports.js";
import { PATIENCE_MS } from "../until.js";
import { buildImage } from "./image.js";

const COMPOSE = new URL("../../worker/compose.yaml", import.meta.url);

/** What every engine sets. */
const OF_ENGINE = { PATH: "/usr/bin:/bin", HOSTNAME: "4f1c0a2b9d3e", HOME: "/home/nonroot" };

const IS_ROOT = process.getuid?.() === 0;

/** No file can grow: a program that writes one is ended by the system. Pipes are no files. */
const WRITES_NOTHING = 'ulimit -f 0; exec "$0" "$@"';

/** Starts all services, each after those that it depends on. */
export async function startShop() {
  const { services } = parse(readFileSync(COMPOSE, "utf8"), { merge: true });
  const folder = mkdtempSync(join(tmpdir(), "order-cost-image-"));
  chmodSync(folder, 0o755); // another user runs in it
  const image = buildImage(services.page.build.target, folder);
  const shop = new Shop(folder, image, services);
  try {
    for (const name of Object.keys(services)) shop.ports.set(name, await freePorts());
    await Promise.all(Object.keys(services).map((name) => shop.start(name)));
    return shop;
  } catch (error) {
    await shop.stop().catch(() => {}); // the first error is the reason
    throw error;
  }
}

class Shop {
  /** The port of each service, by its name. */
  ports = new Map();
  #starting = new Map();
  #processes = new Map();
  #folder;
  #image;
  #services;

  constructor(folder, image, services) {
    this.#folder = folder;
    this.#image = image;
    this.#services = services;
  }

  get page() {
    return `http://127.0.0.1:${this.ports.get("page")}`;
  }

  start(name) {
    if (!this.#starting.has(name)) this.#starting.set(name, this.#startOne(name));
    return this.#starting.get(name);
  }

  async #startOne(name) {
    const { depends_on: others = {} } = this.#services[name];
    await Promise.all(Object.keys(others).map((other) => this.start(other)));
    const process = this.#spawn(name);
    if (this.#services[name].healthcheck?.disable) return process.ended;
    this.#processes.set(name, process);
    const end = Date.now() + PATIENCE_MS;
    while (this.health(name) !== 0) {
      const { exitCode } = process.child;
      if (exitCode !== null || Date.now() > end) throw new Error(`${name} is not healthy (exit code ${exitCode}): ${process.output()}`);
      await sleep(500); // each look is a process
    }
  }

  #spawn(name) {
    const { command } = this.#services[name];
    const [program, ...args] = [...this.#image.entrypoint, ...command];
    const limit = this.#mayWrite(name) ? 'exec "$0" "$@"' : WRITES_NOTHING;
    const child = spawn("sh", ["-c", limit, this.#placeOf(program), ...args], this.#options(name));
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => printed.push(text));
    const output = () => printed.join("");
    const ended = once(child, "exit").then(([code, signal]) => {
      if (code !== 0) throw new Error(`${name} ended with ${code ?? signal}: ${output()}`);
    });
    ended.catch(() => {}); // handled where it is awaited
    return { child, ended, output };
  }

  /** Whether a folder of the service may be written to. */
  #mayWrite(name) {
    return (this.#services[name].volumes ?? []).some((volume) => !volume.endsWith(":ro"));
  }

  #options(name) {
    const { root, workdir, user } = this.#image;
    const env = { ...OF_ENGINE, ...this.#image.env, ...this.#services[name].environment };
    const shown = Object.entries(env).map(([key, value]) => [key, this.#placeOf(this.#addressed(String(value)))]);
    return {
      cwd: join(root, workdir),
      env: { ...Object.fromEntries(shown), PORT: String(this.ports.get(name)), METRICS_PORT: "0", TMPDIR: this.#volume("tmp") },
      ...(IS_ROOT && { uid: user, gid: user }),
    };
  }

  /** Every service has the network of this machine, so each has a port of its own. */
  #addressed(value) {
    return value.replace(/^http:\/\/([a-z]+):\d+/, (_, name) => `http://127.0.0.1:${this.ports.get(name)}`);
  }

  /** Where a path of the container lies. */
  #placeOf(path) {
    if (path === "/catalogue") return this.#volume("catalogue");
    return path.startsWith("/") ? join(this.#image.root, path) : path;
  }

  #volume(name) {
    const path = join(this.#folder, `volume-${name}`);
    mkdirSync(path, { recursive: true });
    if (IS_ROOT) chownSync(path, this.#image.user, this.#image.user);
    return path;
  }

  /** The exit code of the image's health check in a service's container. */
  health(name) {
    const [program, ...args] = this.#image.healthcheck;
    return spawnSync(this.#placeOf(program), args, this.#options(name)).status;
  }

  /** Runs a service that ends by itself once more. */
  runAgain(name) {
    return this.#spawn(name).ended;
  }

  /** Ends all services as an engine does, by a signal to each first process. Throws if an exit code is not 0. */
  async end() {
    for (const { child, ended } of [...this.#processes.values()].reverse()) {
      child.kill(this.#image.signal);
      const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      await ended.finally(() => clearTimeout(late));
    }
  }

  async stop() {
    await this.end().finally(() => {
      for (const { child } of this.#processes.values()) child.kill("SIGKILL");
      spawnSync("chmod", ["-R", "u+w", this.#folder]);
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }
}
