import { aborted } from "./error.js";
import { requestId } from "./wasm/order_cost.js";

/** What a host's callback is told of the calculation that calls it (`CallContext`). */
export class Context {
  #call;
  #controller;
  #requestId;
  #stop;
  #reason;
  #onAbort = () => {};

  constructor(call) {
    this.#call = call;
    this.#stop = () => {
      this.abort(call.signal.reason);
      this.#onAbort(aborted(call.signal.reason));
    };
    call.signal?.addEventListener("abort", this.#stop, { once: true });
  }

  /** Made when first asked for: most hosts do not. */
  get signal() {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  get requestId() {
    return (this.#requestId ??= this.#call.requestId ?? requestId());
  }

  get context() {
    return this.#call.context;
  }

  /** Fails where the caller has aborted. */
  throwIfAborted() {
    if (this.#call.signal?.aborted) throw aborted(this.#call.signal.reason);
  }

  /** Calls `listener` with the error when the caller aborts, until it is replaced. */
  set onAbort(listener) {
    this.#onAbort = listener;
  }

  /** Tells the callbacks that nobody waits for them any more. */
  abort(reason) {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }

  /** Lets go of the caller's signal. */
  end() {
    this.#call.signal?.removeEventListener("abort", this.#stop);
  }
}
