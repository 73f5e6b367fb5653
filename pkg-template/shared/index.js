// What several rooms use: time, numbers, JSON, streams.
export { whenAborted } from "./abort.js";
export { askingVersion, atHand } from "./at-hand.js";
export { atOnce } from "./at-once.js";
export { absolute, add, decimal, decimalText, divide, multiply, order, subtract } from "./decimal.js";
export {
  exactText,
  keyName,
  keyOf,
  member,
  numberText,
  numberValue,
  own,
  plain,
  readExact,
  stringText,
  stringValue,
  typeOf,
} from "./exact-json.js";
export { groups, inPool } from "./groups.js";
export { handedOut } from "./handed-out.js";
export { isObject } from "./is-object.js";
export { encoded, jsonCopy, jsonText } from "./json.js";
export { MOST_LEVELS, tooDeepAt } from "./json-depth.js";
export { endOf, entriesOf, partsOf } from "./json-parts.js";
export { ChangeEvents, Listeners, report } from "./listeners.js";
export { msSince } from "./ms-since.js";
export { Pace } from "./pace.js";
export { sharedGetter } from "./shared-getter.js";
export { areNear, misspeltFault, unknownFault } from "./slips.js";
export { all, caught, isPromise, soon } from "./soon.js";
export { GrowingBuffer, IS_WORKERD, readStream, readUpTo } from "./stream.js";
export { after, MOST_TIMER_MS } from "./timer.js";
export { tooLate, within } from "./within.js";
