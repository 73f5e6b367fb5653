// One abort listener per signal, shared by all its calculations: Node warns about more than ten listeners.

/** The listeners of each signal, with the function that stops listening to it. */
const shared = new WeakMap();

/** Runs `listener` when the signal aborts. Returns a function that removes the listener. */
export function whenAborted(signal, listener) {
  const { listeners, stop } = shared.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

function listenTo(signal) {
  const listeners = new Set();
  const abort = () => {
    stop();
    // Iterates the live set: a listener may remove others, which then do not run.
    for (const listener of listeners) listener();
  };
  const stop = () => {
    if (shared.get(signal) === entry) shared.delete(signal);
    signal.removeEventListener("abort", abort);
  };
  const entry = { listeners, stop };
  shared.set(signal, entry);
  signal.addEventListener("abort", abort);
  return entry;
}
