import { askingVersion, atHand, isPromise } from "order-cost/internal";
import { recordingHost } from "order-cost/testing";

/** Notes what an order is priced from and what came of it, so that it can be priced again. */
export class Recording {
  /** The bytes of the order, and of its answer if it was priced. */
  body;
  priced;
  /** What the host was asked and what it answered, which is text. To make facts of it takes longer than an order has. */
  #answers = [];

  /**
   * @param {keyof import("order-cost").Host} name
   * @param {unknown} question
   * @param {unknown} answer
   * @returns {unknown} the answer
   */
  note(name, question, answer) {
    if (isPromise(answer)) return answer.then((value) => this.note(name, question, value));
    this.#answers.push({ name, question, answer });
    return answer;
  }

  /** @returns {import("../captures/redaction/captured-facts.js").RecordedFacts} */
  get facts() {
    let heard;
    const names = new Set(this.#answers.map(({ name }) => name));
    const recorder = recordingHost(Object.fromEntries([...names].map((name) => [name, () => heard])));
    for (const { name, question, answer } of this.#answers) {
      heard = answer;
      recorder[name](question);
    }
    // A binding carries no object without a prototype.
    const plain = (fact) => (Array.isArray(fact) ? fact : Object.fromEntries(Object.entries(fact)));
    return Object.fromEntries(Object.entries(recorder.facts).map(([name, fact]) => [name, plain(fact)]));
  }
}

/**
 * The same host for all orders of a pricer, which notes its answers to those that are recorded.
 * @param {import("order-cost").Host} host
 * @returns {import("order-cost").Host}
 */
export function recordable(host) {
  const asks = Object.entries(host).filter(([, ask]) => ask);
  function noted(name, ask) {
    const asked = (question, ctx) => {
      const answer = ask(question, ctx);
      return ctx.context.recording?.note(name, question, answer) ?? answer;
    };
    // What is recorded is asked for.
    return ask[atHand] ? askingVersion(asked, (order) => (order.recording ? undefined : ask[atHand].version(order))) : asked;
  }
  return Object.fromEntries(asks.map(([name, ask]) => [name, noted(name, ask)]));
}
