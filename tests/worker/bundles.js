// The bundles of wrangler, which many test files need. Each is kept in target/bundles until a file changes in one of the
// folders that it was made of.
import { createHash } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { replaceFile } from "../../worker/data/replace-file.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Those of a bundle that no input names: how it is made, and the versions of what makes it. */
const ALWAYS = ["tests/worker", "worker"].map((folder) => join(ROOT, folder));

const asked = new Map();

/**
 * @template T
 * @param {string} config path of the wrangler.jsonc in the project
 * @param {(file: string) => Promise<{ bundle: T, inputs: string[] }>} make `inputs`: the files that it is made of
 * @returns {Promise<T>}
 */
export function keptBundle(config, make) {
  if (!asked.has(config)) asked.set(config, findOrMake(config, make));
  return asked.get(config);
}

async function findOrMake(config, make) {
  const file = join(ROOT, "target/bundles", config.replaceAll("/", "-"));
  const kept = await readFile(file).then(deserialize, () => undefined);
  if (kept && kept.state === (await stateOf(kept.folders))) return kept.bundle;
  const { bundle, inputs } = await make(join(ROOT, config));
  const folders = [...new Set([...ALWAYS, dirname(join(ROOT, config)), ...inputs.map((input) => dirname(input))])].sort();
  const text = serialize({ folders, state: await stateOf(folders), bundle });
  await replaceFile(file, (name) => writeFile(name, text));
  return bundle;
}

/** A digest of all files that lie in the folders. */
async function stateOf(folders) {
  const digest = createHash("sha256");
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name)).sort();
    const contents = await Promise.all(names.map((name) => readFile(name)));
    for (const [index, name] of names.entries()) digest.update(`${name} ${contents[index].length}\n`).update(contents[index]);
  }
  return digest.digest("hex");
}
