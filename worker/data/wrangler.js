// Runs wrangler and reads what Cloudflare's API answered.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";

const require = createRequire(import.meta.url);
const program = join(dirname(require.resolve("wrangler/package.json")), "bin/wrangler.js");

/**
 * @typedef {{ url: string, status: number, body: any }} Answer of Cloudflare's API; body undefined: it is no JSON
 */

/**
 * @param {string[]} command what comes after `wrangler`
 * @param {{ config: string, items?: unknown[] }} options `items`: handed over as a file, the command's last word
 * @returns {Promise<{ exitCode: number | null, answers: Answer[], error: string, complaints: string[] }>} `error`:
 *   wrangler's first sentence; `complaints`: all errors and warnings, one line each
 */
export async function wrangler(command, { config, items }) {
  const folder = await mkdtemp(join(tmpdir(), "order-cost-data-"));
  try {
    const files = items ? [join(folder, "items.json")] : [];
    for (const file of files) await writeFile(file, JSON.stringify(items));
    const child = spawn(process.execPath, [program, ...command, ...files, "--config", config], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: dirname(config), // where wrangler looks for .env
      env: { ...process.env, ...LOGGING, WRANGLER_LOG_PATH: folder },
    });
    const [output, errors, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { exitCode, answers: answersIn(output), error: errorIn(errors), complaints: complaintsIn(errors) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// Only the log names the status of an answer (429), and what a bulk write left out.
const LOGGING = { WRANGLER_LOG: "debug", WRANGLER_LOG_SANITIZE: "false", WRANGLER_SEND_METRICS: "false", CI: "1" };
const ANSWER =
  /^-- START CF API REQUEST: \w+ (\S+)$.*?^-- START CF API RESPONSE: .*?(\d{3})$.*?^RESPONSE: (.*?)\n-- END CF API RESPONSE$/gms;

/** Cloudflare's refusal among the answers, as a sentence; undefined: it refused nothing. */
export function refusalIn(answers) {
  const refused = answers.find(({ status, body }) => status >= 400 || !body?.success);
  if (!refused) return undefined;
  const { status, body } = refused;
  const said = body?.errors?.map(({ code, message }) => `${message} (code ${code})`).join("; ");
  return { status, sentence: `Cloudflare answered ${status}${said ? `: ${said}` : ""}` };
}

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
  if (error.includes("CLOUDFLARE_API_TOKEN")) return "not logged in: set CLOUDFLARE_API_TOKEN, or run npx wrangler login";
  return error.replace(/\.$/, "") || "wrangler stopped without a reason";
}

function complaintsIn(errors) {
  const blocks = stripVTControlCharacters(errors).split(/^.*\[(?:ERROR|WARNING)\] /m).slice(1);
  return blocks.map((block) => block.split("🪵")[0].replace(/\s+/g, " ").trim());
}
