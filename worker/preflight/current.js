// The version in use, as an environment's orders will find it.
import { CURRENT_KEY, MOST_BULK_KEYS, readCurrent } from "order-cost/internal";
import { count, Fault } from "../command-line/index.js";
import { BINDING } from "../data/store/index.js";
import { currentIn, Damage, isOpened, keysOf, readCurrentText, readTexts } from "../data/versions/index.js";

/**
 * The version in use, if the Worker can read it and its texts. Otherwise throws a Fault. Reads the layers of all branches
 * and a sample of the other texts, as many as one request gives: a large shop has gigabytes of those, and each was checked
 * when the version was activated.
 * @param {import("../data/store/store.js").Store} store
 * @param {string} env
 * @param {Date} [now]
 * @returns {Promise<{ id: string, activatedAt: string, extent: string }>} `extent`: of how many texts it read a sample
 */
export async function usableVersion(store, env, now = new Date()) {
  const todo = `run "npm run data -- status --remote --env ${env}", and activate a version`;
  const text = await readCurrentText(store);
  if (text === null) throw new Fault(`${BINDING} has no key ${CURRENT_KEY}: ${todo}`);
  await readCurrent(text).catch((error) => {
    throw new Fault(`the Worker cannot read the key ${CURRENT_KEY}: ${error.message}: ${todo}`);
  });
  const current = await currentIn(text, store, now);
  const { id, activatedAt } = current;
  return { id, activatedAt, extent: await readSample(current, store) };
}

async function readSample(current, store) {
  try {
    const keys = [...(await keysOf([current], store))].filter((key) => !isOpened(key));
    const step = Math.max(1, keys.length / MOST_BULK_KEYS);
    const sample = Array.from({ length: Math.min(keys.length, MOST_BULK_KEYS) }, (_, index) => keys[Math.floor(index * step)]);
    await readTexts(store, sample);
    return sample.length === keys.length ? "all its texts" : `all its layers and ${sample.length} of ${count(keys.length, "other text")}`;
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    throw new Fault(`${current.id} is incomplete: ${error.message}`);
  }
}
