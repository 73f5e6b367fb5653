// Cloudflare's API: asks at the pace that it allows, and asks again after what fails for a while only.
import { codeOf, Fault, messageOf, Pace } from "../../command-line/index.js";

const API = "https://api.cloudflare.com/client/v4";

/** In milliseconds, before each new try. */
const PAUSES = [500, 1000, 2000, 4000];
/** Who is told to wait longer has met another limit than that of 5 minutes, such as one of a day. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** How long Cloudflare may say nothing. */
const SILENCE_MS = 60_000;
/** The slowest upload: 0.8 Mbit/s. */
const BYTES_PER_MS = 100;

/** What Cloudflare refuses, or what keeps its answer from coming. */
export class Refusal extends Fault {
  /**
   * @param {string} sentence
   * @param {object} [more]
   * @param {number} [more.status]
   * @param {number[]} [more.codes] Cloudflare's own
   * @param {boolean} [more.isTemporary] another try may help
   * @param {number} [more.afterMs] when Cloudflare wants to be asked again
   */
  constructor(sentence, { status, codes = [], isTemporary = false, afterMs } = {}) {
    super(sentence);
    this.status = status;
    this.codes = codes;
    this.isTemporary = isTemporary;
    this.afterMs = afterMs;
  }
}

/**
 * @typedef {{ result: any, result_info?: any }} Answer
 * @typedef {(method: string, path: string, body?: unknown) => Promise<Answer>} Ask `path`: below the account, with its
 *   query; `body`: sent as JSON. Throws a Refusal
 */

/** An account, by CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID. */
export class Cloudflare {
  #environment;
  #pace;
  #silenceMs;
  /** @type {Promise<string> | undefined} */
  #account;

  /**
   * @param {object} [options]
   * @param {Record<string, string | undefined>} [options.environment] its variables
   * @param {Pace} [options.pace]
   * @param {number} [options.silenceMs]
   */
  constructor({ environment = process.env, pace = new Pace(), silenceMs = SILENCE_MS } = {}) {
    this.#environment = environment;
    this.#pace = pace;
    this.#silenceMs = silenceMs;
  }

  /**
   * Only for what may be done twice: a request whose answer is lost is made again.
   * @type {Ask}
   */
  ask(method, path, body) {
    return this.retry((ask) => ask(method, path, body));
  }

  /**
   * Does some work, and does it again if it throws a Refusal that is temporary.
   * @template T
   * @param {(ask: Ask) => Promise<T>} work `ask` asks once
   * @returns {Promise<T>}
   */
  async retry(work) {
    this.#account ??= this.#findAccount();
    const account = await this.#account;
    return this.#repeat(() => work((method, path, body) => this.#send(method, `accounts/${account}/${path}`, body)));
  }

  async #findAccount() {
    if (this.#environment.CLOUDFLARE_ACCOUNT_ID) return this.#environment.CLOUDFLARE_ACCOUNT_ID;
    const { result: accounts } = await this.#repeat(() => this.#send("GET", "accounts")).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      throw new Fault(`set CLOUDFLARE_ACCOUNT_ID, as the token does not tell the account: ${error.message}`);
    });
    if (accounts.length === 1) return accounts[0].id;
    const choice = accounts.map(({ id, name }) => `${id} (${name})`).join(" or ");
    throw new Fault(`set CLOUDFLARE_ACCOUNT_ID: ${choice ? `expected ${choice}` : "the token shows no account"}`);
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   */
  async #repeat(work) {
    for (const pause of PAUSES) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Refusal) || !error.isTemporary) throw error;
        const { afterMs = pause, status, message } = error;
        if (afterMs > LONGEST_WAIT_MS) throw error;
        // Cloudflare's limit is the account's: whatever else is under way has to wait, too.
        if (status === 429) this.#pace.hold(afterMs);
        else await this.#pace.pause(afterMs, message);
      }
    }
    return work();
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<Answer>}
   */
  async #send(method, path, body) {
    const token = this.#environment.CLOUDFLARE_API_TOKEN;
    if (!token) throw new Fault(`not logged in: set CLOUDFLARE_API_TOKEN to a token of ${TOKENS}`);
    await this.#pace.turn();
    const url = `${this.#environment.CLOUDFLARE_API_BASE_URL || API}/${path}`;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await exchange(
      url,
      { method, headers, body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)) },
      this.#silenceMs,
    );
    const envelope = jsonOf(answer.text);
    if (answer.status >= 400 || !envelope?.success) throw refusal(answer, envelope);
    return envelope;
  }
}

const TOKENS = "https://dash.cloudflare.com/profile/api-tokens";

/**
 * A request and the whole text of its answer. Gives up after a silence, so that nothing hangs.
 * @param {string} url
 * @param {{ method: string, headers: Record<string, string>, body?: Buffer<ArrayBuffer> }} request
 * @param {number} silenceMs
 */
async function exchange(url, request, silenceMs) {
  const overdue = new AbortController();
  const timer = setTimeout(() => overdue.abort(), silenceMs + (request.body?.length ?? 0) / BYTES_PER_MS);
  try {
    const response = await fetch(url, { ...request, signal: overdue.signal });
    const chunks = [];
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      timer.refresh();
    }
    return { status: response.status, headers: response.headers, text: Buffer.concat(chunks).toString() };
  } catch (error) {
    const why = `cannot be reached (${reasonOf(error)})`;
    throw new Refusal(`Cloudflare's API ${overdue.signal.aborted ? "does not answer" : why}`, { isTemporary: true });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Why a fetch failed: the code or the message of its cause.
 * @param {unknown} error
 */
function reasonOf(error) {
  const { cause } = /** @type {Error} */ (error);
  return codeOf(cause) ?? messageOf(cause ?? error);
}

/** @param {string} text */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal({ status, headers }, envelope) {
  const errors = envelope?.errors ?? [];
  const said = errors.map(({ code, message }) => `${message} (code ${code})`).join("; ");
  const what = said || (status < 400 ? "expected the JSON of its API" : "");
  return new Refusal(`Cloudflare answered ${status}${what && `: ${what}`}`, {
    status,
    codes: errors.map(({ code }) => code),
    isTemporary: status === 429 || status >= 500,
    afterMs: retryAfterMs(headers),
  });
}

/**
 * Seconds, or a date: that is held against Cloudflare's own clock.
 * @param {Headers} headers
 */
function retryAfterMs(headers) {
  const after = headers.get("retry-after") ?? "";
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.parse(headers.get("date") ?? "");
  return ms >= 0 ? ms : undefined;
}
