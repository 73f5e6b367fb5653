// What an account at Cloudflare has.

/** Cloudflare's code for a Worker that the account does not have. */
const NO_SUCH_WORKER = 10007;

/**
 * The names of the secrets of a Worker, whose values nobody can read. None for a Worker that does not exist yet.
 * @param {import("../data/store/cloudflare-api.js").Cloudflare} cloudflare
 * @param {string} worker its name
 * @returns {Promise<string[]>}
 */
export async function secretsOf(cloudflare, worker) {
  const secrets = await ask(cloudflare, worker, "secrets");
  return secrets?.map(({ name }) => name) ?? [];
}

/**
 * Whether the account has a Worker.
 * @param {import("../data/store/cloudflare-api.js").Cloudflare} cloudflare
 * @param {string} worker its name
 */
export const hasWorker = async (cloudflare, worker) => (await ask(cloudflare, worker, "deployments")) !== undefined;

/**
 * What Cloudflare knows of a Worker; undefined: there is no such Worker.
 * @param {import("../data/store/cloudflare-api.js").Cloudflare} cloudflare
 * @param {string} worker its name
 * @param {string} what
 */
async function ask(cloudflare, worker, what) {
  try {
    const { result } = await cloudflare.ask("GET", `workers/scripts/${encodeURIComponent(worker)}/${what}`);
    return result;
  } catch (error) {
    const { codes = [] } = /** @type {{ codes?: number[] }} */ (error);
    if (codes.includes(NO_SUCH_WORKER)) return undefined;
    throw error;
  }
}
