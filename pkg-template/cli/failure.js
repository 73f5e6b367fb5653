import { getSystemErrorMap } from "node:util";

/** Ends the command. Its sentences are for stderr, a line each. */
export class Failure extends Error {
  constructor(...sentences) {
    super(sentences.join("\n"));
    this.sentences = sentences;
  }
}

/** The text of an error: for a system error, the operating system's own text. */
export function sentence(error) {
  return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
}
