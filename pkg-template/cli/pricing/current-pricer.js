// A pricer whose facts may change between two orders.
import { stat } from "node:fs/promises";
import { Failure, readBytes, textOf } from "../files/index.js";
import { createFactsPricer, forgetCalls } from "./facts-pricer.js";

/** Prices each order from what the files of facts and zones hold once its body has arrived. */
export class CurrentPricer {
  /** @type {[facts: string | undefined, zones: string | undefined]} */
  #names;
  /** @type {import("order-cost").PricerOptions} */
  #options;
  /**
   * The bytes of the files, and the promise of their pricer.
   * @type {{ bytes: (Buffer | undefined)[], created: ReturnType<typeof createFactsPricer> } | undefined}
   */
  #current;

  /**
   * Without a name of facts there are none, without a name of zones those of the facts count.
   * @param {string | undefined} factsName
   * @param {string | undefined} zonesName
   * @param {import("order-cost").PricerOptions} options
   */
  constructor(factsName, zonesName, options) {
    this.#names = [factsName, zonesName];
    this.#options = options;
  }

  /** Rejects if the files are no facts and zones. */
  async check() {
    await Promise.all(this.#names.map(refusePipe));
    await this.#read();
  }

  async calculateJson(body, call) {
    const { pricer, host } = await this.#read().catch(refuse);
    forgetCalls(host);
    return pricer.calculateJson(body, call);
  }

  /**
   * Compares the bytes, which costs an order less than 1 ms for each megabyte. The files' times would miss a second edit
   * within one tick of the file system's clock, and a watcher may report an edit only after the next order.
   */
  async #read() {
    const bytes = await Promise.all(this.#names.map((name) => (name === undefined ? undefined : readBytes(name))));
    if (!this.#current || !areSame(this.#current.bytes, bytes)) {
      this.#current = { bytes, created: this.#create(bytes.map((file) => file && textOf(file))) };
    }
    return this.#current.created;
  }

  /** @param {(string | undefined)[]} texts */
  #create([factsText = "{}", zonesText]) {
    const [factsName, zonesName] = this.#names;
    return createFactsPricer({ factsName, factsText, zonesName, zonesText, options: this.#options });
  }
}

/**
 * @param {(Buffer | undefined)[]} before
 * @param {(Buffer | undefined)[]} now
 */
const areSame = (before, now) => before.every((file, index) => file === now[index] || (file && now[index]?.equals(file)));

/**
 * A pipe is empty when it is read again.
 * @param {string | undefined} name
 */
async function refusePipe(name) {
  if (name === undefined) return;
  const found = await stat(name).catch(() => undefined); // Reading says what is wrong.
  if (found?.isFIFO()) throw new Failure(`${name}: expected a file, which is read for each order`);
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function refuse(error) {
  throw error instanceof Failure ? new FactsFault(error.message) : error;
}

/** The fetch handler shows clients an error that has `toJSON`. */
class FactsFault extends Error {
  code = "FACTS_FAILED";

  toJSON() {
    return { error: this.message };
  }
}
