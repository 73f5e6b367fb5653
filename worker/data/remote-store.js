// The store of a Cloudflare account, by wrangler's own command line.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { namespaceId } from "./binding.js";
import { Fault } from "./fault.js";
import { named } from "./local-store.js";
import { wrangler } from "./wrangler.js";

const workerFolder = fileURLToPath(new URL("../", import.meta.url));
const PAUSES = [500, 1000, 2000, 4000];

/** @param {import("./store.js").StoreOptions} options */
export async function openRemote({ env, config = join(workerFolder, "wrangler.jsonc"), pauses = PAUSES }) {
  if (env === undefined) throw new Fault("--remote needs --env NAME: expected an environment of wrangler.jsonc");
  await namespaceId(config, env);

  /** The results of a command, one for each answer of Cloudflare. What it refuses as too much is tried again. */
  async function ask(what, args, items) {
    for (const pause of [...pauses, undefined]) {
      const outcome = failure(await wrangler(args, { config, env, items }));
      if (!outcome.reason) return outcome.results;
      if (!outcome.isTemporary || pause === undefined) throw new Fault(`cannot ${what} (${env}): ${outcome.reason}`);
      await wait(pause);
    }
  }
  return {
    async get(keys) {
      const [{ values }] = await ask(`read ${named(keys)}`, ["bulk", "get"], keys);
      return new Map(keys.map((key) => [key, values[key] ?? null]));
    },
    async list(prefix) {
      const args = prefix === "" ? [] : ["--prefix", prefix];
      const what = `list the keys${prefix && ` that begin with ${prefix}`}`;
      return (await ask(what, ["key", "list", ...args])).flat().map(({ name }) => name);
    },
    put: (entries) => ask(`write ${named(entries.map(({ key }) => key))}`, ["bulk", "put"], entries),
    delete: (keys) => ask(`delete ${named(keys)}`, ["bulk", "delete", "--force"], keys),
    close: async () => {},
  };
}

/** What went wrong, if anything, and whether it is worth another try. */
function failure({ exitCode, answers, error }) {
  const refused = answers.find(({ status, body }) => status >= 400 || !body?.success);
  if (refused) {
    const said = refused.body?.errors?.map(({ code, message }) => `${message} (code ${code})`).join("; ");
    const reason = [`Cloudflare answered ${refused.status}`, said].filter(Boolean).join(": ");
    return { reason, isTemporary: refused.status === 429 };
  }
  if (exitCode !== 0) return { reason: error };
  if (answers.length === 0) return { reason: "wrangler did not say what Cloudflare answered; it may be another version than 4.86" };
  const results = answers.map(({ body }) => body.result);
  // Cloudflare may take a bulk write in part, and wrangler calls that a success.
  const failed = results.flatMap((result) => result?.unsuccessful_keys ?? []);
  if (failed.length > 0) return { reason: `Cloudflare left out ${named(failed)}`, isTemporary: true };
  return { results };
}
