// What an account at Cloudflare has, by wrangler's own command line.
import { Fault } from "../data/fault.js";
import { refusalIn, wrangler } from "../data/wrangler.js";

/** Cloudflare's code for a Worker that the account does not have. */
const NO_SUCH_WORKER = 10007;

/**
 * The names of the secrets of an environment's Worker, whose values nobody can read. None for a Worker that does not
 * exist yet.
 * @param {{ config: string, env: string }} at
 * @returns {Promise<string[]>}
 */
export async function secretsOf({ config, env }) {
  const secrets = await ask(["secret", "list", "--env", env], config, "/secrets");
  return secrets?.map(({ name }) => name) ?? [];
}

/**
 * Whether the account has a Worker.
 * @param {string} name
 * @param {{ config: string, env: string }} at
 */
export async function hasWorker(name, { config, env }) {
  const found = await ask(["deployments", "list", "--name", name, "--env", env], config, "/deployments");
  return found !== undefined;
}

/** The result of a command; undefined: there is no such Worker. */
async function ask(command, config, path) {
  const { answers, error } = await wrangler(command, { config });
  const answer = answers.find(({ url }) => url.endsWith(path));
  if (answer?.body?.errors?.some(({ code }) => code === NO_SUCH_WORKER)) return undefined;
  const refusal = refusalIn(answers);
  if (refusal || !answer) throw new Fault(refusal?.sentence ?? error);
  return answer.body.result;
}

/**
 * What wrangler says when it does everything but deploy.
 * @param {{ config: string, env: string }} at
 * @returns {Promise<{ complaints: string[], isReadable: boolean }>} `isReadable`: wrangler understands the settings
 */
export async function dryRun({ config, env }) {
  const { exitCode, error, complaints } = await wrangler(["deploy", "--dry-run", "--env", env], { config });
  if (exitCode === 0) return { complaints, isReadable: true };
  const isReadable = !complaints.some((complaint) => complaint.startsWith("Processing "));
  return { complaints: complaints.length > 0 ? complaints : [error], isReadable };
}
