import { identified, reading } from "order-cost/internal";

/** A request whose body has come: as much of a `Request` as the service reads, in a tenth of the time that one takes. */
export class PlainRequest {
  method = "POST";
  [identified] = undefined;
  #outgoing;
  #body;
  #hangUp;

  /**
   * @param {import("node:http").IncomingMessage} incoming
   * @param {import("node:http").ServerResponse} outgoing
   * @param {string} url
   * @param {Uint8Array} body
   */
  constructor(incoming, outgoing, url, body) {
    this.url = url;
    this.headers = new PlainHeaders(incoming.headers);
    this.#outgoing = outgoing;
    this.#body = body;
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

class PlainHeaders {
  #byName;

  /** @param {import("node:http").IncomingHttpHeaders} byName */
  constructor(byName) {
    this.#byName = byName;
  }

  /** @param {string} name in lower case */
  get(name) {
    return this.#byName[name] ?? null;
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
