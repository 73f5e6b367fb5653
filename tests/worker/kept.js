// What wrangler makes and many tests need. It is kept in target/wrangler until a file changes in one of the folders that it
// was made of.
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { replaceFile } from "../../worker/data/files/replace-file.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Those that no input names: how it is made, and the versions of what makes it. */
const ALWAYS = ["tests/worker", "worker"].map((folder) => join(ROOT, folder));

const asked = new Map();

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<{ value: T, inputs?: string[] }>} make `inputs`: the files that it is made of
 * @returns {Promise<T>}
 */
export function kept(name, make) {
  if (!asked.has(name)) asked.set(name, findOrMake(name, make));
  return asked.get(name);
}

async function findOrMake(name, make) {
  const file = join(ROOT, "target/wrangler", name.replaceAll(/[^\w.]/g, "-"));
  const found = await readFile(file).then(deserialize, () => undefined);
  if (found && found.state === (await stateOf(found.folders))) return found.value;
  const { value, inputs = [] } = await make();
  const folders = [...new Set([...ALWAYS, ...inputs.map((input) => dirname(input))])].sort();
  const text = serialize({ folders, state: await stateOf(folders), value });
  await replaceFile(file, (temporary) => writeFile(temporary, text));
  return value;
}

/** A digest of all files that lie in the folders. */
async function stateOf(folders) {
  const digest = createHash("sha256");
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(folder, name))
      .sort();
    const contents = await Promise.all(names.map((name) => readFile(name)));
    for (const [index, name] of names.entries()) digest.update(`${name} ${contents[index].length}\n`).update(contents[index]);
  }
  return digest.digest("hex");
}
