// The new service in this process, asked as the shadow Worker asks it: with what an order was priced from.
import { Fault, messageOf } from "../../command-line/index.js";
import { takeLines } from "../../src/log/index.js";
import { settingsOf } from "../../src/node/index.js";
import { onNode, VARIABLES } from "../../src/node/platform/index.js";
import { NO_REDACT_KEY, readOptions, readVariables } from "../../src/options/index.js";
import { createService } from "../../src/service/index.js";
import { asking } from "../sides/index.js";

/** How long the zones of an order may take to read. */
const ZONES_MS = 10_000;

/**
 * What the command needs of the variables of `npm start`. Throws a Fault if one of them is wrong.
 * @param {Record<string, string | undefined>} env
 */
export function readSettings(env) {
  const { redactKey, catalogueDir } = checkedSettings(env);
  if (redactKey === undefined) throw new Fault(NO_REDACT_KEY);
  return { redactKey, catalogueDir };
}

/** @param {Record<string, string | undefined>} env */
function checkedSettings(env) {
  try {
    settingsOf(env);
    return { redactKey: readOptions(env, VARIABLES).decisions.redactKey, catalogueDir: readVariables(env, VARIABLES).CATALOGUE_DIR };
  } catch (error) {
    throw new Fault(messageOf(error));
  }
}

/**
 * @param {Record<string, string | undefined>} env
 * @param {(line: string) => void} onLine told each line of the service's log
 */
export async function startNewSide(env, onLine) {
  const giveBack = takeLines(onLine);
  const platform = onNode(env);
  // Each side has the route behind a path of its own.
  const { price, catalogue } = createService(platform, { ...env, BASE_PATH: "/" });
  const ctx = { waitUntil: platform.hold };

  async function end() {
    await platform.heldEnded();
    giveBack();
  }

  await catalogue.current();
  const { version, fault } = catalogue.state();
  const { readCatalogue } = platform;
  if (version && readCatalogue) {
    const ask = asking({ price: (body, headers, url) => price(body, headers, url, ctx) });
    return { ask, version: version.id, zones: zonesFrom(readCatalogue), end };
  }
  await end();
  throw new Fault(`the new side has no prices: ${fault}. CATALOGUE_DIR or CATALOGUE_URL says where they are`);
}

/** @type {(read: import("order-cost/catalogue").CatalogueOptions["read"]) => (hash: string | null) => Promise<string>} */
const zonesFrom = (read) => async (hash) => {
  const name = `zones:${hash}`;
  const text = (await read([name], { signal: AbortSignal.timeout(ZONES_MS) })).get(name) ?? null;
  if (text === null) throw new Error("The delivery zones of an order are not in the catalogue any more");
  return text;
};
