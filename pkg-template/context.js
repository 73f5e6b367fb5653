import { whenAborted } from "./abort.js";
import { aborted } from "./error.js";
import { requestId } from "./wasm/order_cost.js";

/** A calculation as its caller and its host see it. */
export class Context {
  #call;
  #controller;
  #requestId;
  #endListening;
  #reason;
  #onAbort;

  constructor(call) {
    const { signal } = call;
    if (signal !== undefined && typeof signal?.addEventListener !== "function") {
      const message = "Invalid options: signal: expected an AbortSignal";
      throw { code: "VALIDATION_ERROR", message, path: "signal", retryable: false };
    }
    this.#call = call;
  }

  get requestId() {
    return (this.#requestId ??= this.#call.requestId ?? requestId());
  }

  /** What the host's callbacks are told (`CallContext`), and nothing that they could change. */
  forHost() {
    const self = this;
    return {
      get signal() {
        return self.#signal;
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
  get #signal() {
    this.#listen();
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Fails where the caller has aborted. */
  throwIfAborted() {
    if (!this.#call.signal?.aborted) return;
    const { reason } = this.#call.signal;
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
    const { signal } = this.#call;
    if (!signal || this.#endListening) return;
    this.#endListening = whenAborted(signal, () => {
      this.abort(signal.reason);
      this.#onAbort?.(aborted(signal.reason));
    });
  }

  /** Tells the callbacks that nobody waits for them any more. */
  abort(reason) {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }

  /** Lets go of the caller's signal. */
  end() {
    this.#endListening?.();
  }
}
