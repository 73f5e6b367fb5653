// What is new: prices and zones of a catalogue, zones of a file, a policy. Read and checked once, for all threads.
import { Failure, OPTIONS, readText, sentence } from "../files/index.js";
import { currentText, versionAt } from "./new-catalogue.js";

/**
 * @typedef {object} Change
 * @property {{ place: string, current: string, id: string }} [catalogue]
 * @property {{ hash: string | null, text: string }} [zones] `hash` null: the shop has none
 * @property {Record<string, string>} [policy]
 */

/**
 * @param {{ catalogue?: string, catalogueVersion?: string, zones?: string, policy?: Record<string, string> }} options
 * @returns {Promise<Change>}
 */
export async function readChange({ catalogue: place, catalogueVersion, zones, policy: rules }) {
  const policy = rules && sorted(rules);
  if (policy) await refuseWrongPolicy(policy);
  const fileZones = zones === undefined ? undefined : await zonesOfFile(zones);
  if (place === undefined) return { zones: fileZones, policy };
  const current = await currentText(place, catalogueVersion);
  const version = await versionAt(place, current);
  return { catalogue: { place, current, id: version.id }, zones: fileZones ?? (await zonesOf(version, current)), policy };
}

/** Two runs with the same rules are told the same. */
const sorted = (rules) => Object.fromEntries(Object.entries(rules).sort());

/** A build that was given no zones has none in its folder, and does not change them. */
const zonesOf = async (version, current) =>
  JSON.parse(current).keepsZones ? undefined : { hash: version.zones, text: await version.deliveryZones() };

async function zonesOfFile(name) {
  const { checkZones } = await import("order-cost/data");
  const { hashOf } = await import("../../catalogue/index.js");
  const text = await readText(name);
  const [fault] = checkZones(text);
  if (fault) throw new Failure(`${name}: ${fault.path ? `${fault.path}: ` : ""}expected ${fault.expected}`);
  return { hash: await hashOf(text), text };
}

/** The module says what a policy may be. */
async function refuseWrongPolicy(policy) {
  const unknown = Object.keys(policy).find((name) => !OPTIONS.policy.includes(name));
  if (unknown !== undefined) throw new Failure(`--policy ${unknown}: unknown; a policy has ${OPTIONS.policy.join(", ")}`);
  const { createPricer } = await import("order-cost");
  try {
    await createPricer({}, { policy });
  } catch (error) {
    throw new Failure(`--policy: ${sentence(error)}`);
  }
}
