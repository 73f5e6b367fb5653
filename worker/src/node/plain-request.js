import { reading } from "order-cost/internal";

/** A request whose body has come: as much of a `Request` as the service reads, in a tenth of the time that one takes. */
export class PlainRequest {
  method = "POST";
  #incoming;
  #outgoing;
  #body;
  #hangUp;

  /**
   * @param {import("node:http").IncomingMessage} incoming
   * @param {import("node:http").ServerResponse} outgoing
   * @param {Uint8Array} body
   */
  constructor(incoming, outgoing, body) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#body = body;
  }

  get url() {
    const { headers, url } = this.#incoming;
    return `http://${headers.host}${url}`;
  }

  get headers() {
    return { get: (name) => this.#incoming.headers[name] ?? null };
  }

  /** Aborts when the client hangs up. */
  get signal() {
    this.#hangUp ??= hangUpOf(this.#outgoing);
    return this.#hangUp.signal;
  }

  [reading](mostBytes) {
    return this.#body.byteLength > mostBytes ? undefined : this.#body;
  }
}

/** @param {import("node:http").ServerResponse} outgoing */
export function hangUpOf(outgoing) {
  const hangUp = new AbortController();
  const abort = () => outgoing.writableFinished || hangUp.abort(new DOMException("The client has gone", "AbortError"));
  if (outgoing.closed) abort();
  else outgoing.once("close", abort);
  return hangUp;
}
