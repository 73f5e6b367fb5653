// `npm run dev` of the Worker, which is also what `cargo xtask dev` starts.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const worker = createRequire(new URL("../../worker/package.json", import.meta.url));
const wrangler = join(dirname(worker.resolve("wrangler/package.json")), "bin/wrangler.js");
const [, ...script] = worker("./package.json").scripts.dev.split(" ");

/**
 * Starts it on a free port; it ends with the test.
 * @param {import("node:test").TestContext} context
 * @param {string} persistTo where its stores are
 * @returns {Promise<string>} its address
 */
export async function startDev(context, persistTo) {
  const options = ["--persist-to", persistTo, "--port", "0", "--ip", "127.0.0.1", "--inspector-port", "0"];
  const dev = spawn(process.execPath, [wrangler, ...script, ...options], {
    cwd: fileURLToPath(new URL("../../worker", import.meta.url)),
    env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" },
  });
  context.after(() => dev.kill());
  return readyUrl(dev);
}

async function readyUrl(child) {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  for (let tries = 0; tries < 600; tries += 1) {
    const [, url] = /Ready on (http:\S+)/.exec(output) ?? [];
    if (url) return url;
    await wait(100);
  }
  throw new Error(`wrangler dev did not start: ${output}`);
}
