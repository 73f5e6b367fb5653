// What ends an order early: its client hangs up, or its deadline passes.
import { PricingError, spentMs } from "../core/index.js";
import { isPromise, whenAborted } from "../shared/index.js";

/** Most orders end before anybody needs to know: then it makes no signal and no timer. */
export class Ending {
  #request;
  #deadlineMs;
  #order;
  #endListening;

  /**
   * @param {Request} request
   * @param {number} deadlineMs after its server began with it; 0: none
   */
  constructor(request, deadlineMs) {
    this.#request = request;
    this.#deadlineMs = deadlineMs;
  }

  /** Aborts when the order ends early. */
  get signal() {
    return this.#deadlineMs === 0 ? this.#request.signal : this.#controller.signal;
  }

  get #controller() {
    return (this.#order ??= this.#made());
  }

  #made() {
    const order = new AbortController();
    const { signal } = this.#request;
    if (signal?.aborted) order.abort(signal.reason);
    else if (signal) this.#endListening = whenAborted(signal, () => order.abort(signal.reason));
    return order;
  }

  /**
   * What comes of a running order, unless it is late.
   * @template T
   * @param {T | Promise<T>} running
   * @param {string} requestId
   * @returns {T | Promise<T>}
   */
  inTime(running, requestId) {
    if (this.#deadlineMs === 0 || !isPromise(running)) return running;
    return new Promise((resolve, reject) => {
      const late = () => {
        const message = `The order was not priced within ${this.#deadlineMs} ms`;
        const error = new PricingError({ code: "DEADLINE_EXCEEDED", message, retryable: true }, requestId);
        end(reject, error);
        this.#controller.abort(error);
      };
      const timer = setTimeout(late, this.#deadlineMs - (this.#request[spentMs] ?? 0));
      const end = (settle, value) => {
        clearTimeout(timer);
        this.#endListening?.();
        settle(value);
      };
      running.then(
        (answer) => end(resolve, answer),
        (error) => end(reject, error),
      );
    });
  }
}
