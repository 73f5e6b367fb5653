// One listener for each signal, however many calculations it can end: Node warns of more than ten.

/** By signal. */
const listeners = new WeakMap();

/**
 * Runs `listener` when the signal aborts; gives what ends that.
 *
 * @param {AbortSignal} signal
 * @param {() => void} listener
 * @returns {() => void}
 */
export function whenAborted(signal, listener) {
  const shared = listeners.get(signal) ?? new SharedListener(signal);
  return shared.add(listener);
}

class SharedListener {
  #signal;
  #listeners = new Set();
  #abort = () => {
    this.#stop();
    // One of them may end others.
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
