// Catalogues: prices in files that are named by their content.
export { damageOf } from "./damage.js";
export { FORMAT, hashOf, placeOf, recordsOf, shardOf, shardText, TOMBSTONE } from "./format.js";
export {
  branchKey,
  CURRENT_KEY,
  changesKey,
  hashIn,
  historyKey,
  isNamedByContent,
  layerKey,
  MOST_BULK_KEYS,
  mostBytesOf,
  pushingKey,
  shardKey,
  versionKey,
  zonesKey,
} from "./keys.js";
export { filterOf, layerIn, layerText, shardsIn } from "./layer.js";
export { branchIn, historyIn, idOf, ManifestFault, readCurrent, readManifest } from "./manifest.js";
export { layersOf, pricesIn, readRecords, recordsIn } from "./records.js";
export { createTextCache } from "./text-cache.js";
