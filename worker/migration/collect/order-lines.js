// The log's lines of the new side.
import { printable } from "../../src/log/index.js";

/** Those of orders are kept until somebody asks; others are told, unless they are good news. */
export class OrderLines {
  /** @type {Map<string, string>} */
  #byId = new Map();
  #tell;

  /** @param {(line: string) => void} tell */
  constructor(tell) {
    this.#tell = tell;
  }

  /** @param {string} text */
  take(text) {
    const { level, event, requestId, message, cause } = JSON.parse(text);
    const said = printable([message, cause].filter(Boolean).join(": ")); // a terminal shows it
    if (event === "order") this.#byId.set(requestId, said);
    else if (requestId === undefined && level !== "info") this.#tell(`${level}: ${said}`);
  }

  /**
   * What the line of an order says; undefined if it has none, or nothing to say.
   * @param {string} requestId
   */
  of(requestId) {
    const said = this.#byId.get(requestId);
    this.#byId.delete(requestId);
    return said || undefined;
  }
}
