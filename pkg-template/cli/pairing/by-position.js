// Pairs the responses of two inputs by their position.
import { keyOf, responses } from "../files/index.js";

export class PairsByPosition {
  #inputs;
  /** Why the lines do not line up, as a sentence: order ids differ, or one side has more responses. */
  fault;

  constructor(inputs) {
    this.#inputs = inputs;
    const [left, right] = inputs;
    this.size = left.size && right.size && left.size + right.size;
  }

  get bytesRead() {
    return this.#inputs[0].bytesRead + this.#inputs[1].bytesRead;
  }

  /** Yields `{ id, left, right }` for each pair; one side is undefined if it has no more responses. */
  async *[Symbol.asyncIterator]() {
    const sides = this.#inputs.map(responses);
    try {
      for (let position = 1; ; position += 1) {
        // One after the other: if both sides are broken, the error always names the left one.
        const { value: left } = await sides[0].next();
        const { value: right } = await sides[1].next();
        if (!left && !right) return;
        this.fault ??= this.#misaligned(left, right);
        yield { id: orderId(left) || orderId(right) || `${position}`, left, right };
      }
    } finally {
      for (const side of sides) await side.return();
    }
  }

  #misaligned(left, right) {
    if (left && right) {
      const ids = [left, right].map(orderId);
      if (!ids[0] || !ids[1] || ids[0] === ids[1]) return undefined;
      return `The lines do not line up: ${left.place} is order ${ids[0]}, ${right.place} is order ${ids[1]}. ${ADVICE}`;
    }
    const [longer, shorter] = left ? this.#inputs : this.#inputs.toReversed();
    return `The lines do not line up: ${longer.name} goes on after the end of ${shorter.name}. ${ADVICE}`;
  }
}

const ADVICE = "Without --key they are compared by position; --key orderId pairs them by order.";

const orderId = (record) => record && keyOf(record.value, "orderId");
