import { whenAborted } from "./abort.js";
import { Refusal, aborted } from "./error.js";
import { requestId } from "./wasm/order_cost.js";

/** A calculation as its caller and its host see it. */
export class Context {
  #call;
  /** The caller's. */
  #signal;
  #controller;
  #requestId;
  #endListening;
  #isAborted = false;
  #reason;
  #isOver = false;
  #onAbort;

  constructor(call) {
    this.#call = call;
  }

  /** Reads the caller's signal; fails where that is none or has aborted. */
  begin() {
    const { signal } = this.#call;
    if (signal !== undefined && typeof signal?.addEventListener !== "function") {
      const message = "Invalid options: signal: expected an AbortSignal";
      throw new Refusal({ code: "VALIDATION_ERROR", message, path: "signal", retryable: false });
    }
    this.#signal = signal;
    this.throwIfAborted();
  }

  get requestId() {
    return (this.#requestId ??= givenId(this.#call) ?? requestId());
  }

  /** What the host's callbacks are told (`CallContext`), and nothing that they could change. */
  forHost() {
    const self = this;
    return {
      get signal() {
        return self.#signalForHost;
      },
      get requestId() {
        return self.requestId;
      },
      get context() {
        return self.#call.context;
      },
    };
  }

  /** Made when first asked for: most hosts do not. */
  get #signalForHost() {
    this.#listen();
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Fails where the caller has aborted. */
  throwIfAborted() {
    if (!this.#signal?.aborted) return;
    const { reason } = this.#signal;
    this.abort(reason);
    throw aborted(reason);
  }

  /** Calls `listener` with the error when the caller aborts, until it is replaced. */
  set onAbort(listener) {
    this.#listen();
    this.#onAbort = listener;
  }

  /** Not before somebody would hear of it: a host that has everything at hand is over before its caller can abort. */
  #listen() {
    const signal = this.#signal;
    if (!signal || this.#endListening || this.#isOver) return;
    this.#endListening = whenAborted(signal, () => {
      this.abort(signal.reason);
      this.#onAbort?.(aborted(signal.reason));
    });
  }

  /** Tells the callbacks that nobody waits for them any more. */
  abort(reason) {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** Lets go of the caller's signal. */
  end() {
    this.#isOver = true;
    this.#endListening?.();
  }
}

/** One that cannot be read is none. */
function givenId(call) {
  try {
    return call.requestId;
  } catch {
    return undefined;
  }
}
