// One abort listener per signal, shared by all its calculations: Node warns about more than ten listeners.

/** The shared listener of each signal. */
const listeners = new WeakMap();

/** Runs `listener` when the signal aborts. Returns a function that removes the listener. */
export function whenAborted(signal, listener) {
  const shared = listeners.get(signal) ?? new SharedListener(signal);
  return shared.add(listener);
}

class SharedListener {
  #signal;
  #listeners = new Set();
  #abort = () => {
    this.#stop();
    // Iterates the live set: a listener may remove others, which then do not run.
    for (const listener of this.#listeners) listener();
  };

  constructor(signal) {
    this.#signal = signal;
    listeners.set(signal, this);
    signal.addEventListener("abort", this.#abort);
  }

  add(listener) {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #stop() {
    if (listeners.get(this.#signal) === this) listeners.delete(this.#signal);
    this.#signal.removeEventListener("abort", this.#abort);
  }
}
