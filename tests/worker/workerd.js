import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { kept } from "./kept.js";

// The Worker's own wrangler and workerd: the tests use the same versions as development and deployment.
const worker = createRequire(new URL("../../worker/package.json", import.meta.url));
const { Miniflare } = worker("miniflare");
const { Agent, setGlobalDispatcher } = createRequire(worker.resolve("miniflare"))("undici");
const wrangler = path.join(path.dirname(worker.resolve("wrangler/package.json")), "bin", "wrangler.js");

const root = fileURLToPath(new URL("../../", import.meta.url));
const MODULE_TYPES = { ".js": "ESModule", ".wasm": "CompiledWasm" };

/**
 * The modules that wrangler would deploy for a wrangler.jsonc, with its bindings.
 * @param {string} config path of the wrangler.jsonc in the project
 * @returns {Promise<import("miniflare").WorkerOptions>}
 */
export const bundle = (config) => kept(config, () => makeBundle(path.join(root, config)));

/** How Cloudflare serves the files that stand beside a Worker, as its wrangler.jsonc says. */
export const assetsOf = (config) => worker("wrangler").unstable_getMiniflareWorkerOptions(path.join(root, config)).workerOptions.assets;

async function makeBundle(file) {
  const { unstable_readConfig: readConfig, unstable_getMiniflareWorkerOptions: readBindings } = worker("wrangler");
  const directory = await mkdtemp(path.join(tmpdir(), "order-cost-worker-"));
  try {
    // Cloudflare serves the site's assets beside the Worker. An empty folder stands in for them.
    const metafile = path.join(directory, "meta.json");
    const options = ["deploy", "--dry-run", "--config", file, "--outdir", directory, "--assets", directory, "--metafile", metafile];
    await promisify(execFile)(process.execPath, [wrangler, ...options], {
      env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" },
    });
    const { assets, ...settings } = readConfig({ config: file });
    const inputs = Object.keys(JSON.parse(await readFile(metafile, "utf8")).inputs).map((input) => path.resolve(path.dirname(file), input));
    return {
      value: { ...readBindings(settings).workerOptions, name: settings.name, modules: await readModules(directory) },
      inputs: [file, ...inputs],
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function readModules(directory) {
  const names = (await readdir(directory)).filter((name) => path.extname(name) in MODULE_TYPES);
  names.sort((left, right) => Number(right.endsWith(".js")) - Number(left.endsWith(".js"))); // the entry (the only script) first
  return Promise.all(
    names.map(async (name) => ({
      type: MODULE_TYPES[path.extname(name)],
      path: name,
      contents: await readFile(path.join(directory, name)),
    })),
  );
}

/**
 * Gives each request of `fetch` a connection of its own. workerd closes one that was idle for 5 s, and on a busy machine
 * `fetch` sends a request into it before it sees that ("other side closed").
 */
export const reuseNoConnection = () => setGlobalDispatcher(new Agent({ pipelining: 0 }));

/**
 * Runs Workers in one workerd, each on its own port.
 * @param {import("miniflare").WorkerOptions[]} workers
 * @param {import("miniflare").SharedOptions} [options] of all of them: their stores are in memory by default
 */
export async function startWorkerd(workers, options = {}) {
  reuseNoConnection();
  const logs = [];
  const miniflare = new Miniflare({
    workers: workers.map((options) => ({ unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }], ...options })),
    handleRuntimeStdio: (...streams) => {
      for (const stream of streams) createInterface(stream).on("line", (line) => logs.push(line));
    },
    ...options,
  });
  try {
    await miniflare.ready;
  } catch (cause) {
    await miniflare.dispose().catch(() => {}); // it would repeat the same error
    throw new Error(`workerd did not start: ${logs.join("\n")}`, { cause });
  }
  return {
    /** The Workers' log, line by line. */
    logs,
    /** The address of a Worker, or of one of its entrypoints. */
    url: async (name, entrypoint) => (await miniflare.unsafeGetDirectURL(name, entrypoint)).href.replace(/\/$/, ""),
    /** A KV namespace of a Worker, for seeding. */
    kv: (name, binding) => miniflare.getKVNamespace(binding, name),
    stop: () => miniflare.dispose(),
  };
}
