import { msSince, tooLate, within } from "../shared/index.js";
import { CatalogueError } from "./catalogue-error.js";
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

/** As a time: too long ago for everything. */
const NEVER = -Infinity;

/**
 * The version in use, as the key `current` names it. Orders take it from memory; it is looked at again behind them. A
 * version that is planned for a time is read beforehand, and is in use from then on, without another look.
 *
 * @template {{ id: string, activatedAt: string, warm(before: Version): Promise<void> }} Version
 */
export class VersionInUse {
  #textOf;
  #versionOf;
  #hold;
  #onEvent;
  #limitMs;
  #looks;
  /** @type {Version | undefined} */
  #inUse;
  /** @type {Version | undefined} the one that `current` names: in use until the plan is due */
  #standing;
  /** @type {Plan<Version> | undefined} */
  #plan;
  /** @type {string | null | undefined} the text of `current` at the last look */
  #seen;
  /** @type {Trouble | undefined} why `current` is refused */
  #refusal;
  /** @type {Trouble | undefined} why the last look got no answer */
  #silence;

  /**
   * @param {(names: string[], call: { again: boolean }) => Promise<ReadonlyMap<string, string | null>>} readNames
   * @param {{ refreshMs: number, maxAgeMs: number, timeoutMs: number, hold: (work: Promise<unknown>) => void, onEvent: (event: object) => void }} options
   *   `hold` keeps work alive if the order that began it ends first
   * @param {(manifest: import("./format.js").Manifest & { activatedAt: string }) => Version} versionOf
   */
  constructor(readNames, { refreshMs, maxAgeMs, timeoutMs, hold, onEvent }, versionOf) {
    this.#limitMs = timeoutMs || LOOK_MS;
    this.#looks = new Looks({ refreshMs, maxAgeMs, limitMs: this.#limitMs });
    this.#textOf = textReader(readNames, { timeoutMs, limitMs: this.#limitMs, hold });
    this.#versionOf = versionOf;
    this.#hold = hold;
    this.#onEvent = onEvent;
  }

  /** The version for an order that begins now. */
  async version() {
    const known = this.versionNow();
    if (known) return known;
    await this.#look();
    this.#switchOnTime();
    if (this.#inUse) return this.#inUse;
    const { reason, detail } = /** @type {Trouble} */ (this.#trouble());
    throw new CatalogueError(reason, detail);
  }

  /** The same at once. Undefined: an order waits for a look. */
  versionNow() {
    if (!this.#inUse || this.#looks.areOld()) return undefined;
    if (this.#looks.isDue()) this.#hold(this.#look());
    this.#switchOnTime();
    return this.#inUse;
  }

  /** What is known without another look: the version in use, and what is wrong. Without a version something is. */
  state() {
    this.#switchOnTime();
    const fault = this.#trouble()?.reason ?? (this.#inUse ? undefined : NO_ANSWER);
    const { answeredAt } = this.#looks;
    return { version: this.#inUse, fault, lookedAt: answeredAt === NEVER ? undefined : answeredAt };
  }

  /** Looks at `current` behind the orders, unless another order has just had the same trouble. */
  lookAgain() {
    if (this.#looks.mayBeRepeated()) this.#hold(this.#look());
  }

  /** Looks at `current` and takes up what it names. Never rejects: after a failure the version in use stays. */
  async #look() {
    const look = this.#looks.begin();
    try {
      const text = await this.#textOf(CURRENT_KEY, this.#limitMs);
      const reading = text === this.#seen ? undefined : await readingOf(text);
      if (this.#looks.answer(look)) this.#take(text, reading);
      this.#noteAnswer();
      await this.#lookAhead(this.#limitMs - (Date.now() - look.begunAt));
    } catch (cause) {
      this.#noteSilence(`${/** @type {Partial<Error> | undefined} */ (cause)?.message}`);
    }
    this.#looks.end();
  }

  #noteAnswer() {
    if (this.#silence && this.#inUse) this.#tell("info", "The price store answers again");
    this.#silence = undefined;
  }

  #noteSilence(detail) {
    this.#silence = { reason: NO_ANSWER, detail };
    const isNews = this.#looks.fail();
    // Without a version each order fails, and its own line says so.
    if (this.#inUse && isNews) this.#tell("warn", `${NO_ANSWER}: ${this.#stays()}`, detail);
  }

  #take(text, reading) {
    if (text === this.#seen) return;
    this.#seen = text;
    this.#plan = undefined; // a plan counts as long as it stands in `current`
    if (text === null) return this.#refuse(NOT_PUBLISHED, `the key ${CURRENT_KEY} is not there`);
    if (reading.fault) return this.#refuse(UNREADABLE, `the key ${CURRENT_KEY} is refused: ${reading.fault.message}`);
    const { next } = reading.manifest;
    this.#plan = next && new Plan(next);
    this.#takeUp(reading.manifest);
  }

  #refuse(reason, detail) {
    this.#refusal = { reason, detail };
    this.#tell("error", `${reason}: ${this.#stays()}`, detail);
  }

  #takeUp(manifest) {
    const isMended = this.#refusal !== undefined;
    this.#refusal = undefined;
    const isOther = manifest.id !== this.#inUse?.id;
    // Made again it would have lost the zones and forgotten which branches its orders come from.
    const isSame = !isOther && manifest.activatedAt === this.#inUse?.activatedAt;
    this.#standing = isSame ? this.#inUse : this.#versionOf(manifest);
    this.#inUse = this.#standing;
    if (isOther || isMended) this.#tell("info", "The version is in use");
  }

  /** Reads what is planned, and shortly before its time what its orders will want. */
  async #lookAhead(ms) {
    const plan = this.#plan;
    if (!plan) return;
    if (plan.version) return this.#warm(plan);
    const reading = this.#readPlanned(plan, ms);
    // An order waits for a planned version only if its time has come.
    if (plan.isDue()) await reading;
    else this.#hold(reading);
  }

  #warm(plan) {
    if (!plan.beginWarming()) return;
    this.#hold(plan.version.warm(this.#inUse).catch(() => {})); // what is not there in time, orders read themselves
  }

  /** Never rejects: another look tries it again. */
  async #readPlanned(plan, ms) {
    try {
      const manifest = await plan.manifest((key) => this.#textOf(key, ms));
      plan.succeed(this.#versionOf(manifest));
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (plan.fail(message)) this.#tell("error", `The planned version ${plan.id} cannot be read: ${this.#stays()}`, message);
    }
  }

  /** From its time on, the planned version is in use. A clock that was ahead goes back, and so does this. */
  #switchOnTime() {
    const planned = this.#plan?.isDue() ? this.#plan.version : undefined;
    const due = planned ?? this.#standing;
    if (due === this.#inUse) return;
    this.#inUse = due;
    if (planned) this.#tell("info", "The planned version is in use");
    else this.#tell("warn", "The clock was set back before a planned switch: the version before is in use again");
  }

  #tell(level, message, cause) {
    this.#onEvent({ level, version: this.#inUse?.id, message, cause });
  }

  #stays() {
    return this.#inUse ? "the version in use stays" : "no version is in use";
  }

  /** Why the version in use, if any, is not known to be the newest. */
  #trouble() {
    return this.#silence ?? this.#refusal;
  }
}

/**
 * @typedef {{ reason: string, detail: string }} Trouble `reason` for clients, `detail` for the log
 */

/** When `current` was looked at, and whether it is time to look again. */
class Looks {
  #refreshMs;
  #maxAgeMs;
  #limitMs;
  /** How many looks began, and the number of the latest one that was answered. */
  #begun = 0;
  #answered = 0;
  #begunAt = NEVER;
  #failedAt = NEVER;
  #repeatedAt = NEVER;
  /** A time, not a flag: a look that dies with its request must not block all later ones. */
  #busySince = NEVER;
  /** When the latest look that was answered began. */
  answeredAt = NEVER;

  constructor({ refreshMs, maxAgeMs, limitMs }) {
    this.#refreshMs = refreshMs;
    this.#maxAgeMs = maxAgeMs;
    this.#limitMs = limitMs;
  }

  begin() {
    const begunAt = Date.now();
    this.#begunAt = begunAt;
    this.#busySince = begunAt;
    this.#begun += 1;
    return { number: this.#begun, begunAt };
  }

  /** Whether the answer counts: it does not if a later look was answered before. */
  answer({ number, begunAt }) {
    if (number < this.#answered) return false;
    this.#answered = number;
    this.answeredAt = begunAt;
    return true;
  }

  /** Whether this is news: of looks that fail together only the first is. */
  fail() {
    const isNews = msSince(this.#failedAt) >= PAUSE_MS;
    this.#failedAt = Date.now();
    return isNews;
  }

  end() {
    this.#busySince = NEVER;
  }

  /** An order then waits for a look. After one that failed none does for a while: it would wait as long again. */
  areOld() {
    return msSince(this.answeredAt) >= this.#maxAgeMs && msSince(this.#failedAt) >= Math.min(this.#refreshMs, this.#maxAgeMs);
  }

  /** A look then begins behind the orders. */
  isDue() {
    return msSince(this.#begunAt) >= this.#refreshMs && msSince(this.#busySince) >= this.#limitMs;
  }

  mayBeRepeated() {
    if (msSince(this.#repeatedAt) < PAUSE_MS) return false;
    this.#repeatedAt = Date.now();
    return true;
  }
}

/**
 * A version that is planned for a time.
 * @template Version
 */
class Plan {
  #at;
  #isWarm = false;
  /** @type {string | undefined} why it could not be read */
  #failure;
  /** @type {Version | undefined} once it has been read */
  version;

  /** @param {import("./format.js").Next} next */
  constructor({ id, at }) {
    this.id = id;
    this.#at = Date.parse(at);
  }

  isDue() {
    return Date.now() >= this.#at;
  }

  /** @param {(key: string) => Promise<string | null>} textOf */
  async manifest(textOf) {
    const key = versionKey(this.id);
    const text = await textOf(key);
    if (text === null) throw new Error(`the key ${key} is not there`);
    const manifest = await readManifest(text);
    if (manifest.id !== this.id) throw new Error(`the key ${key} holds the version ${manifest.id}`);
    return { ...manifest, activatedAt: new Date(this.#at).toISOString() };
  }

  /** @param {Version} version */
  succeed(version) {
    this.version = version;
    this.#failure = undefined;
  }

  /** Whether this is news: each look tries again. */
  fail(message) {
    const isNews = message !== this.#failure;
    this.#failure = message;
    return isNews;
  }

  /** Whether to read what its orders will want: once, shortly before its time. */
  beginWarming() {
    if (this.#isWarm || this.isDue() || this.#at - Date.now() > WARM_MS) return false;
    this.#isWarm = true;
    return true;
  }
}

/** Reads a text: null if it is not there. Orders share a read, and wait for it no longer than `ms`. */
function textReader(readNames, { timeoutMs, limitMs, hold }) {
  /** @param {string[]} names one */
  async function readOne([name]) {
    const texts = await readNames([name], { again: false });
    return new Map([[name, texts.get(name) ?? null]]);
  }

  const readTexts = shareReads(readOne, { timeoutMs, hold });
  return async (name, ms) => (await within(Math.max(1, ms), readTexts([name]), tooLate(limitMs))).get(name) ?? null;
}

/** What `current` says, or why it is refused. */
const readingOf = (text) =>
  readCurrent(text).then(
    (manifest) => ({ manifest }),
    (fault) => ({ fault }),
  );
