// Versions of a catalogue: read, compared, activated, kept.
export { activate, cancel, isWhole, rollback } from "./activate.js";
export { actor, plain } from "./actor.js";
export { ChangesWriter } from "./changes.js";
export { branchesText, compare, excesses, lossesOf } from "./diff.js";
export { cacheBefore, renewCache } from "./disk-cache.js";
export { gc } from "./gc.js";
export { refuseImpact } from "./impact.js";
export { refuseOverwriting, refuseVersion } from "./outputs.js";
export { history, status } from "./status.js";
export { layersAt, readerOf, TextFolder } from "./texts.js";
export {
  currentIn,
  Damage,
  eachText,
  fileOf,
  folderBefore,
  isOpened,
  keysBeyond,
  keysOf,
  MANIFEST_FILE,
  manifestAt,
  NoManifest,
  ownText,
  readCurrent,
  readCurrentText,
  readManifest,
  readPublished,
  readTexts,
  readWhole,
  recordCount,
  TEXT_KINDS,
} from "./version.js";
