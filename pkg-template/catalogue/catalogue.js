// A catalogue of prices and zones, read from wherever its texts lie. See catalogue.d.ts. Loads no module.
import { atOnce, MOST_TIMER_MS, tooLate, unknownFault, within } from "../shared/index.js";
import { VersionInUse } from "./in-use.js";
import { patienceOf } from "./shared-reads.js";
import { createTexts } from "./texts.js";
import { createVersion } from "./version.js";

export { CatalogueError } from "./catalogue-error.js";
export { fromUrl } from "./from-url.js";

/** A read that pays no heed to its signal is given up so much later: whoever waits has given up by then. */
const LATER = 1.5;

/** The share of the memory for texts that a planned version may take before it is in use. */
const WARM_SHARE = 0.25;

export function createCatalogue({
  read,
  refreshMs = 30_000,
  maxAgeMs = 300_000,
  cacheBytes = 33_554_432,
  timeoutMs = 5_000,
  hold = (work) => void work.catch(() => {}),
  onEvent = () => {},
  ...others
}) {
  refuseWrong({ read, hold, onEvent }, { refreshMs, maxAgeMs, cacheBytes, timeoutMs }, others);

  async function readNames(names, { again, context }) {
    const signal = timeoutMs === 0 ? new AbortController().signal : AbortSignal.timeout(Math.min(timeoutMs, MOST_TIMER_MS));
    return within(LATER * timeoutMs, (async () => read(names, { signal, again, context }))(), tooLate(timeoutMs));
  }

  const texts = createTexts(readNames, { cacheBytes, timeoutMs, hold });
  const onIncomplete = () => current.lookAgain();
  const ofVersion = { used: new Set(), patienceMs: patienceOf(timeoutMs), warmBytes: WARM_SHARE * cacheBytes, hold, onIncomplete };
  const versionOf = (manifest) => createVersion(manifest, texts, ofVersion);
  const current = new VersionInUse(readNames, { refreshMs, maxAgeMs, timeoutMs, hold, onEvent }, versionOf);
  return {
    version: async () => (await current.version()).open,
    [atOnce]: () => current.versionNow()?.open,
    state() {
      const { version, fault, lookedAt } = current.state();
      return { version: version?.open, fault, lookedAt, cachedBytes: texts.bytes() };
    },
  };
}

function refuseWrong(functions, numbers, others) {
  const refuse = (name, fault) => {
    throw new TypeError(`Invalid options: ${name}: ${fault}`);
  };
  const known = [...Object.keys(functions), ...Object.keys(numbers)];
  for (const name of Object.keys(others)) refuse(name, unknownFault(name, known));
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value !== "function") refuse(name, `expected a function, got ${typeof value}`);
  }
  for (const [name, value] of Object.entries(numbers)) {
    if (!(value >= 0)) refuse(name, `expected a number of 0 or more, got ${value}`);
  }
}
