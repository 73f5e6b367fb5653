import { within } from "../deadline.js";
import { CURRENT_KEY } from "../keys.js";
import { cut, log } from "../log/log.js";
import { readCurrent } from "./manifest.js";
import { shareReads } from "./shared-reads.js";

/** KV's minimum: how long it may show an older `current` at one place. */
const CACHE_SECONDS = 30;

const NO_ANSWER = "The price store did not answer";
const NOT_PUBLISHED = "No catalogue has been published yet";
const UNREADABLE = "The catalogue cannot be read";

/** The limit of a look without DEADLINE_MS: an order waits for it, and a version may be in memory. */
const LOOK_MS = 5_000;

/** Orders that fail together begin one look and write one line, not hundreds. */
const PAUSE_MS = 1_000;

/** Since a time. The clock may have been set back: then it is long ago, because nothing is known of it. */
const msSince = (time) => (Date.now() < time ? Infinity : Date.now() - time);

/** What `current` says, or why it is refused. */
const readingOf = (text) => readCurrent(text).then((manifest) => ({ manifest }), (fault) => ({ fault }));

/**
 * The version in use, as the key `current` names it. Orders take it from memory; it is looked at again behind them.
 *
 * @template Version
 * @param {KVNamespace} store
 * @param {{ refreshMs: number, maxAgeMs: number, deadlineMs: number, hold: (work: Promise<unknown>) => void }} options
 *   `hold` keeps work alive if the order that began it ends first
 * @param {{ of(manifest: import("./format.js").Current): Version, none(reason: string, detail: () => string | undefined): Version }} versions
 *   `none` stands in for a version: its look-ups fail for `reason`, and the log shows the latest `detail`
 */
export function createCatalogue(store, { refreshMs, maxAgeMs, deadlineMs, hold }, versions) {
  let inUse;
  const standIns = new Map();
  /** What `current` held at the last look, and why it was refused: for clients, and for the log. */
  let seen;
  let refusal;
  /** Why the last look got no answer, for the log. */
  let silence;
  /** When the last look that was answered began, the last one at all, and when the last one failed. */
  let lookedAt = -Infinity;
  let triedAt = -Infinity;
  let failedAt = -Infinity;
  let lookedAgainAt = -Infinity;
  let isAnswering;
  let busySince = -Infinity; // a time, not a flag: a look that dies with its request must not block all later ones
  /** The number of looks that began, and of the latest that was answered. */
  let looks = 0;
  let answered = 0;
  const limitMs = deadlineMs || LOOK_MS;

  const readTexts = shareReads(readText, { deadlineMs, hold });

  async function readText([key]) {
    return new Map([[key, await store.get(key, { type: "text", cacheTtl: CACHE_SECONDS })]]);
  }

  async function currentText() {
    return (await readTexts([CURRENT_KEY])).get(CURRENT_KEY);
  }

  /** Looks at `current` and takes up what it names. Never rejects: after a failure the version in use stays. */
  async function look() {
    const begunAt = Date.now();
    const number = ++looks;
    triedAt = begunAt;
    busySince = begunAt;
    try {
      const text = await within(limitMs, currentText(), late);
      take(text, text === seen ? undefined : await readingOf(text), { number, begunAt });
      if (isAnswering === false && inUse) tell("info", "The price store answers again");
      isAnswering = true;
    } catch (cause) {
      isAnswering = false;
      silence = cut(cause?.message);
      // Without a version each order fails, and its own line says so.
      if (inUse && msSince(failedAt) >= PAUSE_MS) tell("warn", `${NO_ANSWER}: ${stays()}`, silence);
      failedAt = Date.now();
    }
    busySince = -Infinity;
  }

  function late() {
    throw new Error(`No answer within ${limitMs} ms`);
  }

  function take(text, reading, { number, begunAt }) {
    if (number < answered) return; // a later look was answered before
    answered = number;
    lookedAt = begunAt;
    if (text === seen) return;
    seen = text;
    if (text === null) return refuse(NOT_PUBLISHED, `the key ${CURRENT_KEY} is not there`);
    if (reading.fault) return refuse(UNREADABLE, `the key ${CURRENT_KEY} is refused: ${reading.fault.message}`);
    takeUp(reading.manifest);
  }

  function takeUp(manifest) {
    const isMended = refusal !== undefined;
    refusal = undefined;
    if (manifest.id !== inUse?.id) inUse = versions.of(manifest);
    else if (!isMended) return;
    tell("info", "The version is in use");
  }

  function refuse(reason, detail) {
    refusal = { reason, detail };
    tell("error", `${reason}: ${stays()}`, detail);
  }

  const tell = (level, message, cause) => log(level, "data", { dataVersion: inUse?.id, message, cause });

  const stays = () => (inUse ? "the version in use stays" : "no version is in use");

  /** Why the version in use, if any, is not known to be the newest. */
  const trouble = () => (isAnswering === false ? { reason: NO_ANSWER, detail: silence } : refusal);

  /** Made once for each reason. */
  function standIn() {
    const { reason } = trouble();
    if (!standIns.has(reason)) standIns.set(reason, versions.none(reason, () => trouble()?.detail));
    return standIns.get(reason);
  }

  /** An order then waits for a look. After one that failed none does for a while: it would wait as long again. */
  const isOld = () => msSince(lookedAt) >= maxAgeMs && msSince(failedAt) >= Math.min(refreshMs, maxAgeMs);

  const isDue = () => msSince(triedAt) >= refreshMs && msSince(busySince) >= limitMs;

  return {
    /** The version for an order that begins now. Without one: what stands in for it. */
    async current() {
      if (!inUse || isOld()) await look();
      else if (isDue()) hold(look());
      return inUse ?? standIn();
    },

    /** What is known without another look: the version in use, and what is wrong. Without a version something is. */
    state: () => ({ version: inUse, fault: trouble()?.reason ?? (inUse ? undefined : NO_ANSWER) }),

    /** Looks at `current` behind the orders, unless another order has just had the same trouble. */
    lookAgain() {
      if (msSince(lookedAgainAt) < PAUSE_MS) return;
      lookedAgainAt = Date.now();
      hold(look());
    },
  };
}
