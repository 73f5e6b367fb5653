// The store of a Cloudflare account, by wrangler's own command line.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { BINDING, namespaceId } from "./binding.js";
import { Fault } from "./fault.js";
import { refusalIn, wrangler } from "./wrangler.js";

const workerFolder = fileURLToPath(new URL("../", import.meta.url));
const PAUSES = [500, 1000, 2000, 4000];

/** @param {import("./store.js").StoreOptions} options */
export async function openRemote({ env, config = join(workerFolder, "wrangler.jsonc"), pauses = PAUSES }) {
  if (env === undefined) throw new Fault("--remote needs --env NAME: expected an environment of wrangler.jsonc");
  await namespaceId(config, env);
  const where = ["--remote", "--env", env, "--binding", BINDING];
  const at = { config: resolve(config) };

  /** The results of a command, one for each answer of Cloudflare. What it refuses for now is tried again. */
  async function ask(command, items) {
    for (const pause of [...pauses, undefined]) {
      const { results, reason, isTemporary } = outcome(await wrangler(["kv", ...command, ...where], { ...at, items }));
      if (results) return results;
      if (!isTemporary || pause === undefined) throw new Fault(reason);
      await wait(pause);
    }
  }
  return {
    name: `${BINDING} of ${env}`,
    async get(keys) {
      const [{ values }] = await ask(["bulk", "get"], keys);
      return new Map(keys.map((key) => [key, values[key] ?? null]));
    },
    async list(prefix) {
      const pages = await ask(["key", "list", ...(prefix ? ["--prefix", prefix] : [])]);
      return pages.flat().map(({ name }) => name);
    },
    put: (entries) => ask(["bulk", "put"], entries),
    delete: (keys) => ask(["bulk", "delete", "--force"], keys),
    close: async () => {},
  };
}

/** The results; or the reason for a failure, and whether another try may help. */
function outcome({ exitCode, answers, error }) {
  const refusal = refusalIn(answers);
  if (refusal) return { reason: refusal.sentence, isTemporary: refusal.status === 429 };
  if (exitCode !== 0) return { reason: error };
  // Without CLOUDFLARE_ACCOUNT_ID, wrangler asks for the account first.
  const results = answers.filter(({ url }) => url.includes("/storage/kv/")).map(({ body }) => body.result);
  if (results.length === 0) return { reason: "wrangler does not show Cloudflare's answer: expected wrangler 4.86.0" };
  // Cloudflare may take a bulk write in part, which wrangler does not mention.
  const left = results.flatMap((result) => result?.unsuccessful_keys ?? []);
  if (left.length > 0) return { reason: `Cloudflare left out ${left[0]}`, isTemporary: true };
  return { results };
}
