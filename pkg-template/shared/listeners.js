// Tells listeners that a snapshot has changed, whatever they do meanwhile.

/** Listeners that always change what they listen to would otherwise never end. */
const MOST_ROUNDS = 100;

/** The functions that are called with each new snapshot. */
export class Listeners {
  #entries = new Set();
  #isTelling = false;

  /** Whether anybody listens. */
  get isAny() {
    return this.#entries.size > 0;
  }

  /** Adds a listener and calls it at once. Returns a function that removes it. */
  add(listener, newest) {
    const entry = { listener, shown: undefined };
    this.#entries.add(entry);
    if (this.#isTelling) notify(entry, newest());
    else this.tell(newest);
    return () => void this.#entries.delete(entry);
  }

  /**
   * Calls each listener that was not given the newest snapshot. A listener may change it: the following listeners get
   * the newest at once, the earlier ones in another round.
   */
  tell(newest) {
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
        for (const entry of this.#entries) if (entry.shown !== newest()) notify(entry, newest());
        if ([...this.#entries].every(({ shown }) => shown === newest())) return;
      }
    } finally {
      this.#isTelling = false;
    }
    throw new Error(`The listeners of the basket have changed it in each of ${MOST_ROUNDS} rounds`);
  }
}

function notify(entry, snapshot) {
  entry.shown = snapshot;
  try {
    entry.listener(snapshot);
  } catch (thrown) {
    report(thrown);
  }
}

/** Reports an error that no caller can catch. */
export function report(error) {
  if (typeof reportError === "function") return reportError(error);
  setTimeout(() => {
    throw error;
  });
}

/** Fires "change" events at `target`. */
export class ChangeEvents {
  #target;
  #isDue = false;
  #turn; // a timer that ends the turn of the last event

  constructor(target) {
    this.#target = target;
  }

  /** The first event of a turn is fired in a microtask, the next in a task: a listener may change the basket for ever. */
  announce() {
    if (this.#isDue) return;
    this.#isDue = true;
    if (this.#turn === undefined) queueMicrotask(() => this.#fire());
  }

  /** Fires no more events. */
  end() {
    this.#isDue = false;
    clearTimeout(this.#turn);
    this.announce = () => {};
  }

  #fire() {
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#turn = setTimeout(() => {
      this.#turn = undefined;
      this.#fire();
    });
    this.#target.dispatchEvent(new Event("change"));
  }
}
