// The pauses of a basket, by name: one after an edit, and one after the failure of each function of the host.
import { after } from "../shared/index.js";

export class Pauses {
  #timers = new Map();
  #begun = new Map();

  /** The names of those that run. */
  get names() {
    return [...this.#timers.keys()];
  }

  has(name) {
    return this.#timers.has(name);
  }

  /** How often it has begun since its end. */
  begun(name) {
    return this.#begun.get(name) ?? 0;
  }

  begin(name, ms, then) {
    this.#begun.set(name, this.begun(name) + 1);
    const over = () => {
      this.cut(name);
      then();
    };
    this.#timers.set(name, after(ms, over));
  }

  /** Stops a pause that may begin again, as a longer one. */
  cut(name) {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  end(name) {
    this.cut(name);
    this.#begun.delete(name);
  }

  endAllBut(...kept) {
    for (const name of this.#begun.keys()) if (!kept.includes(name)) this.end(name);
  }
}
