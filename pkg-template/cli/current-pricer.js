// A pricer whose facts may change between two orders.
import { stat } from "node:fs/promises";
import { createFactsPricer } from "./facts-pricer.js";
import { Failure } from "./failure.js";
import { readBytes, textOf } from "./input.js";

/** Prices each order from what the files of facts and zones hold once its body has arrived. */
export class CurrentPricer {
  #names;
  #options;
  /** The bytes of the files, and the promise of their pricer. */
  #bytes;
  #created;

  /** Without a name of facts there are none, without a name of zones those of the facts count. */
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
    host.calls.length = 0; // Meant for test suites; here the list would grow with every order.
    return pricer.calculateJson(body, call);
  }

  /**
   * Compares the bytes, which costs an order less than 1 ms for each megabyte. The files' times would miss a second edit
   * within one tick of the file system's clock, and a watcher may report an edit only after the next order.
   */
  async #read() {
    const bytes = await Promise.all(this.#names.map((name) => name && readBytes(name)));
    const isSame = this.#bytes?.every((before, index) => before?.equals(bytes[index]) ?? true);
    if (!isSame) {
      this.#bytes = bytes;
      this.#created = this.#create(bytes.map((file) => file && textOf(file)));
    }
    return this.#created;
  }

  #create([factsText = "{}", zonesText]) {
    const [factsName, zonesName] = this.#names;
    return createFactsPricer({ factsName, factsText, zonesName, zonesText, options: this.#options });
  }
}

/** A pipe is empty when it is read again. */
async function refusePipe(name) {
  const found = name && (await stat(name).catch(() => undefined)); // Reading says what is wrong.
  if (found?.isFIFO()) throw new Failure(`${name}: expected a file, which is read for each order`);
}

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
