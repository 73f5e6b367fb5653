// Plain workerd without a proxy in front: bundles Workers with wrangler's esbuild and runs each on its own port.
import { spawn } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const worker = createRequire(new URL("../../worker/package.json", import.meta.url));
const wrangler = createRequire(worker.resolve("wrangler/package.json"));

const FACTS = "facts.json";

/**
 * @param {string[]} names names of modules in benches/workers/
 * @param {{ folder: string, facts: object }} options `facts` is the module that they import as "facts"
 */
export async function startWorkerd(names, options) {
  return serveWorkers(names, await prepareWorkers(names, options));
}

/** Bundles the Workers. Returns the configuration from which `serveWorkers` starts them, any number of times. */
export async function prepareWorkers(names, { folder, facts }) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, FACTS), JSON.stringify(facts));
  for (const name of names) await bundle(name, join(folder, name));
  const config = join(folder, "config.capnp");
  await writeFile(config, await configOf(names, folder));
  return config;
}

/** Starts a workerd with the Workers of a configuration. */
export async function serveWorkers(names, config) {
  // workerd reports its ports on the control descriptor, one line per socket.
  const child = spawn(worker("workerd").default, ["serve", "--control-fd=3", config], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const ports = await listening(child, names.length);
  return {
    url: (name) => `http://127.0.0.1:${ports.get(name)}`,
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.kill();
      }),
  };
}

async function bundle(name, outdir) {
  await wrangler("esbuild").build({
    entryPoints: { index: fileURLToPath(new URL(`../workers/${name}.js`, import.meta.url)) },
    outdir,
    bundle: true,
    format: "esm",
    target: "es2024",
    external: ["facts"],
    conditions: ["workerd"],
    loader: { ".wasm": "copy" },
    logLevel: "warning",
  });
}

async function configOf(names, folder) {
  const services = await Promise.all(names.map(async (name) => serviceOf(name, await readdir(join(folder, name)))));
  const sockets = names.map((name) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}")`);
  return [
    'using Workerd = import "/workerd/workerd.capnp";',
    "const config :Workerd.Config = (",
    `services = [${services.join(",\n")}],`,
    `sockets = [${sockets.join(",\n")}]`,
    ");",
  ].join("\n");
}

function serviceOf(name, files) {
  const others = files.filter((file) => file !== "index.js");
  const modules = [
    `(name = "index.js", esModule = embed "${name}/index.js")`,
    `(name = "facts", json = embed "${FACTS}")`,
    ...others.map((file) => `(name = "${file}", wasm = embed "${name}/${file}")`),
  ];
  return `(name = "${name}", worker = (modules = [${modules.join(", ")}], compatibilityDate = "2026-04-26"))`;
}

async function listening(child, count) {
  const ports = new Map();
  const died = new Promise((_, reject) => child.once("exit", (code) => reject(new Error(`workerd ended with ${code}`))));
  const heard = (async () => {
    for await (const line of createInterface({ input: child.stdio[3] })) {
      const { event, socket, port } = JSON.parse(line);
      if (event === "listen") ports.set(socket, port);
      if (ports.size === count) return ports;
    }
    return died;
  })();
  return Promise.race([heard, died]);
}
