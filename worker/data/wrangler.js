// Runs `wrangler kv …` and reads what Cloudflare's API answered.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { BINDING } from "./binding.js";

const require = createRequire(import.meta.url);
const program = join(dirname(require.resolve("wrangler/package.json")), "bin/wrangler.js");

/**
 * @typedef {{ url: string, status: number, body: any }} Answer of Cloudflare's API; body undefined: it is no JSON
 */

/**
 * @param {string[]} command what comes after `wrangler kv`
 * @param {{ config: string, env: string, items?: unknown[] }} options `items`: handed over as a file
 * @returns {Promise<{ exitCode: number | null, answers: Answer[], error: string }>} `error`: wrangler's first sentence
 */
export async function wrangler(command, { config, env, items }) {
  const folder = await mkdtemp(join(tmpdir(), "order-cost-data-"));
  try {
    const files = items ? [join(folder, "items.json")] : [];
    for (const file of files) await writeFile(file, JSON.stringify(items));
    const options = ["--remote", "--config", config, "--env", env, "--binding", BINDING];
    const child = spawn(process.execPath, [program, "kv", ...command, ...files, ...options], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: dirname(config), // where wrangler looks for .env
      env: { ...process.env, ...LOGGING, WRANGLER_LOG_PATH: folder },
    });
    const [output, errors, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { exitCode, answers: answersIn(output), error: errorIn(errors) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// Only the log names the status of an answer (429), and what a bulk write left out.
const LOGGING = { WRANGLER_LOG: "debug", WRANGLER_LOG_SANITIZE: "false", WRANGLER_SEND_METRICS: "false", CI: "1" };
const ANSWER =
  /^-- START CF API REQUEST: \w+ (\S+)$.*?^-- START CF API RESPONSE: .*?(\d{3})$.*?^RESPONSE: (.*?)\n-- END CF API RESPONSE$/gms;

function answersIn(output) {
  return Array.from(output.matchAll(ANSWER), ([, url, status, body]) => ({
    url,
    status: Number(status),
    body: jsonOf(body),
  }));
}

function jsonOf(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function errorIn(errors) {
  const [, error = ""] = /\[ERROR\] (.*)/.exec(stripVTControlCharacters(errors)) ?? [];
  if (error === "fetch failed") return "Cloudflare's API cannot be reached";
  return error.replace(/\.$/, "") || "wrangler stopped without a reason";
}
