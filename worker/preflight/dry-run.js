// What wrangler says when it does everything but deploy. It needs no account for that.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";

const require = createRequire(import.meta.url);
const program = join(dirname(require.resolve("wrangler/package.json")), "bin/wrangler.js");

/**
 * @typedef {{ complaints: string[], isReadable: boolean }} Trial `complaints`: errors and warnings, a line each;
 *   `isReadable`: wrangler understands the settings
 */

/**
 * @param {{ config: string, env: string }} at
 * @param {Record<string, string | undefined>} environment
 * @returns {Promise<Trial>}
 */
export async function dryRun({ config, env }, environment) {
  const { exitCode, errors } = await run(["deploy", "--dry-run", "--env", env, "--config", config], dirname(config), environment);
  const complaints = complaintsIn(errors);
  if (exitCode === 0) return { complaints, isReadable: true };
  const isReadable = !complaints.some((complaint) => complaint.startsWith("Processing "));
  return { complaints: complaints.length > 0 ? complaints : ["wrangler stopped without a reason"], isReadable };
}

async function run(command, cwd, environment) {
  const logs = await mkdtemp(join(tmpdir(), "order-cost-preflight-"));
  try {
    const child = spawn(process.execPath, [program, ...command], {
      stdio: ["ignore", "ignore", "pipe"],
      cwd, // where wrangler looks for .env
      env: { ...environment, WRANGLER_LOG: "log", WRANGLER_LOG_PATH: logs, WRANGLER_SEND_METRICS: "false", CI: "1" },
    });
    const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")]);
    return { exitCode, errors };
  } finally {
    await rm(logs, { recursive: true, force: true });
  }
}

function complaintsIn(errors) {
  const blocks = stripVTControlCharacters(errors)
    .split(/^.*\[(?:ERROR|WARNING)\] /m)
    .slice(1);
  return blocks.map((block) => block.split("🪵")[0].replace(/\s+/g, " ").trim());
}
