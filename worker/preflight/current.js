// The version in use, as an environment's orders will find it.
import { refuseIncomplete } from "../data/activate.js";
import { BINDING } from "../data/binding.js";
import { Fault } from "../data/fault.js";
import { readCurrentText } from "../data/version.js";
import { CURRENT_KEY } from "../src/keys.js";
import { readCurrent } from "../src/catalogue/manifest.js";

/**
 * The manifest of the version in use, if the Worker can read it and all its texts are there. Otherwise throws a Fault.
 * @param {import("../data/store.js").Store} store
 * @param {string} env
 */
export async function usableVersion(store, env) {
  const todo = `run "npm run data -- status --remote --env ${env}", and activate a version`;
  const text = await readCurrentText(store);
  if (text === null) throw new Fault(`${BINDING} has no key ${CURRENT_KEY}: ${todo}`);
  const manifest = await readCurrent(text).catch((error) => {
    throw new Fault(`the Worker cannot read the key ${CURRENT_KEY}: ${error.message}: ${todo}`);
  });
  await refuseIncomplete(store, manifest);
  return manifest;
}
