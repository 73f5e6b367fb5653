// `order-cost/internal`: what the service, its tools and the site of this repository share with the package. It is for nobody
// else and changes without notice. What only Node can do is in internal-node.js.
export {
  branchIn,
  branchKey,
  CURRENT_KEY,
  changesKey,
  createTextCache,
  damageOf,
  FORMAT,
  filterOf,
  hashIn,
  hashOf,
  historyIn,
  historyKey,
  idOf,
  isNamedByContent,
  layerIn,
  layerKey,
  layersOf,
  layerText,
  ManifestFault,
  MOST_BULK_KEYS,
  mostBytesOf,
  placeOf,
  pricesIn,
  pushingKey,
  readCurrent,
  readManifest,
  readRecords,
  recordsIn,
  recordsOf,
  shardKey,
  shardOf,
  shardsIn,
  shardText,
  TOMBSTONE,
  versionKey,
  zonesKey,
} from "../catalogue/index.js";
export {
  explainJson,
  heading,
  INPUTS,
  identified,
  lending,
  POLICIES,
  POLICY_NAMES,
  priceKey,
  rateKey,
  reading,
  replying,
  spentMs,
  variable,
} from "../core/index.js";
export { DEFAULTS, FIELDS, LIMITS, LOOK_UPS, MODES, WORDS } from "../order-fields.js";
export { BY_ID, FACT_TABLES, factPlace, keyFault } from "../pricer/index.js";
export { decisionText, decode, encodeText, hasSigned, isKey, isPart, keyId } from "../response/index.js";
export {
  absolute,
  add,
  all,
  areNear,
  askingVersion,
  atHand,
  atOnce,
  caught,
  decimal,
  decimalText,
  divide,
  entriesOf,
  exactText,
  groups,
  isObject,
  isPromise,
  MOST_TIMER_MS,
  member,
  msSince,
  multiply,
  numberText,
  numberValue,
  order,
  partsOf,
  plain,
  readExact,
  soon,
  stringText,
  stringValue,
  subtract,
  tooDeepAt,
  tooLate,
  typeOf,
  whenAborted,
  within,
} from "../shared/index.js";

export { default as moduleSha256 } from "../wasm/sha256.js";

/**
 * @typedef {import("../catalogue/format.js").Branch} Branch
 * @typedef {import("../catalogue/format.js").Current} Current
 * @typedef {import("../catalogue/format.js").Manifest} Manifest
 * @typedef {import("../catalogue/format.js").Next} Next
 * @typedef {import("../catalogue/format.js").Predecessor} Predecessor
 * @typedef {import("../catalogue/layer.js").Layer} Layer
 * @typedef {import("../shared/decimal.js").Decimal} Decimal
 */
