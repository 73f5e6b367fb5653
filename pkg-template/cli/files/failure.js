import { getSystemErrorMap } from "node:util";

/** Ends the command. Its sentences are for stderr, a line each. */
export class Failure extends Error {
  constructor(...sentences) {
    super(sentences.join("\n"));
    this.sentences = sentences;
  }
}

/** A line that is no capture: `--skip-broken` goes on without it. */
export class Broken extends Failure {}

/** What `work` gives. If it is too much for the engine, the sentence says where. */
export function placed(place, work) {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? new Failure(`${place}: ${TOO_MUCH}`) : error;
  }
}

export const TOO_MUCH = "too large for this command";

/** The text of an error: for a system error, the operating system's own text. */
export function sentence(error) {
  return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
}
