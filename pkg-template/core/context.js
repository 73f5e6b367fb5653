import { sharedGetter, whenAborted } from "../shared/index.js";
import { requestId } from "../wasm/order_cost.js";
import { aborted } from "./error.js";
import { invalidOption, refuseUnknown } from "./options.js";
import { lateSignal } from "./symbols.js";

/** The Context that a host's `CallContext` shows. */
const seen = Symbol("seen");

const FOR_HOST = {
  signal: sharedGetter((host) => host[seen].hostSignal),
  requestId: sharedGetter((host) => host[seen].requestId),
  context: sharedGetter((host) => host[seen].givenContext),
};

/** What the caller and the host see of a calculation: the signal, the request id and the caller's context. */
export class Context {
  #call;
  /** The caller's signal. */
  #signal;
  #controller;
  #requestId;
  #endListening;
  /** Holds the reason of the abort, once there was one. */
  #aborted;
  #isOver = false;
  #onAbort;

  constructor(call) {
    this.#call = call;
  }

  /** Reads the caller's options. Throws if one is unknown, or if the signal is not an AbortSignal or has aborted. */
  begin() {
    refuseUnknown(this.#call, ["signal", "requestId", "context", "facts", "input"]);
    if (!this.#call[lateSignal]) this.takeSignal();
  }

  takeSignal() {
    const { signal } = this.#call;
    throwUnlessSignal(signal);
    this.#signal = signal;
    this.throwIfAborted();
  }

  get requestId() {
    return (this.#requestId ??= givenId(this.#call) ?? requestId());
  }

  /** The `CallContext` for the host's callbacks: getters only, so that a callback cannot change the calculation. */
  forHost() {
    return Object.defineProperties({}, { [seen]: { value: this }, ...FOR_HOST });
  }

  get givenContext() {
    return this.#call.context;
  }

  /** The host's own signal, created on first use: most hosts never read it. */
  get hostSignal() {
    this.#listen();
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    return this.#controller.signal;
  }

  /** Throws if the caller has aborted. */
  throwIfAborted() {
    if (!this.#signal?.aborted) return;
    const { reason } = this.#signal;
    this.abort(reason);
    throw aborted(reason);
  }

  /** Sets the listener that gets the error when the caller aborts. It replaces the previous listener. */
  set onAbort(listener) {
    this.#listen();
    this.#onAbort = listener;
  }

  /** Listens only when needed: with a synchronous host the calculation ends before the caller can abort. */
  #listen() {
    const signal = this.#signal;
    if (!signal || this.#endListening || this.#isOver) return;
    this.#endListening = whenAborted(signal, () => {
      this.abort(signal.reason);
      this.#onAbort?.(aborted(signal.reason));
    });
  }

  /** Tells the callbacks that the calculation no longer needs their answers. The first reason counts. */
  abort(reason) {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  /** Stops listening to the caller's signal. */
  end() {
    this.#isOver = true;
    this.#endListening?.();
  }
}

/** Throws if an option is neither undefined nor an AbortSignal. */
export function throwUnlessSignal(signal) {
  if (signal === undefined || typeof signal?.addEventListener === "function") return;
  throw invalidOption("signal", "expected an AbortSignal");
}

/** The caller's request id. Undefined if its getter throws. */
function givenId(call) {
  try {
    return call.requestId;
  } catch {
    return undefined;
  }
}
