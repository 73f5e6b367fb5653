import { msSince, tooLate, within } from "../shared/index.js";
import { CatalogueError } from "./failure.js";
import { CURRENT_KEY, versionKey } from "./keys.js";
import { readCurrent, readManifest } from "./manifest.js";
import { shareReads } from "./shared-reads.js";

const NO_ANSWER = "The price store did not answer";
const NOT_PUBLISHED = "No catalogue has been published yet";
const UNREADABLE = "The catalogue cannot be read";

/** The limit of a look without a limit of reads: an order waits for it, and a version may be in memory. */
const LOOK_MS = 5_000;

/** A version is read with what its orders will want so long before its time: the memory for that is another's until then. */
const WARM_MS = 120_000;

/** Orders that fail together begin one look and write one line, not hundreds. */
const PAUSE_MS = 1_000;

/** What `current` says, or why it is refused. */
const readingOf = (text) =>
  readCurrent(text).then(
    (manifest) => ({ manifest }),
    (fault) => ({ fault }),
  );

/**
 * The version in use, as the key `current` names it. Orders take it from memory; it is looked at again behind them. A
 * version that is planned for a time is read beforehand, and is in use from then on, without another look.
 *
 * @template Version
 * @param {(names: string[], call: { again: boolean }) => Promise<ReadonlyMap<string, string | null>>} readNames
 * @param {{ refreshMs: number, maxAgeMs: number, timeoutMs: number, hold: (work: Promise<unknown>) => void, onEvent: (event: object) => void }} options
 *   `hold` keeps work alive if the order that began it ends first
 * @param {(manifest: import("./format.js").Manifest & { activatedAt: string }) => Version} versionOf
 */
export function watchCurrent(readNames, { refreshMs, maxAgeMs, timeoutMs, hold, onEvent }, versionOf) {
  let inUse;
  /** The version that `current` holds: in use, but from the time of a plan on. */
  let standing;
  /** The version that is planned: `{ id, at, version? }`, `version` once it has been read. */
  let planned;
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
  const limitMs = timeoutMs || LOOK_MS;

  const readTexts = shareReads(readOne, { timeoutMs, hold });

  /**
   * What is not there has no entry, or null.
   * @param {string[]} names one
   */
  async function readOne([name]) {
    const texts = await readNames([name], { again: false });
    return new Map([[name, texts.get(name) ?? null]]);
  }

  const textOf = async (name, ms) => (await within(Math.max(1, ms), readTexts([name]), tooLate(limitMs))).get(name) ?? null;

  /** Looks at `current` and takes up what it names. Never rejects: after a failure the version in use stays. */
  async function look() {
    const begunAt = Date.now();
    const number = ++looks;
    triedAt = begunAt;
    busySince = begunAt;
    try {
      const text = await textOf(CURRENT_KEY, limitMs);
      take(text, text === seen ? undefined : await readingOf(text), { number, begunAt });
      if (isAnswering === false && inUse) tell("info", "The price store answers again");
      isAnswering = true;
      await lookAhead(limitMs - (Date.now() - begunAt));
    } catch (cause) {
      isAnswering = false;
      silence = `${/** @type {Partial<Error> | undefined} */ (cause)?.message}`;
      // Without a version each order fails, and its own line says so.
      if (inUse && msSince(failedAt) >= PAUSE_MS) tell("warn", `${NO_ANSWER}: ${stays()}`, silence);
      failedAt = Date.now();
    }
    busySince = -Infinity;
  }

  function take(text, reading, { number, begunAt }) {
    if (number < answered) return; // a later look was answered before
    answered = number;
    lookedAt = begunAt;
    if (text === seen) return;
    seen = text;
    planned = undefined; // a plan counts as long as it stands in `current`
    if (text === null) return refuse(NOT_PUBLISHED, `the key ${CURRENT_KEY} is not there`);
    if (reading.fault) return refuse(UNREADABLE, `the key ${CURRENT_KEY} is refused: ${reading.fault.message}`);
    const { next } = reading.manifest;
    planned = next && { id: next.id, at: Date.parse(next.at) };
    takeUp(reading.manifest);
  }

  function takeUp(manifest) {
    const isMended = refusal !== undefined;
    refusal = undefined;
    const isOther = manifest.id !== inUse?.id;
    standing = isOther || manifest.activatedAt !== inUse.activatedAt ? versionOf(manifest) : inUse;
    inUse = standing;
    if (isOther || isMended) tell("info", "The version is in use");
  }

  /** Reads what is planned, and shortly before its time what its orders will want. */
  async function lookAhead(ms) {
    const plan = planned;
    if (!plan) return;
    const preparing = plan.version ? undefined : prepare(plan, ms);
    // An order waits for a planned version only if its time has come.
    if (isDueNow(plan)) return preparing;
    if (preparing) hold(preparing);
    if (!plan.version || plan.isWarm || plan.at - Date.now() > WARM_MS) return;
    plan.isWarm = true;
    hold(plan.version.warm(inUse).catch(() => {})); // what is not there in time, orders read themselves
  }

  const isDueNow = ({ at }) => Date.now() >= at;

  /** Reads a planned version. Never rejects: another look tries it again. */
  async function prepare(plan, ms) {
    try {
      const key = versionKey(plan.id);
      const text = await textOf(key, ms);
      if (text === null) throw new Error(`the key ${key} is not there`);
      const manifest = await readManifest(text);
      if (manifest.id !== plan.id) throw new Error(`the key ${key} holds the version ${manifest.id}`);
      plan.version = versionOf({ ...manifest, activatedAt: new Date(plan.at).toISOString() });
      plan.failure = undefined;
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (plan.failure !== message) tell("error", `The planned version ${plan.id} cannot be read: ${stays()}`, message);
      plan.failure = message;
    }
  }

  /** From its time on, the planned version is in use. A clock that was ahead goes back, and so does this. */
  function switchOnTime() {
    const isPlanned = Boolean(planned?.version) && isDueNow(planned);
    const due = isPlanned ? planned.version : standing;
    if (due === inUse) return;
    inUse = due;
    if (isPlanned) tell("info", "The planned version is in use");
    else tell("warn", "The clock was set back before a planned switch: the version before is in use again");
  }

  function refuse(reason, detail) {
    refusal = { reason, detail };
    tell("error", `${reason}: ${stays()}`, detail);
  }

  const tell = (level, message, cause) => onEvent({ level, version: inUse?.id, message, cause });

  const stays = () => (inUse ? "the version in use stays" : "no version is in use");

  /** Why the version in use, if any, is not known to be the newest. */
  const trouble = () => (isAnswering === false ? { reason: NO_ANSWER, detail: silence } : refusal);

  /** An order then waits for a look. After one that failed none does for a while: it would wait as long again. */
  const isOld = () => msSince(lookedAt) >= maxAgeMs && msSince(failedAt) >= Math.min(refreshMs, maxAgeMs);

  const isDue = () => msSince(triedAt) >= refreshMs && msSince(busySince) >= limitMs;

  return {
    /** The version for an order that begins now. */
    async version() {
      if (!inUse || isOld()) await look();
      else if (isDue()) hold(look());
      switchOnTime();
      if (inUse) return inUse;
      const { reason, detail } = trouble();
      throw new CatalogueError(reason, detail);
    },

    /** What is known without another look: the version in use, and what is wrong. Without a version something is. */
    state() {
      switchOnTime();
      const fault = trouble()?.reason ?? (inUse ? undefined : NO_ANSWER);
      return { version: inUse, fault, lookedAt: lookedAt === -Infinity ? undefined : lookedAt };
    },

    /** Looks at `current` behind the orders, unless another order has just had the same trouble. */
    lookAgain() {
      if (msSince(lookedAgainAt) < PAUSE_MS) return;
      lookedAgainAt = Date.now();
      hold(look());
    },
  };
}
