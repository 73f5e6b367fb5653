// A catalogue's version, copied into a folder that `--catalogue` takes.
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CURRENT_KEY, damageOf, layersOf, MOST_BULK_KEYS, shardKey, shardsIn, zonesKey } from "../../catalogue/index.js";
import { groups } from "../../shared/index.js";
import { Failure, sentence } from "../files/index.js";
import { refuseOverwriting } from "../screen/index.js";
import { currentText, fileOf, readTexts } from "./new-catalogue.js";

/**
 * Copies what a version consists of, each text once. `current` comes last: without it the folder has no catalogue.
 * @param {string} place a folder or a URL
 * @param {string | undefined} version absent: the one in use
 * @param {string} folder which is empty, or not there
 */
export async function copyCatalogue(place, version, folder) {
  await refuseFull(folder);
  await refuseOverwriting(folder, [place]);
  const current = await currentText(place, version);
  const manifest = /** @type {import("./new-catalogue.js").Manifest} */ (JSON.parse(current));
  const copy = async (names) => {
    const texts = await readTexts(place, names);
    for (const name of names) await put(name, await whole(name, texts.get(name) ?? null));
    return texts;
  };
  const put = (name, text) => write(join(folder, fileOf(name)), text);
  const whole = async (name, text) => {
    const damage = await damageOf(name, text);
    if (damage !== undefined) throw new Failure(`${place}: ${name} of version ${manifest.id} is ${damage}`);
    return text;
  };
  for (const shards of groups(await shardsOf(manifest, copy), MOST_BULK_KEYS)) await copy(shards);
  if (manifest.zones !== null) await copy([zonesKey(manifest.zones)]);
  await put(CURRENT_KEY, current);
}

async function refuseFull(folder) {
  if (folder === "") throw new Failure("the folder of the copy has no name");
  const found = await readdir(folder).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw new Failure(`cannot read ${folder}: ${sentence(error)}`);
  });
  if (found.length > 0) throw new Failure(`${folder}: expected a folder that is empty or not there`);
}

/** The shards of all branches, which share layers. */
async function shardsOf(manifest, copy) {
  const known = new Map();
  const read = async (names) => {
    const texts = await copy(names.filter((name) => !known.has(name)));
    for (const [name, text] of texts) known.set(name, text);
    return known;
  };
  const shards = new Set();
  for (const branchId of Object.keys(manifest.branches)) {
    const hashes = (await layersOf(manifest, branchId, read)).flatMap(shardsIn);
    for (const hash of hashes) if (hash !== "") shards.add(shardKey(hash));
  }
  return [...shards];
}

async function write(file, text) {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new Failure(`cannot write ${file}: ${sentence(error)}`);
  }
}
